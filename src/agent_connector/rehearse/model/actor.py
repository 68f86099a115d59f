"""What the stand-in says next: it walks a script, one step for each request of the host's main conversation."""

import dataclasses
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent_connector.rehearse.model.names import DIRECT, HOST_TOOL, NOT_THERE, SEARCH_TOOLS, program, spelled
from agent_connector.rehearse.model.turns import Asked, Call, Turn, Usage
from agent_connector.rehearse.script import Script, Step, ToolCall

ENDED = "The script has ended."
HARMLESS = "Rehearsal"
PAUSED = "host:Bash"
Detour = Callable[[str, str, Mapping[str, Any]], tuple[str, Mapping[str, Any], str]]


@dataclass(slots=True)
class Actor:
    """Plays `script` for a host that knows the connector's server as `server`.

    Titles, summaries and routing questions come without tools: they get a harmless answer and use up no step.
    `searched` is the name of a server's tool ("{server}___{tool}") in a host whose model has to search for it first;
    `routed` tells what is called for it in a host that offers no MCP tool as one: see `Headless.routed`.
    """

    script: Script
    server: str
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    searched: str = ""
    routed: Detour | None = None
    requests: list[Asked] = field(default_factory=list[Asked])
    turns: list[Turn] = field(default_factory=list[Turn])  # answers to the main conversation
    calls: list[tuple[str, Call]] = field(default_factory=list[tuple[str, Call]])  # (name in the script, the call made)
    not_offered: list[str] = field(default_factory=list[str])
    _steps: list[Step] = field(init=False)  # that were not played yet
    _sought: set[str] = field(default_factory=set[str])  # the names that were searched for
    _waits: int = 10  # pauses that are left
    _ids: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self._steps = list(self.script.steps)

    def act(self, asked: Asked) -> Turn:
        """Record the request and answer it."""
        side = not asked.offers
        self.requests.append(dataclasses.replace(asked, side=side))
        missed = {result.call for result in asked.results if NOT_THERE in result.text}
        self.not_offered += [
            tool for tool, call in self.calls if f"call_{call.id}" in missed and tool not in self.not_offered
        ]
        if side:
            return self._turn(HARMLESS, (), Usage(input=10, output=2))
        turn = self._play(asked)
        self.turns.append(turn)
        return turn

    @property
    def left(self) -> tuple[Step, ...]:
        """The steps that were not reached."""
        return tuple(self._steps)

    def _play(self, asked: Asked) -> Turn:
        """The next step that can be played: a call of a tool that is not offered is noted and left out."""
        while step := self._take(asked):
            if search := self._search(step, asked):
                self._steps.insert(0, step)
                return self._turn("", (search,), step.usage or self.script.usage)
            if wait := self._wait(step, asked):
                self._steps.insert(0, step)
                return self._turn("", (wait,), step.usage or self.script.usage)
            calls = tuple(self._calls(step, asked))
            if calls or step.say:
                return self._turn(step.say, calls, step.usage or self.script.usage)
        return self._turn(ENDED, (), self.script.usage)

    def _take(self, asked: Asked) -> Step | None:
        """The first step that is left for this conversation: a subagent's does not hold the person's prompt."""
        apart = any(step.subagent for step in self.script.steps)
        subagent = apart and not asked.has(self.script.prompt, "user")
        step = next((step for step in self._steps if step.subagent == subagent), None)
        if step:
            self._steps.remove(step)
        return step

    def _search(self, step: Step, asked: Asked) -> Call | None:
        """A search for what the step calls, where the host offers it after that only; each name is sought once."""
        tool = next((offer.name for offer in asked.offers if offer.name in SEARCH_TOOLS), None)
        if tool is None or not self.searched:
            return None
        hidden = [
            self.searched.format(server=self.server, tool=wish.tool)
            for wish in step.calls
            if not wish.tool.startswith(HOST_TOOL)
            and spelled(wish.tool, self.server, asked.offers, self.aliases, "") is None
        ]
        names = [name for name in dict.fromkeys(hidden) if name not in self._sought]
        self._sought.update(names)
        return Call(f"rehearsal_{next(self._ids)}", tool, {"query": f"select:{','.join(names)}"}) if names else None

    def _wait(self, step: Step, asked: Asked) -> Call | None:
        """A pause: a host that offers no MCP tool as one may tell of it only after the run has begun."""
        wishes = [wish for wish in step.calls if not wish.tool.startswith(HOST_TOOL)]
        missing = [
            w for w in wishes if self.routed and not asked.has(self.routed(self.server, w.tool, {})[2], "system")
        ]
        if not missing or self._waits == 0 or (shell := spelled(PAUSED, "", asked.offers, self.aliases)) is None:
            return None
        self._waits -= 1
        return Call(f"rehearsal_{next(self._ids)}", shell.name, {"command": "sleep 1"})

    def _calls(self, step: Step, asked: Asked) -> "list[Call]":
        calls: list[Call] = []
        for wish in step.calls:
            if self.routed and not wish.tool.startswith(HOST_TOOL):
                calls += self._routed(self.routed, wish, asked)
                continue
            offer = spelled(wish.tool, self.server, asked.offers, self.aliases, "" if self.searched else DIRECT)
            if offer is None:
                self.not_offered.append(wish.tool)
                continue
            code = program(wish.tool, self.server, wish.arguments, self.aliases) if offer.runs_code else None
            call = Call(f"rehearsal_{next(self._ids)}", offer.name, wish.arguments, offer.namespace, code)
            self.calls.append((wish.tool, call))
            calls.append(call)
        return calls

    def _routed(self, route: "Detour", wish: ToolCall, asked: Asked) -> "list[Call]":
        """The call that stands for that of the server's tool, once the host has told the model of it."""
        name, arguments, sign = route(self.server, wish.tool, wish.arguments)
        if not asked.has(sign, "system"):
            self.not_offered.append(wish.tool)
            return []
        call = Call(f"rehearsal_{next(self._ids)}", name, arguments)
        self.calls.append((wish.tool, dataclasses.replace(call, arguments=wish.arguments)))
        return [call]

    def _turn(self, text: str, calls: tuple[Call, ...], usage: Usage) -> Turn:
        return Turn(f"rehearsal_{next(self._ids)}", text, calls, usage)
