"""Whatever order hooks come in: each turn ends once, in order, and nothing that is not an app's own leaves."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.byoa.sessions.claude_play import Asked, Play

from agent_connector.byoa.protocol import Delta, Ended, Started, ToolStep

CAP = 3
SELDOM = st.integers(0, 7).map(lambda number: number == 7)


class Terminal(RuleBasedStateMachine):
    """Claude Code as it was seen to behave, and a person and an app who do what they like.

    `working` is whose the output is now: None (idle), "person", or the prompt of an app's turn.
    """

    @initialize()
    def start(self) -> None:
        self.folder = TemporaryDirectory()
        self.file = Path(self.folder.name, "transcript.jsonl")
        self.file.write_text("")
        self.play = Play(cap=CAP)
        self.chats: list[str] = []
        self.session = "one"
        self.prompt = 1
        self.working: str | None = None
        self.queued = 0  # prompts of the person behind the running turn
        self.hold: Asked | None = None
        self.again = False
        self.row = 0
        self.words = 0

    def teardown(self) -> None:
        self.folder.cleanup()

    def fields(self) -> dict:
        return {"prompt_id": f"p{self.prompt}", "session_id": self.session, "transcript_path": str(self.file)}

    def write(self, *rows: dict) -> None:
        with self.file.open("a") as stream:
            stream.writelines(json.dumps(row) + "\n" for row in rows)

    def answered(self) -> None:
        """What the host does once its Stop is answered."""
        if self.hold is None or self.hold.held:
            return
        prompt, self.hold = self.hold.prompt, None
        if prompt is not None:
            self.row += 1
            assert self.row <= CAP, "more answers in a row than the host takes"
            self.again, self.working = True, prompt
            self.write({"type": "user", "isMeta": True, "message": {"content": f"Stop hook feedback:\n{prompt}"}})
        elif self.queued:
            self.queued -= 1
            self.begin()
        else:
            self.working = None

    def begin(self) -> None:
        self.prompt += 1
        self.again, self.row, self.working = False, 0, "person"

    @property
    def apps(self) -> bool:
        return self.working not in (None, "person")

    # The app.

    @rule()
    def chats_(self) -> None:
        if len(self.chats) < 12 and self.play.app.session.info:
            self.chats.append(self.play.chat(f"message {len(self.chats)}"))
            self.play.settle()
            self.answered()

    @rule(which=st.integers(0, 11), really=SELDOM)
    def stops(self, which: int, really: bool) -> None:
        if really and which < len(self.chats):
            self.play.app.stop(self.chats[which])
            self.play.settle()
            self.answered()

    # The person.

    @rule()
    def types(self) -> None:
        busy = self.working is not None or self.hold is not None
        self.play.typed(**self.fields())
        if not busy:
            self.begin()
            return
        self.queued += 1
        self.answered()

    @precondition(lambda self: self.working is not None and self.hold is None)
    @rule(seen=st.booleans(), really=SELDOM)
    def breaks_off(self, seen: bool, really: bool) -> None:
        """Esc: no hook tells it. `seen` says whether the transcript was looked at before what comes next."""
        if not really:
            return
        self.write(
            {"type": "user", "message": {"content": [{"type": "text", "text": "[Request interrupted by user]"}]}}
        )
        self.working, self.queued = None, 0
        if seen:
            self.play.session.look()
            self.play.world.settle()

    @precondition(lambda self: self.hold is not None)
    @rule()
    def breaks_the_hold_off(self) -> None:
        self.play.session.gone(self.play.session._hold[0])
        self.hold, self.working, self.queued = None, None, 0

    @precondition(lambda self: self.hold is None)
    @rule(really=SELDOM)
    def clears(self, really: bool) -> None:
        if not really:
            return
        self.play.hear("SessionEnd", reason="clear", **self.fields())
        self.session += "x"
        self.working, self.queued = None, 0
        self.play.hear("SessionStart", source="clear", **self.fields())
        self.play.world.run(2)

    # The host.

    @precondition(lambda self: self.working is not None and self.hold is None)
    @rule(main=st.booleans())
    def uses_a_tool(self, main: bool) -> None:
        mine = "own" if self.apps and main else "foreign"
        self.play.tool(mine, **self.fields(), **({} if main else {"agent_id": "a"}))
        if main and self.queued:  # the host joins what waits at the next step
            self.queued -= 1
            self.write({"type": "attachment", "attachment": {"type": "queued_command"}})
            self.working = "person"

    @precondition(lambda self: self.working is not None and self.hold is None)
    @rule(fails=SELDOM, bypassed=SELDOM)
    def ends(self, fails: bool, bypassed: bool) -> None:
        mode = "dontAsk" if bypassed else "default"
        if fails:
            self.play.hear("StopFailure", **{**self.fields(), "prompt_id": f"p{self.prompt}"})
            self.working, self.queued = None, 0
            return
        self.words += 1
        text = f"own {self.words} for {self.working}" if self.apps else f"foreign {self.words}"
        self.hold = self.play.stop(text, again=self.again, permission_mode=mode, **self.fields())
        assert not bypassed or self.hold.said == [None]
        self.answered()

    @precondition(lambda self: self.hold is not None)
    @rule()
    def time_is_up(self) -> None:
        self.play.session.release()
        self.answered()

    @rule(seconds=st.sampled_from([1, 70]))
    def time_passes(self, seconds: int) -> None:
        self.play.world.run(seconds)
        self.play.settle()
        self.answered()

    # The promises.

    @invariant()
    def each_turn_ends_once_and_nothing_foreign_leaves(self) -> None:
        for number, chat in enumerate(self.chats):
            events = self.play.app.turns[chat].events
            assert sum(isinstance(event, Ended) for event in events) <= 1
            assert sum(isinstance(event, Started) for event in events) <= 1
            assert sum(isinstance(event, Delta) for event in events) <= 1
            if any(isinstance(event, Ended) for event in events):
                assert isinstance(events[-1], Ended)
            for event in events:
                if isinstance(event, Delta):
                    assert event.text.startswith("own ")
                    assert event.text.endswith(f"message {number}")
                if isinstance(event, ToolStep):
                    assert event.name == "own"

    @invariant()
    def turns_start_in_order_and_one_at_a_time(self) -> None:
        open_ = [c for c in self.chats if self._began(c) and not self._ended(c)]
        assert len(open_) <= 1

    def _began(self, chat: str) -> bool:
        return any(isinstance(event, Started) for event in self.play.app.turns[chat].events)

    def _ended(self, chat: str) -> bool:
        return self.play.app.turns[chat].end is not None


Terminal.TestCase.settings = settings(max_examples=100, stateful_step_count=50, deadline=None)
TestTerminal = Terminal.TestCase
