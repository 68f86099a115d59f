"""Two apps, one session, a person, and a network that loses requests and answers: what each app records in the end.

Every turn has exactly one end, nothing is lost or doubled, no output of the person arrives, turns begin in the order
in which they arrived.
"""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.core.effects import Failure, Outcome, Request, Response
from agent_connector.testing.byoa import FakeSession, ScriptedApp, World

ORIGINS = ("https://a.example", "https://b.example")
TROUBLES = (Failure("reset"), Response(500), Response(503, {"retry-after": "3"}), Response(409), Response(410))


class Wire(RuleBasedStateMachine):
    @initialize()
    def start(self) -> None:
        self.world = World(*(ScriptedApp(origin, name, name) for origin, name in zip(ORIGINS, "ab", strict=True)))
        for origin in ORIGINS:
            self.world.pair(origin)
        opened, self.handle = self.world.open(FakeSession())
        assert isinstance(opened, FakeSession)
        self.session = opened
        self.troubles: list[Outcome] = []
        self.losses = 0
        self.count = 0
        self.running: str | None = None  # the text of the turn that the host works on; "person"
        self.made: dict[str, str] = {}
        self.whole: set[str] = set()  # turns that ran to their end undisturbed
        self.sent: dict[str, tuple[str, str]] = {}  # text -> origin, turn
        self.begun: list[str] = []
        self.world.fault = self.fault
        self.world.lose_answer = self.lose

    def fault(self, request: Request) -> Outcome | None:
        return self.troubles.pop() if self.troubles and "/byoa/" in request.url else None

    def lose(self, request: Request) -> bool:
        self.losses -= 1
        return self.losses >= 0

    def turn(self, text: str) -> "tuple[ScriptedApp, str]":
        origin, id = self.sent[text]
        return self.world.apps[origin], id

    @rule(origin=st.sampled_from(ORIGINS))
    def app_sends(self, origin: str) -> None:
        self.count += 1
        text = f"text {self.count}"
        self.sent[text] = (origin, self.world.apps[origin].chat(text))
        self.world.settle()

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def app_stops(self, data: st.DataObject) -> None:
        app, id = self.turn(data.draw(st.sampled_from(sorted(self.sent))))
        app.stop(id)
        self.world.settle()
        self.look()

    @rule(trouble=st.sampled_from(TROUBLES), times=st.integers(1, 3))
    def network_fails(self, trouble: Outcome, times: int) -> None:
        self.troubles += [trouble] * times

    @rule(times=st.integers(1, 2))
    def answers_get_lost(self, times: int) -> None:
        self.losses = times

    @rule(seconds=st.integers(1, 40))
    def time_passes(self, seconds: int) -> None:
        self.world.run(seconds)
        self.look()

    @precondition(lambda self: not self.session.busy and self.session.prompts)
    @rule()
    def host_begins(self) -> None:
        text = self.session.prompts[0].rsplit("\n", 1)[1]
        self.running = text if self.session.begin() else "dropped"
        if self.running == text:
            self.begun.append(text)
        self.world.settle()
        self.look()

    @precondition(lambda self: not self.session.busy)
    @rule()
    def person_begins(self) -> None:
        assert not self.session.begin("typed by the person")
        self.running = "person"

    @precondition(lambda self: self.session.busy)
    @rule(settle=st.booleans())
    def host_puts_out(self, settle: bool) -> None:
        self.count += 1
        text = "private;" if self.running in ("person", "dropped") else f"{self.count};"
        self.made[str(self.running)] = self.made.get(str(self.running), "") + text
        self.handle.delta(text)
        if settle:
            self.world.settle()

    @precondition(lambda self: self.session.busy)
    @rule(joins=st.booleans())
    def person_interrupts(self, joins: bool) -> None:
        self.handle.foreign_prompt()
        if joins:
            self.handle.taken_over()
            self.running = "person"
        self.world.settle()

    @precondition(lambda self: self.session.busy)
    @rule()
    def host_ends(self) -> None:
        if self.running in self.sent:
            self.whole.add(str(self.running))
        self.session.end()
        self.running = None
        self.world.settle()

    def look(self) -> None:
        """An abort ends the host's turn."""
        if not self.session.busy:
            self.running = None

    @invariant()
    def order_and_ends(self) -> None:
        if not hasattr(self, "sent"):
            return
        for origin in ORIGINS:
            mine = [text for text in self.sent if self.sent[text][0] == origin]
            assert [text for text in self.begun if text in mine] == [text for text in mine if text in self.begun]
        for text in self.sent:
            app, id = self.turn(text)
            events = app.turns[id].events
            assert sum(isinstance(event, wire.Ended) for event in events) <= 1
            assert "private" not in app.turns[id].text
            assert self.made.get(text, "").startswith(app.turns[id].text), "lost, doubled or out of order"

    def teardown(self) -> None:
        if not hasattr(self, "sent"):
            return
        self.troubles, self.losses = [], 0
        self.world.run(65)
        for _ in range(2 * len(self.sent) + 4):
            if self.session.busy:
                self.host_ends()
            elif self.session.prompts:
                self.host_begins()
            self.world.run(3)
        self.world.run(65)
        for text in self.sent:
            app, id = self.turn(text)
            turn = app.turns[id]
            assert turn.end is not None, "a turn without an end"
            if text in self.whole and turn.end == wire.Ended(wire.Outcome.DONE):
                assert turn.text == self.made.get(text, "")


TestWire = Wire.TestCase
TestWire.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
