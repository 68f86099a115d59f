"""Server entries of Droid. The stdio form was seen on the real program; the remote ones are documented."""

import pytest

from agent_connector.hosts.droid import register
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.hosts import LAUNCHER, server_use


def test_a_program():
    use = server_use(
        args=("serve", "--", "npx", "${env:ACME_URL:-http://x}"),
        env={"ACME_DSN": "postgres://${env:ACME_USER}@db", "TOKEN": "${env:TOKEN}"},
        timeout=30,
        include_tools=("acme_query",),
        exclude_tools=("acme_write",),
        enabled=False,
        extra={"oauth": False},
    )
    assert register.entry(use) == {
        "type": "stdio",
        "command": LAUNCHER,
        "args": ["serve", "--", "npx", "${ACME_URL:-http://x}"],
        "env": {"ACME_DSN": "postgres://${ACME_USER}@db"},  # TOKEN is inherited; unset, it would be its own name
        "timeoutMs": 30000,
        "enabledTools": ["acme_query"],
        "disabledTools": ["acme_write"],
        "disabled": True,
        "oauth": False,
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
    ("fields", "why"),
    [
        ({"transport": "ws"}, "WebSocket"),
        ({"cwd": "/x"}, "working folder"),
        ({"name": "a.b"}, "server's name"),
        ({"args": ("echo ${HOME}",)}, "`${HOME}`"),
    ],
)
def test_what_it_cannot_take_is_refused(fields, why):
    refused = register.entry(server_use(**fields))
    assert isinstance(refused, Refusal)
    assert why in refused.reason
    assert refused.remedy


def test_what_has_no_place_is_said():
    assert register.lost(server_use()) == ()
    assert "server's start" in register.lost(server_use(startup_timeout=5))[0]
