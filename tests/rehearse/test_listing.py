"""A server is asked for its tools before a script can be written for them."""

import sys
from pathlib import Path

import pytest

from agent_connector.connector.model import Server
from agent_connector.rehearse.listing import tools

SERVER = Path(__file__).resolve().parent.parent / "real" / "server.py"


def python(code: str) -> Server:
    return Server("stdio", sys.executable, ("-c", code))


def test_the_tools_of_a_server_are_told() -> None:
    found = tools(Server("stdio", "${env:PYTHON}", (str(SERVER),)), {"PYTHON": sys.executable})
    assert [tool["name"] for tool in found] == ["probe", "guarded", "broken"]


@pytest.mark.parametrize(
    "server",
    [
        None,
        Server("http", url="http://127.0.0.1:9"),
        Server("stdio", "/no/such/program"),
        python("import sys; sys.exit(3)"),
        python("print('no json', flush=True); input(); print('[]', flush=True)"),
        python("import time; time.sleep(600)"),
    ],
    ids=["none", "remote", "missing", "dies", "noise", "silent"],
)
def test_a_server_that_does_not_answer_has_none(server: Server | None) -> None:
    assert tools(server, {}, seconds=1) == ()
