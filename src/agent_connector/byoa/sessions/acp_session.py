"""One conversation with an agent over ACP, as the pairer sees it: whose turn it is, what it says, what it asks.

There is one prompt in the agent at a time. The person's own goes first: it ends an app's turn, and waits for none but
the person's own. A prompt has begun at the first update after it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace

from agent_connector.byoa.core.handle import Handle
from agent_connector.byoa.protocol import Setting, Workspace
from agent_connector.byoa.sessions import acp_settings, acp_updates
from agent_connector.byoa.sessions.acp_agent import Agent, AgentError
from agent_connector.byoa.sessions.acp_questions import Questions
from agent_connector.byoa.sessions.acp_settings import MODELS, Offers
from agent_connector.byoa.sessions.acp_turn import BROKEN, ENDS, Running, Screen
from agent_connector.byoa.sessions.acp_updates import Object, Step, Text, Thought, text
from agent_connector.byoa.sessions.inert import Break

STEP = 1.0
BEGIN_WITHIN = 120.0  # an agent that has given no sign of a prompt by then is asked to let go of it
SETTLE = 0.5  # after a turn of the person: an update that comes late must not be taken for the next turn's
CANCEL_WITHIN = 15.0  # one that does not let go is given up


class AcpSession:
    """A `HostSession` that can abort and set. `wake` carries out what followed from the handle's methods."""

    def __init__(
        self, agent: Agent, workspace: Workspace, inert: Break | None, screen: Screen, wake: Callable[[], None]
    ) -> None:
        self.handle: Handle | None = None
        self.host_session_id: str | None = None
        self.title: str | None = None
        self.workspace = workspace
        self.stuck = False  # the agent is gone, or does not let go of a prompt
        self.questions = Questions()
        self.waiting: deque[str] = deque()
        self._id = ""  # known a little before the apps may see it
        self._agent = agent
        self._inert = inert
        self._screen = screen
        self._wake = wake
        self.offers = Offers()
        self._own_tools: tuple[str, ...] = ()
        self._running: Running | None = None
        self._seen: set[str] = set()
        self._quiet_at = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    # What the pairer reads.

    @property
    def busy(self) -> bool:
        return self._running is not None or bool(self.waiting) or asyncio.get_running_loop().time() < self._quiet_at

    @property
    def blocked(self) -> bool:
        """The agent waits for its person, or may be given no text of an app at all."""
        return bool(self.questions) or self._inert is None

    @property
    def approvals_bypassed(self) -> bool:
        return self.offers.bypassed

    def settings(self) -> Sequence[Setting]:
        return [offer.setting for offer in self.offers.settings().values()]

    # What the pairer does.

    def submit(self, prompt: str) -> None:
        self._start(prompt, of_app=True)

    def abort(self) -> None:
        if self._running is not None:
            self._cancel(self._running)

    def apply_setting(self, setting: str, value: str) -> None:
        offer = self.offers.settings().get(setting)
        if offer is not None:
            self._spawn(self._choose(offer.option, offer.setting.label, value))

    # What the person does.

    async def opened(self, answer: Object, own_tools: Sequence[str]) -> None:
        """The agent has opened the conversation. Where a model would judge what is allowed, the person does."""
        self.offers = acp_settings.opened(answer)
        self._own_tools = tuple(own_tools)
        self._id = text(answer.get("sessionId"))
        if self.offers.asking:
            await self.choose_mode(self.offers.asking)
        self.host_session_id = self._id or None

    async def choose_mode(self, mode: str) -> None:
        """The person's choice; there is no way to here for an app."""
        try:
            await self._agent.choose_mode(self._id, mode)
            self.offers = replace(self.offers, mode=mode)
        except AgentError as error:
            self._screen.note(f"the mode stays {self.offers.mode}: {error}")

    def typed(self, prompt: str) -> None:
        """A prompt of the person. It takes over from an app, and comes after what the person has asked before."""
        running = self._running
        if running is None:
            self._start(prompt, of_app=False)
            return
        self.waiting.append(prompt)
        if running.of_app and not running.taken:
            running.taken = True
            self._report("foreign_prompt")
            self._report("taken_over")
            self._cancel(running)

    def interrupt(self) -> bool:
        """Ctrl-C: end the running turn, whosever it is, and forget what waits. False: there is none."""
        if self._running is None:
            return False
        self.waiting.clear()
        self.abort()
        return True

    async def close(self) -> None:
        """The conversation is over: the handle is detached already."""
        if self._running is not None:
            await self._agent.cancel(self._id)
            self._running = None
        self.waiting.clear()
        self.host_session_id = None
        self.questions.let_go()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # What the agent does.

    def heard(self, params: Object) -> None:
        """A `session/update`."""
        if params.get("sessionId") != self._id:
            return
        update = acp_updates.table(params.get("update"))
        read = acp_updates.read(update, self._own_tools)
        if self._running is not None and text(update.get("sessionUpdate")) not in acp_updates.OF_THE_SESSION:
            self._begin(self._running)
        match read:
            case Text(said) if said:
                self._delta(said)
            case Thought(said) if said:
                self._screen.thought(said)
            case Step():
                self._step(read)
            case acp_updates.Mode(id):
                self.offers = replace(self.offers, mode=id)
            case acp_updates.Options(options):
                self.offers = self.offers.now(options)
            case acp_updates.Title(title):
                self.title = title or self.title
            case _:
                pass

    async def asked(self, params: Object) -> str | None:
        """A permission: the id of the option that the person chose, None where the turn was cancelled instead."""
        running = self._running
        if params.get("sessionId") != self._id or (running and running.cancelled_at is not None):
            return None
        if running is not None:
            self._begin(running)
        question = acp_updates.question(params)
        self._screen.ask(question)
        return await self.questions.ask(question)

    def ended(self) -> None:
        """The agent's process is gone."""
        self.stuck = True
        if self._running is not None:
            self._finish(self._running, *BROKEN)
        self.waiting.clear()
        self.host_session_id = None
        self.questions.let_go()

    # The turn.

    def _start(self, prompt: str, *, of_app: bool) -> None:
        running = self._running = Running(prompt, of_app, asyncio.get_running_loop().time())
        self._seen.clear()
        if of_app:
            self._screen.prompt(prompt)
        inert = self._inert if of_app else None
        self._spawn(self._carry(running, inert(prompt) if inert else prompt))

    async def _carry(self, running: Running, prompt: str) -> None:
        """Hand the prompt over and watch it to its end: the agent's answer, or that there will be none."""
        answer = asyncio.ensure_future(self._agent.prompt(self._id, prompt))
        try:
            while not answer.done():
                await asyncio.wait({answer}, timeout=STEP)
                if not answer.done() and self._is_hopeless(running):
                    self._give_up(running)
                    return
            reason = answer.result()
            self._end(running, reason)
        except AgentError as error:
            self._screen.note(str(error))
        finally:
            answer.cancel()
            self._finish(running, *BROKEN)  # whatever happened: a turn that is over has ended

    def _is_hopeless(self, running: Running) -> bool:
        """Past its time: an app's prompt that gives no sign is cancelled, and what is not let go then is given up."""
        now = asyncio.get_running_loop().time()
        if running.cancelled_at is not None:
            return now - running.cancelled_at >= CANCEL_WITHIN
        if not running.begun and not self.questions and now - running.asked_at >= BEGIN_WITHIN:
            self._screen.note(f"{self._agent.name} has given no sign for {BEGIN_WITHIN:.0f} s")
            running.asked_at = now
            if running.of_app:
                self._cancel(running)
        return False

    def _give_up(self, running: Running) -> None:
        self._screen.note(f"{self._agent.name} does not let go of its turn: `/byoa restart` starts it again")
        self.stuck = True
        self.waiting.clear()
        self._finish(running, *BROKEN)
        self.host_session_id = None

    def _end(self, running: Running, reason: str) -> None:
        self._begin(running)  # an empty answer has begun, too
        outcome, why = ENDS.get(reason, BROKEN)
        if running.taken and reason == "cancelled":
            why = "taken_over"
        if reason not in ("end_turn", "cancelled"):
            self._screen.note(f"{self._agent.name} ended the turn: {reason or 'without a reason'}")
        self._finish(running, outcome, why)

    def _begin(self, running: Running) -> None:
        if not running.begun:
            running.begun = True
            if self.handle is not None:
                self.handle.turn_started(running.prompt)
                self._wake()

    def _finish(self, running: Running, outcome: str, reason: str | None) -> None:
        if self._running is not running:
            return
        self._begin(running)
        if self.handle is not None:
            self.handle.turn_ended(outcome, reason)
        self._running = None
        self._quiet_at = 0.0 if running.of_app else asyncio.get_running_loop().time() + SETTLE
        self._screen.over()
        self._wake()
        if self.waiting and not self.stuck:
            self._start(self.waiting.popleft(), of_app=False)

    def _cancel(self, running: Running) -> None:
        if running.cancelled_at is None:
            running.cancelled_at = asyncio.get_running_loop().time()
            self.questions.let_go()
            self._spawn(self._agent.cancel(self._id))

    def _delta(self, said: str) -> None:
        self._screen.said(said)
        if self._running is not None and self.handle is not None:
            self.handle.delta(said)
            self._wake()

    def _step(self, step: Step) -> None:
        """A call is told once, though agents announce it in several updates."""
        if step.id in self._seen:
            return
        self._seen.add(step.id)
        self._screen.step(step)
        if self._running is not None and self.handle is not None:
            self.handle.tool(step.name)
            self._wake()

    # The rest.

    async def _choose(self, option: str, label: str, value: str) -> None:
        try:
            if option == MODELS:
                await self._agent.choose_model(self._id, value)
                self.offers = replace(self.offers, models={**self.offers.models, "currentModelId": value})
            else:
                answer = await self._agent.choose(self._id, option, value)
                options = acp_updates.tables(answer.get("configOptions")) or self.offers.options
                self.offers = self.offers.now(options)
            self._screen.note(f"{label} is {value} now, as an app chose")
        except AgentError as error:
            self._screen.note(f"{label} cannot be changed: {error}")

    def _report(self, what: str) -> None:
        if self.handle is not None:
            getattr(self.handle, what)()
            self._wake()

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
