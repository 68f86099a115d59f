"""`telemetry sampling`: calibrate by asking the vendor's own counter now and then."""

import os

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, say
from agent_connector.cli.telemetry_options import root


@click.command(
    "sampling",
    epilog="""Examples:

\b
  agent-connector telemetry sampling on --i-know-it-sends-content
  agent-connector telemetry sampling on --i-know-it-sends-content --per-hour 2
  agent-connector telemetry sampling status --json
  agent-connector telemetry sampling off""",
)
@click.argument("switch", type=click.Choice(["on", "off", "status"]))
@click.option("--i-know-it-sends-content", "agreed", is_flag=True, help="Needed for `on`: texts leave this machine.")
@click.option("--per-hour", type=click.IntRange(1, 60), default=6, show_default=True, help="Texts sent at the most.")
@click.option("--model", help="The model whose counter is asked; a current one when left out.")
@options.as_json
def command(switch: str, agreed: bool, per_hour: int, model: str | None, as_json: bool) -> None:
    """Now and then send a text that a Claude host's tool got or gave to Anthropic's count_tokens, and learn from the answer.

    This sends content, so it is off until you say otherwise, and does nothing where ANTHROPIC_API_KEY is not set for
    the server's process. Counts of the claude family then are `tokenizer-calibrated`.
    """
    from agent_connector.telemetry import calibration, sampling

    if switch == "on" and not agreed:
        raise click.UsageError(
            "sampling sends arguments and results of tools, as they are, to Anthropic: if that is what you want, say so "
            "with --i-know-it-sends-content"
        )
    if switch != "status":
        chosen = sampling.Setting(per_hour, model or sampling.MODEL) if switch == "on" else None
        sampling.turn(root(), chosen)
    on, learned = sampling.setting(root()), sampling.learned(root())
    factor = calibration.read(root()).get(sampling.FAMILY)
    if as_json:
        emit(
            {
                "on": on is not None,
                "per_hour": on.per_hour if on else None,
                "model": on.model if on else None,
                "key": sampling.KEY in os.environ,
                "samples": learned.samples,
                "factor": factor,
            }
        )
        return
    say(f"sampling is on: at most {on.per_hour} texts an hour go to {sampling.VENDOR}" if on else "sampling is off")
    if on and sampling.KEY not in os.environ:
        say(f"{sampling.KEY} is not set here; where a server's process has none either, nothing is sent")
    if learned.samples:
        say(f"{learned.samples} samples: {factor} tokens for each of ours")
