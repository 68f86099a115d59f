"""From a log to rows: one file is read in blocks, and each block's records become rows that need no further thought.

Nothing here knows the index, so that it runs in a second process as well. A block ends at the end of a line; what
stands behind the last one is a line that is still being written, and waits.
"""

import os
import sqlite3
import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from hashlib import blake2b
from typing import IO, Any, cast

import msgspec

from agent_connector.hosts.records import Reader, Record, Source, UnknownFormat
from agent_connector.usage import facets

BLOCK = 1 << 18  # stays in the processor's cache while it is looked through
_PROBE = 1 << 14
_STRETCH = 4 << 20  # bytes of a file to a batch
_LONGEST = 512 << 20  # a line beyond this is no line of a log
_ROWS = 20_000
_HEAD, _TAIL = 4096, 1024  # bytes that tell whether what was read still stands there
_BUSY = 2.0  # seconds that a database may be locked by its host
_NUMBER = struct.Struct("<q").unpack
_BITS = 53  # of a count; a larger one is none
_NOT_UNDERSTOOD = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError)

# id (a hash of host and all that follows), session, parent, model, provider, project, tier, agent, source
Context = tuple[int, str, str, str, str, str, str, str, str]
# key, file, context, time, input, cache_read, cache_write_5m, cache_write_1h, output, reasoning, requests, cost, credits
Row = tuple[int, int, int, int, int, int, int, int, int, int, int, float | None, float | None]


class Job(msgspec.Struct, array_like=True, gc=False):
    """A file to read from `offset` on."""

    file: int
    host: str
    kind: str
    path: str
    modified: int  # ns
    offset: int
    mark: bytes  # of what was read up to there; b"" when nothing was
    state: dict[str, Any]


class Batch(msgspec.Struct, array_like=True):
    """What a part of a file gave, and how far that part goes."""

    file: int
    contexts: list[Context]
    rows: list[Row]
    offset: int
    mark: bytes
    state: dict[str, Any] | None  # None: as before
    problem: str = ""
    found: str = ""
    fresh: bool = False  # these rows replace what the file gave before
    done: bool = True


def read(job: Job) -> Iterator[Batch]:
    """The batches of one file; what goes wrong with it is in the last one."""
    facet = facets.load(job.host)
    reader = facet.READERS[job.kind]
    here = job.offset
    try:
        for batch in _SHAPES[reader.shape](job, reader, facet.MERGE):
            here = batch.offset
            yield batch
    except UnknownFormat as error:
        yield _broken(job, here, error.what, error.version or "unknown")
    except OSError as error:
        yield _broken(job, here, error.strerror or str(error))
    except sqlite3.Error as error:
        yield _broken(job, here, str(error))
    except _NOT_UNDERSTOOD as error:
        yield _broken(job, here, f"{type(error).__name__}: {error}", "unknown")


def _broken(job: Job, offset: int, problem: str, found: str = "") -> Batch:
    return Batch(job.file, [], [], offset, b"", None, problem, found)


# ---- shapes


def _lines(job: Job, reader: Reader, merge: str) -> Iterator[Batch]:
    source, state = _source(job), job.state
    if job.path.endswith(".zst"):
        yield from _compressed(job, reader, merge)
        return
    with open(job.path, "rb", buffering=0) as stream:
        offset, head = job.offset, stream.read(_HEAD)
        size = os.fstat(stream.fileno()).st_size
        if job.mark and mark(stream, offset, head) != job.mark:
            yield _broken(job, offset, "was rewritten just now; it is read the next time")
            return
        begun = -1
        while begun < offset < size:
            begun, kept = offset, dict[str, Record]()
            while offset < min(size, begun + _STRETCH) and (lines := _block(stream, offset, size)):
                _keep(reader.read(lines, state, source), kept, merge)
                offset += len(lines)
            if offset > begun:
                rows, contexts = _rows(kept, job)
                seen = mark(stream, offset, head)
                yield Batch(job.file, contexts, rows, offset, seen, state, done=offset >= size)
        if offset < size or offset == job.offset:
            yield Batch(job.file, [], [], offset, mark(stream, offset, head), state)


def _block(stream: IO[bytes], offset: int, size: int) -> bytes:
    """Whole lines from `offset` on, at least one if there is one. Its last lines are looked for first, to copy nothing."""
    most = BLOCK
    while True:
        if offset + most < size:
            stream.seek(offset + most - _PROBE)
            cut = stream.read(_PROBE).rfind(b"\n") + 1
            if not cut:
                if most > _LONGEST:
                    raise UnknownFormat(f"a line of more than {_LONGEST >> 20} MB")
                most *= 4
                continue
            stream.seek(offset)
            return stream.read(most - _PROBE + cut)
        stream.seek(offset)
        data = stream.read(most)
        cut = data.rfind(b"\n") + 1
        if cut == len(data):
            return data
        return data if _whole(data[cut:]) else data[:cut]


def _whole(tail: bytes) -> bool:
    """True for a JSON object without the end of its line: nothing can be missing from it."""
    if not tail.rstrip().endswith(b"}"):
        return False
    try:
        msgspec.json.decode(tail)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _compressed(job: Job, reader: Reader, merge: str) -> Iterator[Batch]:
    """A compressed file is read whole: nobody appends to one."""
    import zstandard

    source, state, rest = _source(job), job.state, b""
    with (
        open(job.path, "rb") as stream,
        zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True) as text,
    ):
        try:
            while data := text.read(BLOCK):
                data = rest + data
                cut = data.rfind(b"\n") + 1
                lines, rest = data[:cut], data[cut:]
                if lines:
                    rows, contexts = _rows(_keep(reader.read(lines, state, source), {}, merge), job)
                    yield Batch(job.file, contexts, rows, 0, b"", None, done=False)
        except zstandard.ZstdError as error:
            yield _broken(job, 0, f"cannot be decompressed: {error}")
            return
        if _whole(rest):
            rows, contexts = _rows(_keep(reader.read(rest, state, source), {}, merge), job)
            yield Batch(job.file, contexts, rows, 0, b"", None, done=False)
    yield Batch(job.file, [], [], os.path.getsize(job.path), b"", {})


def _document(job: Job, reader: Reader, merge: str) -> Iterator[Batch]:
    with open(job.path, "rb") as stream:
        data = stream.read()
    state = job.state
    rows, contexts = _rows(_keep(reader.read(data, state, _source(job)), {}, merge), job)
    yield Batch(job.file, contexts, rows, len(data), b"", state, fresh=True)


def _database(job: Job, reader: Reader, merge: str) -> Iterator[Batch]:
    from urllib.parse import quote

    address = f"file:{quote(os.path.abspath(job.path).replace(os.sep, '/'))}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=_BUSY, isolation_level=None)) as connection:
        connection.execute("BEGIN")  # one moment of the database, whatever its host writes meanwhile
        state = job.state
        rows, contexts = _rows(_keep(reader.read(connection, state, _source(job)), {}, merge), job)
        for start in range(0, len(rows), _ROWS):
            yield Batch(job.file, contexts, rows[start : start + _ROWS], 0, b"", None, done=False)
        yield Batch(job.file, [], [], 0, b"", state)


_SHAPES: dict[str, Callable[[Job, Reader, str], Iterator[Batch]]] = {
    "lines": _lines,
    "document": _document,
    "database": _database,
}


def _source(job: Job) -> Source:
    folder = top = os.path.dirname(job.path)
    for _ in range(facets.reach(job.host, job.kind)):
        top = os.path.dirname(top)

    def beside(name: str) -> bytes | None:
        path = os.path.normpath(os.path.join(folder, name))
        if not path.startswith(os.path.join(top, "")):
            return None
        try:
            with open(path, "rb") as stream:
                return stream.read()
        except (OSError, ValueError):
            return None

    return Source(job.path, job.modified // 1_000_000, beside)


def mark(stream: IO[bytes], offset: int, head: bytes = b"") -> bytes:
    """A hash of the first bytes (`head`, when they were read before) and of the last ones before `offset`."""
    if not head:
        stream.seek(0)
        head = stream.read(_HEAD)
    stream.seek(max(0, offset - _TAIL))
    tail = stream.read(min(offset, _TAIL))
    return blake2b(head[:offset] + tail, digest_size=12).digest()


# ---- records to rows


def _keep(records: Iterable[Record], kept: dict[str, Record], merge: str) -> dict[str, Record]:
    """`kept` with these records, one for each key."""
    for record in records:
        former = kept.setdefault(record.key, record)
        if former is not record:
            kept[record.key] = _larger(former, record) if merge == "max" else record
    return kept


def _rows(kept: dict[str, Record], job: Job) -> tuple[list[Row], list[Context]]:
    """Rows of the records, and the contexts that they share."""
    contexts: dict[tuple[str, ...], int] = {}
    salt, file, values = facets.family(job.host).encode() + b"\0", job.file, msgspec.structs.astuple
    rows: list[Row] = []
    before, context = (), 0
    for one in kept.values():
        (
            key, session, time, model, provider, project, parent,
            entered, cached, short, long, output, thought, requests, cost, credits, tier, agent, source,
        ) = values(one)  # fmt: skip
        names = (session, parent, model, provider, project, tier, agent, source)
        if names != before:
            before, context = names, contexts.get(names, 0) or _context(names, job.host, contexts)
        if (time | entered | cached | short | long | output | thought | requests) >> _BITS:  # too large, or below zero
            counts = (time, entered, cached, short, long, output, thought, requests)
            time, entered, cached, short, long, output, thought, requests = (0 if n >> _BITS else n for n in counts)
        number = _hash(salt + key.encode("utf-8", "replace"))
        rows.append(
            (number, file, context, time, entered, cached, short, long, output, thought, requests, cost, credits)
        )
    return rows, cast(list[Context], [(number, *names) for names, number in contexts.items()])


def _context(names: tuple[str, ...], host: str, contexts: dict[tuple[str, ...], int]) -> int:
    contexts[names] = number = _hash("\0".join((host, *names)).encode("utf-8", "replace"))
    return number


def _hash(data: bytes) -> int:
    return _NUMBER(blake2b(data, digest_size=8).digest())[0]


def _larger(first: Record, second: Record) -> Record:
    """The first one's names with the larger of each count."""
    if (
        first.output >= second.output
        and first.input >= second.input
        and first.cache_read >= second.cache_read
        and first.cache_write_5m >= second.cache_write_5m
        and first.cache_write_1h >= second.cache_write_1h
        and first.reasoning >= second.reasoning
        and first.requests >= second.requests
        and first.cost == second.cost
        and first.credits == second.credits
    ):
        return first
    return Record(
        first.key,
        first.session,
        first.time,
        first.model,
        first.provider,
        first.project,
        first.parent,
        max(first.input, second.input),
        max(first.cache_read, second.cache_read),
        max(first.cache_write_5m, second.cache_write_5m),
        max(first.cache_write_1h, second.cache_write_1h),
        max(first.output, second.output),
        max(first.reasoning, second.reasoning),
        max(first.requests, second.requests),
        _most(first.cost, second.cost),
        _most(first.credits, second.credits),
        first.tier,
        first.agent,
        first.source,
    )


def _most(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else max(one, other)
