"""One session of a running OpenCode, as the pairer sees it. The person stays in their own terminal.

The prompt of an app runs with the agent, the model and the effort of the session's newest prompt: what the person
chose in the terminal, planning without edits for one, holds for apps too.
"""

import time
from collections.abc import Callable, Coroutine, Mapping, Sequence

from agent_connector.byoa.core.handle import Handle
from agent_connector.byoa.protocol import Setting, Workspace
from agent_connector.byoa.sessions import opencode_rules as rules
from agent_connector.byoa.sessions.acp_updates import Object, table, tables, text
from agent_connector.byoa.sessions.opencode_server import Server, ServerError
from agent_connector.byoa.sessions.opencode_turns import Conversation

GAP = "500"  # messages that are read again after a gap
NO_PERSON = 0.5  # seconds: whoever answers a permission sooner is the terminal's `--auto`
ASKED = ("permission.asked", "question.asked")
ANSWERED = ("permission.replied", "question.replied", "question.rejected")


class OpenCodeSession:
    """A `HostSession` that can abort and set; `spawn` runs what takes time, `wake` carries out what was reported."""

    def __init__(
        self,
        server: Server,
        info: Object,
        workspace: Workspace,
        spawn: Callable[[Coroutine[object, object, None]], object],
        wake: Callable[[], None],
        note: Callable[[str], None],
    ) -> None:
        self.id = text(info.get("id"))
        self.directory = text(info.get("directory"))
        self.workspace = workspace
        self.gone = False
        self.heard = False  # events come; while they do not, nothing is known
        self.handle: Handle | None = None
        self.conversation: Conversation | None = None
        self.choice = rules.of_session(info)
        self._info = info
        self._server = server
        self._spawn = spawn
        self._wake = wake
        self._note = note
        self._models: dict[str, tuple[str, ...]] = {}
        self._agents: object = ()
        self._open: dict[str, float] = {}  # questions that wait -> since when
        self._unattended = False

    async def begin(self, handle: Handle, own_tools: Mapping[str, str]) -> None:
        """Look at it for the first time."""
        self.handle = handle
        self.conversation = Conversation(self.id, handle, own_tools)
        newest = tables(await self._get(f"/session/{self.id}/message", limit="1"))
        last = table(newest[-1].get("info")) if newest else {}
        self.conversation.begin(text(last.get("id")), await self._status())
        await self.look()

    async def catch_up(self) -> None:
        """The stream of events had a gap; raises ServerError, with status 404 when the session is no more."""
        self.updated(table(await self._get(f"/session/{self.id}")))
        messages = tables(await self._get(f"/session/{self.id}/message", limit=GAP))
        if self.conversation is not None:
            self.conversation.catch_up(messages, await self._status())
        await self.look()

    async def look(self) -> None:
        """What no event tells: models, agents, and what waits for the person."""
        self._models = rules.models(table(await self._get("/config/providers")))
        self._agents = await self._get("/agent")
        waiting = (*tables(await self._get("/permission")), *tables(await self._get("/question")))
        self._open = {text(each.get("id")): 0.0 for each in waiting if each.get("sessionID") == self.id}

    # Events.

    def updated(self, info: Object) -> None:
        self._info = info

    def event(self, kind: str, told: Object) -> None:
        """An event of this session, or a question of one of its subagents."""
        if self.conversation is None:
            return
        match kind:
            case "message.updated":
                self._message(self.conversation, table(told.get("info")))
            case "message.part.updated":
                self.conversation.part(table(told.get("part")))
            case "message.part.delta":
                self.conversation.delta(told)
            case "session.status":
                self.conversation.status(text(table(told.get("status")).get("type")))
            case "session.idle":
                self.conversation.status("idle")
            case "session.error":
                self.conversation.error(text(table(told.get("error")).get("name")))
            case "session.updated":
                self.updated(table(told.get("info")))
            case _ if kind in ASKED:
                self._open[text(told.get("id"))] = time.monotonic()
            case _ if kind in ANSWERED:
                self._answered(told)
            case _:
                pass

    def _message(self, conversation: Conversation, info: Object) -> None:
        if info.get("role") == "user":
            self.choice = rules.of_prompt(info)
        conversation.message(info)

    def _answered(self, told: Object) -> None:
        since = self._open.pop(text(told.get("requestID")), 0.0)
        if since and told.get("reply") == "once":
            self._unattended = time.monotonic() - since < NO_PERSON

    # What the pairer reads.

    @property
    def host_session_id(self) -> str | None:
        return None if self.gone else self.id

    @property
    def title(self) -> str | None:
        return text(self._info.get("title")) or None

    @property
    def busy(self) -> bool:
        return not self.heard or self.conversation is None or self.conversation.running

    @property
    def quiet(self) -> bool:
        """Nothing runs here, and nothing is about to."""
        return not self.busy and not (self.conversation is not None and self.conversation.pending)

    @property
    def blocked(self) -> bool:
        return bool(self._open)

    @property
    def approvals_bypassed(self) -> bool:
        return self._unattended or rules.bypassed(self._rules())

    @property
    def unasked(self) -> tuple[str, ...]:
        return rules.unasked(self._rules())

    def _rules(self) -> tuple[Object, ...]:
        return rules.rules_of(self._agents, self.choice.agent or "build", self._info)

    def settings(self) -> Sequence[Setting]:
        return rules.settings(self._models, self.choice)

    # What the pairer does.

    def submit(self, prompt: str) -> None:
        """As one text part: OpenCode looks for files and commands only in what its own clients make of typed lines."""
        if self.conversation is not None:
            self.conversation.submitted = prompt
        self._spawn(self._submit(prompt))

    def abort(self) -> None:
        """Not while a prompt of the person stands behind: OpenCode would drop it with the turn."""
        if self.conversation is not None and self.conversation.person_waits:
            self._note("the app's turn was stopped; it goes on here, since ending it would drop what you typed")
        else:
            self._spawn(self._post(f"/session/{self.id}/abort"))

    def apply_setting(self, setting: str, value: str) -> None:
        """For prompts of apps, until the person prompts with something else."""
        self.choice = rules.chosen(self.choice, setting, value)

    async def _submit(self, prompt: str) -> None:
        body = {**self.choice.body(), "parts": [{"type": "text", "text": prompt}]}
        try:
            await self._server.post(f"/session/{self.id}/prompt_async", body, directory=self.directory)
        except ServerError as problem:
            self._note(f"OpenCode did not take the app's prompt: {problem}")
            if problem.status and self.handle is not None:
                self.handle.refused()
                self._wake()

    async def _post(self, path: str) -> None:
        try:
            await self._server.post(path, directory=self.directory)
        except ServerError as problem:
            self._note(str(problem))

    async def _get(self, path: str, **query: str) -> object:
        return await self._server.get(path, directory=self.directory, **query)

    async def _status(self) -> str:
        """A session that is not in the list is idle."""
        found = table(table(await self._get("/session/status")).get(self.id))
        return text(found.get("type")) or "idle"
