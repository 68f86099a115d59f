"""A package's own command: `acme-db install` in the place of `agent-connector install -c acme_db...`.

    from agent_connector import create_cli
    from acme_db.connector import connector

    main = create_cli(connector, name="acme-db")          # [project.scripts] acme-db = "acme_db.cli:main"

Each verb is agent-connector's own, for this connector alone: the options that would name another are gone.
"""

import ast
import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from agent_connector.errors import ConnectorError

if TYPE_CHECKING:
    from agent_connector.connector.declare import Connector

VERBS = {
    "install": "Put it into the hosts.",
    "status": "How the hosts' files compare with what belongs there.",
    "doctor": "Look at everything that could be wrong with it.",
    "upgrade": "Render it again, after a newer version was installed.",
    "uninstall": "Take it out; every file comes back as it was.",
    "explain": "What it becomes in each host.",
    "simulate": "What one of its hooks would answer in each host.",
    "detect": "Which hosts are on this machine.",
}
_WITHOUT = {"uninstall": ("purge", "scan")}  # what would reach further than this connector
_NAMED: Mapping[str, Any] = {
    "name": None, "url": None, "transport": "http", "headers": (), "bearer": None, "env": (), "argv": (),
}  # fmt: skip


def create_cli(connector: "Connector", name: str | None = None) -> Callable[[], int]:
    """The main function of a command called `name`. It gives the exit code: 0 done, 1 refused or failed, 2 usage.

    `connector` has to stand in a module that can be imported, under a name of its own; ConnectorError else.
    """
    target = place(connector)
    given = connector.fields.get("id") or name
    if not given:
        raise ConnectorError("a command without a name", where=target, remedy='create_cli(connector, name="acme-db")')
    called = name or str(given)
    group = Branded(called, target, str(given), str(connector.fields.get("version") or ""))

    def main(arguments: Sequence[str] | None = None) -> int:
        from agent_connector.cli.main import run

        return run(list(sys.argv[1:] if arguments is None else arguments), group, called)

    return main


def place(connector: "Connector") -> str:
    """Where this connector stands, as `module:attribute`: where a module's own text declares it, else where it is."""
    found = [
        (name, attribute)
        for name, module in list(sys.modules.items())
        if name != "__main__"
        for attribute, value in list(getattr(module, "__dict__", {}).items())
        if value is connector
    ]
    if not found:
        raise ConnectorError(
            "the connector stands in no module that can be imported",
            remedy="Give it a module of its own (acme_db/connector.py) and import it from there.",
        )
    return ":".join(next((one for one in found if _declares(*one)), found[0]))


def _declares(module: str, attribute: str) -> bool:
    """True when the module's own text binds the attribute."""
    file = getattr(sys.modules[module], "__file__", None)
    if not file or not file.endswith(".py"):
        return False
    with open(file, encoding="utf-8") as stream:
        tree = ast.parse(stream.read())
    targets = (node for one in tree.body if isinstance(one, ast.Assign) for node in one.targets)
    return any(isinstance(node, ast.Name) and node.id == attribute for node in targets)


class Branded(click.Group):
    """The verbs of VERBS for one connector."""

    def __init__(self, name: str, target: str, connector: str, version: str) -> None:
        super().__init__(
            name,
            context_settings={"help_option_names": ["-h", "--help"]},
            help=f"Put {connector} into the AI-agent hosts of this machine, look after it, and take it out again.",
            epilog="Every verb takes --json and --help. Exit codes: 0 done, 1 refused or failed, 2 usage.",
        )
        self.target = target
        self.connector = connector
        if version:
            click.version_option(version, "-V", "--version", message=f"{name} %(version)s")(self)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        verb = importlib.import_module(f"agent_connector.cli.{cmd_name}").command
        return self._scoped(cmd_name, verb)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))

    def _scoped(self, name: str, verb: click.Command) -> click.Command:
        """The verb without the options that name a connector, which are given."""
        known = {parameter.name for parameter in verb.params}
        fixed = {key: value for key, value in _NAMED.items() if {"connector", "argv"} <= known and key in known}
        if "connector" in known:
            fixed["connector"] = self.target if name in ("install", "explain", "simulate") else self.connector
        gone = {*fixed, *_WITHOUT.get(name, ())}
        fixed |= dict.fromkeys(_WITHOUT.get(name, ()), False)
        call: Any = verb.callback

        def callback(**given: Any) -> Any:
            return call(**given, **fixed)

        return click.Command(
            name,
            params=[parameter for parameter in verb.params if parameter.name not in gone],
            callback=callback,
            help=verb.help,
            epilog=f"Example:\n\n\b\n  {self.name} {name}{' PreToolUse' if name == 'simulate' else ''}",
        )
