"""How a server is told to OpenCode."""

import pytest

from agent_connector.hosts.nodes import Refusal
from agent_connector.hosts.opencode import register
from agent_connector.testing.hosts import LAUNCHER, server_use


def test_a_stdio_server_is_one_command_list():
    use = server_use(
        args=("serve", "--", "npx", "${env:ACME_URL}"),
        env={"TOKEN": "Bearer ${env:ACME_TOKEN}", "PORT": "${env:ACME_PORT:-5432}"},
        cwd="/srv",
        timeout=30,
    )
    assert register.entry(use) == {
        "type": "local",
        "command": [LAUNCHER, "serve", "--", "npx", "{env:ACME_URL}"],
        "cwd": "/srv",
        "environment": {"TOKEN": "Bearer {env:ACME_TOKEN}", "PORT": "${env:ACME_PORT:-5432}"},  # the launcher resolves
        "timeout": 30000,
    }


def test_a_variable_with_a_default_is_inherited_since_opencode_has_no_word_for_it():
    """As a value of the entry it would come to our launcher in the place of the person's own."""
    entry = register.entry(server_use(env={"DSN": "${env:DSN:-none}", "URL": "${env:URL}", "A": "${env:B:-c}"}))
    assert entry["environment"] == {"URL": "{env:URL}", "A": "${env:B:-c}"}
    assert "environment" not in register.entry(server_use(env={"DSN": "${env:DSN:-none}"}))


def test_a_remote_server():
    use = server_use(transport="http", url="https://acme.example/mcp", bearer="ACME_TOKEN")
    assert register.entry(use) == {
        "type": "remote",
        "url": "https://acme.example/mcp",
        "headers": {"Authorization": "Bearer {env:ACME_TOKEN}"},
        "oauth": False,
    }
    assert register.entry(server_use(transport="sse")) == {"type": "remote", "url": "https://mcp.acme.example/mcp"}


def test_a_server_that_is_off_is_written_as_off():
    assert register.entry(server_use(enabled=False))["enabled"] is False
    assert "enabled" not in register.entry(server_use())


@pytest.mark.parametrize(
    ("timeout", "startup", "written"),
    [(None, None, None), (5, None, 5000), (5, 20, 20000), (None, 20, 60000), (None, 90, 90000)],
)
def test_one_number_bounds_start_and_calls(timeout, startup, written):
    assert register.entry(server_use(timeout=timeout, startup_timeout=startup)).get("timeout") == written


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"transport": "ws"}, "WebSocket"),
        ({"args": ("{env:HOME}",)}, "expand"),
        ({"env": {"A": "{file:/etc/passwd}"}}, "expand"),
        ({"transport": "http", "headers": {"A": "${env:B:-c}"}}, "no default"),
        ({"name": "acme db"}, "letters"),
    ],
)
def test_what_cannot_be_said_is_refused(fields, why):
    refused = register.entry(server_use(**fields))
    assert isinstance(refused, Refusal)
    assert why in refused.reason
    assert refused.remedy


def test_what_has_no_place_is_said():
    assert register.lost(server_use()) == ()
    for field in ("include_tools", "exclude_tools"):
        assert "acme-db_<tool>" in register.lost(server_use(**{field: ("a",)}))[0]
