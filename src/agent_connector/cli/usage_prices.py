"""`usage prices`: what a model costs and where that is from; a newer list, only when asked for."""

import time

import click

from agent_connector.cli import options, usage_report
from agent_connector.cli.output import emit, say, short, verbatim, width


@click.group(
    "prices",
    epilog="""Examples:

\b
  agent-connector usage prices show claude-sonnet-4-5
  agent-connector usage prices show gpt-5.5 --tier batch --at 2026-11-01
  agent-connector usage prices update

prices.toml in the data root stands above the list, in USD per million tokens. A class that is left out costs what it
is a part of: reasoning as output, cache writes of one hour as those of five minutes, these and cache reads as input.

\b
  [[price]]
  model = "qwen3-coder-*"     # * stands for anything
  provider = "openrouter"     # optional: only there
  tier = "batch"              # optional: batch, fast, priority or flex
  from = 2026-03-01           # optional: from that day on (UTC)
  input = 1.00
  cache_read = 0.10
  cache_write_5m = 1.25
  cache_write_1h = 2.00
  output = 5.00
  reasoning = 5.00
  request = 0.002             # USD for each request
\b
  [[price.above]]             # requests with more context than this
  context = 200_000
  input = 2.00
  output = 10.00""",
)
def command() -> None:
    """What a model costs, and where that price is from. Nothing here asks the network but `update`."""


@command.command(
    "show",
    epilog="""Examples:

\b
  agent-connector usage prices show claude-opus-4-6 --at 2026-02-01
  agent-connector usage prices show deepseek-chat --provider deepseek --json""",
)
@click.argument("model")
@click.option("--provider", default="", metavar="NAME", help="At this provider. Default: the model's maker.")
@click.option("--tier", type=click.Choice(["batch", "fast", "priority", "flex"]), help="For this tier.")
@click.option("--at", default="", metavar="DATE", help="On this day, such as 2026-11-01. Default: today.")
@options.as_json
def show(model: str, provider: str, tier: str | None, at: str, as_json: bool) -> int:
    """What MODEL costs on a day. Exit code 1 when no price is known."""
    from agent_connector.home import moments, paths
    from agent_connector.usage import prices, prices_show

    now = time.time_ns() // 1_000_000
    moment = moments.since(at, moments.zone("UTC"), now, "--at") if at else now
    root = usage_report.root()
    card = prices.card(provider, model, tier or "", root=root)
    asked = prices_show.Asked(model, provider, tier or "", moment)
    if as_json:
        emit(prices_show.as_values(asked, card))
    else:
        verbatim(prices_show.as_text(asked, card, width(), short(paths.usage_prices(root))))
    return 0 if prices_show.at(card, moment) else 1


@command.command(
    "update",
    epilog="""Examples:

\b
  agent-connector usage prices update
  agent-connector usage prices update --url http://127.0.0.1:8000/prices.json""",
)
@click.option("--url", default="", metavar="URL", help="Another place of the same list. Default: that of genai-prices.")
@options.as_json
def update(url: str, as_json: bool) -> None:
    """Fetch the newest list that genai-prices publishes. Sends nothing of yours, and happens only when you say so.

    All usage is priced anew at the next report. Remove usage/prices.json from the data root to go back to the
    installed list.
    """
    from agent_connector.usage import prices

    version = prices.update(usage_report.root(), url)
    emit({"version": version}) if as_json else say(f"prices: {version}; the next report counts with them")
