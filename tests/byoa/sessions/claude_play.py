"""A session of Claude Code played with recorded hooks, in front of the real pairer and an app in memory."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent_connector.byoa.protocol import Workspace
from agent_connector.byoa.sessions import claude_hooks
from agent_connector.byoa.sessions.claude_session import CAP, ClaudeSession
from agent_connector.testing.byoa import ScriptedApp, World

ORIGIN = "https://notes.example"
GOLDEN = Path(__file__).parents[2] / "golden" / "claude-code" / "byoa"


def recorded(name: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(hooks, rows of the transcript) of a recording."""
    found = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    return found["hooks"], found["transcript"]


@dataclass
class Asked:
    """A hook that was heard; `said` is empty until it is answered."""

    said: list[Any] = field(default_factory=list)

    @property
    def held(self) -> bool:
        return not self.said

    @property
    def prompt(self) -> str | None:
        """What the agent is to go on with."""
        return self.said[0]["reason"] if self.said and self.said[0] else None


class Play:
    def __init__(self, *, hold: float = 25, cap: int = CAP, apps: tuple[ScriptedApp, ...] = ()) -> None:
        self.world = World(*(apps or (ScriptedApp(ORIGIN, hold=hold),)))
        self.deeds: list[Callable[[], None]] = []
        self.session = ClaudeSession(lambda folder: Workspace("project"), self.deeds.append, session="one", cap=cap)
        self.session.handle = self.world.pairer.attach(self.session)
        for origin in self.world.apps:
            self.world.pair(origin)
        self.world.run(2)
        self.last: Asked | None = None

    @property
    def app(self) -> ScriptedApp:
        return self.world.app

    def chat(self, text: str = "What is new?") -> str:
        turn = self.app.chat(text)
        self.world.settle()
        return turn

    def end(self, turn: str) -> str | None:
        self.world.settle()
        found = self.app.turns[turn].end
        return None if found is None else f"{found.outcome} {found.reason or ''}".strip()

    # The host.

    def hear(self, event: str, **fields: Any) -> Asked:
        payload = {
            "hook_event_name": event,
            "session_id": "one",
            "permission_mode": "default",
            "attended": "1",
            **fields,
        }
        return self.heard(payload)

    def heard(self, payload: dict[str, Any]) -> Asked:
        hook = claude_hooks.read(payload)
        assert hook is not None
        asked = Asked()
        self.session.heard(hook, asked.said.append)
        self.settle()
        return asked

    def settle(self) -> None:
        """As the process does after each hook: a tick, and what was put off."""
        self.world.carry_out(self.world.pairer.tick(self.world.clock.now))
        while self.deeds:
            self.deeds.pop(0)()
            self.world.settle()
        self.world.settle()

    def stop(self, text: str = "", *, again: bool = False, prompt: str = "p1", **fields: Any) -> Asked:
        said = {"stop_hook_active": again, "last_assistant_message": text, "prompt_id": prompt}
        return self.hear("Stop", **{**said, **fields})

    def typed(self, prompt: str = "p1", **fields: Any) -> Asked:
        return self.hear("UserPromptSubmit", **{"prompt_id": prompt, **fields})

    def tool(self, name: str, prompt: str = "p1", **fields: Any) -> Asked:
        return self.hear("PreToolUse", **{"tool_name": name, "prompt_id": prompt, **fields})
