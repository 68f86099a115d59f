"""What the agent asks its person, one after the other, until each is answered or let go."""

import asyncio
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field

from agent_connector.byoa.sessions.acp_updates import Question


@dataclass
class Pending:
    """A question that waits for the person."""

    question: Question
    answer: "asyncio.Future[str | None]" = field(repr=False)


class Questions:
    """The oldest is the one that the person answers."""

    def __init__(self) -> None:
        self._pending: deque[Pending] = deque()

    def __bool__(self) -> bool:
        return bool(self._pending)

    @property
    def oldest(self) -> Question:
        return self._pending[0].question

    async def ask(self, question: Question) -> str | None:
        """The id of the choice; None: it was let go."""
        pending = Pending(question, asyncio.get_running_loop().create_future())
        self._pending.append(pending)
        try:
            return await pending.answer
        finally:
            with suppress(ValueError):
                self._pending.remove(pending)

    def answer(self, choice: str | None) -> None:
        if self._pending:
            pending = self._pending.popleft()
            if not pending.answer.done():
                pending.answer.set_result(choice)

    def refuse(self) -> None:
        """The oldest gets the answer that refuses."""
        refusal = self.oldest.refusal
        self.answer(refusal.id if refusal is not None else None)

    def let_go(self) -> None:
        while self._pending:
            self.answer(None)
