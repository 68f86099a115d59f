"""Server entries of Cursor, by the schema that its runtime ships (documented)."""

import pytest

from agent_connector.hosts.cursor import register
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.host_samples import server_use


def test_a_program():
    use = server_use(
        command="/l",
        args=("serve", "${env:A:-x}"),
        env={"DSN": "${env:DSN}"},
        cwd="${env:ROOT}/x",
        include_tools=("q",),
    )
    assert register.entry(use) == {
        "command": "/l",
        "args": ["serve", "${A:-x}"],
        "env": {"DSN": "${env:DSN}"},
        "cwd": "${env:ROOT}/x",
        "enabledTools": ["q"],
    }


@pytest.mark.parametrize("transport", ["http", "sse"])
def test_a_remote_server_has_no_type(transport):
    assert register.entry(server_use(transport=transport, bearer="TOKEN")) == {
        "url": "https://mcp.acme.example/mcp",
        "headers": {"Authorization": "Bearer ${env:TOKEN}"},
    }


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"transport": "ws"}, "WebSocket"),
        ({"enabled": False}, "no switch"),
        ({"env": {"A": "${workspaceFolder}"}}, "`${workspaceFolder}`"),
    ],
)
def test_what_it_cannot_take_is_refused(fields, words):
    refused = register.entry(server_use(**fields))
    assert isinstance(refused, Refusal)
    assert words in refused.reason


def test_what_has_no_place_is_said():
    assert register.lost(server_use()) == ()
    assert len(register.lost(server_use(timeout=1, exclude_tools=("a",)))) == 2
