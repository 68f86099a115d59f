"""`telemetry calibrate`: bring the counts of a model family nearer to its model's own."""

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, say
from agent_connector.cli.telemetry_options import root


@click.command(
    "calibrate",
    epilog="""Examples:

\b
  agent-connector telemetry calibrate --family claude --text sample.txt --tokens 1234""",
)
@click.option("--family", required=True, help="The model family: claude, gemini, ...")
@click.option("--text", "path", type=click.Path(exists=True, dir_okay=False), required=True, help="A file of text.")
@click.option("--tokens", type=int, required=True, help="What the model's own counter says for exactly this text.")
@options.as_json
def command(family: str, path: str, tokens: int, as_json: bool) -> None:
    """Bring the counts of a model family nearer to its model's own."""
    from agent_connector.telemetry import calibration, tokenizer

    with open(path, encoding="utf-8", errors="replace") as file:
        counted = tokenizer.load().text(file.read(), "").tokens
    factor = calibration.learn(root(), family, counted, tokens)
    value = {"family": family, "factor": factor}
    emit(value) if as_json else say(f"{family}: {factor} tokens for each of ours, from now on")
