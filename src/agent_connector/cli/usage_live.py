"""`usage live`: what is being used now, looked at again every second until Ctrl-C."""

import json
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from agent_connector.cli import usage_report
from agent_connector.cli.output import verbatim, width
from agent_connector.home import progress

if TYPE_CHECKING:
    from agent_connector.home.moments import Zone

_HOME, _CLEAR_LINE, _CLEAR_REST = "\033[H", "\033[K", "\033[J"
_SCREEN, _BACK = "\033[?1049h\033[?25l", "\033[?25h\033[?1049l"


@click.command(
    "live",
    epilog="""Examples:

\b
  agent-connector usage live
  agent-connector usage live --host claude-code
  agent-connector usage live --json --count 3""",
)
@usage_report.host
@usage_report.zone
@click.option(
    "--interval", type=click.FloatRange(min=0.1), default=1.0, show_default=True, metavar="SECONDS", help="How often."
)
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="Look so many times. Default: until Ctrl-C.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object on a line for each look.")
def command(hosts: tuple[str, ...], zone: str, interval: float, count: int | None, as_json: bool) -> None:
    """What is being used now: tokens a minute, USD an hour, today's sums, and the open blocks of five hours.

    Reads what the hosts' logs have had since the last look; a host that writes its log late is seen late.
    """
    from agent_connector.home import moments
    from agent_connector.usage import place

    there, chosen = moments.zone(zone), usage_report.chosen(hosts)
    screen = sys.stdout.isatty() and not as_json
    looks = 0
    try:  # the first time may take long, and says so; later ones say nothing
        with place.ready(usage_report.root(), lambda where: usage_report.prepare(where, chosen, True)) as where:
            if screen:
                sys.stdout.write(_SCREEN)
            while True:
                begun = time.monotonic()
                _look(where, there, chosen, as_json, screen)
                looks += 1
                if looks == count:
                    break
                time.sleep(max(interval - (time.monotonic() - begun), 0))
    except KeyboardInterrupt:
        pass  # the way to end it
    finally:
        if screen:
            sys.stdout.write(_BACK)
            sys.stdout.flush()


def _look(where: str, there: "Zone", hosts: Sequence[str], as_json: bool, screen: bool) -> None:
    from agent_connector.usage import live, rollups

    with progress.heard(None):
        usage_report.prepare(where, hosts, True)
        with rollups.rolled(where) as index:
            made = live.look(index, there, time.time_ns() // 1_000_000, hosts)
    if as_json:
        sys.stdout.write(json.dumps(live.as_values(made)) + "\n")
    elif screen:
        text = live.as_text(made, width(), usage_report.plain())
        lines = text.split("\n")[: usage_report.height() - 1]
        sys.stdout.write(_HOME + "".join(f"{line}{_CLEAR_LINE}\n" for line in lines) + _CLEAR_REST)
    else:
        verbatim(live.as_text(made, width(), usage_report.plain()) + "\n")
    sys.stdout.flush()
