"""The terminal of `byoa attach`: beside the person's session, not in it. It shows what apps do and takes a few words."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Protocol

from agent_connector.byoa.core.effects import Say
from agent_connector.byoa.driver.loop import Driver
from agent_connector.byoa.sessions.typed import Typed

HELP = """\
connect ADDRESS     pair an app
disconnect APP      end a pairing, by the app's id, name or address
status              who is paired, and what is wrong
leave               apps lose the session (Ctrl-C does the same)"""
LATER = "its tools are there from the next conversation on"


class Attached(Protocol):
    """What apps join: it runs until it is cancelled."""

    @property
    def driver(self) -> Driver: ...
    async def run(self, first: Callable[[], Awaitable[None]]) -> None:
        """`first` is waited for before any session is opened: an app that is paired by then has its tools there."""
        ...


async def stay(attached: Attached, typed: Typed, note: Callable[[str], None], apps: Sequence[str] = ()) -> None:
    """Until the person leaves. When nobody can type here any more it stays all the same."""

    async def pair() -> None:
        for address in apps:
            await _tell(attached.driver.connect(address), note)

    running = asyncio.ensure_future(attached.run(pair))
    listening = asyncio.ensure_future(_listen(attached.driver, typed, note))
    try:
        done, _ = await asyncio.wait({running, listening}, return_when=asyncio.FIRST_COMPLETED)
        for each in done:
            each.result()
    finally:
        for each in (running, listening):
            each.cancel()
        await asyncio.gather(running, listening, return_exceptions=True)


async def _listen(driver: Driver, typed: Typed, note: Callable[[str], None]) -> None:
    while (line := await typed.line()) is not None:
        match line.removeprefix("/byoa").split():
            case []:
                pass
            case ["connect", address]:
                if await _tell(driver.connect(address), note):
                    note(LATER)
            case ["disconnect", *which] if which:
                await _tell(driver.disconnect(" ".join(which)), note)
            case ["status"]:
                note(await driver.status())
            case ["leave"]:
                return
            case _:
                note(HELP)
    await asyncio.Event().wait()


async def _tell(saying: AsyncIterator[Say], note: Callable[[str], None]) -> bool:
    """Show what a command says; whether it came out well."""
    ok = False
    async for say in saying:
        note(say.text)
        ok = say.ok
    return ok
