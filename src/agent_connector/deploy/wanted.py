"""Bringing a wanted key, default, block or whole file into a draft, or saying why not.

A person's own value is never replaced unasked, nor is one of ours that was changed since; `force` replaces both (a
backup holds the old bytes), but never a `Default`'s and never another connector's.
"""

from typing import Any

from agent_connector.deploy import manual
from agent_connector.deploy.change import Change, Op
from agent_connector.deploy.draft import Draft
from agent_connector.deploy.identity import identity, is_ours
from agent_connector.documents import markdown
from agent_connector.documents.formats import MISSING
from agent_connector.documents.paths import same
from agent_connector.home.files import hash_of
from agent_connector.home.ledger import Row, value_hash
from agent_connector.hosts.nodes import Block, Default, Key, Whole

FOREIGN = "something else stands there already; left as it is"
PERSONS = "another value stands there already; it is kept"
CHANGED = "it was changed since we wrote it; left as it is"
NOT_RUN = "the host may not execute it any more"
SHARED = "needs another value than {} in the same place"


def is_shared(note: str) -> bool:
    """True for a note that says that another connector or host needs the place."""
    before, after = SHARED.split("{}")
    return note.startswith(before) and note.endswith(after)


def value(draft: Draft, change: Change, node: Key | Default, force: bool) -> Change:
    """A `Key` or `Default`."""
    wanted, row = value_hash(node.value), draft.row(change)
    if taken := _taken(draft, change, row, wanted):
        return _left(change, taken)
    found = draft.get(node.path)
    ours = row is not None and row.created
    if found is MISSING:
        draft.put(node.path, node.value)
        return _written(draft, change, "+", wanted)
    if same(found, node.value):
        if row is None:
            draft.claim(change, wanted, created=is_ours(found, change.owner[0]))
        else:
            draft.claim(change, wanted, created=row.created, was=row.was)
        return change.ended("=")
    refusal = _stands_in_the_way(row, found, change, isinstance(node, Default))
    if refusal and (isinstance(node, Default) or not force):
        return _left(change, refusal)
    was = () if not refusal else row.was if ours and row else (found,)
    draft.put(node.path, node.value)
    return _written(draft, change, "~", wanted, was)


def _stands_in_the_way(row: Row | None, found: Any, change: Change, default: bool) -> str:
    """Why a value that differs from the wanted one should not be replaced; empty when it is ours, as we wrote it."""
    if row is not None and row.created:
        return "" if value_hash(found) == row.hash else PERSONS if default else CHANGED
    if is_ours(found, change.owner[0]):
        return ""
    return PERSONS if default else FOREIGN


def block(draft: Draft, change: Change, node: Block, force: bool) -> Change:
    """A managed block of Markdown. The markers say that it is ours, with or without a row."""
    wanted, row = hash_of(node.text.encode()), draft.row(change)
    if taken := _taken(draft, change, row, wanted):
        return _left(change, taken)
    found = markdown.find(draft.text, node.name)
    if found is not None and found.edited and not force:
        return _left(change, CHANGED)
    if found is None and node.unless and markdown.has_line(draft.text, node.unless):
        return change.ended("=", f"the line `{node.unless}` stands there already")
    text = markdown.put_block(draft.text, node.name, node.text, force=force)
    op = "+" if found is None else "=" if text == draft.text else "~"
    if op != "=":
        draft.text = text
    return _written(draft, change, op, wanted)


def whole(draft: Draft, change: Change, node: Whole, force: bool) -> Change:
    """A whole file of ours."""
    data, row = node.text.encode(), draft.row(change)
    wanted, found = hash_of(data), hash_of(draft.data)
    if taken := _taken(draft, change, row, wanted):
        return _left(change, taken)
    if draft.data is None:
        draft.data = data
        return _written(draft, change, "+", wanted)
    if found == wanted:
        draft.claim(change, wanted, created=row.created if row else _is_our_file(draft.data, change))
        return change.ended("=")
    ours = row.created and row.hash == found if row else _is_our_file(draft.data, change)
    if not ours and not force:
        return _left(change, CHANGED if row and row.created else FOREIGN)
    draft.data = data
    return _written(draft, change, "~", wanted)


def _is_our_file(data: bytes, change: Change) -> bool:
    return is_ours(data.decode(errors="replace"), change.owner[0])


def _taken(draft: Draft, change: Change, row: Row | None, wanted: str) -> str:
    """Why the place is not this owner's to fill: another connector, or another change of this set, needs it."""
    if row is not None and row.hash != wanted:
        others = [connector for connector, _ in row.owners if connector != change.owner[0]]
        if others:
            return SHARED.format(f"connector {others[0]}")
    if change.node is not None and draft.written.get(identity(change.node), wanted) != wanted:
        return SHARED.format("another host of this connector")
    return ""


def _written(draft: Draft, change: Change, op: Op, hash: str, was: tuple[Any, ...] = ()) -> Change:
    draft.claim(change, hash, was=was)
    return change.ended(op)


def _left(change: Change, why: str) -> Change:
    node = change.node
    return change.ended("!", why, manual.to_set(node) if node else "")
