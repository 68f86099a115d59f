"""Mending what a crash left: each announced write is looked at and becomes true or undone.

The file's bytes tell which. If they are what the write leaves, it happened; if they are what it found, it did not.
If they are neither, a host has written since: the old and the new rows are kept together, since a row whose node is
not in the file costs nothing and a node without a row would never leave.
"""

import os
from contextlib import suppress
from dataclasses import replace

from agent_connector.home import backups, files, folders, private, swap
from agent_connector.home.ledger import FileRecord, Ledger, Pending, store
from agent_connector.home.links import within


def recover(root: str, ledger: Ledger) -> Ledger:
    """The ledger with no write pending and no empty folder of ours left. The caller holds the lock."""
    private.sweep(root)
    mended = ledger
    for pending in ledger.pending.values():
        with suppress(OSError):  # out of reach today: it stays announced, and is looked at again next time
            mended = settle(root, mended, pending)
    mended = follow_moves(sweep_folders(mended))
    if mended != ledger:
        store(root, mended)
    return mended


def settle(root: str, ledger: Ledger, pending: Pending) -> Ledger:
    """Find out what became of one announced write, put its litter away, and say so in the ledger (not on disk)."""
    _put_away(root, pending)
    now = files.fingerprint(pending.target)
    if now == pending.new:
        return ledger.confirm(pending.target)
    folded = replace(ledger.abandon(pending.target), folders=(*ledger.folders, *pending.folders))
    if now == pending.found:
        return folded
    return folded.keep(pending.target, _both(ledger.files.get(pending.target), pending.record))


def follow_moves(ledger: Ledger) -> Ledger:
    """A file that moved behind a link since (into dotfiles, say) keeps its record, under its new place."""
    for target, record in ledger.files.items():
        now = os.path.realpath(record.path)
        moved = not os.path.lexists(target) or os.path.islink(target)
        if moved and now != target and os.path.isfile(now) and now not in ledger.files:
            ledger = ledger.keep(target, None).keep(now, replace(record, target=now))
    return ledger


def sweep_folders(ledger: Ledger) -> Ledger:
    """Remove the folders that we created and that nothing of ours is in any more, as far as they are empty."""
    unused = [f for f in ledger.folders if not any(within(target, f) for target in ledger.files)]
    for folder in sorted(unused, key=len, reverse=True):
        folders.remove_empty(folder)
    return ledger.without_folders(unused)


def _put_away(root: str, pending: Pending) -> None:
    """The temporary file: half of our write, the old bytes, or what a host wrote just before the exchange."""
    aside = files.fingerprint(pending.temporary)
    if aside == files.ABSENT:
        return
    now = files.fingerprint(pending.target)
    if now == pending.new and aside not in (pending.found, pending.new):
        if now == files.ABSENT:
            swap.create(pending.temporary, pending.target)
        else:
            swap.overwrite(pending.temporary, pending.target)
        return
    if aside not in (pending.found, pending.new) and now != pending.found:
        data = private.read(pending.temporary)
        if data:
            backups.keep(root, pending.target, data)
    files.discard(pending.temporary)
    swap.sync_folder(os.path.dirname(pending.target))


def _both(old: FileRecord | None, new: FileRecord | None) -> FileRecord | None:
    """One record that misses no row of either."""
    if old is None or new is None:
        kept = new or old
        return None if kept is None else replace(kept, clean=False)
    known = {(row.kind, row.path, row.hash) for row in new.rows}
    rows = (*new.rows, *(row for row in old.rows if (row.kind, row.path, row.hash) not in known))
    return replace(new, rows=rows, parents=tuple(dict.fromkeys((*old.parents, *new.parents))), clean=False)
