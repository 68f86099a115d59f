"""Both sides are ours: an app that mounts `Byoa`, and a session over ACP with the scripted agent."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest
from mcp.server.mcpserver import MCPServer
from starlette.requests import Request
from tests.byoa.sessions.conftest import AGENT, Lines

from agent_connector.byoa.app import Account, Byoa, Delta, Ended, SqliteStore, Tool
from agent_connector.byoa.driver import loop
from agent_connector.byoa.driver.files import RealFiles
from agent_connector.byoa.sessions.acp_host import Launch
from agent_connector.byoa.sessions.acp_room import Room
from agent_connector.byoa.sessions.typed import Typed
from agent_connector.testing.byoa import Browser, http_over

ORIGIN = "https://notes.example"
ADA = Account("1", "Ada")
tools = MCPServer("notes")


@tools.tool()
def search(q: str) -> str:
    """Search the notes."""
    return f"a note about {q}"


def account_of(request: Request) -> Account | None:
    return ADA if request.headers.get("remote-user") == "ada" else None


async def shown(screen: Lines, form: str) -> str:
    while not (found := re.search(form, "\n".join(screen.lines))):
        await asyncio.sleep(0.01)
    return found[1]


async def approve(byoa: Byoa, screen: Lines) -> None:
    browser = Browser(byoa, ORIGIN, headers={"Remote-User": "ada"})
    page = await browser.get(await shown(screen, r"open  (\S+)"))
    code = await shown(screen, r"code  (\S+)")
    await browser.submit(page, page.form("letters"), {"letters": code[-4:], "decision": "approve"})


async def story(folder: Path) -> list[object]:
    byoa = Byoa(SqliteStore(), account_of, id="notes", name="Notes", origin=ORIGIN, mcp=tools)
    screen, typed = Lines(), Typed()
    launch = Launch("gemini-cli", "Scripted", (sys.executable, AGENT))
    room = Room(
        launch, str(folder), os.environ, RealFiles(str(folder / ".byoa")), screen, http_over(byoa), interactive=True
    )
    running = asyncio.create_task(room.run(typed, [ORIGIN]))
    try:
        await approve(byoa, screen)
        while not (sessions := await byoa.sessions_of(ADA)):
            await asyncio.sleep(0.01)
        return [event async for event in sessions[0].chat("use your tools")]
    finally:
        typed.feed("/byoa leave")
        await running
        await byoa.close()


def test_an_app_of_ours_pairs_chats_and_is_asked_for_its_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "TICK", 0.02)
    events = asyncio.run(asyncio.wait_for(story(tmp_path), 60))
    assert [event.name for event in events if isinstance(event, Tool)] == ["byoa_notes"]
    assert "".join(event.text for event in events if isinstance(event, Delta)) == "byoa_notes: a note about x"
    assert isinstance(events[-1], Ended) and events[-1].outcome.value == "done"
