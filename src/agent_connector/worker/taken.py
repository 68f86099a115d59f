"""Which tasks are taken, when again, and which comment answers what was asked. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from agent_connector.board.values import Comment, Task
from agent_connector.worker.clock import later
from agent_connector.worker.config import Config
from agent_connector.worker.state import Settled, Waiting

Why = Literal["new", "again", "answered"]
_MARK = re.compile(r"<!-- agent-connector run=(\S+) outcome=(\w+) letter=\S+ -->\s*\Z")


def why(task: Task, config: Config, settled: Settled | None, waiting: Waiting | None) -> Why | None:
    """Why the task is to be taken now; None when it is not.

    A task that waits for a person is taken up in `resumeStatus` once somebody has touched it since. One that was done is
    taken again only when it was changed since our last write and its status had left the poll set in between.
    """
    if waiting is not None:
        moved = task.status == config.hitl.resume_status and later(task.updated_at, waiting.parked_at)
        return "answered" if moved else None
    if task.status not in config.poll_status:
        return None
    if settled is None:
        return "new"
    return "again" if settled.away and later(task.updated_at, settled.updated_at) else None


def lost(task: Task, config: Config, taken_from: str) -> bool:
    """A run of the task is to be stopped: somebody has moved it."""
    return task.status not in (config.running_status, taken_from)


# A result that stands in a comment is on the board, even when its worker died before it moved the task.


def mark(board_run: str | None, outcome: str, letter: str) -> str:
    """What a result's comment ends with: which run it is of, how that came out, and which letter it was."""
    return f"<!-- agent-connector run={board_run or '-'} outcome={outcome} {letter} -->"


def outcome(task: Task) -> str | None:
    """How the task came out, where a result of its run is the last thing that happened to it."""
    last = task.comments[-1] if task.comments else None
    found = _MARK.search(last.body) if last is not None else None
    if last is None or found is None or later(task.updated_at, last.created_at):
        return None
    return found[2] if found[1] == (task.run_id or "-") else None


def asked_by(task: Task) -> Comment | None:
    """The question of the task's last run, where a worker asked a person."""
    for comment in reversed(task.comments):
        found = _MARK.search(comment.body)
        if found is not None:
            return comment if found[2] == "awaiting_human" and found[1] == (task.run_id or "-") else None
    return None


def of_a_worker(comment: Comment) -> bool:
    return _MARK.search(comment.body) is not None


# Answers.


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` is None where nobody said a word; `anybody`: it could have been anybody's."""

    text: str | None
    anybody: bool = False


def answer(task: Task, config: Config, waiting: Waiting, is_ours: Callable[[str], bool]) -> Answer:
    """What a person answered: comments newer than the question, by those who may answer, in their order."""
    newer = [one for one in task.comments if later(one.created_at, waiting.asked_at) and not is_ours(one.id)]
    if config.hitl.answerers:
        return Answer(_joined([comment for comment in newer if comment.author in config.hitl.answerers]))
    if task.status_by is not None:
        return Answer(_joined([comment for comment in newer if comment.author == task.status_by]))
    return Answer(_joined(newer), anybody=bool(newer))


def may_answer(task: Task, config: Config, said: Answer) -> bool:
    """Whether moving the task back is a yes: by somebody who may answer, in deed or in words."""
    return said.text is not None or not config.hitl.answerers or task.status_by in config.hitl.answerers


def _joined(comments: list[Comment]) -> str | None:
    return "\n\n".join(comment.body for comment in comments) or None
