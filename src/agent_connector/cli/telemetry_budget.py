"""`telemetry budget`: what a server's definitions cost a model in every turn, against a limit."""

import os

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, verbatim, width


@click.command(
    "budget",
    context_settings={"ignore_unknown_options": True},
    epilog="""Examples:

\b
  agent-connector telemetry budget -- npx -y @modelcontextprotocol/server-everything
  agent-connector telemetry budget --max-definition-tokens 4000 -- python server.py
  agent-connector telemetry budget --family claude --json -- uvx acme-db-mcp

Exit codes: 0 within the limit (or none given), 1 above it or the server did not answer, 2 wrong usage.""",
)
@click.option(
    "--max-definition-tokens", "limit", type=click.IntRange(min=0), metavar="N", help="End with 1 when all cost more."
)
@click.option(
    "--family", default="gpt", show_default=True, help="The model family to count for: gpt (exact), claude, gemini ..."
)
@click.option("--schemas", is_flag=True, help="Print the shorter schemas too, to copy.")
@options.as_json
@click.argument("argv", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND ARGS...")
def command(limit: int | None, family: str, schemas: bool, as_json: bool, argv: tuple[str, ...]) -> int:
    """Start a server, count its tools' definitions, and say which are dearest and what shorter ones would cost.

    A shorter schema accepts exactly the same values: it leaves out what tells neither a model nor a validator anything.
    """
    from agent_connector.cli.telemetry_options import root
    from agent_connector.telemetry import budget, calibration, listed, show_budget, tokenizer

    told = listed.ask(argv, os.environ)
    made = budget.budget(tokenizer.load(calibration.read(root())), family, told.tools, told.instructions, limit)
    emit(show_budget.as_values(made)) if as_json else verbatim(show_budget.as_text(made, schemas, width=width()))
    return int(made.passed)
