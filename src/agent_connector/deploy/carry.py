"""Carrying changes to disk: under the lock, file by file, announced in the ledger first and confirmed after.

A file that cannot be read, edited or written turns its own changes into `!`; the others go on.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from agent_connector.deploy.change import Change, FileResult, Report
from agent_connector.deploy.jobs import Job, collect, prepare
from agent_connector.errors import HomeError, WriteConflict
from agent_connector.home import backups, files, folders, ledger, lock
from agent_connector.home.ledger import Ledger, Pending
from agent_connector.home.recover import follow_moves, recover, settle, sweep_folders

_TRIES = 8  # against a host that writes at the same time
_PAUSE = 0.02  # seconds, longer with each try: hosts save in bursts


def carry(root: str, changes: Sequence[Change], *, force: bool = False) -> Report:
    """Bring `changes` about. Where there is nothing to do, nothing is written."""
    with lock.held(root):
        found = announced = recover(root, ledger.load(root))
        jobs = collect(changes)
        for job in jobs:
            prepare(root, announced, job, force)
            announced = _announce(root, announced, job)
        if announced != found:
            ledger.store(root, announced)
        done = announced
        for job in jobs:
            done = _write(root, done, job, force)
        done = sweep_folders(done)
        if done != announced:
            ledger.store(root, done)
    return _report(changes, jobs)


def preview(root: str, changes: Sequence[Change], *, force: bool = False) -> Report:
    """What `carry` would do. Nothing is touched."""
    known = follow_moves(ledger.load(root))
    jobs = collect(changes)
    for job in jobs:
        prepare(root, known, job, force)
        if job.writes and job.snapshot is not None:
            try:
                files.refuse_read_only(job.snapshot)
            except HomeError as error:
                job.fail(error)
    return _report(changes, jobs)


def _announce(root: str, known: Ledger, job: Job) -> Ledger:
    """Put the job's write into the ledger as pending, its backup made; without a write, its rows at once."""
    if job.snapshot is None or job.edited is None:
        return known
    snapshot, record = job.snapshot, job.edited.record
    if not job.writes:
        return known.keep(snapshot.target, record)
    if snapshot.data is not None:
        job.backup = backups.keep(root, snapshot.target, snapshot.data, known.backups())
    before = known.files.get(snapshot.target)
    if before is None or not before.last:
        record = replace(record, backup=job.backup)
    return known.begin(
        Pending(
            target=snapshot.target,
            temporary=files.temporary_beside(snapshot.target),
            found=snapshot.hash,
            new=files.hash_of(job.edited.data),
            record=record,
            folders=folders.missing(snapshot.target),
        )
    )


def _write(root: str, known: Ledger, job: Job, force: bool) -> Ledger:
    """Write what was announced; read and edit again for as long as a host writes at the same time."""
    for number in range(_TRIES):
        if job.snapshot is None or job.edited is None:
            return known
        if not job.writes:
            _let_run(job)
            return known
        target = job.snapshot.target
        pending = known.pending[target]
        try:
            held = _replace(job, pending)
        except WriteConflict:
            known = replace(known.abandon(target), folders=(*known.folders, *pending.folders))
            job.came.clear()
        except HomeError as error:
            job.fail(error)
            return settle(root, known, pending)
        else:
            if held:
                return known.confirm(target)
            known = settle(root, known, pending)
        time.sleep(_PAUSE * number)
        prepare(root, known, job, force)
        known = _announce(root, known, job)
        ledger.store(root, known)
    return _give_up(root, known, job)


def _let_run(job: Job) -> None:
    """Give a program of ours back the mark that it lost."""
    if job.snapshot is None or not job.unmarked:
        return
    try:
        files.let_run(job.snapshot)
    except HomeError as error:
        job.fail(error)


def _replace(job: Job, pending: Pending) -> bool:
    """True when the file holds what was announced."""
    if job.snapshot is None or job.edited is None:
        return True
    folders.create(pending.folders)
    mode = files.NEW_PROGRAM if job.edited.executable else files.NEW_FILE
    return files.replace(job.snapshot, job.edited.data, temporary=pending.temporary, mode=mode).held


def _give_up(root: str, known: Ledger, job: Job) -> Ledger:
    if not job.writes or job.snapshot is None:
        return known
    job.fail(
        WriteConflict(
            f"another program kept writing it, {_TRIES} times in a row",
            where=job.path,
            remedy="Close the program that writes it, then run this again.",
        )
    )
    return settle(root, known, known.pending[job.snapshot.target])


def _report(changes: Sequence[Change], jobs: Sequence[Job]) -> Report:
    """The changes as they came out, in the order they were given; one that was merged into another is not there."""
    came: dict[int, Change] = {}
    for job in jobs:
        came.update(job.came)
    passed = (came.get(id(c)) if c.node is not None and c.op != "!" else c for c in changes)
    written = tuple(
        FileResult(job.path, job.snapshot.data, job.edited.data, job.backup)
        for job in jobs
        if job.writes and job.snapshot and job.edited
    )
    return Report(tuple(change for change in passed if change is not None), written)
