"""The session in a terminal: plain lines that stay readable in a log, colour only where a person looks."""

import os
from typing import TextIO

from agent_connector.byoa.protocol.texts import clean
from agent_connector.byoa.sessions.acp_updates import Question, Step

DIM, BOLD, PLAIN = "\033[2m", "\033[1m", "\033[0m"
MARK, UNMARK = "> ", "\r\033[K"
DETAIL_LINES = 12


class TerminalScreen:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._coloured = stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        self._marks = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._at_start = True
        self._marked = False
        self._idle = False
        self._thinking = False

    def typed(self) -> None:
        """The person has ended a line: the cursor stands at the beginning of the next."""
        self._at_start, self._marked = True, False
        self._mark()

    def prompt(self, text: str) -> None:
        self._idle = False
        first, _, rest = text.partition("\n")
        self._line(first, BOLD)
        for line in rest.strip("\n").split("\n"):
            self._line(f"> {line}")

    def said(self, text: str) -> None:
        self._flow(text, "", thinking=False)

    def thought(self, text: str) -> None:
        self._flow(text, DIM, thinking=True)

    def step(self, step: Step) -> None:
        self._idle = False
        self._line(f"* {step.name}" + (f": {step.title}" if step.title not in ("", step.name) else ""), DIM)

    def note(self, text: str) -> None:
        for line in text.split("\n"):
            self._line(f"- {line}", DIM)
        self._mark()

    def over(self) -> None:
        """Nothing runs: the person may type, which a mark at the beginning of the line says."""
        self._fresh()
        self._idle = True
        self._mark()

    def ask(self, question: Question) -> None:
        """Choices by number; what else is typed asks again."""
        self._idle = False
        self._line(f"? {question.title}", BOLD)
        detail = question.detail.split("\n") if question.detail else []
        for line in detail[:DETAIL_LINES]:
            self._line(f"    {line}")
        if len(detail) > DETAIL_LINES:
            self._line(f"    ... {len(detail) - DETAIL_LINES} more lines")
        for number, choice in enumerate(question.choices, 1):
            self._line(f"  {number}  {choice.label}")
        self._line(f"  answer with a number, 1 to {len(question.choices)}")

    # Others' words may hold what moves a terminal's cursor: everything is cleaned.

    def _flow(self, text: str, style: str, *, thinking: bool) -> None:
        """Text as it comes, in pieces."""
        if self._thinking is not thinking or self._marked:
            self._fresh()
        self._thinking, self._idle = thinking, False
        text = clean(text)
        if text:
            self._put(self._styled(text, style))
            self._at_start = text.endswith("\n")

    def _line(self, text: str, style: str = "") -> None:
        self._fresh()
        self._put(self._styled(clean(text), style) + "\n")

    def _fresh(self) -> None:
        if self._marked:
            self._put(UNMARK)
        elif not self._at_start:
            self._put("\n")
        self._at_start, self._marked = True, False

    def _mark(self) -> None:
        if self._marks and self._idle and not self._marked:
            self._put(MARK)
            self._at_start, self._marked = False, True

    def _styled(self, text: str, style: str) -> str:
        return f"{style}{text}{PLAIN}" if style and self._coloured else text

    def _put(self, text: str) -> None:
        encoding = self._stream.encoding or "utf-8"
        self._stream.write(text.encode(encoding, "replace").decode(encoding))
        self._stream.flush()
