"""What is said of an install that is right as it stands."""

import tempfile

import pytest

from agent_connector import stdio
from agent_connector.deploy.advice import advice
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine


def said(model, scope="user", files=()):
    programs = {name: f"/usr/bin/{name}" for name in ("npx", "python3", "acme-mcp")}
    return advice(model, scope, Machine("/home/me", "linux", {}, None, set(files).__contains__, programs.get))


@pytest.mark.parametrize(
    ("server", "part"),
    [
        (stdio("./server.py"), "write it out in full"),
        (stdio("python3", "../acme/server.py"), "write it out in full"),
        (stdio(f"{tempfile.gettempdir()}/x/server"), "temporary folder"),
        (stdio("/home/me/.cache/uv/archive/x/bin/acme"), "tool's cache"),
        (stdio("/code/acme/.venv/bin/python", "-m", "acme"), "in the virtual environment /code/acme/.venv"),
        (stdio("nowhere-mcp"), "nowhere-mcp is not on your PATH"),
    ],
)
def test_a_servers_path_that_may_be_gone_tomorrow(declared, server, part):
    (line,) = said(declared(server=server), files=["/code/acme/.venv/pyvenv.cfg"])
    assert part in line


@pytest.mark.parametrize(
    "server", [stdio("npx", "-y", "@acme/mcp"), stdio("/usr/bin/acme", "--root", "/srv"), stdio("${env:ACME}")]
)
def test_nothing_is_said_of_a_command_that_stays(declared, server):
    assert said(declared(server=server)) == ()


def test_files_of_a_project_name_the_persons_own_launcher(declared):
    assert "keep them out of the repository" in said(declared(), "project")[0]


def test_hosts_that_are_not_described_yet(declared, monkeypatch):
    monkeypatch.setattr(query, "LATER", ("hereafter",))
    assert said(declared(lambda connector: connector.platform("hereafter", hooks=False))) == (
        "hereafter is not described yet: what is declared for it has no effect",
    )
