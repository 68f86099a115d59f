"""Which hosts can be driven, and how a fresh home is made for a model at an endpoint."""

import stat

import pytest

from agent_connector.drive import home, hosts
from agent_connector.errors import HostError
from agent_connector.testing.hosts import machine

WANTED = (
    *("claude-code", "codex", "gemini-cli", "opencode", "qwen-code", "copilot-cli", "cursor", "goose", "crush"),
    *("droid", "amp", "kimi", "pi"),
)


def test_the_hosts_that_a_worker_is_promised_are_there() -> None:
    assert set(WANTED) <= set(hosts.FACETS())


def test_what_a_machine_has() -> None:
    programs = {"claude": "/bin/claude", "pi-acp": "/bin/pi-acp"}
    there = machine(which=programs.get)
    assert hosts.available(there) == {"claude-code": "/bin/claude"}
    assert hosts.available_over_acp(there) == {"pi": "/bin/pi-acp"}


def test_a_home_names_the_endpoint_and_the_model(tmp_path) -> None:
    texts = home.files(hosts.FACETS()["droid"], "http://127.0.0.1:7", "anthropic/claude-x:1")
    home.furnish(str(tmp_path), texts)
    path = tmp_path / ".factory" / "settings.json"
    assert '"model": "anthropic/claude-x:1"' in path.read_text()
    assert '"baseUrl": "http://127.0.0.1:7/v1"' in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("model", ['x", "hooks": {', "a b", "a\nb", "-x", "x" * 300])
def test_a_model_s_name_cannot_write_settings(model: str) -> None:
    with pytest.raises(HostError, match="cannot be the name of a model"):
        home.files(hosts.FACETS()["droid"], "http://127.0.0.1:7", model)
