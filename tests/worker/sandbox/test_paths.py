"""Which folders a run may be given, and which paths the worker may touch for it."""

import os
from pathlib import Path

import pytest

from agent_connector.errors import SandboxError
from agent_connector.worker.sandbox import paths
from agent_connector.worker.sandbox.policy import Policy


@pytest.fixture
def person(tmp_path: Path) -> Path:
    home = tmp_path / "person"
    for name in (
        ".ssh",
        ".aws",
        ".config/gh",
        ".byoa",
        ".agent-connector/worker/runs/1",
        ".claude/local/node_modules",
        "code",
    ):
        (home / name).mkdir(parents=True)
    return home


def policy(tmp_path: Path, **changed: object) -> Policy:
    folders = {"workspace": str(tmp_path / "w"), "home": str(tmp_path / "h")}
    return Policy(**{**folders, **changed})  # type: ignore[arg-type]


@pytest.mark.parametrize("word", ["workspace", "readable", "writable"])
@pytest.mark.parametrize(
    "name",
    [".ssh", ".ssh/keys", ".aws", ".config/gh", ".config", ".byoa", ".agent-connector/worker", ".netrc", ".", ".."],
)
def test_keys_and_what_holds_them_are_refused(person: Path, tmp_path: Path, word: str, name: str) -> None:
    path = str(person / name)
    given = policy(tmp_path, **{word: path if word == "workspace" else (path,)})
    with pytest.raises(SandboxError):
        paths.check(given, {}, str(person))


def test_a_link_to_keys_is_refused_and_so_is_a_moved_folder_of_them(person: Path, tmp_path: Path) -> None:
    (person / "code" / "innocent").symlink_to(person / ".ssh")
    with pytest.raises(SandboxError, match=r"\.ssh"):
        paths.check(policy(tmp_path, readable=(str(person / "code" / "innocent"),)), {}, str(person))
    moved = tmp_path / "elsewhere"
    with pytest.raises(SandboxError, match="elsewhere"):
        paths.check(policy(tmp_path, writable=(str(moved / "x"),)), {"CODEX_HOME": str(moved)}, str(person))


def test_what_is_no_key_is_allowed(person: Path, tmp_path: Path) -> None:
    program = str(person / ".claude/local/node_modules")
    home = str(person / ".agent-connector/worker/runs/1")
    paths.check(policy(tmp_path, workspace=str(person / "code"), readable=(program,), home=home), {}, str(person))
    with pytest.raises(SandboxError, match="writable"):
        paths.check(policy(tmp_path, writable=(program,)), {}, str(person))
    with pytest.raises(SandboxError, match="home"):
        paths.check(policy(tmp_path, home=str(person)), {}, str(person))


def test_the_worker_follows_a_link_of_the_agent_only_within_the_runs_folders(person: Path, tmp_path: Path) -> None:
    shown = policy(tmp_path, readable=(str(tmp_path / "r"),), hidden=(str(tmp_path / "w" / "secret"),))
    for name in ("w/secret", "h", "r"):
        (tmp_path / name).mkdir(parents=True)
    workspace = tmp_path / "w"
    for name, target in {"in": "../h", "out": person / ".ssh", "up": "../r", "far": "..", "cut": "secret"}.items():
        (workspace / name).symlink_to(target)
    assert paths.allowed(str(workspace / "in" / "f"), shown, write=True) == os.path.realpath(tmp_path / "h" / "f")
    assert paths.allowed(str(workspace / "up"), shown)
    for name in ("out", "far", "cut", "in/../../person", "secret/x"):
        with pytest.raises(SandboxError):
            paths.allowed(str(workspace / name), shown)
    with pytest.raises(SandboxError):
        paths.allowed(str(workspace / "up" / "f"), shown, write=True)
    with pytest.raises(SandboxError):
        paths.allowed(str(workspace / "f"), shown, keys=[str(workspace)])
