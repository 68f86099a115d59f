"""What a host's own log says of one unit of usage, as the values that `usage` facets take and return.

A facet answers where its logs lie (`Place`), how each kind is read (`Reader`) and what a unit is (`Record`). It keeps
no content: of a log line only counts, names of models, times and ids leave it.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import msgspec


class Record(msgspec.Struct, frozen=True, gc=False):
    """One unit of usage: usually the answer to one model request. Token classes are disjoint.

    `key` is the unit's identity in this host wherever it is met: a fork, a resume, a copy or an archive of the log gives
    the same key, so that the unit is counted once. Where the host gives copies new ids the key is a fingerprint of
    what does not change. `time` is ms since 1970, `project` the working folder ("" when the log does not say; it is
    hashed before it is kept). `parent` is the session that this one was forked from or works for. `reasoning` is a
    part of `output`. `cost` is what the host itself wrote down, in USD; `credits` where it counts in units of its own.
    """

    key: str
    session: str
    time: int
    model: str
    provider: str = ""
    project: str = ""
    parent: str = ""
    input: int = 0
    cache_read: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    output: int = 0
    reasoning: int = 0
    requests: int = 1
    cost: float | None = None
    credits: float | None = None
    tier: str = ""  # "batch", "fast", "priority", "flex", where the log says it
    agent: str = ""  # "" for the main loop, else the subagent's kind
    source: str = "host-reported"  # or "host-estimated"


class Place(NamedTuple):
    """Files of one kind: all below `folder` that match `pattern` (`*` in a name, `**` any depth)."""

    folder: str
    pattern: str
    kind: str  # a key of the facet's READERS


class Source(NamedTuple):
    """The file that is being read.

    `beside(name)` gives the bytes of a file in or below its folder, None without one. Where the facet's REACH has a
    number for its kind, `name` may begin with so many `../`.
    """

    path: str
    modified: int  # ms
    beside: Callable[[str], bytes | None]


class Reader(NamedTuple):
    """How files of one kind are read.

    shape     read(...) gives records, and may change `state`, a small dict of JSON values that is empty at first
    lines     read(lines: bytes, state, source): whole lines that were appended; each is read once, in order.
              Files that end in `.zst` are decompressed before.
    document  read(data: bytes, state, source): the whole file again when it changed; its records replace the former.
    database  read(connection: sqlite3.Connection, state, source): opened read-only; `state` may keep how far it
              came. A record of a key that was given before replaces the former.

    `version` goes up when the same bytes would give other records: what an older one read is read again.
    """

    shape: str
    version: int
    read: Callable[[Any, dict[str, Any], Source], Iterable[Record]]


class UnknownFormat(Exception):
    """A log of a shape that was never seen: `what` stands there, the host's or the format's `version` where it says it."""

    def __init__(self, what: str, version: str = "") -> None:
        super().__init__(what, version)
        self.what = what
        self.version = version
