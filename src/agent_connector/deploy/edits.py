"""One file's changes, from the bytes that were read to the bytes to be written and the record that is true then.

Pure but for `original`, which is asked for the bytes from before our first write when they may be restored.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from agent_connector.deploy import items, released, wanted
from agent_connector.deploy.change import Change
from agent_connector.deploy.draft import Draft, is_blank
from agent_connector.deploy.identity import MARKDOWN, WHOLE, format_of
from agent_connector.errors import DocumentError
from agent_connector.home.files import ABSENT, Snapshot, hash_of
from agent_connector.home.ledger import FileRecord
from agent_connector.hosts.nodes import Block, Default, Item, Key, Whole

Original = Callable[[FileRecord], bytes | None]  # the bytes from before our first write; None: no file, or lost


@dataclass(frozen=True, slots=True)
class Edited:
    """`data` is what the file is to hold (None: no file). `changes` pairs each change with how it came out."""

    data: bytes | None
    record: FileRecord
    changes: tuple[tuple[Change, Change], ...]
    executable: bool = False


def edit(
    snapshot: Snapshot, record: FileRecord | None, changes: Sequence[Change], force: bool, original: Original
) -> Edited:
    """Settle all `changes` of one file. DocumentError: nothing of this file can be done."""
    format = _format(changes, record, snapshot.path)
    draft = Draft(snapshot.path, format, snapshot.data, record)
    settled = _settle(draft, changes, force, lambda: original(record) if record else None)
    if format not in (MARKDOWN, WHOLE) and any(change.op == "-" for change in changes):
        draft.prune()
    data = _data(draft, snapshot, record, original)
    project = next((change.project for change in changes), None)
    before = record or FileRecord(snapshot.path, snapshot.target, format, project)
    after = _recorded(replace(before, rows=tuple(draft.rows), parents=tuple(draft.parents)), snapshot, data)
    return Edited(data, after, settled, any(isinstance(c.node, Whole) and c.node.executable for c in changes))


def _format(changes: Sequence[Change], record: FileRecord | None, file: str) -> str:
    """The one format of the file. Of several strictnesses the one in which we wrote it counts."""
    formats = list(dict.fromkeys(format_of(change.node) for change in changes if change.node is not None))
    if record is not None and record.format in formats:
        formats.sort(key=lambda format: format != record.format)
    if len(formats) > 1 and {MARKDOWN, WHOLE} & {*formats}:
        raise DocumentError(f"it is asked to be {' and '.join(sorted(formats))} at once", where=file)
    return formats[0]


def _settle(
    draft: Draft, changes: Sequence[Change], force: bool, original: Callable[[], bytes | None]
) -> tuple[tuple[Change, Change], ...]:
    """Each change with how it came out. Lists are settled whole, when their first change is met."""
    settled: list[tuple[Change, Change]] = []
    met: set[object] = set()
    for change in changes:
        node, leaves = change.node, change.op == "-"
        if isinstance(node, Item):
            group = items.same_place(node)
            if group not in met:
                met.add(group)
                same = [c for c in changes if isinstance(c.node, Item) and items.same_place(c.node) == group]
                settled += items.settle(
                    draft, [c for c in same if c.op != "-"], [c for c in same if c.op == "-"], force
                )
        elif isinstance(node, Key | Default):
            came = (released if leaves else wanted).value(draft, change, node, force)
            settled.append((change, came))
        elif isinstance(node, Block):
            settled.append((change, (released if leaves else wanted).block(draft, change, node, force)))
        elif isinstance(node, Whole):
            came = (
                released.whole(draft, change, force, original) if leaves else wanted.whole(draft, change, node, force)
            )
            settled.append((change, came))
    return tuple(settled)


def _data(draft: Draft, snapshot: Snapshot, record: FileRecord | None, original: Original) -> bytes | None:
    """What the file is to hold: the draft, or the bytes from before our first write when nothing else is in them."""
    if draft.rows or record is None or not record.last:
        return draft.data
    if record.clean and record.last == snapshot.hash:
        before = original(record)
        if before is not None or record.original == ABSENT:
            return before
    if not draft.blank:
        return draft.data
    if record.original == ABSENT:
        return None
    before = original(record)
    return before if before is not None and is_blank(before) else draft.data


def _recorded(record: FileRecord, snapshot: Snapshot, data: bytes | None) -> FileRecord:
    """The record after `data` was written; the first write's backup is filled in by who makes it."""
    if data == snapshot.data:
        return record
    last = hash_of(data)
    if not record.last:
        return replace(record, original=snapshot.hash, last=last, clean=True)
    return replace(record, last=last, clean=record.clean and record.last == snapshot.hash)
