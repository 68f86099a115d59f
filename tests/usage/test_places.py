"""The logs that hosts leave are found where they leave them: patterns and the walk agree."""

import pytest

from agent_connector.hosts.machine import Machine
from agent_connector.usage import facets, listed
from agent_connector.usage.walk import walk

SHARE, SYNCED = ".local/share", ".config/tokscale"
LEFT = {
    "amp": {f"{SHARE}/amp/threads/T-1.json": "thread", f"{SHARE}/amp/threads/notes.json": None},
    "antigravity": {
        ".gemini/antigravity/conversations/c.db": "conversation",
        ".gemini/antigravity-ide/implicit/c.db": "conversation",
        ".gemini/antigravity/conversations/c.pb": None,
        f"{SYNCED}/antigravity-cache/sessions/a.jsonl": "cache",
    },
    "antigravity-cli": {".gemini/antigravity-cli/conversations/c.db": "conversation"},
    "augment": {".augment/sessions/s.json": "session"},
    "crush": {f"{SHARE}/crush/projects.json": "projects"},
    "cursor": {f"{SYNCED}/cursor-cache/usage.csv": "table", f"{SYNCED}/cursor-cache/usage.work.csv": "table"},
    "goose": {f"{SHARE}/goose/sessions/sessions.db": "sessions", f"{SHARE}/goose/sessions/2025_1.jsonl": None},
    "hermes": {".hermes/state.db": "state", ".hermes/profiles/work/state.db": "state"},
    "junie": {".junie/sessions/session-1/events.jsonl": "events"},
    "lm-studio": {
        ".lmstudio/conversations/work/1.conversation.json": "conversation",
        ".lmstudio/server-logs/2026-11/2026-11-30.1.log": "server",
    },
    "mux": {
        ".xum/sessions/ws/chat.jsonl": "chat",
        ".xum/sessions/ws/chat-archive.jsonl": "chat",
        ".xum/sessions/ws/subagent-transcripts/task/chat.jsonl": "chat",
        ".xum/sessions/ws/headless-usage.jsonl": "apart",
        ".xum/sessions/ws/session-usage.json": None,
    },
    "omp": {
        ".omp/agent/sessions/-project/1_s.jsonl": "session",
        ".omp/agent/sessions/-project/1_s/2-Explore.jsonl": "session",
        ".omp/profiles/work/agent/sessions/-project/1_s.jsonl": "session",
    },
    "openclaw": {
        ".openclaw/agents/main/agent/openclaw-agent.sqlite": "agent",
        ".openclaw/agents/main/sessions/s.jsonl": "transcript",
        ".openclaw/agents/main/sessions/s.jsonl.deleted.2026-11-30": "transcript",
        ".openclaw/agents/main/sessions/s.jsonl.reset.2026-11-30T10": "transcript",
        ".openclaw/agents/main/sessions/cold/a.jsonl.zst": "transcript",
        ".clawdbot/agents/main/sessions/s.jsonl": "transcript",
        ".openclaw/agents/main/sessions/sessions.json": None,
    },
    "pi": {".pi/agent/sessions/--home-ada--/1_s.jsonl": "session", ".pi/agent/settings.json": "settings"},
    "trae": {f"{SYNCED}/trae-cache/sessions/usage-2026.json": "cache"},
    "warp": {
        ".local/state/warp-terminal/warp.sqlite": "conversations",
        ".local/state/warp-terminal-preview/tui/warp.sqlite": "conversations",
        f"{SYNCED}/warp-cache/usage.json": None,
    },
    "windsurf": {f"{SHARE}/devin/cli/sessions.db": "devin"},
    "zed": {f"{SHARE}/zed/threads/threads.db": "threads"},
}


@pytest.mark.parametrize("host", LEFT)
def test_each_log_is_found_once_as_its_kind_and_nothing_else_is(tmp_path, host):
    for name in LEFT[host]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", encoding="utf-8")
    found = walk(listed.places(facets.load(host), Machine(str(tmp_path), "linux", {})))
    kinds = [(each.path.removeprefix(f"{tmp_path}/"), each.kind) for each in found]
    assert sorted(kinds) == sorted((name, kind) for name, kind in LEFT[host].items() if kind)


def test_two_names_of_one_folder_are_met_once(tmp_path):
    (tmp_path / ".xum" / "sessions" / "ws").mkdir(parents=True)
    (tmp_path / ".xum" / "sessions" / "ws" / "chat.jsonl").write_text("", encoding="utf-8")
    (tmp_path / ".mux").symlink_to(tmp_path / ".xum")
    found = list(walk(listed.places(facets.load("mux"), Machine(str(tmp_path), "linux", {}))))
    assert [each.kind for each in found] == ["chat"]
