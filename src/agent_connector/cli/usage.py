"""`usage`: what every host used, from the logs that the hosts keep; each verb is a module of its own."""

import click

from agent_connector.cli.lazy import LazyGroup

VERBS = {
    "scan": "Read what the hosts' logs say since the last time.",
    "report": "Tokens and what they cost, by host, model, project, day ...",
    "sessions": "The sessions, and what each cost.",
    "live": "What is being used now.",
    "leaderboard": "Who used most.",
    "export": "Every unit of usage as a row.",
    "prices": "What a model costs, and where that price is from.",
    "rebuild": "Forget what was read and read all logs again.",
}


@click.group(
    "usage",
    cls=LazyGroup,
    table=VERBS,
    prefix="agent_connector.cli.usage_",
    epilog="""Examples:

\b
  agent-connector usage scan
  agent-connector usage scan --host claude-code --host codex --json""",
)
def command() -> None:
    """What every host used: tokens, models, projects, from the logs that the hosts keep themselves.

    Nothing has to be installed into a host for this, and nothing is written into one. Counts only: no prompt, no answer
    and no tool's result is kept.
    """
