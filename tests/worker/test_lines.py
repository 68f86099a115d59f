"""What the worker says: one line for each event, without secrets, and nothing that steers a terminal."""

import io
import json

from agent_connector.worker.lines import LONGEST, Lines


def said(text: str, **options: bool) -> str:
    stream = io.StringIO()
    Lines(stream, lambda given: given.replace("s3cret", "[redacted]"), **options)(text)
    return stream.getvalue()


def test_an_event_is_one_harmless_line():
    line = said("task x: s3cret\nfake line\x1b[2J\r\u202eevil\u2028more")
    assert line.count("\n") == 1 and line.endswith(" task x: [redacted] fake line evil more\n")
    assert len(said("x " * 5000)) < LONGEST + 40
    assert "\033" not in line and said("x", colour=True).startswith("\033[2m")


def test_a_program_gets_json():
    line = said('a "b" s3cret\n', as_json=True, colour=True)
    assert json.loads(line)["text"] == 'a "b" [redacted]' and "\033" not in line
    assert json.loads(line)["time"].endswith("+00:00")


def test_work_goes_on_when_nobody_reads():
    stream = io.StringIO()
    lines = Lines(stream, str)
    stream.close()
    lines("x")


def test_what_a_terminal_cannot_show_becomes_a_question_mark():
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, "ascii")
    Lines(stream, str)("grüße")
    assert raw.getvalue().endswith(b"gr??e\n")
