"""Whose traffic it is: host, session, project and model family."""

import os
from pathlib import Path

import pytest

from agent_connector.telemetry.origin import Origin, family_of, host_of_client, marked_host, origin


@pytest.mark.parametrize(
    ("name", "family"),
    [("claude-code", "claude"), ("claude-ai", "claude"), ("codex-mcp-client", "gpt"), ("gemini-cli-mcp-client", "gemini"),
     ("qwen-cli-mcp-client-x", "qwen"), ("openai/gpt-5.5", "gpt"), ("anthropic/claude-opus-5", "claude"), ("o3", "gpt"),
     ("GPT-5", "gpt"), ("cursor-vscode", ""), ("", "")],
)  # fmt: skip
def test_families_are_told_by_names(name: str, family: str) -> None:
    assert family_of(name) == family


def test_hosts_are_told_by_their_clients_names() -> None:
    assert host_of_client("codex-mcp-client") == "codex"
    assert host_of_client("claude-code") == "claude-code"
    assert host_of_client("some-new-client") == "some-new-client"


def test_hosts_are_told_by_their_marks() -> None:
    assert marked_host({"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "x"}) == "claude-code"
    assert marked_host({"PATH": "/bin"}) == ""


def test_the_session_and_project_are_the_hosts_where_it_tells_them(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    variables = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s-1", "CLAUDE_PROJECT_DIR": str(tmp_path / "shop")}
    found = origin("acme-db", "", "", variables, "/", "made-up")
    assert (found.marked_host, found.session, found.project_name) == ("claude-code", "s-1", "shop")
    foreign = origin("acme-db", "codex", "", variables, str(tmp_path), "made-up")
    assert (foreign.session, foreign.project_name) == ("made-up", tmp_path.name)


@pytest.mark.parametrize(("folder", "vague"), [("~", True), ("/", True), ("inner", False)])
def test_home_and_the_top_say_nothing_of_a_project(home: Path, folder: str, vague: bool) -> None:
    (home / "inner").mkdir()
    place = str(home) if folder == "~" else os.path.join(home, folder)
    assert origin("x", "", "", {}, place, "s").vague is vague


def test_a_root_with_odd_letters_is_a_folder(home: Path) -> None:
    (home / "mein Projekt").mkdir()
    vague = Origin("x", vague=True)
    assert vague.in_root((home / "mein Projekt").as_uri()).project_name == "mein Projekt"
    assert vague.in_root("https://example.org/x") is vague
    assert vague.in_root("") is vague


def test_a_hint_that_is_a_vendor_is_its_family() -> None:
    assert Origin("x", hint="openai").family("cursor") == "gpt"
    assert Origin("x", hint="mistral").family("cursor") == "mistral"
    assert Origin("x", given_host="gemini-cli").family("") == "gemini"
