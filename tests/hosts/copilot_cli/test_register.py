"""Server entries of Copilot CLI. The stdio form was seen on the real program; the remote ones are documented."""

import pytest

from agent_connector.hosts.claude_code import register as claude_code
from agent_connector.hosts.copilot_cli import register
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.hosts import LAUNCHER, server_use


def test_a_program():
    use = server_use(
        args=("serve", "--", "npx", "${env:ACME_URL:-http://x}"),
        env={"ACME_DSN": "${env:ACME_DSN}"},
        cwd="/srv",
        timeout=30,
        include_tools=("acme_query",),
        extra={"deferTools": "never"},
    )
    assert register.entry(use) == {
        "type": "stdio",
        "command": LAUNCHER,
        "args": ["serve", "--", "npx", "${ACME_URL:-http://x}"],
        "env": {"ACME_DSN": "${ACME_DSN}"},
        "cwd": "/srv",
        "timeout": 30000,
        "tools": ["acme_query"],
        "deferTools": "never",
    }


@pytest.mark.parametrize("transport", ["http", "sse"])
def test_a_remote_server(transport):
    use = server_use(transport=transport, url="https://x", headers={"X-A": "b"}, bearer="TOKEN")
    assert register.entry(use) == {
        "type": transport,
        "url": "https://x",
        "headers": {"X-A": "b", "Authorization": "Bearer ${TOKEN}"},
    }


@pytest.mark.parametrize(
    "fields",
    [
        {"env": {"A": "${env:A:-b}"}, "timeout": 0.2},
        {"transport": "http", "bearer": "TOKEN", "timeout": 30},
        {"transport": "sse", "headers": {"X": "${env:X}"}},
    ],
)
def test_what_both_readers_of_a_projects_file_can_say_is_said_alike(fields):
    assert register.entry(server_use(**fields)) == claude_code.entry(server_use(**fields))


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"transport": "ws"}, "WebSocket"),
        ({"enabled": False}, "no switch"),
        ({"name": "a.b"}, "server's name"),
        ({"args": ("echo ${HOME}",)}, "`${HOME}`"),
    ],
)
def test_what_it_cannot_take_is_refused(fields, why):
    refused = register.entry(server_use(**fields))
    assert isinstance(refused, Refusal)
    assert why in refused.reason


def test_what_has_no_place_is_said():
    assert register.lost(server_use()) == ()
    start, tools = register.lost(server_use(startup_timeout=5, exclude_tools=("a",)))
    assert "`timeout`" in start
    assert "`include_tools`" in tools
