"""What OpenCode's events mean, in orders that are hard to bring about: compaction, plugins, prompts that cross."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from agent_connector.byoa.sessions.opencode_turns import Conversation

OURS = "[From Notes] #1\n\nhello"


@dataclass
class Lane:
    """Reports as they come; the prompt that awaits its start is `awaited`."""

    awaited: str = OURS
    told: list[str] = field(default_factory=list)

    def is_ours(self, prompt: str) -> bool:
        return bool(self.awaited) and prompt == self.awaited

    def turn_started(self, prompt: str) -> bool:
        ours = self.is_ours(prompt)
        self.told.append("ours" if ours else "started")
        self.awaited = "" if ours else self.awaited
        return ours

    def delta(self, text: str) -> None:
        self.told.append(f"+{text}")

    def tool(self, name: str, title: str | None = None) -> None:
        self.told.append(f"tool {name}")

    def turn_ended(self, outcome: str = "done", reason: str | None = None) -> None:
        self.told.append(outcome)

    def foreign_prompt(self) -> None:
        self.told.append("announced")

    def taken_over(self) -> None:
        self.told.append("taken over")

    def refused(self) -> None:
        self.told.append("refused")
        self.awaited = ""


class Play:
    """A conversation and its events; ids rise."""

    def __init__(self) -> None:
        self.lane = Lane()
        self.conversation = Conversation("ses_1", self.lane, {})
        self.conversation.begin("msg_000", "idle")
        self.count = 0

    def next(self) -> str:
        self.count += 1
        return f"msg_{self.count:03}"

    def asked(self, text: str, **part: Any) -> str:
        id = self.next()
        self.conversation.message({"id": id, "role": "user"})
        self.conversation.part({"id": f"prt_{id}", "messageID": id, "type": "text", "text": text, **part})
        return id

    def compaction(self, auto: bool) -> str:
        id = self.next()
        self.conversation.message({"id": id, "role": "user"})
        self.conversation.part({"id": f"prt_{id}", "messageID": id, "type": "compaction", "auto": auto})
        return id

    def answer(self, parent: str, *, finish: str = "", **info: Any) -> str:
        self.conversation.status("busy")
        id = self.next()
        self.conversation.message({"id": id, "role": "assistant", "parentID": parent, **info})
        if finish:
            self.finish(id, parent, finish)
        return id

    def finish(self, id: str, parent: str, finish: str) -> None:
        self.conversation.message({"id": id, "role": "assistant", "parentID": parent, "finish": finish})

    def text(self, message: str, text: str, part: str = "prt", *, ends: bool = True, **more: Any) -> None:
        time = {"start": 1, "end": 2} if ends else {"start": 1}
        told = {"id": part, "messageID": message, "type": "text", "text": text, "time": time, **more}
        self.conversation.part(told)

    def delta(self, text: str, part: str = "prt") -> None:
        self.conversation.delta({"partID": part, "field": "text", "delta": text})

    @property
    def told(self) -> list[str]:
        return self.lane.told


@pytest.fixture
def play() -> Play:
    return Play()


def test_a_text_that_a_plugin_changes_at_its_end_is_not_said_twice(play: Play) -> None:
    answer = play.answer(play.asked(OURS))
    play.text(answer, "", ends=False)
    play.delta("plain words")
    play.text(answer, "PLAIN WORDS, CHANGED")
    play.text(answer, "plain words and late ones")
    assert play.told == ["ours", "+plain words"]


def test_deltas_that_waited_in_the_stream_are_not_said_twice(play: Play) -> None:
    root = play.asked(OURS)
    answer = play.answer(root)
    part = {"id": "prt", "messageID": answer, "type": "text", "text": "all of it", "time": {"start": 1, "end": 2}}
    info = {"id": answer, "role": "assistant", "parentID": root}
    play.conversation.catch_up([{"info": info, "parts": [part]}], "busy")
    play.text(answer, "", ends=False)
    play.delta("all of")
    play.delta(" it")
    assert play.told == ["ours", "+all of it"]


def test_what_is_no_text_of_the_assistant_is_not_said(play: Play) -> None:
    answer = play.answer(play.asked(OURS))
    play.text(answer, "made by the host", synthetic=True)
    play.delta("of a part that nobody has seen", part="another")
    play.text(answer, "reasoning", part="thought", ends=False, type="reasoning")
    play.delta("more of it", part="thought")
    assert play.told == ["ours"]


def test_a_compaction_in_the_middle_of_a_turn_belongs_to_it(play: Play) -> None:
    """The summary is said to nobody; the turn goes on from a prompt of the host, or from a copy of its own."""
    answer = play.answer(play.asked(OURS), finish="tool-calls")
    play.text(answer, "Before.")
    summary = play.answer(play.compaction(auto=True), summary=True)
    play.text(summary, "a summary of everything", part="summary")
    play.finish(summary, "", "stop")
    answer = play.answer(play.asked("Continue.", synthetic=True), finish="tool-calls")
    play.text(answer, "After.", part="after")
    answer = play.answer(play.asked(OURS), finish="stop")
    play.text(answer, "At last.", part="last")
    play.conversation.status("idle")
    assert play.told == ["ours", "+Before.", "+\n\nAfter.", "+\n\nAt last.", "done"]


def test_a_compaction_before_a_turn_does_not_hide_its_prompt(play: Play) -> None:
    play.asked(OURS)
    play.answer(play.compaction(auto=True), summary=True, finish="stop")
    answer = play.answer(play.asked("Continue.", synthetic=True), finish="stop")
    play.text(answer, "Hi.")
    play.conversation.status("idle")
    assert play.told == ["ours", "+Hi.", "done"]


def test_a_compaction_that_the_person_asks_for_is_announced(play: Play) -> None:
    play.answer(play.asked(OURS))
    play.compaction(auto=False)
    assert play.told == ["ours", "announced"]


def test_an_apps_prompt_that_is_answered_with_the_persons_is_refused(play: Play) -> None:
    play.asked(OURS)
    play.answer(play.asked("mine, sent at the same moment"), finish="stop")
    assert play.told == ["refused", "started"]


def test_an_apps_prompt_behind_one_of_the_persons_is_taken_over_at_once(play: Play) -> None:
    play.asked("mine, sent at the same moment")
    answer = play.answer(play.asked(OURS), finish="stop")
    play.text(answer, "an answer to both")
    play.conversation.status("idle")
    assert play.told == ["ours", "taken over", "done"]


def test_an_apps_prompt_that_is_joined_into_the_persons_turn_is_refused(play: Play) -> None:
    play.answer(play.asked("mine"), finish="tool-calls")
    play.answer(play.asked(OURS), finish="stop")
    play.conversation.status("idle")
    assert play.told == ["started", "refused", "done"]


def test_an_apps_prompt_that_comes_between_two_words_of_an_abort_is_kept(play: Play) -> None:
    """An abort says twice that the session is idle."""
    play.answer(play.asked("mine"))
    play.conversation.error("MessageAbortedError")
    play.conversation.status("idle")
    root = play.asked(OURS)
    play.conversation.status("idle")
    play.answer(root, finish="stop")
    play.conversation.status("idle")
    assert play.told == ["started", "interrupted", "ours", "done"]


def test_what_changes_in_old_messages_is_no_turn(play: Play) -> None:
    play.conversation.message({"id": "msg_000", "role": "assistant", "parentID": "msg_", "finish": "stop"})
    play.conversation.message({"id": "msg", "role": "user"})
    assert play.told == []
    assert not play.conversation.running


def test_a_turn_that_ran_before_we_came_is_the_persons(play: Play) -> None:
    play.conversation.begin("msg_000", "busy")
    answer = play.answer("msg_000", finish="tool-calls")
    play.text(answer, "secret")
    play.asked("another of mine")
    play.conversation.status("idle")
    assert play.told == ["announced", "interrupted"]


def test_a_prompt_that_nothing_came_of_is_refused(play: Play) -> None:
    """An agent that is not there: an error, and not even a message."""
    play.conversation.submitted = OURS
    assert play.conversation.pending
    play.conversation.error("UnknownError")
    assert play.told == ["refused"]
    assert not play.conversation.pending
