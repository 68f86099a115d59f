"""Server entries of Kimi. The stdio form was seen on the real program; the remote ones are documented."""

import pytest

from agent_connector.hosts.kimi import register
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.hosts import LAUNCHER, server_use


def test_a_program_whose_references_our_launcher_resolves():
    use = server_use(
        args=("serve", "--", "npx", "${env:ACME_URL:-http://x}", "${HOME}"),
        env={"ACME_DSN": "${env:ACME_DSN}", "USER_DSN": "db:${env:ACME_USER}", "MODE": "prod"},
        cwd="/srv",
        timeout=30,
        startup_timeout=0.0001,
        include_tools=("acme_query",),
        exclude_tools=("acme_write",),
        enabled=False,
        extra={"executor": "local"},
    )
    assert register.entry(use) == {
        "command": LAUNCHER,
        "args": ["serve", "--", "npx", "${env:ACME_URL:-http://x}", "${HOME}"],
        "env": {"USER_DSN": "db:${env:ACME_USER}", "MODE": "prod"},  # ACME_DSN is inherited
        "cwd": "/srv",
        "enabled": False,
        "startupTimeoutMs": 1,
        "toolTimeoutMs": 30000,
        "enabledTools": ["acme_query"],
        "disabledTools": ["acme_write"],
        "executor": "local",
    }


def test_a_remote_server():
    headers = {"X-A": "b"}
    assert register.entry(server_use(transport="http", url="https://x", headers=headers, bearer="TOKEN")) == {
        "url": "https://x",
        "bearerTokenEnvVar": "TOKEN",
        "headers": {"X-A": "b"},
    }
    told = register.entry(server_use(transport="sse", headers={"authorization": "Bearer ${env:TOKEN}"}))
    assert (told["transport"], told["bearerTokenEnvVar"], "headers" in told) == ("sse", "TOKEN", False)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"transport": "ws"}, "WebSocket"),
        ({"name": "a.b"}, "server's name"),
        ({"transport": "http", "url": "https://x/${env:A}"}, "address"),
        ({"transport": "http", "headers": {"X-Key": "${env:KEY}"}}, "`X-Key`"),
        ({"transport": "http", "headers": {"Authorization": "Bearer ${env:KEY:-none}"}}, "`Authorization`"),
    ],
)
def test_what_it_cannot_take_is_refused(fields, why):
    refused = register.entry(server_use(**fields))
    assert isinstance(refused, Refusal)
    assert why in refused.reason
    assert refused.remedy
