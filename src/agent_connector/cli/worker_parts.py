"""What the verbs of `worker` share: where its files are, what it needs installed, and how a missing one is made good."""

import contextlib
import importlib.util
import os
import sys
from typing import TYPE_CHECKING

import click

from agent_connector.cli.output import mention, say, short
from agent_connector.errors import WorkerError
from agent_connector.home.system import person_home

if TYPE_CHECKING:
    from collections.abc import Generator

    from agent_connector.worker.config import Config
    from agent_connector.worker.credentials import Credentials

NEEDS = {"re2": "google-re2", "tree_sitter": "tree-sitter", "tree_sitter_bash": "tree-sitter-bash"}

config_file = click.option(
    "--config",
    "config",
    metavar="FILE",
    help="The connector.yml. Default: $APPSUITE_CONNECTOR_CONFIG, else the one in ~/.agent-connector/worker.",
)


def needed(*of_board: str) -> None:
    """The packages of the extra `worker` are there, and none is missing of a board that shall run beside it."""
    missing = [package for module, package in NEEDS.items() if importlib.util.find_spec(module) is None]
    if missing or of_board:
        extras = ",".join(extra for extra, lacks in (("worker", missing), ("board", of_board)) if lacks)
        raise WorkerError(
            f"it needs packages that are not installed: {', '.join((*missing, *of_board))}",
            remedy=f"Run, in the checkout: pip install '.[{extras}]'",
        )


def asks() -> bool:
    """True when there is somebody to ask."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def config_path(given: str | None) -> str:
    from agent_connector.worker import places

    return os.path.abspath(given) if given else places.config_file(os.environ, person_home())


def credentials_path() -> str:
    from agent_connector.worker import places

    return places.credentials_file(os.environ, person_home())


def configured(given: str | None) -> "Config":
    """The configuration; a missing one is set up where somebody can be asked."""
    from agent_connector.worker import config

    path = config_path(given)
    if not os.path.lexists(path) and asks():
        from agent_connector.cli import worker_setup

        say(f"There is no {os.path.basename(path)} yet. A few answers make one.")
        worker_setup.interactive(path)
    return config.load(path)


def disagrees(made: "Config", folder: str | None, adapter: str | None) -> tuple[str, str] | None:
    """What a configuration that is there says other than what was asked for, and what to do then. None where it agrees."""
    from agent_connector.worker import places, providers

    wanted = None if folder is None else places.absolute(folder, person_home(), os.getcwd())
    if wanted and not (places.within(wanted, made.sandbox_dir) and places.within(made.sandbox_dir, wanted)):
        return (
            f"{short(made.path)} is for {short(made.sandbox_dir)}, not for {short(wanted)}",
            "change its sandboxDir, or move it away and a new one is made",
        )
    if adapter is not None and providers.host_of(adapter) != made.adapter:
        return (
            f"{short(made.path)} says adapter: {made.adapter}, not {adapter}",
            "change it there, or leave --adapter away",
        )
    return None


def opened(allow_insecure: bool) -> "Credentials":
    """The credentials; missing ones are got where somebody can be asked."""
    from agent_connector.worker import credentials

    path = credentials_path()
    if not os.path.lexists(path) and asks():
        from agent_connector.cli import worker_login

        say("There are no credentials for a board yet.")
        worker_login.interactive(path, None, allow_insecure)
    return credentials.load(path, allow_insecure=allow_insecure)


@contextlib.contextmanager
def asking(key: "Credentials") -> "Generator[None]":
    """A board that cannot be reached is named by its address."""
    from agent_connector.errors import BoardUnreachable

    try:
        yield
    except BoardUnreachable as error:
        raise BoardUnreachable(
            error.what, where=key.base_url, remedy="Is the address right, and the board up?"
        ) from None


def doing(what: str, as_json: bool) -> None:
    if not as_json:
        mention(what)
