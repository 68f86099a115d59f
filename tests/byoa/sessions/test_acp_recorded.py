"""Recorded agents, played by a process: the words they say, the tools they call, and nothing of what they call them with."""

from pathlib import Path

import pytest
from tests.byoa.sessions.conftest import Stage

GOLDEN = Path(__file__).parents[2] / "golden"
REPLAY = str(Path(__file__).with_name("replay_agent.py"))
# What the app gets: its text, its tools, and the settings that it may choose.
TOLD = {
    "claude-code": ("Calling.FINAL-TEXT", ["mcp__lab__echo"], ["model", "reasoning_effort"]),
    "codex": ("FINAL-TEXT", ["other"], ["model"]),
    "gemini-cli": ("Calling.FINAL-TEXT", ["other"], ["model"]),
    "qwen-code": ("Calling.FINAL-TEXT", ["mcp__lab__echo"], ["model"]),
    "opencode": ("FAKE-FINAL", ["other", "execute"], ["model"]),
    "kimi": ("FAKE-FINAL", ["other", "execute"], ["model", "reasoning_effort"]),
    "droid": ("FAKE-FINAL", ["read", "other", "execute"], ["model", "reasoning_effort"]),
    "copilot-cli": ("Calling.FINAL-TEXT", ["other"], []),
}


@pytest.mark.parametrize("host", TOLD)
def test_a_recorded_turn(play, host: str) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("Whatever was recorded.")

        def over() -> bool:
            if stage.room.session.questions:
                stage.type("1")
            return stage.port.app.turns[turn].end is not None

        await stage.port.until(over)
        recorded = stage.port.app.turns[turn]
        text, tools, settings = TOLD[host]
        assert await stage.ended(turn) == "done"
        assert recorded.text.endswith(text)
        assert recorded.tools == tools
        assert [setting.id for setting in stage.port.app.session.info.settings] == settings
        sent = b"".join(one.body for one in stage.port.app.requests)
        assert b"hello-acp" not in sent and b"from-acp" not in sent

    play(story, host=host, agent=(REPLAY, str(GOLDEN / host / "acp.jsonl")))
