"""Elements of lists: ours are found by their marks, so that a re-install finds its own and touches no other.

Wanted and released elements of one list with the same marks are settled together: a changed element is replaced in
its place instead of being cut and appended.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent_connector.deploy import manual
from agent_connector.deploy.change import Change
from agent_connector.deploy.draft import Draft
from agent_connector.deploy.identity import marked
from agent_connector.deploy.wanted import CHANGED
from agent_connector.documents.formats import END
from agent_connector.home.ledger import Owner, Path, Row, value_hash
from agent_connector.hosts.nodes import Item

Settled = list[tuple[Change, Change]]  # (as planned, as it came out)


@dataclass(frozen=True, slots=True)
class _Group:
    """One list, one set of marks."""

    draft: Draft
    path: Path
    marks: tuple[str, ...]

    def hashes(self) -> list[str]:
        """The hashes of all elements of the list."""
        return [value_hash(element) for element in self.draft.elements(self.path)]

    def rows(self) -> list[Row]:
        return [r for r in self.draft.rows if (r.kind, r.path, r.marks) == ("item", self.path, self.marks)]

    def strangers(self) -> list[int]:
        """Elements that carry our marks but that no row knows: changed since, or from before the ledger."""
        known = {row.hash for row in self.draft.rows if (row.kind, row.path) == ("item", self.path)}
        elements = enumerate(self.draft.elements(self.path))
        return [i for i, element in elements if marked(element, self.marks) and value_hash(element) not in known]

    def lost(self, owner: Owner) -> list[Row]:
        """Rows of this owner whose element is not in the list any more as we wrote it."""
        there = self.hashes()
        return [row for row in self.rows() if owner in row.owners and row.hash not in there]


def settle(draft: Draft, wanted: Sequence[Change], released: Sequence[Change], force: bool) -> Settled:
    """All changes of one list and one set of marks."""
    first = next(change.node for change in (*wanted, *released) if isinstance(change.node, Item))
    group = _Group(draft, first.path, first.marks)
    free = list(released)
    settled: Settled = []
    missing: list[tuple[Change, Item]] = []
    for change in wanted:
        if not isinstance(change.node, Item):
            continue
        if value_hash(change.node.value) in group.hashes():
            draft.claim(change, value_hash(change.node.value))
            settled.append((change, change.ended("=")))
        else:
            missing.append((change, change.node))
    for change, node in missing:
        if value_hash(node.value) in group.hashes():  # hosts of one file want the same element
            draft.claim(change, value_hash(node.value))
            settled.append((change, change.ended("=")))
        else:
            settled.append((change, _bring(group, change, node, free, force)))
    settled += [(change, _release(group, change, force)) for change in free]
    return settled


def _bring(group: _Group, change: Change, node: Item, free: list[Change], force: bool) -> Change:
    """Write a wanted element: over one that is released, over one that is astray, or at the end."""
    draft, hash = group.draft, value_hash(node.value)
    replaced = next((old for old in free if _is_sole(group, old)), None)
    if replaced is not None and (row := draft.row(replaced)) is not None:
        free.remove(replaced)
        draft.put((*group.path, group.hashes().index(row.hash)), node.value)
        draft.forget(row)
        draft.claim(change, hash)
        return change.ended("~")
    strangers = group.strangers()
    if strangers:
        lost = group.lost(change.owner)
        if lost and not force:
            return change.ended("!", CHANGED, manual.to_set(node))
        draft.put((*group.path, strangers[0]), node.value)
        for row in lost[:1]:
            draft.forget(row)
        draft.claim(change, hash)
        return change.ended("~")
    draft.put((*group.path, END), node.value)
    draft.claim(change, hash)
    return change.ended("+")


def _is_sole(group: _Group, change: Change) -> bool:
    """True when the released element stands as we wrote it and nobody else has a share in it."""
    row = group.draft.row(change)
    return row is not None and row.owners == (change.owner,) and row.hash in group.hashes()


def _release(group: _Group, change: Change, force: bool) -> Change:
    draft, row, node = group.draft, group.draft.row(change), change.node
    if not isinstance(node, Item):
        return change
    if row is not None and (rest := draft.release(row, change.owner)):
        return change.ended("=", f"kept for {', '.join(f'{c} in {h}' for c, h in rest)}")
    hash = value_hash(node.value) if row is None else row.hash
    places = [i for i, each in enumerate(group.hashes()) if each == hash]
    strangers = group.strangers() if not places and row is not None else []
    if strangers and not force:
        return change.ended("!", CHANGED, manual.to_remove(node))
    if row is not None:
        draft.forget(row)
    for place in reversed(places or strangers[:1]):
        draft.drop((*group.path, place))
    return change.ended("-") if places or strangers else change.ended("=", "it was gone already")


def same_place(node: Item) -> tuple[Any, ...]:
    """Changes with an equal answer are settled together."""
    return (node.path, node.marks)
