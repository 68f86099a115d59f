"""Logs of nonsense for a usage facet: seeded, and made of the very words that the facet looks for."""

import ast
import inspect
import json
import random
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from types import ModuleType
from typing import Any, cast

PLANTED = "planted-7f3a9c"  # stands where a log holds what was said
CONTENT = frozenset(
    (
        *("text", "content", "message", "parts", "prompt", "arguments", "args", "result", "response_text", "title"),
        *("thinking", "thoughts", "description", "summary", "command", "input", "output", "systemPrompt", "request"),
        *("body", "value", "data", "task"),
    )
)
ROUNDS = 40

_NUMBERS = (
    0,
    1,
    7,
    -1,
    -(10**30),
    10**30,
    2**63,
    2**64,
    0.5,
    -0.5,
    1e308,
    float("nan"),
    float("inf"),
    1_796_055_074_000,
)
_TEXTS = (
    "",
    "0",
    "12",
    "-3",
    "1e999",
    "nan",
    "2026-11-30T16:11:14Z",
    "not a date",
    "/home/user/app",
    "a\ud83d",
    "x" * 9000,
)
_FIXED = (
    b"",
    b"\n\n\n",
    b"\x00" * 64,
    bytes(range(256)),
    b"\xef\xbb\xbf{}",
    b"not JSON at all",
    b"[" * 50_000,
    b'{"a":' * 50_000,
    b"{}",
    b"[]",
    b"[[]]",
    b"[{}]",
    b"null",
    b"true",
    b"7",
    b'"text"',
    b'{"type"',
    b"{}{}{}",
)


class Anything(Mapping[str, bytes]):
    """Files beside a log: each name that is asked for has some nonsense in it."""

    def __init__(self, words: Sequence[str], seed: int) -> None:
        self.words, self.seed = words, seed

    def __getitem__(self, name: str) -> bytes:
        return _text(_dice(f"{name} {self.seed}"), self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _dice(seed: int | str) -> random.Random:
    return random.Random(seed)  # noqa: S311  (the same nonsense each time)


def words(facet: Any) -> tuple[str, ...]:
    """Every name that stands as a text or as a field in the facet, and in the modules of hosts that it uses."""
    found: set[str] = set()
    for module in _modules(facet):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                first, *rest = node.target.id.split("_")
                found |= {node.target.id, first + "".join(each.title() for each in rest)}
    return tuple(
        sorted(
            each
            for each in found
            if each and len(each) <= 40 and each.replace("_", "a").replace(".", "a").replace("-", "a").isalnum()
        )
    )


def _modules(facet: ModuleType) -> list[ModuleType]:
    """The facet and, once each, the modules below `hosts.dialects` and its own folder that it takes from."""
    found, waiting = dict[str, ModuleType](), [facet]
    while waiting:
        module = waiting.pop()
        found[module.__name__] = module
        for value in vars(module).values():
            other = value if isinstance(value, ModuleType) else inspect.getmodule(value)
            name = getattr(other, "__name__", "")
            ours = name.startswith((f"{facet.__name__.rpartition('.')[0]}.", "agent_connector.hosts.dialects."))
            if other is not None and ours and name not in found:
                waiting.append(other)
    return list(found.values())


def texts(names: Sequence[str], *, lines: bool) -> Iterator[bytes]:
    """JSON of nonsense, whole and cut off."""
    yield from _FIXED
    for number in range(ROUNDS):
        random_ = _dice(number)
        data = b"\n".join(_text(random_, names) for _ in range(12)) + b"\n" if lines else _text(random_, names)
        yield data
        yield data[: random_.randrange(len(data) + 1)]


def _text(random_: random.Random, names: Sequence[str]) -> bytes:
    root = _object(random_, names, 4) if random_.random() < 0.7 else [_object(random_, names, 2) for _ in range(4)]
    return json.dumps(root).encode("utf-8", "replace")


def _object(random_: random.Random, names: Sequence[str], depth: int) -> dict[str, Any]:
    chosen = random_.sample(names, min(len(names), 3 + 2 * depth)) if names else []
    return {each: _field(random_, names, each, depth) for each in chosen}


def _field(random_: random.Random, names: Sequence[str], field: str, depth: int) -> Any:
    """Fields of content hold what was said, as a text or within; others hold anything else."""
    if field in CONTENT and random_.random() < 0.6:
        return random_.choice((PLANTED, [{"text": PLANTED}], {"text": PLANTED}, json.dumps({"text": PLANTED})))
    return _value(random_, names, depth)


def _value(random_: random.Random, names: Sequence[str], depth: int) -> Any:
    kind = random_.random()
    if depth and kind < 0.35:
        return _object(random_, names, depth - 1)
    if depth and kind < 0.45:
        return [_value(random_, names, depth - 1) for _ in range(random_.randrange(4))]
    if depth and kind < 0.5:
        return json.dumps(_object(random_, names, 0))
    if kind < 0.65 and names:
        return random_.choice(names)
    plain: tuple[Any, ...] = (*_NUMBERS, *_NUMBERS, *_TEXTS, None, True, False, [], {})
    return random_.choice(plain)


# ---- databases


def database_of(data: bytes) -> sqlite3.Connection:
    """A database in memory with these bytes; they may be anything."""
    connection = sqlite3.connect(":memory:")
    if data:
        connection.deserialize(data)
    return connection


def databases(names: Sequence[str], *, lines: bool = False) -> Iterator[bytes]:
    """Files that are no database, ones that are cut off, and ones with tables and columns of the right names."""
    del lines
    yield from _FIXED[:6]
    yield b"SQLite format 3\x00" + b"\x01" * 4000
    for number in range(4):
        data = _database(_dice(number), names)
        yield data
        yield data[: len(data) // 2]
        yield data[:100] + bytes(len(data) - 100)


def _database(random_: random.Random, names: Sequence[str]) -> bytes:
    """Every name is a table, and nine of ten are columns of all of them."""
    tables = list({each.lower(): each for each in names if not each.lower().startswith("sqlite_")}.values())
    columns = [each for each in tables if random_.random() < 0.9] or ["id"]
    cells = [json.dumps(_object(random_, names, 2)) for _ in range(80)]
    with closing(sqlite3.connect(":memory:")) as connection:
        quoted = ", ".join(f'"{each}"' for each in columns)
        connection.execute(f"CREATE TABLE sample ({quoted})")
        for _ in range(2):
            row = [_cell(random_, names, cells, each) for each in columns]
            connection.execute(f"INSERT INTO sample VALUES ({', '.join('?' for _ in row)})", row)  # noqa: S608
        for table in tables:
            if table.lower() != "sample":
                connection.execute(f'CREATE TABLE "{table}" AS SELECT * FROM sample')  # noqa: S608  (names of ours)
        connection.commit()
        return connection.serialize()


def _cell(random_: random.Random, names: Sequence[str], cells: Sequence[str], column: str) -> Any:
    if random_.random() < 0.3:
        return random_.choice(cells)
    value = _field(random_, names, column, 0)
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) >= 2**63:
        return str(value)
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    return value if value is None or isinstance(value, int | float | str) else json.dumps(value).encode()


# ---- a good log, spoilt in one place


def mutants(data: bytes, *, lines: bool) -> Iterator[bytes]:
    """`data` with one of its values replaced by something else, and cut off; each value once with each replacement."""
    whole = [json.loads(line) for line in data.splitlines() if line.strip()] if lines else [json.loads(data)]
    for place, root in enumerate(whole):
        for path in _leaves(root):
            for other in _OTHERS:
                changed = [*whole[:place], _with(root, path, other), *whole[place + 1 :]]
                yield b"".join(json.dumps(each).encode("utf-8", "replace") + b"\n" for each in changed)
    for end in range(0, len(data), max(1, len(data) // 64)):
        yield data[:end]


def mutant_databases(data: bytes) -> Iterator[bytes]:
    """A database with one of its cells spoilt; one that holds JSON within too."""
    with closing(database_of(data)) as connection:
        tables = [str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for rowid, column, cell in _cells(connection, table):
                for value in _spoilt(cell):
                    connection.execute("SAVEPOINT spoilt")
                    update = f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?'  # noqa: S608  (its own names)
                    connection.execute(update, (value, rowid))
                    yield connection.serialize()
                    connection.execute("ROLLBACK TO spoilt")
                    connection.execute("RELEASE spoilt")


def _cells(connection: sqlite3.Connection, table: str) -> list[tuple[int, str, Any]]:
    rows = connection.execute(f'SELECT rowid, * FROM "{table}" ORDER BY rowid DESC LIMIT 3')  # noqa: S608
    names = [str(column[0]) for column in rows.description]
    return [(row[0], name, cell) for row in rows for name, cell in list(zip(names, row, strict=True))[1:]]


def _spoilt(cell: Any) -> Iterator[Any]:
    yield from ("text", b"\xff\xfe", -1, 2**62, 0.5, "[" * 5000)
    if isinstance(cell, str) and cell.startswith(("{", "[")):
        yield from (each.decode() for each in mutants(cell.encode(), lines=False))


_OTHERS: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    2**63,
    0.5,
    float("nan"),
    "",
    "12",
    "x\ud83d",
    [],
    {},
    [[]],
    {"a": {}},
)


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict | list):
        inner = cast("dict[Any, Any] | list[Any]", value)
        for key, each in inner.items() if isinstance(inner, dict) else enumerate(inner):
            yield from _leaves(each, (*path, key))


def _with(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    if not path:
        return other
    changed = value.copy()
    changed[path[0]] = _with(value[path[0]], path[1:], other)
    return changed
