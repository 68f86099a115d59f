"""Taking a released key, default, block or whole file out of a draft, or saying why it stays.

A node leaves with its last owner, when we made it and it is as we wrote it; what was changed since is left, with the
edit that a person can make by hand. Without a row (`uninstall --scan`) our marks say what is ours.
"""

from collections.abc import Callable

from agent_connector.deploy import manual
from agent_connector.deploy.change import Change
from agent_connector.deploy.draft import Draft
from agent_connector.deploy.identity import is_ours
from agent_connector.deploy.wanted import CHANGED
from agent_connector.documents import markdown
from agent_connector.documents.formats import MISSING
from agent_connector.home.files import hash_of
from agent_connector.home.ledger import Row, value_hash
from agent_connector.hosts.nodes import Block, Default, Key

GONE = "it was gone already"
BEFORE = "it was there before us and stays"


def value(draft: Draft, change: Change, node: Key | Default, force: bool) -> Change:
    """A `Key` or `Default`. What a forced write had replaced comes back."""
    row = draft.row(change)
    if kept := _kept(draft, change, row):
        return kept
    found = draft.get(node.path)
    if found is MISSING:
        return _gone(draft, change, row)
    as_written = value_hash(found) == row.hash if row else is_ours(found, change.owner[0])
    if not as_written and not force:
        return _left(change) if row else change.ended("=", GONE)
    if row and row.was:
        draft.put(node.path, row.was[0])
    else:
        draft.drop(node.path)
    return _dropped(draft, change, row)


def block(draft: Draft, change: Change, node: Block, force: bool) -> Change:
    """A managed block of Markdown."""
    row = draft.row(change)
    if kept := _kept(draft, change, row):
        return kept
    found = markdown.find(draft.text, node.name)
    if found is None:
        return _gone(draft, change, row)
    draft.text = markdown.drop_block(draft.text, node.name, force=force)
    return _left(change) if markdown.find(draft.text, node.name) else _dropped(draft, change, row)


def whole(draft: Draft, change: Change, force: bool, original: Callable[[], bytes | None]) -> Change:
    """A whole file of ours; one that a forced write had replaced comes back (`original`)."""
    row = draft.row(change)
    if kept := _kept(draft, change, row):
        return kept
    if draft.data is None:
        return _gone(draft, change, row)
    ours = hash_of(draft.data) == row.hash if row else is_ours(draft.data.decode(errors="replace"), change.owner[0])
    if not ours and not force:
        return _left(change) if row else change.ended("=", GONE)
    draft.data = original()
    return _dropped(draft, change, row)


def _kept(draft: Draft, change: Change, row: Row | None) -> Change | None:
    """The change as it came out when the node stays whatever stands there."""
    if row is None:
        return None
    rest = draft.release(row, change.owner) if change.owner in row.owners else row.owners
    if rest:
        return change.ended("=", f"kept for {', '.join(f'{connector} in {host}' for connector, host in rest)}")
    if not row.created:
        draft.forget(row)
        return change.ended("=", BEFORE)
    return None


def _gone(draft: Draft, change: Change, row: Row | None) -> Change:
    if row is not None:
        draft.forget(row)
    return change.ended("=", GONE)


def _dropped(draft: Draft, change: Change, row: Row | None) -> Change:
    if row is not None:
        draft.forget(row)
    return change.ended("-")


def _left(change: Change) -> Change:
    return change.ended("!", CHANGED, manual.to_remove(change.node) if change.node else "")
