"""What a person reads: tables that fit, names that cannot move a cursor, and a total that says what it is."""

from pathlib import Path

import pytest
from tests.usage.reports.units import put, unit

from agent_connector.home import moments, tables
from agent_connector.usage import live, report, report_leaders, report_sessions, report_show, rollups
from agent_connector.usage.report_sums import Wanted

NOON, HOUR, DAY = 1_793_534_400_000, 3_600_000, 86_400_000
UTC = moments.zone("UTC")


def text(root: Path, by: str = "day", width: int = 80, wanted: Wanted | None = None) -> str:
    with rollups.rolled(str(root)) as connection:
        return report_show.as_text(report.make(connection, by, wanted, UTC), width, NOON)


@pytest.fixture
def used(root: Path) -> Path:
    """Much of everything, with long names."""
    put(
        root,
        [
            unit(time=NOON - number * 7 * HOUR, session=f"0193d2aa-7c1f-7000-8000-{number:012}", input=10**number,
                 cache_read=10**number * 7, cache_write_1h=10**number * 3, output=10**number, project=f"{number:016x}",
                 project_name=f"a-project-with-a-long-name-{number}", cost=1.5, credits=2,
                 model=("claude-opus-4-6", "gpt-5.5", "a-model-that-nobody-has-heard-of-preview-2026-11")[number % 3],
                 host=("claude-code", "codex")[number % 2])
            for number in range(10)
        ],
    )  # fmt: skip
    return root


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
@pytest.mark.parametrize("by", report.BY)
def test_reports_fit_the_terminal(used: Path, by: str, width: int) -> None:
    shown = text(used, by, width)
    assert max(map(len, shown.splitlines())) <= width
    assert "USD" in shown
    assert "\033" not in shown
    if width >= 120:
        assert all(head in shown for head in ("requests", "input", "output", "tokens", "host's own", "credits"))


@pytest.mark.parametrize("width", [40, 80, 160])
def test_sessions_rankings_and_live_fit_too(used: Path, width: int) -> None:
    with rollups.rolled(str(used)) as connection:
        made = report.make(connection, "session", None, UTC)
        shown = [
            report_sessions.as_text(report_sessions.of(connection, made, 3), width),
            report_leaders.as_text(report_leaders.of(made, top=3), width),
            live.as_text(live.look(connection, UTC, NOON + HOUR), width),
        ]
    for one in shown:
        assert max(map(len, one.splitlines())) <= width
    assert "and 7 more" in shown[0]
    assert "and 7 more" in shown[1]


def test_the_header_says_time_zone_and_age(used: Path) -> None:
    with rollups.rolled(str(used)) as connection:
        made = report.make(connection, "day", Wanted(NOON - DAY, NOON), moments.zone("Europe/Berlin"))
        head = " ".join(report_show.header(made, made.made - 3 * 60_000))
        never = " ".join(report_show.header(made, 0))
    assert "2026-10-31 13:00 to 2026-11-01 13:00 (Europe/Berlin)" in head
    assert "logs read 3 minutes ago" in head
    assert "logs never read (agent-connector usage scan)" in never


def test_the_total_says_at_least_and_names_what_has_no_price(used: Path) -> None:
    shown = " ".join(text(used, "model", 200).split())
    assert "at least" in shown.partition("Total:")[2].partition("USD at list prices")[0]
    assert "no price is known for a-model-that-nobody-has-heard-of-preview-2026-11" in shown
    assert "wrote down 15.00 USD for 10 of 10 units" in shown
    assert "Prices: genai-prices" in shown


def test_nothing_is_said_of_what_is_not_there(root: Path) -> None:
    put(root, [unit(time=NOON, input=1000)])
    shown = text(root)
    assert "at least" not in shown
    assert "wrote down" not in shown
    assert "1,000 tokens in 1 request, 0.0030 USD at list prices" in shown
    assert "Nothing was used in this time" in text(root, wanted=Wanted(NOON + DAY))


def test_names_out_of_logs_cannot_move_the_cursor(root: Path) -> None:
    put(root, [unit(time=NOON, input=1, model="\033[2Jevil\r\n", project_name="\033]0;x\007")])
    for by in ("model", "project", "session"):
        assert not set(text(root, by)) & {"\033", "\r", "\007"}


def test_numbers_stay_short() -> None:
    values = (0, 999, 9_999, 10_000, 99_949, 123_456, 1_234_567, 12_345_678, 999_999_999_999_999)
    assert [tables.number(value) for value in values] == [
        "0", "999", "9,999", "10.0k", "99.9k", "123k", "1.23M", "12.3M", "1,000T",
    ]  # fmt: skip
    assert [tables.usd(value) for value in (None, 0, 0.00004, 0.25, 0.999, 1234.5)] == [
        "-", "0.00", "0.0000", "0.2500", "1.00", "1,234.50",
    ]  # fmt: skip


def test_curves_and_bars() -> None:
    assert tables.spark([0, 1, 2, 4, 8]) == "▁▂▃▅█"
    assert tables.spark([0, 0]) == "▁▁"
    assert tables.bar(4, 4) == "█" * 12
    assert tables.bar(1, 10**9) == "▏"
    assert tables.bar(2, 4, plain=True) == "#" * 6
    assert tables.bar(0, 4) == ""


def test_live_burns_what_the_last_minutes_used(root: Path) -> None:
    minute = 60_000
    put(
        root,
        [unit(time=NOON - age * minute, input=1000) for age in (0, 1, 4, 6, 59, 61)] + [unit(time=NOON - 9 * HOUR)],
    )
    with rollups.rolled(str(root)) as connection:
        seen = live.look(connection, UTC, NOON)
    assert (len(seen.minutes), sum(seen.minutes)) == (60, 5000)
    assert (seen.minutes[-1], seen.minutes[-2], seen.minutes[-5], seen.minutes[0]) == (1000, 1000, 1000, 1000)
    assert seen.tokens_per_minute == 3000 / 5
    assert seen.usd_per_hour == pytest.approx(0.009 * 12)
    assert seen.today.total.requests == 7
    (block,) = seen.blocks
    assert (block.begins, block.ends) == (NOON - 2 * HOUR, NOON + 3 * HOUR)
    assert block.line.usd == pytest.approx(0.018)
    assert block.usd_at_end == pytest.approx(0.018 + 0.009 * 12 * 3)
