"""Events on their way (section 5): batches that no door refuses for their size, and text that survives being cut."""

from hypothesis import given
from hypothesis import strategies as st

from agent_connector.byoa.core.outbox import WAITING_LETTERS, Outbox
from agent_connector.byoa.protocol import Delta, Ended, Outcome, Reason, Started, ToolStep, TurnEvent, parse_batch
from agent_connector.byoa.protocol.limits import DOOR_BODY

DONE = Ended(Outcome.DONE)


def drain(box: Outbox) -> list[TurnEvent]:
    """What an app gets that takes every batch."""
    found: list[TurnEvent] = []
    seq = 0
    while box.ready:
        batch = box.batch("s")
        assert batch.seq == seq
        data = batch.dump()
        assert len(data) <= DOOR_BODY
        found += parse_batch(data).events
        box.taken()
        seq += 1
    return found


def text_of(events: list[TurnEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, Delta))


@given(st.lists(st.text(st.characters()), max_size=20))
def test_text_arrives_whole_however_it_was_cut(pieces: list[str]) -> None:
    box = Outbox("t")
    for piece in pieces:
        box.put(Delta(piece))
    box.put(DONE)
    joined = "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert text_of(drain(box)) == joined
    assert box.done


def test_a_letter_cut_in_two_halves_is_joined() -> None:
    box = Outbox("t")
    box.put(Delta("a\ud83d"))
    box.put(Delta("\ude00b"))
    assert text_of(drain(box)) == "a\U0001f600b"


def test_a_half_that_is_never_completed_is_replaced() -> None:
    box = Outbox("t")
    box.put(Delta("a\ud83d"))
    box.put(ToolStep("search"))
    assert drain(box) == [Delta("a\ufffd"), ToolStep("search")]


def test_section_1_the_worst_text_fits_the_door() -> None:
    box = Outbox("t")
    box.put(Started())
    box.put(Delta("\x00" * 1_000_000))
    box.put(DONE)
    assert text_of(drain(box)) == "\x00" * 1_000_000


def test_an_app_that_takes_nothing_does_not_fill_the_memory_and_is_told_that_text_is_missing() -> None:
    box = Outbox("t")
    for _ in range(10):
        box.put(Delta("x" * (WAITING_LETTERS // 4)))
    box.put(DONE)
    events = drain(box)
    assert len(text_of(events)) == WAITING_LETTERS
    assert events[-1] == Ended(Outcome.ERROR, Reason.HOST_ERROR)


def test_nothing_follows_the_end() -> None:
    box = Outbox("t")
    box.put(DONE)
    box.put(Delta("late"))
    box.put(Ended(Outcome.ERROR))
    assert drain(box) == [DONE]


def test_section_5_a_refused_batch_gives_its_number_to_the_end_and_a_second_refusal_is_the_last() -> None:
    box = Outbox("t")
    box.put(Delta("text"))
    assert box.batch("s").seq == 0
    assert box.refused()
    box.put(Ended(Outcome.ERROR, Reason.HOST_ERROR))
    assert box.batch("s").seq == 0
    assert not box.refused() and box.done and not box.ready
