"""The page about hosts says what the facts say."""

from pathlib import Path

import pytest

from agent_connector.hosts import matrix, query

PAGE = Path(__file__).parents[2] / "docs" / "hosts.md"


def test_the_page_in_docs_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == matrix.page(), "stale: run `make docs`"


@pytest.fixture(scope="module")
def gemini() -> str:
    return matrix.page().partition("\n## Gemini CLI\n")[2].partition("\n## ")[0]


def test_every_host_has_the_same_parts():
    for host in query.hosts():
        part = matrix.page().partition(f"\n## {query.facts(host).NAME}\n")[2].partition("\n## ")[0]
        titles = [line for line in part.splitlines() if line.startswith("### ")]
        assert titles[0] == "### Where it reads"
        assert titles[1] == "### What we write"
        assert titles[-2:] == ["### Sources", "### Undo"]


def test_a_host_s_part(gemini):
    assert "| server | `~/.gemini/settings.json` | `./.gemini/settings.json` |" in gemini
    assert (
        "| PreToolUse | `BeforeTool` | - | honoured, proven | degraded, proven | honoured, proven | - | - |" in gemini
    )
    assert "- allow at PreToolUse: dropped, proven: `allow` grants nothing" in gemini
    assert "- It has no event for PermissionRequest, SubagentStart, SubagentStop, PostCompact." in gemini
    assert "- server: trust the folder" in gemini


def test_a_fact_that_changes_changes_the_page(monkeypatch, gemini):
    facts = query.facts("gemini-cli")
    monkeypatch.setattr(facts, "SURFACES", {**facts.SURFACES, "skills": ("skip-warn", "proven", "gone")})
    assert "- **skills** (not taken, proven): gone" in matrix.page()
    assert "gone" not in gemini


def test_usage_logs_of_hosts_described_or_not():
    part = matrix.page().partition("\n## Usage logs\n")[2].partition("\n## ")[0]
    assert "| [Qwen Code](#qwen-code) | proven | - |" in part
    assert "| `cline` | proven | - |" in part or "| [Cline](#cline) | proven | - |" in part
    assert "| - | Sessions of its Copilot harness are counted under copilot-cli" in part
    assert part.count("\n| ") == 2 + len([host for host in query.nameable() if query.usage(host)])
