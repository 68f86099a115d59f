"""`detect`: which hosts are on this machine, and which one runs this process."""

import os

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, say, short, table
from agent_connector.deploy.detect import detect, running_host, this_machine


@click.command(
    "detect",
    epilog="Examples:\n\n\b\n  agent-connector detect\n  agent-connector detect --json",
)
@click.option("--client", metavar="NAME", help="The `clientInfo.name` of an MCP client, to say which host that is.")
@options.as_json
def command(client: str | None, as_json: bool) -> int:
    """Which hosts are on this machine, with the evidence, and which one runs this process."""
    machine = this_machine(os.getcwd())
    found = detect(machine)
    running = running_host(machine.variables, client)
    if as_json:
        rows = [
            {
                "host": each.host,
                "name": each.name,
                "confidence": each.confidence,
                "installed": each.sure,
                "program": each.program,
                "found": list(each.found),
                "replaced_by": each.replaced_by,
                "surfaces": {name: {"support": a, "sure": b} for name, (a, b) in each.surfaces.items()},
            }
            for each in found
        ]
        emit({"hosts": rows, "running": running})
        return 0
    if not found:
        say("no host was found on this machine")
    else:
        table(
            ("host", "confidence", "evidence"),
            [
                (each.host, f"{each.confidence:.2f}" + ("" if each.sure else " (too little)"), _evidence(each.found))
                for each in found
            ],
        )
    for each in found:
        if each.replaced_by:
            say(f"{each.host}: replaced by {each.replaced_by}")
    if running:
        say(f"this process was started by {running}")
    return 0


def _evidence(found: tuple[str, ...]) -> str:
    return ", ".join(short(path) for path in found)
