"""Server entries of Claude Code. The stdio form was seen on the real program; the remote ones are documented."""

import pytest

from agent_connector.hosts.claude_code import register
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.host_samples import server_use


def test_a_program():
    use = server_use(
        command="/l",
        args=("serve", "--", "npx", "${env:ACME_ARG:-x y}"),
        env={"ACME_DSN": "${env:ACME_DSN}", "MODE": "prod"},
        timeout=2.5,
    )
    assert register.entry(use) == {
        "type": "stdio",
        "command": "/l",
        "args": ["serve", "--", "npx", "${ACME_ARG:-x y}"],
        "env": {"ACME_DSN": "${ACME_DSN}", "MODE": "prod"},
        "timeout": 2500,
    }


@pytest.mark.parametrize("transport", ["http", "sse", "ws"])
def test_a_remote_server(transport):
    use = server_use(transport=transport, url="https://x/${env:TENANT}", headers={"X-A": "1"}, bearer="TOKEN")
    assert register.entry(use) == {
        "type": transport,
        "url": "https://x/${TENANT}",
        "headers": {"X-A": "1", "Authorization": "Bearer ${TOKEN}"},
    }


def test_a_header_of_the_authors_own_wins_over_the_bearer():
    use = server_use(transport="http", headers={"authorization": "Basic x"}, bearer="TOKEN")
    assert register.entry(use)["headers"] == {"authorization": "Basic x"}


def test_a_time_limit_below_a_second_would_be_ignored():
    assert register.entry(server_use(timeout=0.2))["timeout"] == 1000


def test_extra_comes_last():
    assert register.entry(server_use(extra={"alwaysLoad": True, "type": "mine"}))["type"] == "mine"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"cwd": "/x"}, "working folder"),
        ({"name": "a.b"}, "server's name"),
        ({"enabled": False}, "no switch"),
        ({"args": ("sh", "-c", "echo ${HOME}")}, "`${HOME}`"),
    ],
)
def test_what_it_cannot_take_is_refused(fields, words):
    refused = register.entry(server_use(**fields))
    assert isinstance(refused, Refusal)
    assert words in refused.reason


def test_what_has_no_place_is_said():
    assert register.lost(server_use()) == ()
    assert "MCP_TIMEOUT" in register.lost(server_use(startup_timeout=5))[0]
    assert "hide" in register.lost(server_use(exclude_tools=("a",)))[0]
