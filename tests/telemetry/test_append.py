"""Rows as lines, project identity, and the switches that hosts' processes ask."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.telemetry.proxy import PACKAGE, read_rows

from agent_connector.telemetry import append, switch


def rows(root: Path) -> list[dict[str, object]]:
    return read_rows(root)


def test_a_row_is_one_line_of_counts(tmp_path: Path) -> None:
    given = {"scope": "call", "tool": "x", "in": 3, "out": 4, "ms": 1.23456, "error": True, "arguments": "secret"}
    assert append.append(str(tmp_path), given)
    (row,) = rows(tmp_path)
    assert row.pop("t") > 1_700_000_000_000  # type: ignore[operator]
    assert row == {"v": 1, "scope": "call", "tool": "x", "in": 3, "out": 4, "ms": 1.235, "error": 1}


def test_a_row_never_holds_a_text_of_an_error(tmp_path: Path) -> None:
    append.append(str(tmp_path), {"error": "password is hunter2"})
    assert rows(tmp_path)[0]["error"] == 1


def test_long_and_broken_texts_stay_one_short_line(tmp_path: Path) -> None:
    append.append(str(tmp_path), {"tool": "x\n\ud800" * 10_000, "session": '"' * 10_000})
    (row,) = rows(tmp_path)
    assert len(str(row["tool"])) == append.LONGEST
    assert len(append.line(dict.fromkeys(append.KEYS, "é" * 10000))) < 16_384


def test_a_row_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "telemetry").write_text("in the way")
    assert append.append(str(tmp_path), {"tool": "x"}) is False


def test_segments_are_private(tmp_path: Path) -> None:
    append.append(str(tmp_path), {})
    (segment,) = (tmp_path / "telemetry" / "segments").iterdir()
    assert segment.stat().st_mode & 0o777 == 0o600
    assert segment.parent.stat().st_mode & 0o777 == 0o700


def test_a_projects_own_book_keeps_itself_out_of_the_repository(tmp_path: Path) -> None:
    book = tmp_path / "shop" / ".agent-connector"
    assert append.append(str(tmp_path / "home"), {"tool": "x"}, str(book))
    assert rows(book)[0]["tool"] == "x"
    assert (book / ".gitignore").read_text() == "*\n"
    assert not (tmp_path / "home").exists()


def test_writers_in_many_processes_lose_nothing_and_never_mix(tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r})\n"
        "from agent_connector.telemetry.append import append\n"
        "for n in range(200): append(sys.argv[1], {'tool': 'x' * 150, 'session': sys.argv[2], 'in': n})"
    )
    writers = [
        subprocess.Popen([sys.executable, "-I", "-S", "-c", code, str(tmp_path), str(number)]) for number in range(8)
    ]
    assert [writer.wait(60) for writer in writers] == [0] * 8
    found = rows(tmp_path)
    assert sorted((row["session"], row["in"]) for row in found) == sorted(
        (str(number), n) for number in range(8) for n in range(200)
    )


@pytest.mark.parametrize("value", ["0", "off", "FALSE", "no"])
def test_the_variable_switches_counting_off(tmp_path: Path, value: str) -> None:
    assert not append.enabled(str(tmp_path), variables={"AGENT_CONNECTOR_TELEMETRY": value})
    assert append.enabled(str(tmp_path), variables={"AGENT_CONNECTOR_TELEMETRY": "1"})


def test_stored_switches_are_asked_by_every_process(tmp_path: Path) -> None:
    root = str(tmp_path)

    def on(connector: str = "", layer: str = "") -> bool:
        return append.enabled(root, connector, layer, {})

    switch.turn(root, False, connector="a")
    assert not on("a", "serve")
    assert on("b", "serve")
    switch.turn(root, False, layer="hook")
    assert not on("b", "hook")
    assert on("b", "serve")
    switch.turn(root, False)
    assert not on("b", "serve")
    for kind in ({}, {"connector": "a"}, {"layer": "hook"}):
        switch.turn(root, True, **kind)
    assert on("a", "hook")


REMOTES = [
    ("git@GitHub.com:acme/shop.git", "github.com/acme/shop"),
    ("https://github.com/acme/shop", "github.com/acme/shop"),
    ("https://user:key@github.com/acme/shop.git/", "github.com/acme/shop"),
    ("ssh://git@github.com:22/acme/shop.git", "github.com/acme/shop"),
    ("../bare.git", "../bare.git"),
    ("/srv/git/shop", "/srv/git/shop"),
    ("file:///srv/git/shop", "/srv/git/shop"),
]


@pytest.mark.parametrize(("url", "normal"), REMOTES)
def test_one_remote_has_one_spelling(url: str, normal: str) -> None:
    assert append.address(url) == normal


def repository(folder: Path, remote: str = "") -> Path:
    (folder / ".git").mkdir(parents=True)
    text = "[core]\n\tbare = false\n"
    if remote:
        text += f'[remote "upstream"]\n\turl = https://elsewhere/x\n[remote "origin"]\n\turl = {remote}\n'
    (folder / ".git" / "config").write_text(text)
    return folder


def test_clones_of_a_repository_are_one_project_with_their_folders_names(tmp_path: Path) -> None:
    one = repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    two = repository(tmp_path / "shop-2", "https://github.com/acme/shop")
    (one / "src" / "deep").mkdir(parents=True)
    key, name = append.project(str(one / "src" / "deep"))
    assert (key, name) == (append.project(str(two))[0], "shop")
    assert append.project(str(two))[1] == "shop-2"
    assert "acme" not in key


def test_without_a_remote_the_path_is_the_identity(tmp_path: Path) -> None:
    one, two = repository(tmp_path / "one"), repository(tmp_path / "two")
    assert append.project(str(one))[0] != append.project(str(two))[0]
    plain = tmp_path / "plain"
    plain.mkdir()
    (tmp_path / "link").symlink_to(plain)
    assert append.project(str(tmp_path / "link")) == append.project(str(plain))


@pytest.mark.parametrize("remote", ["", "git@github.com:acme/shop.git"])
def test_a_worktree_is_its_repositorys_project(tmp_path: Path, remote: str) -> None:
    main = repository(tmp_path / "shop", remote)
    inner = main / ".git" / "worktrees" / "fix"
    inner.mkdir(parents=True)
    (inner / "commondir").write_text("../..\n")
    tree = tmp_path / "fix"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {inner}\n")
    assert append.project(str(tree)) == (append.project(str(main))[0], "fix")


def test_a_broken_git_folder_is_no_error(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("nonsense")
    assert append.project(str(tmp_path))[1] == tmp_path.name


def test_the_hook_path_loads_next_to_nothing(tmp_path: Path) -> None:
    code = (
        f"import sys; before = set(sys.modules); sys.path.insert(0, {str(PACKAGE.parent)!r})\n"
        "import agent_connector.telemetry.append as a; a.project('.'); a.append(sys.argv[1], {'tool': 'x'})\n"
        "print(' '.join(sorted(set(sys.modules) - before)))"
    )
    argv = [sys.executable, "-I", "-S", "-c", code, str(tmp_path)]
    (tmp_path / "telemetry" / "segments").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text('[remote "origin"]\n\turl = https://example.com/acme/shop.git\n')
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    loaded = done.stdout.split()
    assert not set(loaded) & {"os", "json", "re", "hashlib", "subprocess", "dataclasses", "typing", "enum", "pathlib"}
    assert "agent_connector.telemetry.append" in loaded


def test_on_windows_the_system_places_each_write_at_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import types

    calls: list[tuple[object, ...]] = []
    fake = types.ModuleType("_winapi")
    fake.CreateFile = lambda *given: calls.append(given) or 7  # type: ignore[attr-defined]
    fake.WriteFile = lambda handle, data: (len(data), 0)  # type: ignore[attr-defined]
    fake.CloseHandle = lambda handle: calls.append((handle,))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "_winapi", fake)
    namespace = windows_code()
    assert namespace["write"](str(tmp_path / "x"), b"line\n") is True
    path, access, share, _, creation, *_ = calls[0]
    append_data, write_data, open_always = 4, 2, 4
    assert path == str(tmp_path / "x")
    assert int(access) & append_data  # type: ignore[call-overload]
    assert not int(access) & write_data  # type: ignore[call-overload]
    assert share == 7
    assert creation == open_always
    assert calls[1] == (7,)


def windows_code() -> dict[str, object]:
    """The module as Windows sees it."""
    source = Path(append.__file__).read_text().replace('if sys.platform == "win32":', "if True:")
    namespace: dict[str, object] = {"__name__": "append"}
    exec(compile(source, "append", "exec"), namespace)  # noqa: S102
    return namespace


def test_lines_can_be_read_by_any_json_reader() -> None:
    line = append.line({"tool": 'a"b\\c\u2028\x00'})
    assert json.loads(line)["tool"] == 'a"b\\c\u2028\x00'
    assert line.count(b"\n") == 1
    assert os.linesep.encode() == b"\n" or b"\r" not in line
