"""`usage scan`: read what the hosts' logs say since the last time."""

import os
import sys
import time
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, say, short, table
from agent_connector.home import paths

if TYPE_CHECKING:
    from collections.abc import Generator

    from agent_connector.usage.identify import Identify
    from agent_connector.usage.scan import HostResult, Listener, Result

_PAUSE = 0.1  # seconds between two words on how far it is


@click.command(
    "scan",
    epilog="""Examples:

\b
  agent-connector usage scan
  agent-connector usage scan --host claude-code --host codex
  agent-connector usage scan --json""",
)
@click.option("--host", "hosts", multiple=True, metavar="ID", help="Only this host; may be given again.")
@options.as_json
def command(hosts: tuple[str, ...], as_json: bool) -> int:
    """Read what the hosts' logs say since the last time.

    The logs are only read, and only what grew. Exit code 1 when a log could not be read, or has a format that was
    never seen; the others are read all the same.
    """
    from agent_connector.usage import scan

    with progress(as_json) as listener:
        done = scan.scan(root(), machine(), chosen(hosts), identify(), listener)
    return tell(done, as_json, named=bool(hosts))


@contextmanager
def progress(as_json: bool) -> "Generator[Listener | None]":
    """Tell how far it is, on one line of the terminal, when a person looks."""
    if as_json or not sys.stderr.isatty():
        yield None
        return
    last = 0.0

    def told(host: str, done: int, whole: int) -> None:
        nonlocal last
        if time.monotonic() - last > _PAUSE:
            last = time.monotonic()
            sys.stderr.write(f"\r\033[Kreading {host}: {done / max(whole, 1):.0%} of {whole / 1e6:,.0f} MB")
            sys.stderr.flush()

    try:
        yield told
    finally:
        sys.stderr.write("\r\033[K" if last else "")
        sys.stderr.flush()


def root() -> str:
    """The data root."""
    return paths.data_root(os.environ, os.path.expanduser("~"))


def machine() -> Any:
    """This machine."""
    from agent_connector.hosts import machine as machines

    return machines.here()


def identify() -> "Identify":
    """Projects as the other book knows them, so that the two can stand side by side."""
    from agent_connector.telemetry import append

    return append.project


def chosen(hosts: tuple[str, ...]) -> tuple[str, ...]:
    """The hosts that were named; a usage error when one keeps no logs that we read."""
    from agent_connector.usage import facets

    known = facets.names()
    for host in hosts:
        if host not in known:
            close = get_close_matches(host, known, 1)
            hint = f"Did you mean {close[0]}? " if close else ""
            told = f"no logs of {host!r} are read. {hint}One of {', '.join(known)}."
            raise click.BadParameter(told, param_hint="--host")
    return tuple(dict.fromkeys(hosts))


def tell(done: "Result", as_json: bool, named: bool = False) -> int:
    """What a scan found, for a person or a program, and its exit code; what it brings along is written on the way."""
    if done.latest:
        from agent_connector.usage import index

        if done.latest > time.time() * 1000 - index.RECENT:
            from agent_connector.usage import summary

            summary.write(root())
    if as_json:
        emit({"version": 1, "bytes": done.read, "hosts": [_values(each) for each in done.hosts]})
    else:
        _show(done, named)
    return 1 if done.problems else 0


def _values(each: "HostResult") -> dict[str, Any]:
    return {
        "host": each.host,
        "logs": each.files,
        "read": each.read,
        "units": each.units,
        "tokens": each.tokens,
        "counts": each.counts,
        "note": each.note,
        "problems": [
            {"file": problem.path, "what": problem.what, "version": problem.version or None}
            for problem in each.problems
        ],
    }


def _show(done: "Result", named: bool) -> None:
    """`named`: these hosts were asked for, so that each says what there is to say."""
    seen = [each for each in done.hosts if each.files or each.units]
    rows = [(each.host, f"{each.files:,}", f"{each.read:,}", f"{each.units:,}", f"{each.tokens:,}") for each in seen]
    if rows:
        table(("host", "logs", "read now", "units", "tokens"), rows)
    for each in done.hosts:
        if each.note and (named or each in seen):
            say(f"{each.host}: {each.note}")
        for problem in each.problems:
            version = f" (version {problem.version})" if problem.version else ""
            say(f"{each.host}: {short(problem.path)}: {problem.what}{version}")
    _list("no logs here of", [each.host for each in done.hosts if each.counts and each not in seen])
    _list(
        "keep no counts that could be read", [each.host for each in done.hosts if not each.counts and each not in seen]
    )


def _list(what: str, hosts: list[str]) -> None:
    if hosts:
        say(f"{what}: {', '.join(hosts)}")
