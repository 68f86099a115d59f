"""Server entries of Codex. The stdio form ran in the real 0.171.0; the http form is documented."""

import pytest

from agent_connector.hosts.codex import register
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.host_samples import server_use


def test_a_program():
    use = server_use(
        command="/l",
        args=("serve", "--", "npx", "${env:ARG}"),
        env={"MODE": "prod"},
        env_names=("ARG",),
        cwd="/x",
        timeout=30.5,
        startup_timeout=20.0,
        include_tools=("a",),
        exclude_tools=("b",),
        enabled=False,
    )
    assert register.entry(use) == {
        "command": "/l",
        "args": ["serve", "--", "npx", "${env:ARG}"],
        "env": {"MODE": "prod"},
        "env_vars": ["ARG"],
        "cwd": "/x",
        "enabled": False,
        "startup_timeout_sec": 20,
        "tool_timeout_sec": 30.5,
        "enabled_tools": ["a"],
        "disabled_tools": ["b"],
    }


def test_a_variable_set_to_itself_is_passed_through_alone():
    """Seen: in Codex `env` wins over `env_vars`, so the launcher would read `${env:DSN}` as the value of DSN."""
    use = server_use(env={"DSN": "${env:DSN}", "PORT": "${env:PORT:-5432}"}, env_names=("DSN", "PORT"))
    told = register.entry(use)
    assert "env" not in told
    assert told["env_vars"] == ["DSN", "PORT"]


def test_a_variable_of_another_name_is_left_to_the_launcher():
    told = register.entry(server_use(env={"URL": "pg://${env:HOST}/x"}, env_names=("HOST",)))
    assert (told["env"], told["env_vars"]) == ({"URL": "pg://${env:HOST}/x"}, ["HOST"])


def test_a_remote_server():
    use = server_use(
        transport="http",
        headers={"X-A": "1", "X-Tenant": "${env:TENANT}", "Authorization": "Bearer ${env:TOKEN}"},
        env_names=("TENANT", "TOKEN"),
    )
    assert register.entry(use) == {
        "url": "https://mcp.acme.example/mcp",
        "bearer_token_env_var": "TOKEN",
        "http_headers": {"X-A": "1"},
        "env_http_headers": {"X-Tenant": "TENANT"},
    }


def test_a_bearer():
    told = register.entry(server_use(transport="http", bearer="TOKEN", env_names=("TOKEN",)))
    assert told == {"url": "https://mcp.acme.example/mcp", "bearer_token_env_var": "TOKEN"}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"transport": "sse"}, "no sse transport"),
        ({"transport": "ws"}, "no ws transport"),
        ({"name": "a.b"}, "server's name"),
        ({"transport": "http", "url": "https://${env:HOST}/"}, "into an address"),
        ({"transport": "http", "headers": {"X": "a ${env:B}"}}, "as a whole"),
        ({"transport": "http", "headers": {"X": "${env:B:-c}"}}, "as a whole"),
        ({"env": {"A": "x${env:A}"}, "env_names": ("A",)}, "its own value of A"),
    ],
)
def test_what_it_cannot_take_is_refused(fields, words):
    refused = register.entry(server_use(**fields))
    assert isinstance(refused, Refusal)
    assert words in refused.reason
    assert refused.remedy
