"""Reports over the index: every grouping, window and zone tells the same units, priced one by one and then summed."""

import itertools
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.usage.reports.units import COUNTS, Unit, put, take, unit

from agent_connector.home import moments, paths
from agent_connector.usage import cards, prices, report, rollups, windows
from agent_connector.usage.report import Report
from agent_connector.usage.report_sums import Wanted

HOUR, DAY = 3_600_000, 86_400_000
NOON = 1_793_534_400_000  # 2026-11-01 12:00 UTC


def made(root: Path, by: str = "day", wanted: Wanted | None = None, zone: str = "UTC") -> Report:
    with rollups.rolled(str(root)) as connection:
        return report.make(connection, by, wanted, moments.zone(zone))


def keys(found: Report, name: str) -> list[Any]:
    return [line.key[name] for line in found.lines]


# ---- properties

hosts = st.sampled_from(["claude-code", "codex", "gemini-cli"])
models = st.sampled_from(
    [
        ("claude-sonnet-4-5", "anthropic"),
        ("claude-opus-4-6", ""),
        ("deepseek-v4-pro", "deepseek"),
        ("no-such-model", "x"),
    ]
)
small = st.integers(0, 300_000)
near = st.integers(NOON - 2 * DAY, NOON + 2 * DAY)  # so near that windows cut days and quarters that have units
times = near | near | st.integers(NOON - 300 * DAY, NOON + 20 * DAY)


@st.composite
def units(draw: st.DrawFn) -> Unit:
    model, provider = draw(models)
    output = draw(small)
    return unit(
        host=draw(hosts), session=draw(st.sampled_from(["a", "b", "c"])), model=model, provider=provider,
        project=draw(st.sampled_from(["", "p1", "p2"])), tier=draw(st.sampled_from(["", "batch"])),
        time=draw(times), input=draw(small), cache_read=draw(small),
        cache_write_5m=draw(small), cache_write_1h=draw(small), output=output, reasoning=draw(st.integers(0, output)),
        requests=draw(st.integers(0, 3)), cost=draw(st.none() | st.integers(0, 10**9).map(lambda nano: nano / 10**9)),
    )  # fmt: skip


def oracle(found: list[Unit]) -> tuple[int, ...]:
    """(tokens, money, tokens without a price, each count) of units that are priced one by one."""
    tokens = atto = unpriced = 0
    for one in found:
        counts = {name: one[name] for name in COUNTS}
        used = sum(counts[name] for name in cards.CLASSES) - counts["reasoning"]
        rate = cards.find(
            prices.card(one["provider"], one["model"], one["tier"], root="/nowhere"), one["time"], cards.context(counts)
        )
        tokens += used
        atto += cards.cost(rate.prices, counts) if rate.prices else 0
        unpriced += 0 if rate.prices else used
    return tokens, atto, unpriced, *(sum(one[name] for one in found) for name in (*cards.CLASSES, "requests"))


def told(found: Report) -> tuple[int, ...]:
    lines = found.lines
    assert sum(line.units for line in lines) == found.total.units
    assert sum(line.atto for line in lines) == found.total.atto, "lines and total are the same money, to the last digit"
    assert sum(line.host_nano or 0 for line in lines) == (found.total.host_nano or 0)
    assert sum(one.tokens for one in found.unpriced) == found.total.unpriced
    sums = [(line.tokens, line.atto, line.unpriced, *line.counts.values(), line.requests) for line in lines]
    return tuple(map(sum, zip(*sums, strict=True))) or (0,) * 10


@pytest.fixture(params=["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns"])
def local(request: pytest.FixtureRequest, in_zone: Callable[[str], None]) -> str:
    """This machine's zone."""
    in_zone(request.param)
    return request.param


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    found=st.lists(units(), max_size=25),
    edges=st.lists(times, min_size=2, max_size=3, unique=True).map(sorted),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns"]),
)
def test_every_grouping_and_window_tells_the_same_units(
    local: str, found: list[Unit], edges: list[int], zone: str
) -> None:
    with tempfile.TemporaryDirectory() as root:
        put(Path(root), found)
        with rollups.rolled(root) as connection:
            for by, name in itertools.product(report.BY, (local, zone)):
                assert told(report.make(connection, by, None, moments.zone(name))) == oracle(found)
            bounds = [0, *edges, None]
            cuts = itertools.product(("model", "day", "hour-block"), (local, zone), itertools.pairwise(bounds))
            for by, name, (first, last) in cuts:
                inside = [one for one in found if (first or 0) <= one["time"] and (last is None or one["time"] < last)]
                part = report.make(connection, by, Wanted(first or 0, last), moments.zone(name))
                assert told(part) == oracle(inside)
                assert all(
                    line.key["day"] == windows.day_name(part.zone.day(line.first)) for line in part.lines if by == "day"
                )


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(st.lists(st.tuples(st.integers(1, 12), st.none() | units()), max_size=6), min_size=1, max_size=4),
    by=st.sampled_from(report.BY),
)
def test_sums_that_are_kept_are_those_that_are_made_anew(
    local: str, steps: list[list[tuple[int, Unit | None]]], by: str
) -> None:
    held: dict[int, Unit] = {}
    with tempfile.TemporaryDirectory() as kept:
        for step in steps:
            for key, change in step:
                if change is None:
                    held.pop(key, None)
                    take(Path(kept), key)
                else:
                    held[key] = change | {"key": key}
                    put(Path(kept), [held[key]])
            with rollups.rolled(kept) as connection:
                assert told(report.make(connection, by)) == oracle(list(held.values()))


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Kathmandu"])
def test_a_window_may_cut_days_and_quarters(root: Path, in_zone: Callable[[str], None], zone: str) -> None:
    in_zone(zone)
    step = 7 * 60_000
    times = range(NOON, NOON + 60 * HOUR, step)
    put(root, [unit(time=NOON, output=1)])
    made(root)  # from here on sums are brought up to date, not made
    put(root, [unit(time=time, output=1) for time in times[1:]])
    there = moments.zone(zone)
    midnights = [there.midnight(there.day(NOON) + more) for more in (1, 2)]
    edges = sorted(
        {*midnights, NOON + 3 * HOUR, NOON + 30 * HOUR, NOON + 31 * HOUR + 1, times[-1], times[20], times[21] + 1}
    )
    for first, last in itertools.combinations(edges, 2):
        inside = [time for time in times if first <= time < last]
        found = made(root, "day", Wanted(first, last), zone)
        days = [windows.day_name(there.day(time)) for time in inside]
        assert {line.key["day"]: line.units for line in found.lines} == {day: days.count(day) for day in days}


@pytest.mark.parametrize("by", ["day", "hour-block"])
def test_prices_change_in_sums_at_the_moment_and_the_token_where_they_change(root: Path, by: str) -> None:
    change, day = (
        1_773_360_000_000,
        1_793_491_200_000,
    )  # Opus 4.6 got cheaper; a day with dear hours from 01:00 to 04:00
    found = [unit(time=time, model="claude-opus-4-6", input=250_000) for time in (change - 1, change)]
    found += [
        unit(input=100_000, cache_read=100_000 + more, requests=number) for more in (0, 1) for number in (0, 1, 2)
    ]
    found += [unit(time=day + hour * HOUR + ms, model="deepseek-v4-pro", provider="deepseek", input=1000)
              for hour in (0, 1, 4, 6, 10) for ms in (-1, 0)]  # fmt: skip
    put(root, found)
    assert told(made(root, by)) == oracle(found)
    for one in found:  # also where the units themselves are read
        cut = made(root, by, Wanted(one["time"], one["time"] + 1))
        assert told(cut) == oracle([other for other in found if other["time"] == one["time"]])


# ---- what a user sees


def test_days_follow_the_zone_that_is_asked_for(root: Path, in_zone: Callable[[str], None]) -> None:
    in_zone("Europe/Berlin")
    put(root, [unit(time=NOON - 13 * HOUR, output=1), unit(time=NOON - 12 * HOUR, output=2), unit(time=NOON, output=4)])
    assert [(line.key["day"], line.counts["output"]) for line in made(root, "day", zone="local").lines] == [
        ("2026-11-01", 7)
    ]
    assert [(line.key["day"], line.counts["output"]) for line in made(root, "day", zone="UTC").lines] == [
        ("2026-10-31", 1),
        ("2026-11-01", 6),
    ]
    in_zone("America/New_York")  # this machine has moved: its days are summed again
    assert keys(made(root, "day", zone="local"), "day") == ["2026-10-31", "2026-11-01"]


def test_the_day_of_25_hours_is_one_day(root: Path) -> None:
    begins = 1_792_879_200_000  # 2026-10-25 00:00 in Berlin
    put(root, [unit(time=begins + hour * HOUR, output=1) for hour in range(-1, 26)])
    lines = made(root, "day", zone="Europe/Berlin").lines
    assert [(line.key["day"], line.requests) for line in lines] == [
        ("2026-10-24", 1),
        ("2026-10-25", 25),
        ("2026-10-26", 1),
    ]


def test_weeks_and_months(root: Path) -> None:
    put(root, [unit(time=NOON, input=1), unit(time=NOON + DAY, input=1), unit(time=NOON - 2 * DAY, input=1)])
    assert [(line.key["week"], line.requests) for line in made(root, "week").lines] == [
        ("2026-W44", 2),
        ("2026-W45", 1),
    ]
    assert [(line.key["month"], line.requests) for line in made(root, "month").lines] == [
        ("2026-10", 1),
        ("2026-11", 2),
    ]


def test_blocks_of_five_hours_begin_with_the_hour_of_the_first_request(root: Path) -> None:
    first = NOON + 10 * 60_000
    after = [0, 4 * HOUR + 49 * 60_000, 4 * HOUR + 50 * 60_000, 20 * HOUR]
    put(
        root,
        [unit(time=first + later, output=1) for later in after] + [unit(host="codex", time=first + HOUR, output=1)],
    )
    found = made(root, "hour-block")
    assert [(line.key["block"], line.key["host"], line.requests) for line in found.lines] == [
        ("2026-11-01 12:00", "claude-code", 2),
        ("2026-11-01 13:00", "codex", 1),
        ("2026-11-01 17:00", "claude-code", 1),
        ("2026-11-02 08:00", "claude-code", 1),
    ]
    later = made(root, "hour-block", Wanted(first + HOUR, None, ("claude-code",)))
    assert keys(later, "block")[0] == "2026-11-01 12:00", (
        "a block begins where it began, also when a report begins later"
    )
    assert later.lines[0].requests == 1


def test_only_the_hosts_and_the_project_that_are_asked_for(root: Path) -> None:
    put(root, [unit(output=1), unit(host="codex", output=2), unit(host="codex", project="other", output=4)])
    assert made(root, "host", Wanted(hosts=("codex",))).total.counts["output"] == 6
    assert made(root, "host", Wanted(hosts=("codex",), project="other")).total.counts["output"] == 4
    assert made(root, "hour-block", Wanted(hosts=("codex",))).total.counts["output"] == 6


def test_a_model_without_a_price_is_named_and_the_total_is_at_least(root: Path) -> None:
    put(
        root,
        [unit(input=1000), unit(model="mystery", provider="acme", input=70, output=7), unit(model="idle", input=0)],
    )
    found = made(root, "model")
    assert [(one.model, one.provider, one.tokens, one.requests) for one in found.unpriced] == [
        ("mystery", "acme", 77, 1)
    ]
    assert found.total.at_least
    assert found.total.usd == 0.003
    assert {line.key["model"]: line.usd for line in found.lines} == {
        "claude-sonnet-4-5": 0.003,
        "mystery": None,
        "idle": 0,
    }
    assert not made(root, "model", Wanted(hosts=("codex",))).total.at_least


def test_what_a_host_wrote_down_is_a_column_of_its_own(root: Path) -> None:
    put(root, [unit(input=1000, cost=0.1), unit(input=1000, cost=0.2), unit(input=1000), unit(credits=2.5)])
    total = made(root, "host").total
    assert (total.usd, total.host_usd, total.host_units, total.credits) == (0.009, 0.3, 2, 2.5)


def test_every_price_keeps_where_it_is_from(root: Path) -> None:
    put(
        root, [unit(input=1000), unit(input=1000, model="claude-opus-4-6", tier="batch"), unit(input=1000, model="own")]
    )
    (root / "prices.toml").write_text('[[price]]\nmodel = "own"\ninput = 7\n', "utf-8")
    found = {one.key: (one.source, one.tier, one.usd) for one in made(root, "host").total.prices.values()}
    assert found == {
        "anthropic/claude-sonnet-4-5": ("genai-prices", "", 0.003),
        "anthropic/claude-opus-4-6": ("genai-prices", "batch", 0.0025),
        "own": ("prices.toml", "", 0.007),
    }


def test_a_changed_price_counts_in_the_next_report(root: Path) -> None:
    put(root, [unit(input=1000, model="own"), unit(input=1000, model="own", time=NOON - 40 * DAY)])
    assert made(root, "model").total.usd is None
    for price in (7, 8):
        (root / "prices.toml").write_text(f'[[price]]\nmodel = "own"\ninput = {price}\n', "utf-8")
        assert made(root, "model").total.usd == pytest.approx(2 * price / 1000)
    (root / "prices.toml").unlink()
    assert made(root, "model").total.usd is None


def test_a_tier_without_a_price_of_its_own_is_said(root: Path) -> None:
    put(root, [unit(input=1000, model="claude-haiku-4-5", tier="flex", time=NOON)])
    assert any("flex requests of claude-haiku-4-5" in note for note in made(root).notes)


def test_estimates_of_hosts_are_said(root: Path) -> None:
    put(root, [unit(input=75), unit(input=25, source="host-estimated")])
    found = made(root)
    assert found.total.sources == {"host-reported": 75, "host-estimated": 25}
    assert any("25% of the tokens are estimates" in note for note in found.notes)


def test_nothing_is_summed_twice_when_nothing_changed(root: Path) -> None:
    put(root, [unit(input=1)])
    with rollups.rolled(str(root)) as connection:
        assert not rollups.refresh(connection, str(root), moments.zone())
    put(root, [unit(input=1, time=NOON)])
    with rollups.rolled(str(root)) as connection:
        assert connection.execute("SELECT count(*) FROM sums").fetchone() == (2,)


def test_a_report_over_nothing_is_empty(root: Path) -> None:
    found = made(root, "hour-block")
    assert (found.lines, found.total.tokens, found.total.usd) == ([], 0, 0)
    assert not root.exists(), "and writes nothing"


def test_an_index_of_another_version_is_left_for_the_scan(root: Path) -> None:
    put(root, [unit(input=1)])
    path = paths.usage_index(str(root))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = Path(path).read_bytes()
    assert made(root).lines == []
    assert Path(path).read_bytes() == before
