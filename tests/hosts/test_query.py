"""What the hosts can do, asked by host and by surface."""

import sys

import pytest

from agent_connector.errors import HostError
from agent_connector.hosts import query
from agent_connector.hosts.machine import here


def test_a_facet_is_a_module_or_nothing():
    assert query.facet("codex", "hooks").HOST == "codex"
    assert query.facet("codex", "statusline") is None
    with pytest.raises(HostError) as caught:
        query.facet("claud-code", "hooks")
    assert "Did you mean claude-code?" in caught.value.remedy


def test_a_host_that_is_not_described_yet_can_be_named_and_not_asked(monkeypatch):
    monkeypatch.setattr(query, "LATER", ("hereafter",))
    assert "hereafter" in query.nameable()
    with pytest.raises(HostError, match="not described yet"):
        query.facet("hereafter", "facts")


@pytest.mark.parametrize("host", query.hosts())
@pytest.mark.parametrize("surface", query.SURFACES)
def test_what_the_facts_call_native_has_code_behind_it(host, surface):
    native = query.surface_support(host, surface).support == "native"
    assert query.SURFACE_PREDICATES[surface](host) == native


def test_hosts_by_surface_in_the_order_of_the_table():
    takers = query.hosts_supporting("server")
    assert takers == tuple(host for host in query.hosts() if query.register(host)) and "nemoclaw" not in takers
    lines = query.hosts_supporting("statusline")
    assert {"claude-code", "cursor"} <= set(lines) and not {"codex", "opencode"} & set(lines)
    assert list(lines) == sorted(lines, key=query.hosts().index)
    assert {"zed", "warp", "pi"} <= set(query.hosts_supporting("actions")) and "codex" not in query.hosts_supporting(
        "actions"
    )
    with pytest.raises(HostError, match="no surface 'servers'"):
        query.hosts_supporting("servers")


def test_all_of_a_host_in_one_value():
    codex = query.capabilities_of("codex")
    assert codex.surfaces["server"].support == "native"
    assert codex.events["PreToolUse"] == "PreToolUse" and "Notification" not in codex.events
    assert codex.decisions["PreToolUse"]["ask"].verdict == "degraded"
    assert set(codex.decisions["Stop"]) == set(query.DECISIONS)
    assert codex.scopes == ("user", "project")
    assert query.capabilities_of("cursor").loads_hooks_of == ("claude-code",)


def test_how_an_action_is_pressed_and_how_that_reaches_us():
    can = {host: query.capabilities_of(host) for host in query.hosts()}
    pressed = {host: (one.action_affordance_kind, one.action_invocation_mode) for host, one in can.items()}
    assert {host: how for host, how in pressed.items() if how != (None, None)} == {
        "droid": ("command", "exec-file"),
        "hermes": ("command", "exec"),
        "kiro": ("hook", "manual-hook"),
        "omp": ("command", "plugin-command"),
        "openclaw": ("command", "plugin-command"),
        "pi": ("command", "plugin-command"),
        "warp": ("workflow", "paste"),
        "zed": ("task", "exec"),
    }


@pytest.mark.skipif(sys.platform != "linux", reason="the desktops of Linux name their folders in a file")
def test_the_machine_knows_what_its_desktop_calls_the_documents(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("XDG_DOCUMENTS_DIR", raising=False)
    assert "XDG_DOCUMENTS_DIR" not in here().variables
    (tmp_path / ".config").mkdir()
    (tmp_path / ".config" / "user-dirs.dirs").write_text('# \nXDG_DOCUMENTS_DIR="$HOME/Dokumente"\nXDG_X_DIR="/x"\n')
    assert here().variables["XDG_DOCUMENTS_DIR"] == str(tmp_path / "Dokumente")
    monkeypatch.setenv("XDG_DOCUMENTS_DIR", "/docs")
    assert here().variables["XDG_DOCUMENTS_DIR"] == "/docs"
