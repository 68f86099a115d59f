"""A run's log: nothing secret in it, whatever the cuts; numbered without gaps; bounded; and kept when the disk is full."""

import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_connector.board import rules
from agent_connector.drive.lines import CUT
from agent_connector.errors import WorkerError
from agent_connector.redaction import Redactor
from agent_connector.worker import forwarder
from agent_connector.worker.config import Log
from agent_connector.worker.forwarder import Event, Forwarder

KEY = "sk-live-0123456789abcdef"
REDACTOR = Redactor([KEY])


class Sink:
    """An outbox; while `full` it takes nothing."""

    def __init__(self) -> None:
        self.batches: list[list[Event]] = []
        self.full = False

    def __call__(self, batches: list[list[Event]]) -> None:
        if self.full:
            raise WorkerError("no space is left")
        self.batches += [[dict(event) for event in events] for events in batches]

    @property
    def events(self) -> list[Event]:
        return [event for batch in self.batches for event in batch]

    def text(self, joint: str = "\n") -> str:
        return joint.join(str(event["payload"]["text"]) for event in self.events)


def log_into(sink: Sink, **told: Any) -> Forwarder:
    return Forwarder(Log(**told), REDACTOR, sink, lambda: 1.0)


@given(st.lists(st.integers(1, 40), max_size=6))
@settings(max_examples=40, deadline=None)
def test_a_secret_is_caught_wherever_a_long_line_was_cut(widths: list[int]) -> None:
    sink = Sink()
    log = log_into(sink)
    rest = f"before {KEY} after"
    for width in widths:
        if width < len(rest):
            log.emit("line", "stdout", {"text": rest[:width] + CUT})
            log.flush()
            rest = rest[width:]
    log.emit("line", "stdout", {"text": rest})
    log.close()
    told = sink.text("").replace(CUT, "")
    assert told.startswith("before [redacted:") and told.endswith("] after")
    assert [event["seq"] for event in sink.events] == list(range(1, len(sink.events) + 1))


@pytest.mark.parametrize("at", range(1, len(KEY)))
def test_a_secret_is_caught_between_two_pieces_of_what_a_model_says(at: int) -> None:
    sink = Sink()
    log = log_into(sink)
    log.emit("said", "host", {"text": f"{' ' * forwarder.JOINED} {KEY[:at]}"})
    log.emit("said", "host", {"text": f"{KEY[at:]} after", "parent": KEY})
    log.close()
    assert sink.text("").strip().startswith("[redacted:") and sink.text().endswith("] after")
    assert KEY not in repr(sink.events)


def test_lines_stay_lines_and_what_is_not_text_is_redacted_too() -> None:
    sink = Sink()
    log = log_into(sink)
    for text in ("one", "", f"key {KEY}", "four"):
        log.emit("line", "stdout", {"text": text})
    log.emit("called", "host", {"arguments": {"header": [KEY, float("nan"), object]}, "text": KEY})
    log.close()
    assert [event["payload"]["text"] for event in sink.events[:2]] == ["one", ""]
    assert sink.events[3]["payload"]["text"] == "four" and KEY not in repr(sink.events)
    assert all(rules.events([event]) for event in sink.events)


TEXTS = st.sampled_from(
    [
        *("", "word", "two\nlines", f"a {KEY} b", KEY[:9], KEY[9:], f"cut {KEY[:5]}{CUT}"),
        *("password =", "Authorization: Bearer ", "-----BEGIN RSA PRIVATE KEY-----", "MIIEpAIBAAKCAQEA"),
        *("-----END RSA PRIVATE KEY-----", "AKIA" + "Q" * 16),
    ]
)
EVENTS = st.tuples(
    st.sampled_from(["line", "line", "line", "said", "called"]), st.sampled_from(["stdout", "stderr"]), TEXTS
)


def said_by(sink: Sink) -> dict[tuple[str, str], str]:
    """What each channel says in all. Ends of lines are left out: an event of a piece of a line has none."""
    said = dict[tuple[str, str], str]()
    for event in sink.events:
        of = event["type"], event["channel"]
        said[of] = said.get(of, "") + event["payload"]["text"].replace("\n", "")
    return said


@given(st.lists(st.tuples(EVENTS, st.booleans()), max_size=30))
@settings(max_examples=300, deadline=None)
def test_lines_that_are_redacted_together_say_what_they_would_say_one_by_one(told: list[Any]) -> None:
    together, alone = Sink(), Sink()
    one, other = log_into(together), log_into(alone)
    for (type, channel, text), flushed in told:
        for log, flush in ((one, flushed), (other, True)):
            log.emit(type, channel, {"text": text})
            if flush:
                log.flush()
    for log in (one, other):
        log.close()
    for sink in (together, alone):
        assert [event["seq"] for event in sink.events] == list(range(1, len(sink.events) + 1))
        assert KEY not in repr(sink.events)
    assert said_by(together) == said_by(alone)
    assert len(together.events) <= len(told) + 4  # what was held back to the end is one more in each stream


def test_lines_that_are_redacted_together_keep_their_times_and_their_place_between_others() -> None:
    sink, times = Sink(), iter(range(100))
    log = Forwarder(Log(), REDACTOR, sink, lambda: float(next(times)))
    for channel, text in (
        ("stdout", "one"),
        ("stdout", "two"),
        ("stderr", "three"),
        ("stdout", "four"),
        ("stdout", ""),
    ):
        log.emit("line", channel, {"text": text})
    log.emit("called", "host", {"text": "five"})
    log.flush()
    assert [event["payload"]["text"] for event in sink.events] == ["one", "two", "three", "four", "", "five"]
    assert [event["ts"][17:19] for event in sink.events] == ["00", "01", "02", "03", "04", "05"]


def test_batches_are_what_a_board_takes() -> None:
    sink = Sink()
    log = log_into(sink, batch_size=50)
    for number in range(120):
        log.emit("returned", "host", {"output": [f"{number} {'x' * 9_000}"]})
    log.emit("returned", "host", {"output": ["y" * 30_000] * 20})
    log.close()
    assert [event["seq"] for event in sink.events] == list(range(1, 122))
    assert max(map(len, sink.batches)) <= 50 and "left out" in sink.events[-1]["payload"]["text"]
    for batch in sink.batches:
        assert sum(len(repr(event)) for event in batch) < rules.EVENT_BYTES


@pytest.mark.parametrize(
    ("bound", "value", "why"),
    [("MOST_BYTES", 5_000, "it holds"), ("MOST_WAITING", 5_000, "faster than it could be taken")],
)
def test_however_much_is_said_the_log_ends_with_one_notice(
    monkeypatch: pytest.MonkeyPatch, bound: str, value: int, why: str
) -> None:
    monkeypatch.setattr(forwarder, bound, value)
    sink = Sink()
    log = log_into(sink)
    for _ in range(100):
        log.emit("line", "stdout", {"text": "x" * 200})
    log.close()
    (notice,) = [event for event in sink.events if event["type"] == "log-capped"]
    assert notice is sink.events[-1] or notice["seq"] == len(sink.events)
    assert notice["payload"]["text"].startswith("[log capped]") and why in notice["payload"]["text"]
    assert 20 <= len(sink.events) <= 30


def test_what_the_outbox_cannot_take_comes_later_once_and_in_order() -> None:
    sink = Sink()
    log = log_into(sink, batch_size=3)
    sink.full = True
    for number in range(10):
        log.emit("line", "stdout", {"text": str(number)})
        with pytest.raises(WorkerError):
            log.flush()
    sink.full = False
    log.close()
    assert sink.text(" ") == "0 1 2 3 4 5 6 7 8 9"
    assert [event["seq"] for event in sink.events] == list(range(1, 11))


def test_threads_may_emit_while_the_log_is_flushed() -> None:
    sink = Sink()
    log = log_into(sink, batch_size=20)

    def talk(name: str) -> None:
        for number in range(300):
            log.emit("noticed", name, {"number": number})

    threads = [threading.Thread(target=talk, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        log.flush()
    log.close()
    assert [event["seq"] for event in sink.events] == list(range(1, 901))
    for name in "abc":
        told = [event["payload"]["number"] for event in sink.events if event["channel"] == name]
        assert told == list(range(300))
