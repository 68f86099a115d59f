"""What a run inherits of a person's home where that is asked for: copies of what is set up, and no login."""

import os
from pathlib import Path

import pytest

from agent_connector.errors import WorkerError
from agent_connector.hosts import query
from agent_connector.worker import inherit


def test_what_is_set_up_for_the_host_is_copied_and_logins_and_links_are_not(tmp_path: Path) -> None:
    facet = query.headless("claude-code")
    assert facet is not None
    claude = tmp_path / ".claude"
    (claude / "agents").mkdir(parents=True)
    (claude / "settings.json").write_text("{}")
    (claude / "CLAUDE.md").write_text("Be brief.")
    (claude / "agents" / "dba.md").write_text("You review SQL.")
    (claude / ".credentials.json").write_text("a login")
    (tmp_path / "secret").write_text("a key")
    os.symlink(tmp_path / "secret", claude / "agents" / "link.md")
    assert inherit.texts("claude-code", facet, str(tmp_path)) == {
        ".claude/settings.json": b"{}",
        ".claude/CLAUDE.md": b"Be brief.",
        ".claude/agents/dba.md": b"You review SQL.",
    }


def test_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facet = query.headless("claude-code")
    assert facet is not None
    monkeypatch.setattr(inherit, "MOST_BYTES", 10)
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "CLAUDE.md").write_text("longer than that")
    with pytest.raises(WorkerError, match="inheritHome"):
        inherit.texts("claude-code", facet, str(tmp_path))
