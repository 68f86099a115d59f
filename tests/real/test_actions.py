"""What a person presses runs the author's function: typed as a command into the real program.

OpenClaw takes commands in a chat of its Gateway: see `openclaw/test_gateway.py`.
"""

import os
import sys
from pathlib import Path

import pytest
from tests.real.conftest import DRIVEN, LIMIT
from tests.real.runs import PROGRAMS, SECRETS
from tests.real.test_decisions import report

from agent_connector.deploy.sources import Wanted, obtain
from agent_connector.rehearse.run import Request, rehearse
from agent_connector.rehearse.script import parse

pytestmark = pytest.mark.real

DECLARED = """
from agent_connector import Connector, stdio

connector = Connector(id="acme", server=stdio({python!r}, {server!r}))

@connector.action("reindex", label="Rebuild the index")
def reindex(ctx):
    with open({told!r}, "a") as file:
        file.write(f"{{ctx.host}} {{ctx.arguments}}\\n")
    return "MARK the index is rebuilt"
"""
HOSTS = ("droid", "pi", "omp")


def declared(folder: Path) -> tuple[Path, Path]:
    """The connector, and the file that its action writes."""
    told, source = folder / "told.txt", folder / "acme.py"
    server = str(Path(__file__).parent / "server.py")
    source.write_text(DECLARED.format(python=sys.executable, server=server, told=str(told)), "utf-8")
    return source, told


@pytest.mark.parametrize("host", HOSTS)
def test_a_command_of_the_person_runs_the_function(host: str, tmp_path: Path) -> None:
    source, told = declared(tmp_path)
    script = parse({"prompt": "/acme-reindex all --now", "steps": [{"say": "Seen."}]})
    variables = {**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}", **SECRETS}
    loaded = obtain(Wanted(str(source)), root="", dry=True)
    rehearsal = rehearse(Request(loaded, host, script, variables, seconds=LIMIT))
    assert told.exists(), report(rehearsal.findings)
    assert told.read_text("utf-8") == f"{host} ('all', '--now')\n"
    DRIVEN[host]["action"] = "typed as a command, it runs the author's function"
