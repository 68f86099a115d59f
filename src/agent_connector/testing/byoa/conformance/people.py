"""The app's person, for the command line: somebody who reads what is printed, or a program that is called."""

import asyncio
import shlex
from collections.abc import Callable

from agent_connector.testing.byoa.conformance.person import Person
from agent_connector.testing.byoa.conformance.report import Failed, NotApplicable

CANNOT = 3
COMMAND_SECONDS = 60.0


class Somebody(Person):
    """Reads in the terminal what is to be done in the app, and has minutes for it."""

    patience = 600.0

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell

    async def approve(self, link: str, code: str) -> None:
        self._tell(f"Approve this pairing in the app.\n  open  {link}\n  code  {code}")

    async def deny(self, link: str, code: str) -> None:
        self._tell(f"Refuse this pairing in the app.\n  open  {link}\n  code  {code}")

    async def chat(self, title: str, text: str) -> None:
        self._tell(f"Send this message to the session {title!r} in the app: {text}")

    async def stop(self, title: str, turn: str) -> None:
        self._tell(f"Stop the running message of the session {title!r} in the app.")

    async def end(self, title: str) -> None:
        raise NotApplicable("not every app lets a person end a session")


class Program(Person):
    """`COMMAND approve LINK CODE`, `deny LINK CODE`, `chat TITLE` (the text on stdin), `stop TITLE TURN`, `end TITLE`.

    Exit code 0: done; 3: it cannot do this.
    """

    def __init__(self, command: str) -> None:
        self._command = shlex.split(command)

    async def approve(self, link: str, code: str) -> None:
        await self._call("approve", link, code)

    async def deny(self, link: str, code: str) -> None:
        await self._call("deny", link, code)

    async def chat(self, title: str, text: str) -> None:
        await self._call("chat", title, text=text)

    async def stop(self, title: str, turn: str) -> None:
        await self._call("stop", title, turn)

    async def end(self, title: str) -> None:
        await self._call("end", title)

    async def ends(self, turn: str) -> list[str]:
        """One end on each line of its output."""
        return (await self._call("ends", turn)).split()

    async def _call(self, *arguments: str, text: str = "") -> str:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*self._command, *arguments, stdin=pipe, stdout=pipe)
        try:
            async with asyncio.timeout(COMMAND_SECONDS):
                out, _ = await process.communicate(text.encode())
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode == CANNOT:
            raise NotApplicable(f"{self._command[0]} cannot {arguments[0]}")
        if process.returncode:
            raise Failed(f"{self._command[0]} {arguments[0]} ends with {process.returncode}")
        return out.decode("utf-8", "replace")
