"""Whose key a run's model sees, and where that model is."""

from pathlib import Path

import pytest

from agent_connector.errors import WorkerError
from agent_connector.hosts import query
from agent_connector.worker.model_access import Access, access


def facet(host: str):
    found = query.headless(host)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("host", "variables", "found"),
    [
        ("claude-code", {"ANTHROPIC_API_KEY": " k "}, Access("https://api.anthropic.com", "k", "x-api-key")),
        (
            "claude-code",
            {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://127.0.0.1:8000/"},
            Access("http://127.0.0.1:8000", "k", "x-api-key"),
        ),
        (
            "codex",
            {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://gateway.example.org/v1"},
            Access("https://gateway.example.org", "k", "authorization"),
        ),
        (
            "gemini-cli",
            {"GEMINI_API_KEY": "k", "ANTHROPIC_API_KEY": "other"},
            Access("https://generativelanguage.googleapis.com", "k", "x-goog-api-key"),
        ),
        (
            "qwen-code",
            {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://models.example.org/v1"},
            Access("https://models.example.org", "k", "authorization"),
        ),
    ],
)
def test_the_key_and_the_address_are_those_that_the_host_itself_reads(
    tmp_path: Path, host: str, variables: dict[str, str], found: Access
) -> None:
    assert access(host, facet(host), variables, str(tmp_path)) == found


def test_without_a_key_a_login_s_file_stands_for_one(tmp_path: Path) -> None:
    with pytest.raises(WorkerError, match="Set ANTHROPIC_API_KEY in"):
        access("claude-code", facet("claude-code"), {"ANTHROPIC_API_KEY": " "}, str(tmp_path))
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / ".credentials.json").write_text("{}")
    found = access("claude-code", facet("claude-code"), {}, str(tmp_path))
    assert (found.key, found.login) == (None, (".claude/.credentials.json",))


def test_a_host_may_reach_another_api_over_acp(tmp_path: Path):
    """Where it has no key for that, any that speaks the same will do."""
    keys = {"CLINE_API_KEY": "c", "OPENAI_API_KEY": "o", "OPENAI_BASE_URL": "http://127.0.0.1:8000/v1"}
    found = access("acp:cline", facet("cline"), keys, str(tmp_path))
    assert found == Access("https://api.cline.bot/api", "c", "authorization")
    found = access("acp:cline", facet("cline"), {**keys, "CLINE_API_KEY": ""}, str(tmp_path))
    assert found == Access("http://127.0.0.1:8000", "o", "authorization")
    assert access("cline", facet("cline"), keys, str(tmp_path)).key == "o"
    with pytest.raises(WorkerError, match="acp:cline") as caught:
        access("acp:cline", facet("cline"), {}, str(tmp_path))
    assert "CLINE_API_KEY or OPENAI_API_KEY" in caught.value.remedy
