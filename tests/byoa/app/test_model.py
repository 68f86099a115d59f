"""App and pairer through any trouble: one end for each turn, nothing lost, nothing twice, in the order it was asked."""

import asyncio
import itertools

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.byoa.app.conftest import ADA, Scene

from agent_connector.byoa.app import Ended, Outcome, SqliteStore, Started
from agent_connector.byoa.core.effects import Failure
from agent_connector.testing.byoa import FakeSession

STEPS = (
    *("chat", "chat", "begin", "begin", "delta", "delta", "end", "stop", "take over", "own prompt", "block"),
    *(
        "wait",
        "wait long",
        "lose answer",
        "lose answer to events",
        "lose request",
        "outage",
        "restart app",
        "restart host",
        "set title",
    ),
)


class Play:
    """One host and one app; `produced` is what the host wrote for each prompt of the app."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.turns: list = []
        self.produced: dict[str, str] = {}
        self.begun: list[str] = []
        self.count = itertools.count()
        self.running: str | None = None  # the app's prompt that the host is at
        self.lose: list[str] = []
        scene.world.fault = self.fault
        scene.world.lose_answer = self.loses_answer

    def is_lost(self, kind: str, request) -> bool:
        lost = kind in self.lose and "/sessions" in request.url
        if lost:
            self.lose.remove(kind)
        return lost

    def loses_answer(self, request) -> bool:
        kinds = ("lose answer", "lose answer to events") if request.url.endswith("/events") else ("lose answer",)
        return any(self.is_lost(kind, request) for kind in kinds)

    def fault(self, request):
        return Failure("no route") if "outage" in self.lose or self.is_lost("lose request", request) else None

    async def open(self) -> None:
        self.host = (await self.scene.world.attach(FakeSession()))[0]

    async def step(self, name: str, number: int) -> None:
        """One of `STEPS`; what it needs before it is done first, so that most courses get somewhere."""
        host = self.host
        if name in ("delta", "take over") and not host.busy:
            await self.step("begin", number)
        if name == "begin" and not host.prompts and not host.busy:
            await self.step("chat", number)
        if name == "chat":
            sessions = await self.scene.byoa.sessions_of(ADA)
            self.turns.append(await sessions[0].chat(f"prompt {next(self.count)}"))
        elif name == "begin" and host.prompts and not host.busy:
            prompt = host.prompts[0].rpartition("\n")[2]
            self.begun.append(prompt)
            self.running = prompt if host.begin() else None
            self.produced[prompt] = ""
        elif name == "delta" and host.busy:
            text = f"<{next(self.count)}>"
            host.reports.delta(text)
            if self.running is not None:
                self.produced[self.running] += text
        elif name == "end" and host.busy:
            host.end()
            self.running = None
        elif name == "stop" and self.turns:
            await self.turns[number % len(self.turns)].stop()
        elif name == "take over" and host.busy and self.running:
            host.reports.foreign_prompt()
            host.reports.taken_over()
            self.running = None
        elif name == "own prompt" and not host.busy:
            host.begin("something of the person's own")
        elif name == "block":
            host.blocked = not host.blocked
        elif name == "set title":
            host.title = f"title {next(self.count)}"
        elif name.startswith("lose"):
            self.lose.append(name)
        else:
            await self.elsewhere(name)
        await self.scene.world.settled()

    async def elsewhere(self, name: str) -> None:
        world = self.scene.world
        if name in ("wait", "wait long"):
            await world.go(1 if name == "wait" else 30)
        elif name == "outage":
            self.lose.append("outage")
            await world.go(100)
            self.lose.remove("outage")
        elif name == "restart app":
            self.scene.byoa = self.scene.app()
            world.move_to(self.scene.byoa)
            self.turns = [await self.scene.byoa.turn(ADA, turn.id) for turn in self.turns]
        elif name == "restart host":
            world.restart()
            self.running = None
            await self.open()

    async def heal(self) -> None:
        """No more trouble, and the host does what it is asked."""
        self.lose.clear()
        self.host.blocked = False
        for _ in range(len(self.turns) + 5):
            await self.step("end", 0)
            await self.scene.world.go(35)
            await self.step("begin", 0)
            await self.step("delta", 0)
        await self.step("end", 0)
        await self.scene.world.go(35)

    async def check(self) -> None:
        assert self.begun == sorted(set(self.begun), key=self.begun.index), "a prompt ran twice"
        assert self.begun == sorted(self.begun, key=lambda prompt: int(prompt.split()[1])), "out of order"
        for turn in self.turns:
            events = [event async for event in turn]
            assert [event.number for event in events] == list(range(1, len(events) + 1))
            assert [isinstance(event, Ended) for event in events] == [False] * (len(events) - 1) + [True]
            answer, written = await turn.answer(), self.produced.get(turn.text)
            if events[-1].outcome is Outcome.DONE:
                assert isinstance(events[0], Started) and answer == written
            else:
                assert (written or "").startswith(answer)


async def play(steps: list[tuple[str, int]]) -> None:
    scene = Scene(SqliteStore())
    await scene.live(FakeSession())
    acting = Play(scene)
    scene.world.restart()
    await acting.open()
    try:
        for name, number in steps:
            await acting.step(name, number)
        await acting.heal()
        async with asyncio.timeout(30):
            await acting.check()
    finally:
        await scene.world.close()
        await scene.byoa.close()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 9)), min_size=3, max_size=40))
def test_any_course_of_events(steps):
    asyncio.run(play(steps))
