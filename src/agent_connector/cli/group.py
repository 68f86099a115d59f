"""The verbs, each a module that is imported when it is asked for; the list of them costs nothing."""

import importlib
import importlib.util

import click

from agent_connector.version import __version__

VERBS = {
    "detect": "Which hosts are on this machine, and which one runs this.",
    "explain": "What a connector becomes in each host, before it is installed.",
    "simulate": "What a hook would answer in each host, without running one.",
    "install": "Put a connector into the hosts.",
    "status": "How the hosts' files compare with what belongs there.",
    "doctor": "Look at everything that could be wrong.",
    "upgrade": "Render everything again and heal the launcher.",
    "uninstall": "Take a connector out; every file comes back as it was.",
    "pin": "Use one version of agent-connector in a project folder.",
    "rehearse": "Run a real host program against a stand-in model.",
    "telemetry": "What tools cost: report, export, on, off.",
}
ALIASES = {"update": "upgrade", "sync": "upgrade"}


class Verbs(click.Group):
    """A group that knows its commands by name and imports one when it runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in VERBS if _module(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = ALIASES.get(cmd_name, cmd_name)
        module = _module(name) if name in VERBS else None
        return importlib.import_module(module).command if module else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl([(name, VERBS[name]) for name in self.list_commands(ctx)])
        with formatter.section("What hosts execute"):
            formatter.write_dl([("hook, statusline, action, serve", "Registered by install; not for a person.")])


def _module(name: str) -> str | None:
    module = f"agent_connector.cli.{name}"
    return module if importlib.util.find_spec(module) else None


@click.group(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Every verb takes --json and --help. Exit codes: 0 done, 1 refused, failed or left with a warning, 2 usage.",
)
@click.version_option(__version__, "-V", "--version", message="agent-connector %(version)s")
def verbs() -> None:
    """Declare an MCP server, hooks, commands, skills and memory once; live in every AI-agent host."""
