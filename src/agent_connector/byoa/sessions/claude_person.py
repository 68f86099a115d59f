"""What a person does with `/byoa` in Claude Code, and what they are told meanwhile.

The command is answered by a hook, in place of the model: what is said here is for the person's eyes alone.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine

from agent_connector.byoa.core.effects import Say
from agent_connector.byoa.driver.loop import Driver

HELP = """\
/byoa connect ADDRESS     pair an app
/byoa disconnect APP      end a pairing, by the app's id, name or address
/byoa status              who is paired, what waits, and what is wrong
/byoa wait SECONDS        how long each finished turn is kept open for apps; typing ends it at once"""
ANSWER_WITHIN = 12.0  # the hook waits a little longer
LONGEST_WAIT = 570.0  # what the host waits for a hook is 600
NEWS_KEPT = 5
STILL = "The app has not answered yet; what comes of it is said at your next prompt. /byoa status tells at any time."


class News:
    """What happened while nobody asked: said beside the next answer that the terminal shows."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(self, line: str) -> None:
        """What is said already, in more words or in fewer, is not said twice."""
        if not any(said.startswith(line) for said in self._lines):
            kept = [said for said in self._lines if not line.startswith(said)]
            self._lines = [*kept, line][-NEWS_KEPT:]

    def take(self) -> str:
        lines, self._lines = self._lines, []
        return "\n".join(lines)


class Person:
    """`remarks` gives what the session itself has to say in `status`."""

    def __init__(self, driver: Driver, remarks: Callable[[], list[str]], hold: Callable[[float], None]) -> None:
        self.news = News()
        self._driver = driver
        self._remarks = remarks
        self._hold = hold
        self._tasks: set[asyncio.Task[None]] = set()

    async def command(self, words: str) -> str:
        """What to show for `/byoa words`."""
        verb, _, rest = words.strip().partition(" ")
        rest = rest.strip()
        match verb, rest:
            case "connect", address if address:
                return await self._first(self._driver.connect(address))
            case "disconnect", which if which:
                return await self._first(self._driver.disconnect(which))
            case "status" | "", "":
                return "\n".join([await self._driver.status(), *self._remarks(), *([] if verb else [HELP])])
            case "wait", seconds:
                return self._wait(seconds)
            case _:
                return HELP

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _wait(self, seconds: str) -> str:
        try:
            chosen = float(seconds)
        except ValueError:
            chosen = -1.0
        if not 0 <= chosen <= LONGEST_WAIT:
            return f"{seconds or 'nothing'} is no number of seconds from 0 to {LONGEST_WAIT:.0f}"
        self._hold(chosen)
        return f"each finished turn is kept open for apps for {chosen:g} s; typing ends it at once"

    async def _first(self, saying: AsyncIterator[Say]) -> str:
        """What is said first; the rest comes as news, since a pairing takes as long as its person takes."""
        shown: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._spawn(self._follow(saying, shown))
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                return await asyncio.shield(shown)
        except TimeoutError:
            return STILL

    async def _follow(self, saying: AsyncIterator[Say], shown: "asyncio.Future[str]") -> None:
        async for say in saying:
            if shown.done():
                self.news.add(say.text)
            else:
                shown.set_result(say.text)

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
