"""Server entries of Qwen Code. The stdio form was seen on the real program; the remote ones are documented."""

import pytest

from agent_connector.hosts.nodes import Refusal
from agent_connector.hosts.qwen_code import register
from agent_connector.testing.hosts import LAUNCHER, server_use


def test_a_program():
    use = server_use(
        args=("serve", "--", "npx", "${env:ACME_URL}"),
        env={"ACME_DSN": "postgres://${env:ACME_USER}@db", "MODE": "prod"},
        cwd="/srv",
        timeout=30,
        startup_timeout=5,
        include_tools=("acme_query",),
        exclude_tools=("acme_write",),
        extra={"description": "the database"},
    )
    assert register.entry(use) == {
        "command": LAUNCHER,
        "args": ["serve", "--", "npx", "${ACME_URL}"],
        "env": {"ACME_DSN": "postgres://${ACME_USER}@db", "MODE": "prod"},
        "cwd": "/srv",
        "timeout": 30000,
        "discoveryTimeoutMs": 5000,
        "includeTools": ["acme_query"],
        "excludeTools": ["acme_write"],
        "description": "the database",
    }


def test_what_qwen_cannot_say_is_left_to_the_launcher():
    """It knows no defaults, and would hand on a reference to nothing as a value: servers inherit the variable anyway."""
    use = server_use(args=("--url", "${env:ACME_URL:-http://x}"), env={"TOKEN": "${env:TOKEN}", "A": "${env:B:-c}"})
    entry = register.entry(use)
    assert entry["args"] == ["--url", "${env:ACME_URL:-http://x}"]
    assert entry["env"] == {"A": "${env:B:-c}"}
    assert "env" not in register.entry(server_use(env={"TOKEN": "${env:TOKEN:-none}"}))


@pytest.mark.parametrize(("transport", "key"), [("http", "httpUrl"), ("sse", "url")])
def test_the_key_of_the_address_tells_the_transport(transport, key):
    use = server_use(transport=transport, url="https://x/${env:TENANT}", headers={"X-A": "b"}, bearer="TOKEN")
    assert register.entry(use) == {
        key: "https://x/${TENANT}",
        "headers": {"X-A": "b", "Authorization": "Bearer ${TOKEN}"},
    }


def test_trust_is_the_persons_and_never_written():
    assert "trust" not in register.entry(server_use())
    assert register.TRUSTED == {"trust": True}


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"transport": "ws"}, "WebSocket"),
        ({"enabled": False}, "no switch"),
        ({"name": "a.b"}, "server's name"),
        ({"args": ("--home", "$HOME/x")}, "`$HOME`"),
        ({"transport": "http", "url": "https://x/${env:A:-b}"}, "no default"),
    ],
)
def test_what_cannot_be_said_is_refused(fields, why):
    refused = register.entry(server_use(**fields))
    assert isinstance(refused, Refusal)
    assert why in refused.reason
    assert refused.remedy
