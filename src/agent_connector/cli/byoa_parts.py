"""What the subverbs of `byoa` share: the files of this machine, the hosts that are meant, words as they come."""

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

import click

from agent_connector.cli.options import host as known
from agent_connector.cli.output import complain, emit, mention, verbatim

if TYPE_CHECKING:
    from agent_connector.byoa.core.effects import Say
    from agent_connector.byoa.core.ports import FilePort, HttpPort

host_option = click.option("--host", metavar="ID", help="The host whose sessions are meant.")


def files() -> "FilePort":
    from agent_connector.byoa.driver.files import RealFiles
    from agent_connector.byoa.sessions import pairings

    return RealFiles(pairings.root(os.path.expanduser("~")))


def chosen(host: str | None, candidates: Callable[[], tuple[str, ...]], what: str) -> str:
    """The host that was named, else the only candidate."""
    if host is not None:
        return known(host, "--host")
    found = candidates()
    if len(found) == 1:
        return found[0]
    told = f": {what} {', '.join(found)}" if found else " (no app is paired yet)"
    raise click.UsageError(f"say which host is meant with --host ID{told}")


def follow(
    act: "Callable[[HttpPort, Callable[[Say], None]], Coroutine[Any, Any, bool]]", as_json: bool, facts: dict[str, str]
) -> int:
    """Run a command that says things while it lasts; for a program they come at the end, but for what a person must do."""
    from agent_connector.byoa.driver.http import HttpxPort

    said: list[str] = []

    def heard(say: "Say") -> None:
        said.append(say.text)
        if not say.ok and not as_json:
            complain(say.text)
        elif not as_json:
            verbatim(say.text)
            sys.stdout.flush()  # through a pipe too: somebody waits for the code
        elif not say.done:
            mention(say.text)

    async def run() -> bool:
        http = HttpxPort()
        try:
            return await act(http, heard)
        finally:
            await http.close()

    ok = asyncio.run(run())
    if as_json:
        emit({**facts, "ok": ok, "said": said})
    return 0 if ok else 1
