"""`rehearse`: run a real host program, with the connector in it, against a stand-in model."""

import os
import shutil
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, paint, say
from agent_connector.deploy.sources import Wanted, obtain_any
from agent_connector.errors import RehearseError
from agent_connector.home import paths, progress
from agent_connector.hosts import query

if TYPE_CHECKING:
    from agent_connector.rehearse.findings import Rehearsal


@click.command(
    "rehearse",
    epilog="""Examples:

\b
  agent-connector rehearse                              every host whose program is here
  agent-connector rehearse --host claude-code --script s.yml
  agent-connector rehearse --host codex --give ACME_DSN --approve nothing --json

A script says what the model does. Without --script it is rehearsal.yml beside the declaration, else one is made up
that calls a tool that only reads.

\b
  prompt: How many customers are there?
  steps:
    - call: {tool: acme_query, arguments: {sql: "select count(*) from customers"}}
    - say: Three.""",
)
@options.connector
@click.option("--host", "hosts", multiple=True, metavar="HOST", help="This host. Default: every one that is here.")
@click.option("--script", metavar="FILE", help="What the model does (YAML). Default: see below.")
@click.option("--scope", type=click.Choice(["user", "project"]), default="user", show_default=True)
@click.option(
    "--approve",
    type=click.Choice(["server", "all", "nothing"]),
    default="server",
    show_default=True,
    help="What runs unasked: this server's tools, all, or nothing (then the host asks, and hooks may answer).",
)
@click.option("--trust", is_flag=True, help="Install with --trust and give no other trust to the run.")
@click.option("--model", metavar="NAME", help="The model that the host is to ask for.")
@click.option("--give", multiple=True, metavar="NAME[=VALUE]", help="Hand over a variable; all others stay out.")
@click.option("--timeout", type=click.FloatRange(1), default=120.0, show_default=True, help="Seconds for the host.")
@click.option("--keep", is_flag=True, help="Leave the scratch home, to look at it.")
@options.as_json
def command(
    connector: str | None,
    hosts: tuple[str, ...],
    script: str | None,
    scope: str,
    approve: Any,
    trust: bool,
    model: str | None,
    give: tuple[str, ...],
    timeout: float,
    keep: bool,
    as_json: bool,
) -> int:
    """Run a host's own program in a scratch home, with the connector installed and a stand-in for the model.

    Says what was seen: server, tools, hooks, what the host did with each decision, memory, tokens. Nothing of yours is
    read or written, no key is needed, and nothing but the loopback interface is used by us.
    """
    from agent_connector.rehearse import script as scripts
    from agent_connector.rehearse.run import Request, rehearse
    from agent_connector.rehearse.show import plain

    loaded = obtain_any(Wanted(connector), paths.data_root(os.environ, os.path.expanduser("~")))
    beside = script or scripts.beside(loaded.found.source.path)
    steps = scripts.read(beside) if beside else None
    chosen = tuple(options.host(host, "--host") for host in hosts) or _here()
    if not chosen:
        programs = ", ".join(facet.PROGRAM for host in query.hosts() if (facet := query.headless(host)))
        raise RehearseError(
            "no host that runs without a person is on this machine",
            remedy=f"None of these programs is on the PATH: {programs}.",
        )
    found: list[Rehearsal] = []
    for host in chosen:
        request = Request(
            loaded, host, steps, os.environ, _given(give), scope, approve, model, trust, timeout, keep=keep
        )
        with _cleaning_up(), progress.during(f"running {host} against a stand-in model"):
            found.append(rehearse(request))
        if not as_json:
            _show(found[-1])
    if as_json:
        emit({"rehearsals": [plain(rehearsal) for rehearsal in found]})
    return 0 if all(rehearsal.ok for rehearsal in found) else 1


@contextmanager
def _cleaning_up() -> Generator[None]:
    """Being asked to end is an exit like any other: the host is ended and its home removed first."""
    before = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _here() -> tuple[str, ...]:
    """The hosts that can be run without a person and whose program is on the PATH."""
    facets = {host: query.headless(host) for host in query.hosts()}
    return tuple(host for host, facet in facets.items() if facet and shutil.which(facet.PROGRAM))


def _given(give: tuple[str, ...]) -> dict[str, str]:
    pairs = [item.partition("=") for item in give]
    if missing := [name for name, mark, _ in pairs if not mark and name not in os.environ]:
        raise click.BadParameter(f"{missing[0]} is not set here: write {missing[0]}=VALUE", param_hint="--give")
    return {name: value if mark else os.environ[name] for name, mark, value in pairs}


def _show(rehearsal: "Rehearsal") -> None:
    from agent_connector.rehearse import show

    say(paint(rehearsal.host, "bold") + f"  {show.head(rehearsal)}")
    styles = {"ok": "ok", "FAILED": "bad"}
    for sign, what, detail in (found := list(show.rows(rehearsal))):
        width = max(len(name) for _, name, _ in found)
        mark = paint(sign.ljust(6), styles.get(sign, "dim"))
        say(f"  {mark}  {what.ljust(width)}  {detail}".rstrip(), hang=width + 12)
    say(show.summary(rehearsal))
