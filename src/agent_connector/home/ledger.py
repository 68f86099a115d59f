"""What we have put where, for whom, and what stood there before: the content of `ledger.json`.

A file's record holds the rows of our nodes in it, the parents we had to make, the hash and backup of the bytes from
before our first write, the hash after our last one, and whether each write found exactly what our last had left.
A write is announced first (`Pending`), then made, then confirmed, so that a crash between any two of these is
mended at the next start (recover.py). All values are frozen; `store` writes them at once.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, cast

from agent_connector.errors import StateError
from agent_connector.home import paths, private
from agent_connector.home.files import ABSENT

SCHEMA = 1
Kind = Literal["key", "item", "default", "block", "whole"]
Owner = tuple[str, str]  # (connector id, host id)
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One node. `path`: keys for key, item (of its list) and default; the block's name; empty for a whole file.

    `hash` is that of the value (canonical JSON), block text or file as we wrote it. `created` False: it was there
    before, equal, and stays. `was`: the one value that a forced write replaced, or nothing.
    """

    kind: Kind
    path: Path
    hash: str
    owners: tuple[Owner, ...]
    surface: str
    scope: str
    value: Any = None
    marks: tuple[str, ...] = ()
    created: bool = True
    was: tuple[Any, ...] = ()

    def owned_by(self, connector: str | None, host: str | None) -> tuple[Owner, ...]:
        """Those of its owners that match; None matches all."""
        return tuple(o for o in self.owners if connector in (None, o[0]) and host in (None, o[1]))


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file with nodes of ours. `path` is how the host names it, `target` the file with links followed.

    `original` and `last` are the hashes from before our first and after our last write (ABSENT: no file); `last` is
    empty until we write. `backup` is the id of the original bytes, None when there were none.
    """

    path: str
    target: str
    format: str | None
    project: str | None = None
    original: str = ABSENT
    backup: str | None = None
    last: str = ""
    clean: bool = True
    parents: tuple[Path, ...] = ()
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """A write that is announced: what it finds, what it leaves, and the record that will be true then."""

    target: str
    temporary: str
    found: str
    new: str
    record: FileRecord | None
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ledger:
    files: Mapping[str, FileRecord] = field(default_factory=dict[str, FileRecord])  # by target
    folders: tuple[str, ...] = ()  # that we created
    pending: Mapping[str, Pending] = field(default_factory=dict[str, Pending])  # by target

    def rows(self, connector: str | None = None, host: str | None = None) -> Iterator[tuple[FileRecord, Row]]:
        """Every row that a matching owner has a share in."""
        for record in self.files.values():
            for row in record.rows:
                if row.owned_by(connector, host):
                    yield record, row

    def begin(self, pending: Pending) -> "Ledger":
        return replace(self, pending={**self.pending, pending.target: pending})

    def confirm(self, target: str) -> "Ledger":
        """The announced write has happened."""
        pending = self.pending[target]
        folders = tuple(dict.fromkeys((*self.folders, *pending.folders)))
        return replace(self.abandon(target), folders=folders).keep(target, pending.record)

    def abandon(self, target: str) -> "Ledger":
        """The announced write has not happened."""
        return replace(self, pending={t: p for t, p in self.pending.items() if t != target})

    def keep(self, target: str, record: FileRecord | None) -> "Ledger":
        """`record` is what is true of `target`; a record without rows is none."""
        files = {t: r for t, r in self.files.items() if t != target}
        if record is not None and record.rows:
            files[target] = record
        return replace(self, files=files)

    def without_folders(self, gone: Iterable[str]) -> "Ledger":
        gone = set(gone)
        return replace(self, folders=tuple(f for f in self.folders if f not in gone))

    def backups(self) -> set[str]:
        """The ids of backups that an undo may need."""
        records = [*self.files.values(), *(p.record for p in self.pending.values() if p.record)]
        return {r.backup for r in records if r.backup}


def canonical(value: Any) -> str:
    """One text for equal values: what a host re-formats is still equal; `1`, `1.0` and `true` are not."""
    return json.dumps(_text_keys(value), sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)


def _text_keys(value: Any) -> Any:
    """YAML allows keys that are no text, which cannot be sorted among texts."""
    if isinstance(value, dict):
        items = cast("dict[Any, Any]", value).items()
        return {key if isinstance(key, str) else f"{key!r} ": _text_keys(each) for key, each in items}
    if isinstance(value, list):
        return [_text_keys(each) for each in cast("list[Any]", value)]
    return value


def value_hash(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def load(root: str) -> Ledger:
    """The ledger of this data root; an empty one when there is none. A damaged one is an error, never replaced."""
    path = paths.ledger(root)
    data = private.read(path)
    if data is None:
        return Ledger()
    try:
        content = json.loads(data)
        schema = content["schema"]
        if schema == SCHEMA:
            return _ledger(content)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise StateError(
            f"the ledger is damaged ({type(error).__name__}: {error})",
            where=path,
            remedy="Put back a good copy. If there is none, move this file away and run `agent-connector uninstall "
            "--scan`, which finds our entries without it, then install again.",
        ) from None
    raise StateError(
        f"the ledger has schema {schema!r}, this version knows {SCHEMA}",
        where=path,
        remedy="It was written by another version of agent-connector: upgrade this one.",
    )


def store(root: str, ledger: Ledger) -> None:
    """Write the ledger at once."""
    content = {
        "schema": SCHEMA,
        "files": {target: asdict(record) for target, record in ledger.files.items()},
        "folders": ledger.folders,
        "pending": {target: asdict(pending) for target, pending in ledger.pending.items()},
    }
    private.write(paths.ledger(root), json.dumps(content, indent=1, default=str) + "\n")


def _ledger(content: dict[str, Any]) -> Ledger:
    return Ledger(
        files={target: _record(fields) for target, fields in content["files"].items()},
        folders=tuple(content["folders"]),
        pending={target: _pending(fields) for target, fields in content["pending"].items()},
    )


def _pending(fields: dict[str, Any]) -> Pending:
    record = fields["record"]
    read: dict[str, Any] = {"record": record and _record(record), "folders": tuple(fields["folders"])}
    return Pending(**{**fields, **read})


def _record(fields: dict[str, Any]) -> FileRecord:
    read: dict[str, Any] = {
        "rows": tuple(_row(row) for row in fields["rows"]),
        "parents": tuple(tuple(path) for path in fields["parents"]),
    }
    return FileRecord(**{**fields, **read})


def _row(fields: dict[str, Any]) -> Row:
    read: dict[str, Any] = {name: tuple(fields[name]) for name in ("path", "marks", "was")}
    read["owners"] = tuple((connector, host) for connector, host in fields["owners"])
    return Row(**{**fields, **read})
