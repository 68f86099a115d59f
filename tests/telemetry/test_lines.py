"""From the pump's chunks to messages: whatever the chunks, the lines are those that went by."""

import os
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_connector.runtime import pump_tap
from agent_connector.runtime.pump_tap import Tap
from agent_connector.telemetry import frames
from agent_connector.telemetry.frames import IN, OUT
from agent_connector.telemetry.lines import Lines, Long, Lost, Message, Seen


def through(chunks: list[tuple[bytes, bytes]], step: int = 1 << 16) -> list[Seen]:
    """What a measuring process sees of chunks that went by."""
    source, sink = os.pipe()
    tap = Tap(sink)
    tap.start()
    found: list[Seen] = []
    reader = reading(source, found, step)
    shows = {IN: tap.shower(IN), OUT: tap.shower(OUT)}
    for way, chunk in chunks:
        shows[way](chunk)
    end(tap, sink, reader)
    return found


def reading(source: int, found: list[Seen], step: int) -> threading.Thread:
    """A reader of the tap's pipe, at work until the pipe closes."""

    def read() -> None:
        lines = Lines()
        while data := os.read(source, step):
            found.extend(lines.feed(data))
        os.close(source)

    reader = threading.Thread(target=read)
    reader.start()
    return reader


def end(tap: Tap, sink: int, reader: threading.Thread) -> None:
    """Let everything come out, then close."""
    while not tap.settled():
        time.sleep(0.001)
    os.close(sink)
    reader.join(60)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from([IN, OUT]), st.binary(min_size=1, max_size=40)), max_size=30),
    st.integers(1, 64),
)
def test_every_whole_line_is_seen_as_it_went_by(chunks: list[tuple[bytes, bytes]], step: int) -> None:
    found = through(chunks, step)
    for way in (IN, OUT):
        whole = b"".join(chunk for one, chunk in chunks if one == way).split(b"\n")[:-1]
        assert [seen.data for seen in found if isinstance(seen, Message) and seen.way == way] == whole


def test_a_giant_line_is_told_by_its_ends_and_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pump_tap, "LONGEST_LINE", 10_000)
    start, end = b'{"id":7,' + b"a" * 9000, b"z" * 40_000 + b',"tail":1}'
    line = start + end
    chunks = [(OUT, (b"before\n" + line + b"\nafter\n")[at : at + 1000]) for at in range(0, len(line) + 20, 1000)]
    before, giant, after = through(chunks)
    assert isinstance(before, Message)
    assert isinstance(giant, Long)
    assert isinstance(after, Message)
    assert (before.data, after.data) == (b"before", b"after")
    assert giant.size == len(line)
    assert giant.head.startswith(b'{"id":7,aaa')
    assert giant.tail.endswith(b'z,"tail":1}')


@pytest.mark.parametrize("cut", [1, 3, 511, 512, 513, 4000])
def test_the_end_of_a_giant_line_is_whole_however_it_came(monkeypatch: pytest.MonkeyPatch, cut: int) -> None:
    monkeypatch.setattr(pump_tap, "LONGEST_LINE", 5000)
    line = bytes(range(32, 126)) * 200
    chunks = [(OUT, (line + b"\n")[at : at + cut]) for at in range(0, len(line) + 1, cut)]
    (giant,) = through(chunks)
    assert isinstance(giant, Long)
    assert giant.size == len(line)
    assert giant.tail[-frames.EDGE + 1 :] == line[-frames.EDGE + 1 :]


def test_a_reader_that_stalls_costs_a_bounded_memory_and_loses_only_detail() -> None:
    source, sink = os.pipe()
    tap = Tap(sink)
    tap.start()
    show = tap.shower(OUT)
    answer = b'{"id":1,"x":"' + b"a" * 60_000 + b'"}\n'
    for _ in range(7000):
        show(answer)
    held = sum(len(what) for _, _, what in list(tap.queue) if isinstance(what, bytes))
    assert held < pump_tap.HARD + (1 << 20)
    found: list[Seen] = []
    reader = reading(source, found, 1 << 20)
    while not tap.settled():
        time.sleep(0.001)
    show(b'{"id":2}\n')
    end(tap, sink, reader)
    assert found[-1].data == b'{"id":2}' if isinstance(found[-1], Message) else False
    shortened = [seen for seen in found if isinstance(seen, Long)]
    assert shortened
    assert all(seen.size == len(answer) - 1 for seen in shortened)
    assert all(seen.head.startswith(b'{"id":1') for seen in shortened)
    told = sum(seen.lines if isinstance(seen, Lost) else 1 for seen in found)
    assert told == 7001
    assert any(isinstance(seen, Lost) for seen in found)


def test_a_reader_that_dies_ends_the_tap_and_nothing_else() -> None:
    source, sink = os.pipe()
    tap = Tap(sink)
    tap.start()
    os.close(source)
    show = tap.shower(IN)
    show(b"x\n")
    while not tap.closed:
        time.sleep(0.001)
    show(b"y\n" * 100_000)
    assert not tap.queue
    os.close(sink)


def test_lines_of_a_gap_are_lost_and_what_follows_is_not() -> None:
    data = frames.head(OUT, 1, 4) + b"half"
    data += frames.left_out(OUT, 2, 100, 3, False)
    data += frames.head(OUT, 3, 12) + b"rest\nwhole\n\n"
    found = list(Lines().feed(data))
    assert found == [Lost(OUT, 2, 104, 3), Lost(OUT, 3, 4, 1), Message(OUT, 3, b"whole"), Message(OUT, 3, b"")]


def test_a_line_behind_a_gap_that_ends_with_a_line_is_whole() -> None:
    data = frames.left_out(IN, 2, 100, 3, True) + frames.head(IN, 3, 6) + b"whole\n"
    assert list(Lines().feed(data)) == [Lost(IN, 2, 100, 3), Message(IN, 3, b"whole")]


def test_a_line_that_never_ends_is_not_held() -> None:
    lines, part = Lines(), b"x" * 60_000
    for _ in range(200):
        assert not list(lines.feed(frames.head(OUT, 1, len(part)) + part))
    (found,) = lines.feed(frames.head(OUT, 2, 1) + b"\n")
    assert isinstance(found, Long)
    assert found.size == 12_000_000
    assert len(found.head) <= 1 << 16
