"""Options that several verbs share, and how they are read."""

import os
import shlex
import shutil
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from agent_connector.errors import HostError
from agent_connector.home.moments import TIMES

if TYPE_CHECKING:
    from agent_connector.deploy.sources import Wanted

F = TypeVar("F", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="One JSON document instead of text.")
show_all = click.option("-a", "--all", "show_all", is_flag=True, help="Every host at length, instead of a page.")
connector = click.option(
    "-c",
    "--connector",
    metavar="FILE",
    help="The declaration: a .py or .toml file, a folder, module:attribute. Default: the one in this folder.",
)
connector_id = click.option("-c", "--connector", metavar="ID", help="Only this connector. Default: every one.")
since = click.option("--since", default="", metavar="TIME", help=f"{TIMES}. Default: all.")


def targets(default: str) -> Callable[[F], F]:
    """`--targets`; `default` says which hosts are meant when it names none."""
    told = f"Hosts, separated by commas, or `all`. Default: {default}."
    return click.option("-t", "--targets", multiple=True, metavar="HOSTS", help=told)


_SCOPES = click.Choice(["user", "project"])
scope = click.option("-s", "--scope", type=_SCOPES, help="Where it counts. Default: user; with --project: project.")
scope_installed = click.option(
    "-s", "--scope", type=_SCOPES, help="Only there. Default: wherever it is; with --project: in that project."
)
project = click.option(
    "-p", "--project", metavar="DIR", help="The project's folder. Default in project scope: this one."
)
force = click.option(
    "--force", is_flag=True, help="Replace also what somebody changed or put in our place; a backup is kept."
)
dry_run = click.option("-n", "--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
diff = click.option("--diff", "show_diff", is_flag=True, help="Show what changes in each file.")


_NAMED = ("connector", "name", "url", "transport", "headers", "bearer", "env", "argv")


def named(function: F) -> F:
    """The options that name a connector, with or without a file; the function gets them as one `wanted`."""

    @wraps(function)
    def collect(**given: Any) -> Any:
        return function(wanted=_wanted(**{name: given.pop(name) for name in _NAMED}), **given)

    for option in reversed(
        (
            connector,
            click.option(
                "--name", "--id", "name", metavar="NAME", help="The id of a connector that has no declaration."
            ),
            click.option("--url", metavar="URL", help="Its remote server."),
            click.option(
                "--transport",
                type=click.Choice(["http", "sse", "ws"]),
                default="http",
                show_default=True,
                help="How to reach --url.",
            ),
            click.option("--header", "headers", multiple=True, metavar="'NAME: VALUE'", help="A header for --url."),
            click.option("--bearer", metavar="VARIABLE", help="The variable that holds the token for --url."),
            click.option(
                "--env",
                "env",
                multiple=True,
                metavar="NAME[=VALUE]",
                help="A variable for the command; without a value, the person's own.",
            ),
            click.argument("argv", nargs=-1, type=click.UNPROCESSED, metavar="[SERVER.PY | DIR | -- COMMAND ARGS]"),
        )
    ):
        collect = option(collect)
    return cast(F, collect)


def hosts(named: Sequence[str]) -> tuple[str, ...] | None:
    """The hosts of `--targets`, None when none was named."""
    words = [word.strip() for part in named for word in part.split(",") if word.strip()]
    if not words:
        return None
    from agent_connector.hosts import query

    if "all" in words:
        return query.hosts()
    return tuple(dict.fromkeys(host(word, "--targets") for word in words))


def host(word: str, option: str) -> str:
    """`word` when it is a host that is described; else a usage error that names the nearest one."""
    from agent_connector.hosts import query

    try:
        return query.known(word)
    except HostError as error:
        raise click.BadParameter(f"{error.what}. {error.remedy}", param_hint=option) from None


def declares(word: str) -> bool:
    """True for what `--connector` could have named: a folder, a .toml file, a .py file with a declaration in it."""
    from agent_connector.connector.needs import literal_id

    if word.endswith(".py"):
        return os.path.isfile(word) and literal_id(word) is not None
    return os.path.isdir(word) or (word.endswith(".toml") and os.path.isfile(word))


def _nameless(argv: Sequence[str], url: str | None) -> str:
    """What a command or an address without a name was meant to be."""
    from agent_connector.deploy import record
    from agent_connector.home import paths

    address = url or (argv[0] if len(argv) == 1 and "://" in argv[0] else None)
    if address:
        return "an address without a name: say --name NAME --url ADDRESS"
    if len(argv) == 1 and argv[0] in record.connectors(paths.data_root(os.environ, os.path.expanduser("~"))):
        return f"{argv[0]} is a connector that is installed: say --connector {argv[0]}"
    told = "a command without a name" if len(argv) > 1 else f"{argv[0]} is neither a server in Python nor a folder here"
    return f"{told}. For a command say: --name {command_name(argv)} -- {shown(argv)}"


def shown(argv: Sequence[str]) -> str:
    """A command line up to the package that it starts: what stands behind may hold a secret."""
    package = next((place for place, word in enumerate(argv[1:], 1) if not word.startswith("-")), 0)
    return shlex.join(argv[: package + 1]) + (" ..." if len(argv) > package + 1 else "")


def command_name(argv: Sequence[str]) -> str:
    """A name for what a command line starts: that of its package, without its owner and version."""
    from agent_connector.deploy.naming import as_id

    words = [word for word in argv[1:] if not word.startswith("-")] or argv[:1]
    return as_id(words[0].removeprefix("@").rpartition("/")[2].partition("@")[0]) or "NAME"


def _wanted(
    connector: str | None,
    name: str | None,
    url: str | None,
    transport: str,
    headers: Sequence[str],
    bearer: str | None,
    env: Sequence[str],
    argv: Sequence[str],
) -> "Wanted":
    from agent_connector.deploy.python_server import find, is_target
    from agent_connector.deploy.sources import Wanted

    if connector is not None and (name or argv or url):
        raise click.UsageError("--connector names a declaration; --name, --url and a command are for having none")
    if connector is None and len(argv) == 1 and not (name or url) and declares(argv[0]):
        connector, argv = argv[0], ()
    if len(argv) == 1 and not url and is_target(argv[0], os.getcwd()):
        server = find(argv[0], os.getcwd(), shutil.which)
        return Wanted(None, name, transport=transport, env=_env(env), python=server)
    if len(argv) == 1 and not url and name is None and argv[0].partition(":")[0].endswith(".py"):
        raise click.UsageError(f"there is no file {argv[0].partition(':')[0]} here")
    if (url or argv) and name is None:
        raise click.UsageError(_nameless(argv, url))
    if url and argv:
        raise click.UsageError("both a command and an address: a connector has one server")
    if name is not None and not (url or argv):
        raise click.UsageError("neither a command nor an address: --name NAME -- COMMAND ARGS, or --url https://...")
    return Wanted(connector, name, tuple(argv), url, transport, _headers(headers), bearer, _env(env))


def _headers(given: Sequence[str]) -> dict[str, str]:
    pairs = [header.partition(":") for header in given]
    if any(not mark for _, mark, _ in pairs):
        raise click.BadParameter("a header is 'NAME: VALUE'", param_hint="--header")
    return {name.strip(): value.strip() for name, _, value in pairs}


def _env(given: Sequence[str]) -> dict[str, str]:
    pairs = [item.partition("=") for item in given]
    return {name: value if mark else "${env:" + name + "}" for name, mark, value in pairs}
