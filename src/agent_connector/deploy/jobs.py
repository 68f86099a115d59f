"""One file's share of a set of changes, read and edited in memory."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent_connector.deploy import manual
from agent_connector.deploy.change import Change
from agent_connector.deploy.edits import Edited, edit
from agent_connector.deploy.wanted import NOT_RUN
from agent_connector.errors import AgentConnectorError, DocumentError, HomeError, ParseError, StateError
from agent_connector.home import backups, files
from agent_connector.home.files import ABSENT, Snapshot, hash_of
from agent_connector.home.ledger import FileRecord, Ledger

_PAUSE = 0.05  # seconds
_FOR_SENSE, _FOR_CONTENT = 6, 60  # pauses, at most: writing into an empty file too early would lose the host's words
_FRESH = 2.0  # seconds


@dataclass(slots=True)
class Job:
    """`came` is how each planned change came out so far, by the plan's object."""

    path: str
    changes: list[Change]
    snapshot: Snapshot | None = None
    edited: Edited | None = None
    backup: str | None = None
    came: dict[int, Change] = field(default_factory=dict[int, Change])
    pauses: int = 0  # in which a host was given time to end its write

    @property
    def writes(self) -> bool:
        """True when the file is to hold other bytes than it does."""
        return self.snapshot is not None and self.edited is not None and self.edited.data != self.snapshot.data

    @property
    def unmarked(self) -> bool:
        """True when the file holds what it is to hold, and may not be executed although it is a program."""
        edited, snapshot = self.edited, self.snapshot
        return edited is not None and snapshot is not None and edited.executable and not files.may_run(snapshot)

    def fail(self, error: AgentConnectorError) -> None:
        """Nothing of this file is done. Where a mended file gets many entries, nobody needs to write them by hand."""
        self.edited = None
        line = error.line if isinstance(error, DocumentError) else 0
        note = f"line {line}: {error.what}" if line else error.what
        by_itself = isinstance(error, ParseError) and len(self.changes) > 1
        for change in self.changes:
            by_hand = "" if by_itself else _by_hand(change)
            self.came[id(change)] = change.ended("!", note, "\n".join(filter(None, (error.remedy, by_hand))))


def collect(changes: Sequence[Change]) -> list[Job]:
    """The changes by the file they end in (links followed), in the order of the first change of each."""
    jobs: dict[str, Job] = {}
    for change in changes:
        if change.op != "!" and change.node is not None:
            jobs.setdefault(os.path.realpath(change.file), Job(change.file, [])).changes.append(change)
    return list(jobs.values())


def prepare(root: str, known: Ledger, job: Job, force: bool) -> None:
    """Read the file and settle its changes in memory."""
    try:
        job.snapshot, job.edited = _edited(root, known, job, force)
    except (DocumentError, HomeError) as error:
        job.fail(error)
        return
    for planned, came in job.edited.changes:
        if came.op == "=" and job.unmarked:
            came = came.ended("~", NOT_RUN)
        before = job.came.get(id(planned))
        job.came[id(planned)] = before if before and came.op == "=" else came


def _edited(root: str, known: Ledger, job: Job, force: bool) -> tuple[Snapshot, Edited]:
    """Many hosts empty their file and write it anew: one that is empty or does not parse is given its time."""
    while True:
        snapshot = files.read(job.path, project=job.changes[0].project, own=root)
        record = known.files.get(snapshot.target)
        try:
            edited = edit(snapshot, record, job.changes, force, lambda record: _original(root, record))
        except ParseError:
            if not _wait(job, snapshot, _FOR_SENSE):
                raise
            continue
        if snapshot.data != b"" or not _wait(job, snapshot, _FOR_CONTENT):
            return snapshot, edited


def _wait(job: Job, snapshot: Snapshot, pauses: int) -> bool:
    """True after a pause, when the file was touched so lately that somebody may be at it."""
    if job.pauses >= pauses or not _is_fresh(snapshot.target):
        return False
    job.pauses += 1
    time.sleep(_PAUSE)
    return True


def _is_fresh(target: str) -> bool:
    try:
        return abs(time.time() - os.stat(target).st_mtime) < _FRESH
    except OSError:
        return False


def _original(root: str, record: FileRecord) -> bytes | None:
    """The bytes from before our first write; None when there was no file, or when they are lost."""
    if record.original == hash_of(b""):
        return b""
    if record.original == ABSENT or record.backup is None:
        return None
    try:
        return backups.load(root, record.backup, record.original)
    except StateError:
        return None


def _by_hand(change: Change) -> str:
    if change.node is None:
        return ""
    return manual.to_remove(change.node) if change.op == "-" else manual.to_set(change.node)
