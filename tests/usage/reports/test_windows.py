"""Zones, days and the words of --since and --until."""

import zoneinfo
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_connector.errors import AgentConnectorError
from agent_connector.home import moments
from agent_connector.home.moments import DAY
from agent_connector.usage import windows
from agent_connector.usage.windows import QUARTER

HOUR = 3_600_000
ZONES = [
    "UTC", "Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Asia/Kathmandu", "Asia/Kolkata", "Pacific/Chatham",
    "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia", "America/Havana", "Asia/Beirut", "Pacific/Kiritimati",
]  # fmt: skip
zones = st.sampled_from(ZONES).map(moments.zone)
times = st.integers(946_684_800_000, 2_208_988_800_000)  # 2000 to 2040


def at(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("day", "hours"), [("2026-03-28", 24), ("2026-03-29", 23), ("2026-10-25", 25), ("2026-10-26", 24)]
)
def test_days_of_a_change_of_clocks_have_their_own_length(day: str, hours: int) -> None:
    berlin = moments.zone("Europe/Berlin")
    number = at(day) // DAY
    assert berlin.midnight(number + 1) - berlin.midnight(number) == hours * HOUR
    assert windows.day_name(berlin.day(berlin.midnight(number))) == day
    assert windows.day_name(berlin.day(berlin.midnight(number + 1) - 1)) == day


def test_a_day_whose_midnight_is_skipped_begins_with_the_skip() -> None:
    beirut = moments.zone("Asia/Beirut")  # 2024-03-31: 00:00 became 01:00
    begins = beirut.midnight(at("2024-03-31") // DAY)
    assert beirut.told(begins) == "2024-03-31 01:00"
    assert beirut.told(begins - 1) == "2024-03-30 23:59"


@settings(max_examples=300, deadline=None)
@given(zone=zones, moment=times)
def test_every_moment_is_in_its_day(zone: moments.Zone, moment: int) -> None:
    local = datetime.fromtimestamp(moment / 1000, zoneinfo.ZoneInfo(zone.name))
    assert windows.day_name(zone.day(moment)) == local.date().isoformat()
    assert zone.told(moment) == local.strftime("%Y-%m-%d %H:%M")
    assert round(datetime.fromisoformat(zone.iso(moment)).timestamp() * 1000) == moment
    day = zone.day(moment)
    assert zone.midnight(day) <= moment < zone.midnight(day + 1)


@settings(max_examples=60, deadline=None)
@given(zone=zones, first=times, days=st.integers(0, 900), data=st.data())
def test_spans_tell_the_offset_of_each_quarter(zone: moments.Zone, first: int, days: int, data: st.DataObject) -> None:
    begin = first // QUARTER
    end = begin + days * windows.DAY_QUARTERS
    spans = windows.spans(zone, begin, end)
    for quarter in [begin, end, *(span.begins for span in spans), data.draw(st.integers(begin, end))]:
        ahead = [span.ahead for span in spans if span.begins <= quarter][-1]
        assert (quarter + ahead) // windows.DAY_QUARTERS == zone.day(quarter * QUARTER)


def test_the_zone_of_this_machine_is_named_and_used(in_zone: Callable[[str], None]) -> None:
    in_zone("America/New_York")
    local = moments.zone()
    assert local.name == "America/New_York"
    assert local.told(at("2026-07-01T03:00")) == "2026-06-30 23:00"
    assert local.told(at("2026-12-01T03:00")) == "2026-11-30 22:00"
    assert moments.zone("local").name == local.name


def test_words_for_a_time() -> None:
    berlin, now = moments.zone("Europe/Berlin"), at("2026-11-30T12:00")
    assert moments.since("7d", berlin, now) == now - 7 * DAY
    assert moments.since(" 90m ", berlin, now) == now - 90 * 60_000
    assert moments.since("2026-11-01", berlin, now) == at("2026-10-31T23:00")
    assert moments.until("2026-11-01", berlin, now) == at("2026-11-01T23:00"), "a day counts to its end"
    assert moments.since("today", berlin, now) == at("2026-11-29T23:00")
    assert moments.since("yesterday", berlin, now) == at("2026-11-28T23:00")
    assert moments.until("yesterday", berlin, now) == at("2026-11-29T23:00")
    assert (moments.since("", berlin, now), moments.until("", berlin, now)) == (0, None)


@pytest.mark.parametrize("word", ["tomorrow", "7", "7y", "2026-13-01", "2026-02-30", "0000-01-01", "9999-01-01", "-1d"])
def test_a_word_that_is_no_time_is_refused_by_name(word: str) -> None:
    with pytest.raises(AgentConnectorError, match="is no time") as caught:
        moments.since(word, moments.zone("UTC"), 0)
    assert caught.value.where == "--since"


@pytest.mark.parametrize("name", ["Europe/Berlim", "../etc/passwd", "/etc/passwd", "\0", "Europe"])
def test_a_zone_that_nobody_knows_is_refused(name: str) -> None:
    with pytest.raises(AgentConnectorError, match="no zone is called"):
        moments.zone(name)


def test_weeks_are_those_of_iso_8601() -> None:
    assert windows.week_name(at("2026-12-31") // DAY) == "2026-W53"
    assert windows.week_name(at("2027-01-03") // DAY) == "2026-W53"
    assert windows.week_name(at("2027-01-04") // DAY) == "2027-W01"


@pytest.mark.parametrize("name", ["UTC", "Asia/Kathmandu", "Pacific/Apia"])
def test_a_log_may_say_any_time(name):
    """One line of a log that says the year 9999, or one with too many digits, must not end every report."""
    zone = moments.zone(name)
    for moment in (253_402_300_799_000, 2**53 - 1):
        assert zone.told(moment).startswith("9999-12-3") and zone.iso(moment).startswith("9999-12-3")
        day = zone.day(moment)
        assert windows.month_name(day) == "9999-12" and windows.week_name(day).startswith("9999-W5")
