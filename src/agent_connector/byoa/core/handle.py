"""What a host adapter holds for each of its sessions: it reports here what the host does, and asks for tools."""

from collections.abc import Callable, Mapping

from agent_connector.byoa.core.link import LinkState
from agent_connector.byoa.core.live_session import LiveSession
from agent_connector.byoa.core.proxied_tool import ProxiedTool
from agent_connector.byoa.protocol import Delta, Ended, Outcome, Reason, ToolStep
from agent_connector.byoa.protocol.limits import NAME

REASONS = {
    Outcome.DONE: None,
    Outcome.ERROR: Reason.HOST_ERROR,
    Outcome.INTERRUPTED: Reason.STOPPED,
}


class Handle:
    """Every method returns at once; what follows from it is in the pairer's `effects()`."""

    def __init__(self, live: LiveSession, number: Callable[[], int], detach: Callable[[], None]) -> None:
        self._live = live
        self._number = number
        self._detach = detach

    def is_ours(self, prompt: str) -> bool:
        """Whether this prompt is the one of an app that awaits its start. Asking changes nothing."""
        return self._live.lane.is_ours(prompt)

    def turn_started(self, prompt: str) -> bool:
        """The host's main loop begins this prompt. True: it is an app's, and its output is reported with `delta`."""
        ours = self._live.lane.turn_started(prompt)
        self._live.carry_out()
        return ours

    def delta(self, text: str) -> None:
        """Text of the main loop's answer. Of a turn that is no app's it goes nowhere."""
        if text:
            self._live.lane.event(Delta(text))
            self._live.carry_out()

    def tool(self, name: str, title: str | None = None) -> None:
        """A tool step: a name and at most a fixed label, never the input."""
        self._live.lane.event(ToolStep(_label(name) or "tool", _label(title or "") or None))
        self._live.carry_out()

    def turn_ended(self, outcome: str = "done", reason: str | None = None) -> None:
        """The main loop's turn is over, whosever it was."""
        how = Outcome(outcome)
        self._live.lane.turn_ended(Ended(how, REASONS[how] if reason is None else Reason(reason)))
        self._live.carry_out()

    def foreign_prompt(self) -> None:
        """The host announces a prompt of the person while a turn runs: output of an app's turn waits from here on."""
        self._live.lane.foreign_prompt()

    def taken_over(self) -> None:
        """The host has joined the person's prompt into the running turn."""
        self._live.lane.taken_over()
        self._live.carry_out()

    def refused(self) -> None:
        """The host does not take the prompt that was submitted last."""
        self._live.lane.refused()
        self._live.carry_out()

    @property
    def listening(self) -> bool:
        """Whether there is an app that could send this session a turn now."""
        return any(link.state in (LinkState.READY, LinkState.POLLING) for link in self._live.links.values())

    @property
    def leaving(self) -> bool:
        """Whether something of a conversation that is over has still to reach its apps."""
        return bool(self._live.retired)

    def tools(self) -> tuple[ProxiedTool, ...] | None:
        """The apps' tools, fixed for the life of the session; None: not known yet, ask after the next tick."""
        return self._live.offer()

    def call(self, tool: str, arguments: Mapping[str, object]) -> int:
        """Call one of `tools`; the effect `Answer` with this number brings the result."""
        number = self._number()
        self._live.call(number, tool, arguments)
        return number

    def detach(self) -> None:
        """The session is over."""
        self._detach()


def _label(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable()).strip()[:NAME]
