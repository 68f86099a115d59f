"""`usage report`: tokens and what they cost, by host, model, project, session or time."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, verbatim, width
from agent_connector.home import paths, progress

if TYPE_CHECKING:
    import sqlite3

    from agent_connector.home.moments import Zone
    from agent_connector.usage.report_sums import Wanted

F = TypeVar("F", bound=Callable[..., Any])

_BY = ["host", "model", "project", "session", "day", "week", "month", "hour-block"]
until = click.option("--until", default="", metavar="TIME", help="The same; a day counts to its end. Default: now.")
zone = click.option("--zone", default="", metavar="ZONE", help="UTC, or a name such as Europe/Berlin. Default: local.")
host = click.option("--host", "hosts", multiple=True, metavar="ID", help="Only this host; may be given again.")
scan = click.option(
    "--scan/--no-scan", "fresh", default=True, help="Read first what the hosts' logs have had since. Default: yes."
)


def windowed(function: F) -> F:
    """The options that say which usage is meant."""
    for option in (scan, host, zone, until, options.since):
        function = option(function)
    return function


@click.command(
    "report",
    epilog="""Examples:

\b
  agent-connector usage report
  agent-connector usage report --by model --since 7d
  agent-connector usage report --by project --since 2026-11-01 --until 2026-11-15 --zone Europe/Berlin
  agent-connector usage report --by hour-block --host claude-code --since 2d --json""",
)
@click.option("--by", type=click.Choice(_BY), default="day", show_default=True, help="What one line stands for.")
@windowed
@options.as_json
def command(by: str, since: str, until: str, zone: str, hosts: tuple[str, ...], fresh: bool, as_json: bool) -> None:
    """Tokens and what they cost at list prices, from the logs that the hosts keep.

    Each unit is priced for its model and its time. What a host itself wrote down is a column of its own. A model
    without a known price is named, and the total says "at least". An hour-block is five hours long and begins with the
    full hour of a host's first request after the block before it.
    """
    from agent_connector.usage import report, report_show

    wanted, there = window(since, until, zone, chosen(hosts))
    with opened(wanted.hosts, fresh) as (index, scanned):
        made = report.make(index, by, wanted, there)
    if as_json:
        emit(report_show.as_values(made, scanned))
    else:
        verbatim(report_show.as_text(made, width(), scanned, plain()))


def chosen(hosts: Sequence[str]) -> tuple[str, ...]:
    """The hosts that were named; a usage error for one whose logs nobody reads."""
    if not hosts:
        return ()
    from agent_connector.cli import usage_scan

    return usage_scan.chosen(tuple(hosts))


def window(since: str, until: str, zone: str, hosts: Sequence[str], project: str = "") -> "tuple[Wanted, Zone]":
    """What is meant by the words of --since, --until and --zone."""
    from agent_connector.home import moments
    from agent_connector.usage.report_sums import Wanted

    there, now = moments.zone(zone), time.time_ns() // 1_000_000
    first, last = moments.since(since, there, now), moments.until(until, there, now)
    if last is not None and last <= first:
        raise click.BadParameter(f"{until!r} is not after --since {since!r}", param_hint="--until")
    return Wanted(first, last, hosts, project), there


@contextmanager
def opened(hosts: Sequence[str], fresh: bool) -> "Generator[tuple[sqlite3.Connection, int]]":
    """The index with its sums, and when the logs were read; read now where `fresh`."""
    from agent_connector.usage import place, rollups

    with place.ready(root(), lambda where: prepare(where, hosts, fresh)) as where, rollups.rolled(where) as index:
        yield index, rollups.scanned(index)


def prepare(where: str, hosts: Sequence[str], fresh: bool) -> None:
    """Read what is new in the hosts' logs where `fresh`, and bring the sums up to date."""
    from agent_connector.cli import usage_scan
    from agent_connector.usage import rollups, scan, summary

    if fresh:
        with progress.during("reading the hosts' logs"):
            if scan.scan(where, usage_scan.machine(), tuple(hosts), usage_scan.identify(), sums=False).read:
                summary.write(where)
    with progress.during("summing up what the hosts used"), rollups.rolled(where):
        pass


def root() -> str:
    """The data root."""
    return paths.data_root(os.environ, os.path.expanduser("~"))


def plain() -> bool:
    """True when the output cannot hold more than ASCII."""
    try:
        "▁█".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def height() -> int:
    """The lines of the terminal."""
    return shutil.get_terminal_size().lines
