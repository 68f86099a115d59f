"""The formats of files that we edit, by the name that a host's `register` gives: one set of functions for each.

Texts are decoded as UTF-8 with the byte order mark and the line endings kept. Nothing here touches the disk.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from agent_connector.documents import toml, yaml
from agent_connector.documents.json_edit import Json
from agent_connector.documents.json_syntax import JSON5, JSONC, STRICT
from agent_connector.documents.paths import END, MISSING, Path, Place

__all__ = ["END", "FORMATS", "MISSING", "Format", "Path", "Place"]


class Format(Protocol):
    """What every format offers. A path is map keys and list indexes; END appends (put) or names the last element.

    All raise ParseError when the text does not parse in this strictness or a value on the way is of the wrong kind,
    DuplicateKeyError when a key of the path stands there twice, DocumentError when the edit cannot be done.
    """

    def load(self, text: str, /) -> Any:
        """The whole value; {} for a text that holds none."""
        ...

    def get(self, text: str, path: Path, /) -> Any:
        """The value at `path`, or MISSING."""
        ...

    def put(self, text: str, path: Path, value: Any, /) -> str:
        """The text with `value` at `path`; parents that are missing are made; the same text when it stands there."""
        ...

    def drop(self, text: str, path: Path, /) -> str:
        """The text without the node at `path`; the same text when there is none."""
        ...

    def missing_parents(self, text: str, path: Path, /) -> tuple[Place, ...]:
        """The places that `put` would make on the way to `path`, outermost first. Dropped in reverse, they are gone."""
        ...


FORMATS: Mapping[str, Format] = {
    "json": Json(STRICT),
    "jsonc": Json(JSONC),
    "json5": Json(JSON5),
    "toml": toml,
    "yaml": yaml,
}
