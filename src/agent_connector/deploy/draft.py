"""A file as it is being edited in memory: its bytes, the rows of our nodes in it and the parents we made."""

from dataclasses import replace
from typing import Any

from agent_connector.deploy.change import Change
from agent_connector.deploy.identity import MARKDOWN, WHOLE, Identity, identity, identity_of_row, kind_of, path_of
from agent_connector.documents.formats import FORMATS, MISSING, Format
from agent_connector.documents.paths import Path as DocumentPath
from agent_connector.errors import DocumentError, ParseError
from agent_connector.home.ledger import FileRecord, Owner, Path, Row
from agent_connector.hosts.nodes import Item

_BLANK = "\ufeff \t\r\n"


class Draft:
    """One file on its way from what was read to what is to be written. Nothing here touches the disk."""

    def __init__(self, file: str, format: str, data: bytes | None, record: FileRecord | None) -> None:
        self.file = file
        self.format = format
        self.data = data
        self.rows = list(record.rows) if record else []
        self.parents = list(record.parents) if record else []
        self.written: dict[Identity, str] = {}  # what this very set of changes wants in each place
        self._text = None if format == WHOLE else _decoded(data, file)

    @property
    def text(self) -> str:
        """The text of a document (not of a whole file); empty when there is none."""
        return self._text or ""

    @text.setter
    def text(self, text: str) -> None:
        self._text = text
        self.data = text.encode()

    @property
    def document(self) -> Format:
        found = FORMATS.get(self.format)
        if found is None:
            raise DocumentError(f"the format {self.format!r} cannot be edited", where=self.file)
        return found

    @property
    def blank(self) -> bool:
        """True when nothing is left that anybody could miss."""
        if self.data is None or self.format == WHOLE:
            return self.data is None
        return not self.text.strip(_BLANK)

    # values in structured documents

    def get(self, path: DocumentPath) -> Any:
        return self.document.get(self.text, path)

    def elements(self, path: Path) -> list[Any]:
        """The list at `path`, empty when it is not there."""
        found = self.get(path)
        if found is MISSING:
            return []
        if not isinstance(found, list):
            raise ParseError(f"`{'.'.join(map(str, path))}` is not a list", where=self.file)
        return list(found)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]

    def put(self, path: DocumentPath, value: Any) -> None:
        made = self.document.missing_parents(self.text, path)
        self.text = self.document.put(self.text, path, value)
        self.parents += [parent for parent in made if parent not in self.parents]

    def drop(self, path: Path) -> None:
        self.text = self.document.drop(self.text, path)

    def prune(self) -> None:
        """No parent is ours any more that holds no row: an empty one goes, another is the person's now."""
        for parent in reversed(self.parents.copy()):
            if any(row.path[: len(parent)] == parent for row in self.rows):
                continue
            found = self.get(parent)
            if found in ({}, []) or (found is None and self.format == "yaml"):  # YAML reads `parent:` as null
                self.drop(parent)
            self.parents.remove(parent)

    # rows

    def row(self, change: Change) -> Row | None:
        """The row of a change's node."""
        if change.node is None:
            return None
        wanted = identity(change.node)
        return next((row for row in self.rows if identity_of_row(row) == wanted), None)

    def claim(self, change: Change, hash: str, *, created: bool = True, was: tuple[Any, ...] = ()) -> None:
        """The change's owner has a share in its node, which now has this hash."""
        node = change.node
        if node is None:
            return
        old = self.row(change)
        fresh = Row(
            kind=kind_of(node),
            path=path_of(node),
            hash=hash,
            owners=_joined(old.owners if old else (), change.owner),
            surface=change.surface,
            scope=change.scope,
            value=None if self.format in (MARKDOWN, WHOLE) else getattr(node, "value", None),
            marks=node.marks if isinstance(node, Item) else (),
            created=created,
            was=was,
        )
        self.written[identity(node)] = hash
        self._replace(old, fresh)

    def release(self, row: Row, owner: Owner) -> tuple[Owner, ...]:
        """The owner's share in the row is gone; gives who still has one. The row stays until `forget`."""
        rest = tuple(o for o in row.owners if o != owner)
        if rest:
            self._replace(row, replace(row, owners=rest))
        return rest

    def forget(self, row: Row) -> None:
        self.rows.remove(row)

    def _replace(self, old: Row | None, new: Row) -> None:
        if old is None:
            self.rows.append(new)
        else:
            self.rows[self.rows.index(old)] = new


def is_blank(data: bytes | None) -> bool:
    """True for no file, an empty one, and one of nothing but blanks and a byte order mark."""
    return data is None or not data.decode(errors="replace").strip(_BLANK)


def _joined(owners: tuple[Owner, ...], owner: Owner) -> tuple[Owner, ...]:
    return owners if owner in owners else (*owners, owner)


def _decoded(data: bytes | None, file: str) -> str | None:
    try:
        return None if data is None else data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1 if data else 0
        raise ParseError(
            f"it is not UTF-8 (byte {error.start})", where=file, line=line, remedy="Save it as UTF-8, then try again."
        ) from None
