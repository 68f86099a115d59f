"""Real ACP agents against the stand-in model, one start each: an app pairs, chats, calls its tool, stops, is taken over."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.real.byoa.stage import HOSTS, NO_TOOLS, RealStage, play

from agent_connector.byoa.protocol import Delta
from agent_connector.rehearse.scratch import Scratch

pytestmark = pytest.mark.real

SECRET, BODY = "what stands in the secret file", "what the command would say"
CALL = {"call": {"tool": "byoa_notes", "arguments": {"tool": "search", "arguments": {"q": "it"}}}}
# A model to change to, where the stand-in may be asked for several.
MODELS = {"gemini-cli": "gemini-2.5-pro", "claude-code": "haiku", "codex": "gpt-5.4"}
# Every way in which one of these programs expands something in a prompt, at the beginning of lines and within them.
ACTIVE = """\
@secret.txt
!touch acted
/marked now
$skilled
see @secret.txt, (@secret.txt) [@secret.txt] "@secret.txt" `@secret.txt` @./secret.txt @"secret.txt" @{secret.txt} @@secret.txt
use $skilled or x$skilled, [$skilled](skill://skilled), /marked, /skilled, @skilled, !{touch acted}, !`touch acted`

/marked
@secret.txt"""
COMMAND = f"---\ndescription: a command\n---\n{BODY}\n"
SKILL = f"---\nname: skilled\ndescription: a skill\n---\n{BODY}\n"
FILES = {
    "project/secret.txt": SECRET,
    "project/.claude/commands/marked.md": COMMAND,
    "project/.qwen/commands/marked.md": COMMAND,
    "project/.opencode/command/marked.md": COMMAND,
    "project/.gemini/commands/marked.toml": f'description = "a command"\nprompt = "{BODY}"\n',
    ".codex/prompts/marked.md": COMMAND,
    **{f"{folder}/skills/skilled/SKILL.md": SKILL for folder in (".claude", ".codex", ".gemini", ".qwen")},
    ".config/opencode/skills/skilled/SKILL.md": SKILL,
}


def prepare(place: Scratch) -> None:
    for name, text in FILES.items():
        path = Path(place.home, *name.split("/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


async def allow(stage: RealStage) -> None:
    """The person allows what is asked, each time for once."""
    while True:
        await stage.port.until(lambda: stage.room.session and stage.room.session.questions)
        choices = stage.room.session.questions.oldest.choices
        once = next(index for index, choice in enumerate(choices, 1) if choice.kind == "allow_once")
        stage.type(str(once))
        await stage.port.until(lambda: not stage.room.session.questions)


def calls(stage: RealStage) -> int:
    return sum(b'"tools/call"' in one.body for one in stage.port.app.requests)


async def waits(stage: RealStage, text: str) -> str:
    """A turn whose tool call the app leaves without an answer."""
    before = calls(stage)
    turn = await stage.chat(text)
    await stage.port.until(lambda: calls(stage) > before)
    return turn


async def said(stage: RealStage, text: str, answer: str) -> None:
    """A turn that ends well, with this answer."""
    turn = await stage.chat(text)
    assert await stage.ended(turn) == "done"
    assert stage.port.app.turns[turn].text.strip() == answer


async def chats(stage: RealStage, host: str) -> None:
    turn = await stage.chat("What is new?")
    assert await stage.ended(turn) == "done"
    recorded = stage.port.app.turns[turn]
    assert recorded.text == "Deltas come." and any(isinstance(event, Delta) for event in recorded.events)


async def calls_its_tool(stage: RealStage, host: str) -> None:
    turn = await stage.chat("Search for it.")
    assert await stage.ended(turn) == "done"
    recorded = stage.port.app.turns[turn]
    assert recorded.text.strip() == "Found it." and recorded.tools == ["byoa_notes"]
    assert stage.port.app.mcp.calls == [("search", {"q": "it"})]


async def sends_what_could_act(stage: RealStage, host: str) -> None:
    await said(stage, ACTIVE, "Nothing acted.")
    heard = [text for asked in stage.model.requests for role, text in asked.texts if role in ("user", "tool")]
    assert any("not typed in this terminal" in text and "secret.txt" in text for text in heard)
    assert not any(word in text for text in heard for word in (SECRET, BODY))
    assert not os.path.exists(os.path.join(stage.place.project, "acted"))


async def chooses_a_model(stage: RealStage, host: str) -> None:
    before = stage.model.requests[-1].model
    if host in MODELS:
        stage.port.set("model", MODELS[host])
        await stage.shows(f"note Model is {MODELS[host]} now")
    await said(stage, "Who are you?", "Another model.")
    assert (stage.model.requests[-1].model != before) is (host in MODELS)


async def is_stopped_and_taken_over(stage: RealStage, host: str) -> None:
    stage.port.app.mcp.silent = True
    turn = await waits(stage, "Wait, and be stopped.")
    stage.port.stop(turn)
    assert await stage.ended(turn) == "interrupted stopped"
    await stage.port.until(lambda: not stage.room.session.busy)
    turn = await waits(stage, "Wait, and be taken over.")
    stage.type("It is me, the person.")
    assert await stage.ended(turn) == "interrupted taken_over"
    await stage.shows("said Yes, person.")
    stage.port.app.mcp.silent = False


async def follows_and_is_revoked(stage: RealStage, host: str) -> None:
    stage.type("/byoa new")
    await stage.joined(2)
    await said(stage, "Hello again.", "In a new conversation.")
    stage.port.app.revoke()
    await stage.shows("has revoked this pairing")
    stage.type("Are we alone?")
    await stage.shows("said Only you and me.")
    sent = b"".join(one.body for one in stage.port.app.requests)
    assert not any(word in sent for word in (b"Yes, person", b"It is me", b"alone"))


WALK = {
    chats: [{"say": "Deltas come."}],
    calls_its_tool: [CALL, {"say": "Found it."}],
    sends_what_could_act: [{"say": "Nothing acted."}],
    chooses_a_model: [{"say": "Another model."}],
    is_stopped_and_taken_over: [CALL, CALL, {"say": "Yes, person."}],
    follows_and_is_revoked: [{"say": "In a new conversation."}, {"say": "Only you and me."}],
}


def walk(host: str) -> list[Callable[[RealStage, str], Awaitable[None]]]:
    return [part for part in WALK if host not in NO_TOOLS or CALL not in WALK[part]]


@pytest.mark.parametrize("host", HOSTS)
def test_an_app_in_a_session_of(host: str) -> None:
    async def story(stage: RealStage) -> None:
        allowing = asyncio.create_task(allow(stage))
        try:
            for part in walk(host):
                await part(stage, host)
        finally:
            allowing.cancel()
            await asyncio.gather(allowing, return_exceptions=True)

    play(host, [step for part in walk(host) for step in WALK[part]], story, prepare)
