"""`usage sessions`: the sessions of all hosts, and what each cost."""

import click

from agent_connector.cli import options, usage_report
from agent_connector.cli.output import emit, verbatim, width


@click.command(
    "sessions",
    epilog="""Examples:

\b
  agent-connector usage sessions
  agent-connector usage sessions --since 7d --host codex --top 5
  agent-connector usage sessions --json""",
)
@click.option("--top", type=click.IntRange(min=0), default=20, show_default=True, metavar="N", help="How many; 0: all.")
@usage_report.windowed
@options.as_json
def command(top: int, since: str, until: str, zone: str, hosts: tuple[str, ...], fresh: bool, as_json: bool) -> None:
    """The sessions, the last used first: their project, models, tokens, and what they cost at list prices."""
    from agent_connector.usage import report, report_sessions

    wanted, there = usage_report.window(since, until, zone, usage_report.chosen(hosts))
    with usage_report.opened(wanted.hosts, fresh) as (index, scanned):
        made = report_sessions.of(index, report.make(index, "session", wanted, there), top)
    if as_json:
        emit(report_sessions.as_values(made, scanned))
    else:
        verbatim(report_sessions.as_text(made, width(), scanned))
