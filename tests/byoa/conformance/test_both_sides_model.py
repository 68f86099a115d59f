"""Two real apps, one real pairer, a person, and a network that loses things: what each app has recorded in the end.

One turn at a time, in the order in which they arrived, exactly one end for each, nothing of the person or of the other
app, nothing lost, nothing twice.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from agent_connector.byoa.app import Account, Byoa, SqliteStore, turns
from agent_connector.byoa.core.effects import Failure, Outcome, Request, Response
from agent_connector.byoa.core.turns import Lane
from agent_connector.testing.byoa import AppClock, AppWorld, Browser, FakeSession

ORIGINS = ("https://a.example", "https://b.example")
ADA = Account("1", "Ada")
TROUBLES = (Failure("reset"), Response(500), Response(503, {"retry-after": "3"}), Response(409), Response(410))
ROUNDS = 30


class Routed(AppWorld):
    """A world of several apps, each at its own name."""

    def __init__(self, clock: AppClock) -> None:
        self.byoas: dict[str, Byoa] = {}
        self.stores = {origin: SqliteStore() for origin in ORIGINS}
        super().__init__(self.route, "https:/", clock)
        for origin in ORIGINS:
            self.deploy(origin)

    def deploy(self, origin: str) -> None:
        """The app's process is a new one; what the old one held is gone."""
        name = origin[8]
        self.byoas[origin] = Byoa(
            self.stores[origin], lambda request: ADA, id=name, name=name.upper(), origin=origin, clock=self.app_clock
        )
        for id, request in list(self.waiting.items()):
            if request.url.startswith(origin) and id in self._tasks:
                self._tasks.pop(id).cancel()
                self._arrive(id, Failure("connection reset"))

    async def route(self, scope: Any, receive: Any, send: Any) -> None:
        host = dict(scope["headers"])[b"host"].decode()
        await self.byoas[f"https://{host}"](scope, receive, send)

    async def settled(self) -> None:
        while True:
            for _ in range(ROUNDS):
                self.carry_out(self.pairer.effects())
                await asyncio.sleep(0)
            if self._crashes:
                raise self._crashes.pop()
            busy = [
                self._tasks[id]
                for id, request in self.waiting.items()
                if id in self._tasks and not request.url.endswith("/sessions/poll")
            ]
            if not busy:
                return
            await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)

    async def pair(self, origin: str) -> None:
        command = self.pairer.connect(origin)
        await self.until(lambda: self.said.get(command))
        lines = dict(line.split(maxsplit=1) for line in self.text(command).splitlines() if line.startswith("  "))
        browser = Browser(self.route, origin)
        page = await browser.get(lines["open"])
        await browser.submit(page, page.form("letters"), {"letters": lines["code"][-4:], "decision": "approve"})
        await self.until(lambda: self.said[command][-1].done)


class Host(FakeSession):
    def submit(self, prompt: str) -> None:
        assert not self.busy and not self.blocked and not self.approvals_bypassed
        super().submit(prompt)


class BothSides(RuleBasedStateMachine):
    @initialize()
    def start(self) -> None:
        self.runner = asyncio.Runner()
        self.do(self.begin())

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        async def bounded() -> Any:
            async with asyncio.timeout(60):
                return await work

        return self.runner.run(bounded())

    async def begin(self) -> None:
        self.world = Routed(AppClock())
        for origin in ORIGINS:
            await self.world.pair(origin)
        self.arrived: list[str] = []
        self.sent: dict[str, tuple[str, str]] = {}  # text -> origin, turn
        self.begun: list[str] = []
        self.made: dict[str, str] = {}
        self.whole: set[str] = set()
        self.count = 0
        self.conversations = 0
        self.running = ""
        self.host = Host()
        await self.attach()
        self.troubles: list[Outcome] = []
        self.losses = 0
        self.world.fault = self.fault
        self.world.lose_answer = self.lose

    async def attach(self) -> None:
        await self.world.attach(self.host)
        lane = self.world.pairer._sessions[-1].lane
        add = Lane.add

        def noted(turn: Any) -> None:
            self.arrived.append(turn.text)
            add(lane, turn)

        lane.add = noted  # type: ignore[method-assign]

    def fault(self, request: Request) -> Outcome | None:
        return self.troubles.pop() if self.troubles and "/byoa/" in request.url else None

    def lose(self, request: Request) -> bool:
        self.losses -= 1
        return self.losses >= 0

    async def live(self, origin: str) -> Any:
        found = await self.world.byoas[origin].sessions_of(ADA)
        return found[0] if found else None

    async def recorded(self, text: str) -> list[dict[str, str]]:
        origin, id = self.sent[text]
        rows = await self.world.stores[origin].run(lambda tx: turns.events_after(tx, id, 0))
        assert [number for number, _ in rows] == list(range(1, len(rows) + 1)), "numbers with a gap"
        return [event for _, event in rows]

    # The apps.

    @rule(origin=st.sampled_from(ORIGINS))
    def app_sends(self, origin: str) -> None:
        self.do(self._send(origin))

    async def _send(self, origin: str) -> None:
        session = await self.live(origin)
        if session is not None:
            self.count += 1
            text = f"text {self.count}"
            self.sent[text] = (origin, (await session.chat(text)).id)
            await self.world.settled()

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def app_stops(self, data: st.DataObject) -> None:
        text = data.draw(st.sampled_from(sorted(self.sent)))
        self.do(self._stop(text))

    async def _stop(self, text: str) -> None:
        origin, id = self.sent[text]
        turn = await self.world.byoas[origin].turn(ADA, id)
        assert turn is not None
        await turn.stop()
        await self.world.settled()
        self.look()

    @precondition(lambda self: self.count % 4 == 3)
    @rule(origin=st.sampled_from(ORIGINS))
    def app_is_deployed(self, origin: str) -> None:
        async def work() -> None:
            self.world.deploy(origin)
            await self.world.settled()

        self.do(work())

    # The network and time.

    @rule(trouble=st.sampled_from(TROUBLES), times=st.integers(1, 3))
    def network_fails(self, trouble: Outcome, times: int) -> None:
        self.troubles += [trouble] * times

    @rule(times=st.integers(1, 2))
    def answers_get_lost(self, times: int) -> None:
        self.losses = times

    @rule(seconds=st.sampled_from([1, 2, 10, 40]))
    def time_passes(self, seconds: int) -> None:
        self.do(self.world.go(seconds))
        self.look()

    # The host and its person.

    @rule(blocked=st.sampled_from([False, False, True]))
    def host_asks_its_person(self, blocked: bool) -> None:
        self.host.blocked = blocked

    @precondition(lambda self: not self.host.busy and self.host.prompts)
    @rule()
    def host_begins(self) -> None:
        self.do(self._begin())

    async def _begin(self) -> None:
        text = self.host.prompts[0].rsplit("\n", 1)[1]
        assert text not in self.begun, "a prompt ran twice"
        self.running = text if self.host.begin() else "dropped"
        if self.running == text:
            self.begun.append(text)
        await self.world.settled()
        self.look()

    @precondition(lambda self: not self.host.busy)
    @rule()
    def person_begins(self) -> None:
        assert not self.host.begin("typed by the person")
        self.running = "person"

    @precondition(lambda self: self.host.busy)
    @rule(settle=st.booleans())
    def host_puts_out(self, settle: bool) -> None:
        self.count += 1
        text = "private;" if self.running not in self.sent else f"{self.running}:{self.count};"
        self.made[self.running] = self.made.get(self.running, "") + text
        self.host.reports.delta(text)
        if settle:
            self.do(self.world.settled())

    @precondition(lambda self: self.host.busy)
    @rule(joins=st.booleans())
    def person_interrupts(self, joins: bool) -> None:
        self.host.reports.foreign_prompt()
        if joins:
            self.host.reports.taken_over()
            self.running = "person"
        self.do(self.world.settled())

    @precondition(lambda self: self.host.busy)
    @rule()
    def host_ends(self) -> None:
        if self.running in self.sent:
            self.whole.add(self.running)
        self.host.end()
        self.running = ""
        self.do(self.world.settled())

    @precondition(lambda self: self.count % 6 == 5)
    @rule()
    def conversation_changes(self) -> None:
        self.conversations += 1
        self.host.host_session_id = f"another {self.conversations}"
        if self.host.busy:
            self.host.end()
        self.host.prompts.clear()
        self.running = ""
        self.do(self.world.go(2))

    @precondition(lambda self: self.count % 6 == 2)
    @rule()
    def host_starts_again(self) -> None:
        self.do(self._restart())

    async def _restart(self) -> None:
        # What was received and could not be acknowledged before the process dies is given again: no promise covers that.
        self.troubles, self.losses = [], 0
        await self.world.go(40)
        self.host.busy = False
        self.host.prompts.clear()
        self.running = ""
        self.world.restart()
        await self.attach()

    def look(self) -> None:
        """An abort has ended the host's turn."""
        if not self.host.busy:
            self.running = ""

    @invariant()
    def promises(self) -> None:
        if hasattr(self, "host"):
            self.do(self._promises())

    async def _promises(self) -> None:
        assert self.begun == [text for text in dict.fromkeys(self.arrived) if text in self.begun], "out of order"
        assert len(set(self.arrived)) == len(self.arrived), "a message arrived twice"
        for text in self.sent:
            events = await self.recorded(text)
            kinds = [event["type"] for event in events]
            assert kinds.count("ended") <= 1 and "ended" not in kinds[:-1], kinds
            assert kinds.count("started") <= 1 and "started" not in kinds[1:], kinds
            said = "".join(event["text"] for event in events if event["type"] == "delta")
            assert self.made.get(text, "").startswith(said), "lost, doubled, out of order, or somebody else's"

    def teardown(self) -> None:
        if hasattr(self, "host"):
            self.do(self._heal())
            self.runner.close()

    async def _heal(self) -> None:
        """No more trouble: every turn comes to its one end."""
        self.troubles, self.losses, self.host.blocked = [], 0, False
        for seconds in (100, *[3] * (len(self.sent) + 4)):  # a prompt that the host has dropped is waited for
            if not self.host.busy and self.host.prompts:
                await self._begin()
            if self.host.busy:
                self.whole |= {self.running} & set(self.sent)
                self.host.end()
                self.running = ""
            await self.world.go(seconds)
        await self.world.go(100)
        await self._promises()
        for text, (origin, id) in self.sent.items():
            turn = await self.world.byoas[origin].turn(ADA, id)
            assert turn is not None
            await turn.answer()  # whoever reads it sees that the session is away
            events = await self.recorded(text)
            assert events and events[-1]["type"] == "ended", f"{text} has no end"
            if text in self.whole and events[-1]["outcome"] == "done":
                said = "".join(event["text"] for event in events if event["type"] == "delta")
                assert said == self.made.get(text, ""), "something was lost"
        await self.world.close()


TestBothSides = BothSides.TestCase
TestBothSides.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)
