"""A unit has one owner and one count, in whatever order and however often its copies are met."""

import itertools
import json
import shutil
import sqlite3
import tempfile
from pathlib import Path

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings
from tests.usage.conftest import Home, answer

from agent_connector.usage import reading
from agent_connector.usage.lineage import Sighting, settle
from agent_connector.usage.store import _Named

NAMES = "abcd"


def sighting(session, parent="", time=5, counts=(1, 0, 0, 0, 1, 0, 1), context=0, path="", cost=None):
    return Sighting(session, parent, context, time, counts, cost, None, path or session)


def owner(*sightings):
    named = [each._replace(context=number) for number, each in enumerate(sightings)]
    return named[settle(named, "max").context].session


def test_the_session_that_others_descend_from_owns_a_unit():
    assert owner(sighting("a", "b"), sighting("b", "c"), sighting("c")) == "c"
    assert owner(sighting("a", "z", time=1), sighting("b", time=9)) == "a"  # z is not among them: the earlier one
    assert owner(sighting("b", "a", time=1), sighting("a", time=9)) == "a"


def test_counts_are_the_larger_ones_or_the_last_ones():
    early, late = (
        sighting("a", counts=(1, 9, 0, 0, 5, 2, 1), cost=0.5),
        sighting("b", time=9, counts=(3, 4, 0, 0, 7, 1, 1)),
    )
    assert settle([early, late], "max").counts == (3, 9, 0, 0, 7, 2, 1)
    assert settle([early, late], "max").cost == 0.5
    assert settle([early, late], "last").counts == late.counts


@st.composite
def families(draw):
    """Sightings of one unit from sessions that may descend from one another, in circles too."""
    count = draw(st.integers(1, 5))
    counts = st.tuples(*[st.integers(0, 3)] * 7)
    return [
        Sighting(
            draw(st.sampled_from(NAMES)),
            draw(st.sampled_from(["", *NAMES])),
            number,
            draw(st.integers(0, 2)),
            draw(counts),
            draw(st.none() | st.sampled_from([0.5, 1.0])),
            None,
            f"/{number}",
        )
        for number in range(count)
    ]


@given(families(), st.sampled_from(["max", "last"]), st.randoms(use_true_random=False))
def test_the_order_of_sightings_changes_nothing(family, merge, chance):
    shuffled = list(family)
    chance.shuffle(shuffled)
    assert settle(shuffled, merge) == settle(family, merge)


@given(families(), st.sampled_from(["max", "last"]))
def test_copies_with_the_same_counts_come_to_the_same_unit_on_the_short_way(family, merge):
    family = [each._replace(counts=family[0].counts, cost=family[0].cost) for each in family]
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE contexts (id, session, parent)")
    connection.execute("CREATE TABLE files (id, path, last)")
    for number, each in enumerate(family):
        connection.execute("INSERT INTO contexts VALUES (?, ?, ?)", (each.context, each.session, each.parent))
        connection.execute("INSERT INTO files VALUES (?, ?, ?)", (number, each.path, int(merge == "last")))
    rows = [
        (1, number, each.context, each.time, *each.counts, each.cost, each.credits)
        for number, each in enumerate(family)
    ]
    unit = settle(family, merge)
    found = _Named(connection).settled(rows)
    connection.close()
    assert found == (unit.context, unit.time, *unit.counts, unit.cost, unit.credits)


@st.composite
def histories(draw):
    """Steps of a life with logs: answers are written (some in two parts), sessions copied, and now and then all is read."""
    steps = []
    for number in range(draw(st.integers(2, 14))):
        kind = draw(st.sampled_from(["write", "write", "write", "again", "fork", "copy", "scan"]))
        steps.append((kind, number + 1, draw(st.integers(0, 99)), draw(st.integers(1, 50))))
    return steps


def live(home, steps, scans):
    """Carry the steps out below `home`; `scans`: read where a step says so, else only at the end."""
    logs: dict[str, list[bytes]] = {"s0": []}
    wrote = {}
    for kind, number, pick, output in steps:
        name = sorted(logs)[pick % len(logs)]
        own = name.partition("-")[0]
        if kind == "write":
            logs[name].append(answer(number, output, session=own))
            wrote[number] = (own, output)
        elif kind == "again" and wrote:  # another block of an answer, with the counts so far
            which = sorted(wrote)[pick % len(wrote)]
            session, before = wrote[which]
            logs[session].append(answer(which, output, session=session))
            wrote[which] = (session, max(output, before))
        elif kind == "fork" and logs[own]:
            fork = f"s{number}"
            lines = [json.loads(line) for line in logs[own]]
            copied = [
                {**line, "sessionId": fork, "requestSessionId": line.get("requestSessionId", own)} for line in lines
            ]
            logs[fork] = [json.dumps(line).encode() + b"\n" for line in copied]
        elif kind == "copy":
            logs[f"{own}-{number}"] = list(logs[own])
        for each, lines in logs.items():
            home.session(each, folder=f"-{each}").write_bytes(b"".join(lines))
        if kind == "scan" and scans:
            home.scan("claude-code")
    home.scan("claude-code")
    return wrote


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories(), st.sampled_from([0, 1 << 60]))
def test_any_life_comes_to_the_same_units_and_owners(steps, batch):
    rows, merged = reading._COMMIT_ROWS, reading._MERGE_ROWS
    reading._COMMIT_ROWS = reading._MERGE_ROWS = batch
    folder = Path(tempfile.mkdtemp())
    try:
        found = []
        for number, scans in enumerate((True, False)):
            home = Home(folder / str(number), str(folder / f"data{number}"))
            wrote = live(home, steps, scans)
            found.append(home.ask("SELECT input, session, output FROM units ORDER BY 1"))
        assert found[0] == found[1] == [(number, *wrote[number]) for number in sorted(wrote)]
    finally:
        reading._COMMIT_ROWS, reading._MERGE_ROWS = rows, merged
        shutil.rmtree(folder)


def test_copies_that_came_before_their_original_give_the_unit_back(home):
    """Whoever is met first, the original is the owner in the end, and the parts of one answer are one."""
    fork = answer(1, 3, session="f", requestSessionId="o")
    for order in itertools.permutations(
        [("o", answer(1, 9, session="o")), ("f", fork), ("f2", fork.replace(b'"f"', b'"f2"'))]
    ):
        for name, line in order:
            home.session(name).write_bytes(line)
            home.scan("claude-code")
        assert home.ask("SELECT session, output FROM units") == [("o", 9)]
        shutil.rmtree(home.path)
        shutil.rmtree(home.root)
