"""`telemetry`: what connectors cost, in tokens, calls and time; and the switches of the counting."""

import os
import sys

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, say, verbatim
from agent_connector.home import paths


def root() -> str:
    """The data root."""
    return paths.data_root(os.environ, os.path.expanduser("~"))


since = click.option(
    "--since", default="", metavar="TIME", help="7d, 24h, 30m, 2w, or a date such as 2026-11-30. Default: all."
)
connector = click.option("-c", "--connector", default="", metavar="ID", help="Only this connector.")
layer = click.option("--layer", default="", metavar="LAYER", help="Only this layer: hook, serve or middleware.")


@click.group(
    "telemetry",
    epilog="""Examples:

\b
  agent-connector telemetry report --by tool --since 7d
  agent-connector telemetry export --format csv > counts.csv
  agent-connector telemetry off --connector acme-db""",
)
def command() -> None:
    """What connectors cost: tokens, calls, errors, time.

    Counts only, kept on this machine: no argument, no result, no prompt is stored.
    """


@command.command(
    "report",
    epilog="""Examples:

\b
  agent-connector telemetry report
  agent-connector telemetry report --by project --since 7d --json""",
)
@click.option(
    "--by",
    type=click.Choice(["tool", "session", "project", "host", "connector", "day"]),
    default="tool",
    show_default=True,
    help="What one line stands for.",
)
@since
@options.as_json
def report(by: str, since: str, as_json: bool) -> None:
    """Tokens, calls, errors and time, with what each number rests on."""
    from agent_connector.telemetry import report as reports
    from agent_connector.telemetry import show

    made = reports.make(root(), by, since, os.getcwd())
    emit(show.as_values(made)) if as_json else verbatim(show.as_text(made))


@command.command(
    "export",
    epilog="""Examples:

\b
  agent-connector telemetry export --format csv --since 2026-11-01 > counts.csv
  agent-connector telemetry export --format json --output counts.json""",
)
@click.option("--format", "form", type=click.Choice(["csv", "json"]), default="csv", show_default=True)
@since
@click.option("--output", type=click.Path(dir_okay=False), help="A file instead of the standard output.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def export(form: str, since: str, output: str | None, as_json: bool) -> None:
    """Every counted call as a row."""
    from agent_connector.telemetry.export import export as write

    form = "json" if as_json else form
    if output is None:
        write(root(), form, sys.stdout, since, os.getcwd())
        return
    with open(output, "w", encoding="utf-8", newline="") as file:
        write(root(), form, file, since, os.getcwd())


@command.command(
    "on",
    epilog="""Examples:

\b
  agent-connector telemetry on
  agent-connector telemetry on --layer hook""",
)
@connector
@layer
@options.as_json
def on(connector: str, layer: str, as_json: bool) -> None:
    """Count again."""
    _turn(True, connector, layer, as_json)


@command.command(
    "off",
    epilog="""Examples:

\b
  agent-connector telemetry off
  agent-connector telemetry off --connector acme-db""",
)
@connector
@layer
@options.as_json
def off(connector: str, layer: str, as_json: bool) -> None:
    """Stop counting, at once; what was counted stays."""
    _turn(False, connector, layer, as_json)


@command.command(
    "status",
    epilog="""Examples:

\b
  agent-connector telemetry status --json""",
)
@options.as_json
def status(as_json: bool) -> None:
    """Whether counting is on, and where it is off."""
    _status(as_json)


@command.command(
    "calibrate",
    epilog="""Examples:

\b
  agent-connector telemetry calibrate --family claude --text sample.txt --tokens 1234""",
)
@click.option("--family", required=True, help="The model family: claude, gemini, ...")
@click.option("--text", "path", type=click.Path(exists=True, dir_okay=False), required=True, help="A file of text.")
@click.option("--tokens", type=int, required=True, help="What the model's own counter says for exactly this text.")
@options.as_json
def calibrate(family: str, path: str, tokens: int, as_json: bool) -> None:
    """Bring the counts of a model family nearer to its model's own."""
    from agent_connector.telemetry import calibration, tokenizer

    with open(path, encoding="utf-8", errors="replace") as file:
        counted = tokenizer.load().text(file.read(), "").tokens
    factor = calibration.learn(root(), family, counted, tokens)
    value = {"family": family, "factor": factor}
    emit(value) if as_json else say(f"{family}: {factor} tokens for each of ours, from now on")


def _turn(on: bool, connector: str, layer: str, as_json: bool) -> None:
    from agent_connector.telemetry import switch

    if connector and layer:
        raise click.UsageError("one of --connector and --layer")
    switch.turn(root(), on, connector, layer)
    _status(as_json)


def _status(as_json: bool) -> None:
    from agent_connector.telemetry import switch

    found = switch.status(root(), os.environ)
    value = {
        "on": found.on,
        "variable": found.variable,
        "off_connectors": list(found.off_connectors),
        "off_layers": list(found.off_layers),
    }
    lines = ["counting is " + ("on" if found.on else "off")]
    if not found.on and found.variable is not None:
        lines[0] += f" (AGENT_CONNECTOR_TELEMETRY={found.variable})"
    lines += [f"off for connector {name}" for name in found.off_connectors]
    lines += [f"off for layer {name}" for name in found.off_layers]
    emit(value) if as_json else say("\n".join(lines))
