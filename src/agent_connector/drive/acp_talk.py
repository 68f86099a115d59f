"""One prompt over ACP, without input or output: lines of the agent in, events and messages to the agent out.

Who is asked for a permission answers by the option's kind: what ids mean differs from agent to agent.
"""

import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_connector.drive import acp_words as words
from agent_connector.drive.acp_calls import Calls
from agent_connector.drive.acp_usage import Spending
from agent_connector.drive.acp_words import Object, table, tables, text
from agent_connector.drive.events import Called, Finished, Job, RunEvent, Said, Started, Thought
from agent_connector.hosts.contract import Headless
from agent_connector.hosts.dialects.stream_json import record
from agent_connector.version import __version__

Permit = Callable[[Called], bool]
Step = tuple[str, Mapping[str, Any]]  # a request: method and params
ALLOW, REJECT = ("allow_once", "allow_always"), ("reject_once", "reject_always")
NO_SUCH_METHOD = -32601
SET_MODEL = "session/set_model"  # in use, and not in the SDK's schema


class Refused(Exception):
    """The agent refused a request; the text says what and why."""


@dataclass(frozen=True, slots=True)
class Server:
    """An MCP server that the agent is given for the session."""

    name: str
    command: str
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()


class Conversation:
    """`send` gets messages to the agent, `give` events that must be out before a permission is asked for."""

    def __init__(
        self,
        headless: Headless,
        job: Job,
        servers: Sequence[Server],
        permit: Permit,
        send: Callable[[Mapping[str, Any]], None],
        give: Callable[[Sequence[RunEvent]], None],
    ) -> None:
        self.over = threading.Event()
        self.talking = False  # the prompt is in the agent
        self._headless, self._job, self._servers = headless, job, servers
        self._permit, self._send, self._give = permit, send, give
        self._spending = Spending(headless, job.resume is not None)
        self._calls = Calls()
        self._denied: list[str] = []
        self._cancelled = False
        self._session = ""
        self._asked = 0
        self._events: list[RunEvent] = []
        self._finished = False
        self._story = self._tell()

    # ---- what the runner calls

    def begin(self) -> None:
        self._go_on(lambda: next(self._story))

    def take(self, line: str) -> Sequence[RunEvent] | str | None:
        """A line of the agent: its events, the kind of what says nothing, or None: it is no message."""
        message = record(line)
        method = text(message.get("method"))
        if not method and not {"result", "error"} & message.keys():
            return None
        kind = self._hear(method, message)
        events, self._events = self._events, []
        return events or kind

    def cancel(self) -> None:
        """Ask the agent to let go of the prompt."""
        self._cancelled = True
        if self.talking:
            self._send({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": self._session}})
        else:
            self.over.set()

    def rest(self) -> Sequence[RunEvent]:
        """What is left to be said once the agent is gone."""
        if self._finished:
            return ()
        return [*self._calls.rest(), self._end("the agent ended before its turn did")]

    # ---- the story

    def _tell(self) -> Generator[Step, Object]:
        """Shake hands, open a session, settle its mode and model, hand over the prompt."""
        from acp import PROTOCOL_VERSION

        hello = yield (
            "initialize",
            {
                "protocolVersion": PROTOCOL_VERSION,
                "clientCapabilities": {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False},
                "clientInfo": {"name": "agent-connector", "title": "agent-connector", "version": __version__},
            },
        )
        opened = yield from self._open(table(hello.get("agentCapabilities")))
        yield from self._settle(opened)
        model = text(table(opened.get("models")).get("currentModelId")) or self._job.model
        self._events.append(Started(self._session, model, self._job.cwd))
        self.talking = True
        prompt = self._job.prompt if hasattr(self._headless, "acp_meta") else self._job.text
        answer = yield "session/prompt", {"sessionId": self._session, "prompt": [{"type": "text", "text": prompt}]}
        self._events += [*self._calls.rest(), self._ended(answer)]

    def _open(self, can: Object) -> Generator[Step, Object, Object]:
        from acp.schema import EnvVariable, McpServerStdio

        servers = [
            McpServerStdio(
                name=one.name,
                command=one.command,
                args=list(one.args),
                env=[EnvVariable(name=name, value=value) for name, value in one.env],
            ).model_dump(mode="json", by_alias=True, exclude_none=True)
            for one in self._servers
        ]
        about: dict[str, Any] = {"cwd": self._job.cwd, "mcpServers": servers}
        if hasattr(self._headless, "acp_meta") and (meta := self._headless.acp_meta(self._job)):
            about["_meta"] = meta
        if self._job.resume is None:
            opened = yield "session/new", about
            self._session = text(opened.get("sessionId"))
            if not self._session:
                raise Refused("the agent opened no session")
            return opened
        if can.get("loadSession") is not True:
            raise Refused("the agent cannot go on with a session")
        self._session = self._job.resume
        return (yield "session/load", {"sessionId": self._session, **about})

    def _settle(self, opened: Object) -> Generator[Step, Object]:
        """Where a model would judge what is allowed, whoever is asked does; and the model that the job names."""
        modes, options = table(opened.get("modes")), tables(opened.get("configOptions"))
        mode = text(modes.get("currentModeId")) or words.mode_of(options)
        if asking := words.asking(mode, [text(one.get("id")) for one in tables(modes.get("availableModes"))]):
            yield "session/set_mode", {"sessionId": self._session, "modeId": asking}
        named = getattr(self._headless, "acp_model", _named)(self._job)
        if named is None:
            return
        option = table(next((one for one in options if "model" in (one.get("category"), one.get("id"))), None))
        if named in words.values(option.get("options")):
            if option.get("currentValue") != named:
                about = {"sessionId": self._session, "configId": text(option.get("id")), "value": named}
                yield "session/set_config_option", about
        elif table(opened.get("models")).get("currentModelId") != named:
            yield SET_MODEL, {"sessionId": self._session, "modelId": named}

    def _ended(self, answer: Object) -> Finished:
        reason = text(answer.get("stopReason"))
        self._finished = True
        return Finished(
            ok=reason == "end_turn",
            reason=reason or "the agent does not say why its turn ended",
            session=self._session,
            usage=self._spending.usage(answer),
            cost_usd=self._spending.cost,
            denied=tuple(self._denied),
        )

    def _end(self, why: str) -> Finished:
        self._finished = True
        cost = self._spending.cost
        return Finished(False, why, session=self._session or None, cost_usd=cost, denied=tuple(self._denied))

    def _go_on(self, step: Callable[[], Step]) -> None:
        """Carry the story on to its next request."""
        try:
            method, params = step()
        except StopIteration:
            self._over()
        except Refused as refused:
            self._events.append(self._end(str(refused)))
            self._over()
        else:
            self._asked += 1
            self._send({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params})

    def _over(self) -> None:
        self.talking = False
        self.over.set()

    # ---- what the agent says

    def _hear(self, method: str, message: Object) -> str:
        """The kind of the message."""
        if method == "session/update":
            return self._update(table(message.get("params")))
        if method == "session/request_permission":
            self._send(_reply(message, result={"outcome": self._answer(table(message.get("params")))}))
        elif method and "id" in message:  # files and terminals are its own affair: it is offered none of ours
            error = {"code": NO_SUCH_METHOD, "message": f"no method {method}"}
            self._send(_reply(message, error=error))
        elif not method and message.get("id") == self._asked and not self.over.is_set():
            self._answered(message)
        return method or "answer"

    def _answered(self, message: Object) -> None:
        if "error" not in message:
            self._go_on(lambda: self._story.send(table(message.get("result"))))
            return
        error = table(message.get("error"))
        data = table(error.get("data"))
        detail = next((f" ({data[key]})" for key in ("details", "message") if isinstance(data.get(key), str)), "")
        refused = Refused(f"{text(error.get('message')) or 'the agent refused'}{detail}")
        self._go_on(lambda: self._story.throw(refused))

    def _update(self, params: Object) -> str:
        update = table(params.get("update"))
        kind = text(update.get("sessionUpdate"))
        if spent := self._spending.heard(update, talking=self.talking):
            self._events.append(spent)
        if not self.talking or text(params.get("sessionId")) != self._session:  # a replay, a banner, a subagent's own
            return kind
        said, by = text(table(update.get("content")).get("text")), words.parent(update)
        if kind == "agent_message_chunk" and said:
            self._events.append(Said(said, by, piece=True))
        elif kind == "agent_thought_chunk" and said:
            self._events.append(Thought(said, by, piece=True))
        elif kind in ("tool_call", "tool_call_update"):
            self._events += self._calls.heard(update)
        return kind

    def _answer(self, params: Object) -> dict[str, str]:
        """Once where there is the choice. Nobody is asked for what has no id, or comes after the end."""
        call, events = self._calls.asked(table(params.get("toolCall")))
        before, self._events = self._events, []
        self._give([*before, *events])
        if self._cancelled or not self.talking:
            return {"outcome": "cancelled"}
        allowed = call is not None and self._permit(call)
        if not allowed and call is not None:
            self._denied.append(call.tool)
        options = {text(one.get("kind")): text(one.get("optionId")) for one in reversed(tables(params.get("options")))}
        chosen = next((options[kind] for kind in (ALLOW if allowed else REJECT) if kind in options), "")
        return {"outcome": "selected", "optionId": chosen} if chosen else {"outcome": "cancelled"}


def _named(job: Job) -> str | None:
    """A model behind an endpoint is named by the command line, the environment or a file."""
    return None if job.endpoint else job.model


def _reply(message: Object, **what: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": message.get("id"), **what}
