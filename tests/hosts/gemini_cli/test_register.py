"""How a server is told to Gemini CLI."""

import pytest

from agent_connector.hosts.gemini_cli import register
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.hosts import LAUNCHER, server_use


def test_a_stdio_server_in_geminis_words():
    use = server_use(
        args=("serve", "--", "npx", "${env:ACME_URL:-http://localhost}"),
        env={"ACME_TOKEN": "${env:ACME_TOKEN}"},
        cwd="/srv",
        timeout=30,
        include_tools=("acme_query",),
        exclude_tools=("acme_write",),
        extra={"description": "the database"},
    )
    assert register.entry(use) == {
        "command": LAUNCHER,
        "args": ["serve", "--", "npx", "${ACME_URL:-http://localhost}"],
        "env": {"ACME_TOKEN": "${ACME_TOKEN}"},
        "cwd": "/srv",
        "timeout": 30000,
        "includeTools": ["acme_query"],
        "excludeTools": ["acme_write"],
        "description": "the database",
    }


@pytest.mark.parametrize("transport", ["http", "sse"])
def test_a_remote_server_has_a_type_because_a_bare_url_changed_its_meaning(transport):
    use = server_use(transport=transport, url="https://acme.example/mcp", bearer="ACME_TOKEN", headers={"X-A": "b"})
    assert register.entry(use) == {
        "type": transport,
        "url": "https://acme.example/mcp",
        "headers": {"X-A": "b", "Authorization": "Bearer ${ACME_TOKEN}"},
    }


def test_trust_is_the_person_s_and_never_written():
    assert "trust" not in register.entry(server_use())


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"transport": "ws"}, "WebSocket"),
        ({"enabled": False}, "no switch"),
        ({"args": ("--home", "$HOME/x")}, "`$HOME`"),
        ({"env": {"PASSWORD": "a${b}c"}}, "`${b}`"),
    ],
)
def test_what_cannot_be_said_is_refused(fields, why):
    refused = register.entry(server_use(**fields))
    assert isinstance(refused, Refusal)
    assert why in refused.reason
    assert refused.remedy


def test_a_dollar_that_gemini_leaves_alone_may_stand():
    assert register.entry(server_use(args=("^foo$", "$$", "$ 5")))["args"] == ["^foo$", "$$", "$ 5"]


def test_what_has_no_place_is_said():
    assert register.lost(server_use()) == ()
    assert register.lost(server_use(startup_timeout=3)) == ("Gemini CLI has no time limit for a server's start",)
