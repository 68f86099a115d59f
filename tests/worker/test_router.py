"""Which host does a task, and with which models."""

import pytest

from agent_connector.board.values import Role, Task
from agent_connector.errors import WorkerError
from agent_connector.worker import providers
from agent_connector.worker.config import Config, Ergonomics
from agent_connector.worker.router import Route, route

HERE = {"claude-code": "/bin/claude", "codex": "/bin/codex", "gemini-cli": None}


def config(adapter: str = "claude-code") -> Config:
    return Config("/w", "/s", Ergonomics("/k"), adapter=adapter)


def task(role: str | None = None) -> Task:
    return Task("id", "b", "t", "d", "todo", role, None, 0, "", "", None)


def role(
    id: str, version: int = 1, provider: str | None = None, model: str | None = None, *more: str, name: str = ""
) -> Role:
    return Role(id, name or id, version, provider, model, more)


def test_the_newest_role_is_taken_and_its_provider_says_the_host():
    old, new = role("a", 1, "anthropic", "m1"), role("b", 7, "OpenAI", "gpt", "gpt", "mini", "gpt ")
    assert route(task(), [old, new], config(), HERE) == Route("codex", ("gpt", "mini"), new, "OpenAI")
    assert route(task(), [role("a", 1, "claude", "m")], config("codex"), HERE).host_id == "claude-code"
    assert route(task(), [role("a", 1, "codex")], config(), HERE).candidates == (None,)


def test_a_pinned_role_is_found_by_id_first_and_then_by_name():
    roles = [role("x", 9, "openai"), role("1", 2, name="Builder"), role("2", 5, name="builder"), role("3", 8, name="1")]
    assert route(task("1"), roles, config(), HERE).role == roles[1]
    assert route(task("BUILDER"), roles, config(), HERE).role == roles[2]  # the newest of that name
    with pytest.raises(WorkerError, match="does not serve") as caught:
        route(task("deployer"), roles, config(), HERE)
    assert "x, 1, builder, Builder" in caught.value.remedy


def test_an_unknown_provider_is_done_by_the_configured_adapter_with_the_models_that_it_names():
    found = route(task(), [role("a", 1, "acme", "acme/m")], config("codex"), HERE)
    assert (found.host_id, found.candidates, found.provider) == ("codex", ("acme/m",), "acme")
    assert "'acme' is not known here: codex does it" in found.notes[0]
    assert route(task(), [], config(), HERE) == Route("claude-code", (None,))
    assert route(task(), [role("a", 1, None, "opus")], config(), HERE).candidates == ("opus",)


def test_a_host_that_is_not_here_is_passed_over_and_said():
    roles = [role("a", 3, "gemini", "flash"), role("b", 2, "openai", "gpt")]
    found = route(task(), roles, config(), HERE)
    assert (found.host_id, found.role) == ("codex", roles[1])
    assert found.notes == ("the role 'a' needs gemini-cli, which is not on this machine",)
    pinned = route(task("a"), roles, config(), HERE)  # another provider's model is no use to the adapter
    assert (pinned.host_id, pinned.candidates, pinned.role) == ("claude-code", (None,), roles[0])
    assert "gemini-cli is not on this machine: claude-code does it" in pinned.notes[0]
    with pytest.raises(WorkerError, match="gemini-cli is not on this machine") as caught:
        route(task(), [], config("gemini-cli"), HERE)
    assert "claude-code, codex" in caught.value.remedy


def test_every_host_that_can_be_driven_is_named_by_its_id_and_the_usual_words():
    held = providers.names()
    assert {held[word] for word in ("anthropic", "claude", "claude-code")} == {"claude-code"}
    assert {held[word] for word in ("openai", "codex")} == {"codex"}
    assert all(held[host] == host for host in set(held.values())) and len(set(held.values())) > 12
    assert providers.host_of("acp:Codex") == "acp:codex" and providers.host_of("acp:amp") is None
    assert providers.host_of(" Gemini-CLI ") == "gemini-cli" and providers.host_of("warp") is None


def test_a_role_may_want_its_host_over_acp_and_an_unknown_one_is_done_by_the_adapter():
    here = {**HERE, "acp:codex": "/bin/codex-acp"}
    assert route(task(), [role("a", 1, "acp:codex", "gpt")], config(), here).host_id == "acp:codex"
    assert route(task(), [role("a", 1, "codex", "gpt")], config(), here).host_id == "codex"
    assert route(task(), [], config("acp:codex"), here).host_id == "acp:codex"
    found = route(task("a"), [role("a", 1, "acp:gemini", "flash")], config(), here)
    assert found.host_id == "claude-code" and "acp:gemini-cli is not on this machine" in found.notes[0]
    found = route(task(), [role("a", 1, "acp:acme", "m")], config("acp:codex"), here)
    assert found.host_id == "acp:codex" and "'acp:acme' is not known here" in found.notes[0]
