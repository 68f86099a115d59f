"""`usage export`: every unit of usage as a row, with its price."""

import os
import sys
from typing import BinaryIO, cast

import click

from agent_connector.cli import usage_report
from agent_connector.cli.output import Shown, emit, say


@click.command(
    "export",
    epilog="""Examples:

\b
  agent-connector usage export --since 2026-11-01 > usage.csv
  agent-connector usage export --format ndjson --host codex --no-scan
  agent-connector usage export --format parquet --output usage.parquet""",
)
@click.option(
    "--format", "form", type=click.Choice(["csv", "json", "ndjson", "parquet"]), default="csv", show_default=True
)
@click.option("--output", type=click.Path(dir_okay=False), help="A file instead of the standard output.")
@usage_report.windowed
@click.option("--json", "as_json", is_flag=True, help="The same as --format json; with --output, what was written.")
def command(
    form: str, output: str | None, since: str, until: str, zone: str, hosts: tuple[str, ...], fresh: bool, as_json: bool
) -> None:
    """Every unit of usage as a row: tokens by class, price, and the source, version and entry of that price.

    Counts only: no prompt, no answer, and of a project its hash and its folder's name. Nothing is sent anywhere.
    """
    from agent_connector.usage import export

    if as_json and output is None:
        form = "json"
    if form == "parquet" and output is None and sys.stdout.isatty():
        raise click.UsageError("Parquet is not for a terminal: name a file with --output")
    wanted, _ = usage_report.window(since, until, zone, usage_report.chosen(hosts))
    with usage_report.opened(wanted.hosts, fresh) as (index, _):
        found = export.rows(index, wanted)
        if output is None:
            export.write(found, form, cast(BinaryIO, Shown()))
            sys.stdout.flush()
            return
        with open(output, "wb") as file:
            count = export.write(found, form, file)
    told = {"file": os.path.abspath(output), "format": form, "rows": count}
    emit(told) if as_json else say(f"{count:,} rows in {output}")
