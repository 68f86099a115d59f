"""The test vectors of `docs/byoa-wire.md`, run from the page."""

import json
import re
from pathlib import Path

import pytest
from tests.byoa.protocol.samples import ORIGIN, SAMPLES

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.core.addresses import parse_address
from agent_connector.byoa.core.provenance import compose
from agent_connector.byoa.core.proxied_tool import names
from agent_connector.byoa.core.turns import MOVES, After

PAGE = (Path(__file__).parents[2] / "docs" / "byoa-wire.md").read_text("utf-8")
BLOCK = re.compile(r"<!-- (reads|refused): (\w+) -->\n```json\n(.*?)\n```", re.DOTALL)
VECTORS = [
    pytest.param(*found.groups(), id=f"{found[1]} {found[2]} {n}") for n, found in enumerate(BLOCK.finditer(PAGE))
]


def rows(header: str) -> list[list[str]]:
    """The cells of the table under this header, without backticks."""
    lines = PAGE[PAGE.index(header) :].splitlines()[2:]
    table = lines[: next(number for number, line in enumerate(lines) if not line.startswith("|"))]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in table]


def absolute(value: object) -> object:
    """A page shows paths where the spelling that is sent has whole URLs."""
    if isinstance(value, dict):
        return {name: absolute(item) for name, item in value.items()}
    return f"{ORIGIN}{value}" if isinstance(value, str) and value.startswith("/") else value


@pytest.mark.parametrize(("verdict", "name", "text"), VECTORS)
def test_json_vectors(verdict: str, name: str, text: str) -> None:
    _, parser = SAMPLES[name]
    if verdict == "refused":
        with pytest.raises(wire.ProtocolError):
            parser(text.encode())
        return
    value = parser(text.encode())
    said, sent = absolute(json.loads(text)), json.loads(value.dump())
    assert {field: sent[field] for field in said} == said  # type: ignore[attr-defined]
    assert parser(value.dump()) == value


def test_every_message_has_a_vector() -> None:
    files_without = {"credential", "tool_cache", "pair_poll"}
    assert {found[2] for found in BLOCK.finditer(PAGE)} == set(SAMPLES) - files_without


@pytest.mark.parametrize(("typed", "origin", "key"), rows("| typed | origin |"))
def test_addresses(typed: str, origin: str, key: str) -> None:
    if origin == "refused":
        with pytest.raises(wire.ProtocolError):
            parse_address(typed)
    else:
        found = parse_address(typed)
        assert (str(found), found.key) == (origin, key)


@pytest.mark.parametrize(("origin", "host", "session", "key"), rows("| origin | host | host's session id |"))
def test_session_keys(origin: str, host: str, session: str, key: str) -> None:
    assert wire.session_key(wire.parse_origin(origin), host, session) == key


def test_the_provenance_line() -> None:
    found = re.search(r"<!-- provenance: (.*?) \| (.*?) \| (.*?) \| (.*?) -->\n```text\n(.*?)\n```", PAGE)
    assert found is not None
    assert compose(found[1], found[2], found[3], "", found[4]).line == found[5]


@pytest.mark.parametrize(("pairs", "expected"), rows("| ids and origins | names |"))
def test_tool_names(pairs: str, expected: str) -> None:
    apps = re.findall(r"([\w.-]+)`? at `?(https://[\w.]+)", pairs)
    assert list(names(apps).values()) == re.findall(r"\w+", expected)


@pytest.mark.parametrize("word", [row[0] for row in rows("| `error` | what the pairer does |")][:4])
def test_words_of_refusal(word: str) -> None:
    assert wire.parse_refusal(json.dumps({"error": word}).encode()) == word


def test_the_table_of_turns_is_the_one_that_runs() -> None:
    said = {After.GOES_ON: "", After.BEGINS: "started", After.ENDS: "ended"}
    found = {tuple(row) for row in rows("| phase | what happened | next | for the app |")}
    runs = {
        (phase.name.lower(), input.name.lower(), following.name.lower(), said[after])
        for (phase, input), (following, after) in MOVES.items()
    }
    assert found == runs
