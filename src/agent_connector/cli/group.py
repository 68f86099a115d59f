"""The verbs, each a module that is imported when it is asked for; the list of them costs nothing."""

import click

from agent_connector.cli.lazy import LazyGroup
from agent_connector.version import __version__

VERBS = {
    "init": "Write a connector for the MCP server in a project.",
    "detect": "Which hosts are on this machine, and which one runs this.",
    "explain": "What a connector becomes in each host, before it is installed.",
    "simulate": "What a hook would answer in each host, without running one.",
    "install": "Put a connector into the hosts.",
    "status": "How the hosts' files compare with what belongs there.",
    "doctor": "Look at everything that could be wrong.",
    "upgrade": "Render everything again and heal the launcher.",
    "uninstall": "Take a connector out; every file comes back as it was.",
    "package": "Write a connector in the hosts' own package formats.",
    "pin": "Use one version of agent-connector in a project folder.",
    "rehearse": "Run a real host program against a stand-in model.",
    "telemetry": "What tools cost: report, export, on, off.",
    "dashboard": "What everything cost, as a page on this machine.",
    "usage": "What every host used, read from the hosts' own logs.",
    "leaderboard": "What servers, logs and turns say, side by side.",
    "board": "Run a task board that workers draw from, and look after it.",
    "worker": "Take tasks from a board, and have a host's agent do them.",
    "byoa": "Bring your own agent: pair web apps with the sessions you have open.",
}
ALIASES = {"update": "upgrade", "sync": "upgrade"}


class Verbs(LazyGroup):
    """All verbs, their aliases, and a word on what hosts execute."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, ALIASES.get(cmd_name, cmd_name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_commands(ctx, formatter)
        with formatter.section("What hosts execute"):
            formatter.write_dl([("hook, statusline, action, serve", "Registered by install; not for a person.")])


@click.group(
    cls=Verbs,
    table=VERBS,
    prefix="agent_connector.cli.",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Every verb has --help, and --json where a program may read. Exit codes: 0 done, 1 refused, failed or left with a "
    "warning, 2 usage.",
)
@click.version_option(__version__, "-V", "--version", message="agent-connector %(version)s")
def verbs() -> None:
    """Declare an MCP server, hooks, commands, skills and memory once; live in every AI-agent host."""
