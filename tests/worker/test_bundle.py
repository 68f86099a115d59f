"""The served bundle in an agent's folder: what is refused, what is replaced, and what is never touched."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_connector.board.values import Bundle, BundleFile
from agent_connector.errors import WorkerError
from agent_connector.home import files, private
from agent_connector.worker import bundle, bundle_paths
from agent_connector.worker.bundle import Written

Put = Callable[..., Written]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


@pytest.fixture
def put(tmp_path: Path, work: Path) -> Put:
    def write(version: str = "1", **contents: str) -> Written:
        served = tuple(
            BundleFile(path.replace("__", "/").replace("_md", ".md"), text) for path, text in contents.items()
        )
        return bundle.write(Bundle("default", version, served), str(work), str(tmp_path / "own/manifest.json"))

    return write


def tree(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_newer_bundle_replaces_its_files_and_takes_the_old_ones_out(work: Path, put: Put):
    first = put("1", AGENTS_md="one", docs__a__b_md="b", docs__c_md="c")
    assert tree(work) == {"AGENTS.md": "one", "docs/a/b.md": "b", "docs/c.md": "c"}
    assert set(first.written) == set(first.served) == set(tree(work))
    again = put("1", AGENTS_md="one", docs__a__b_md="b", docs__c_md="c")
    assert (again.written, again.removed, again.kept) == ((), (), ())
    second = put("2", AGENTS_md="two", docs__c_md="c")
    assert (second.written, second.removed, second.version) == (("AGENTS.md",), ("docs/a/b.md",), "2")
    assert tree(work) == {"AGENTS.md": "two", "docs/c.md": "c"}
    assert not (work / "docs/a").exists()  # a folder of ours that is empty now
    put("3")
    assert os.listdir(work) == []


def test_what_the_agent_made_or_changed_stays(work: Path, put: Put):
    (work / "README.md").write_text("the person's")
    (work / "same.md").write_text("s")
    put("1", README_md="served", mine_md="1", old_md="1", d__x_md="x", same_md="s")
    (work / "mine.md").write_text("changed by the agent")
    (work / "old.md").write_text("changed too")
    (work / "d/y.md").write_text("the agent's")
    found = put("2", README_md="served 2", mine_md="2")
    assert set(found.kept) == {"README.md", "mine.md", "old.md"}
    assert tree(work) == {
        "README.md": "the person's",
        "mine.md": "changed by the agent",
        "old.md": "changed too",
        "d/y.md": "the agent's",
        "same.md": "s",
    }
    assert put("3", README_md="served 3").kept == ("README.md",)


@pytest.mark.parametrize("kind", ["folder", "file", "dangling", "pipe", "directory", "self"])
def test_no_link_leads_a_write_or_a_removal_elsewhere(tmp_path: Path, work: Path, put: Put, kind: str):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("1")
    put("1", d__x_md="1", top_md="1")
    if kind == "folder":  # the agent exchanges the folder for a link to one whose file has the very hash of ours
        shutil.rmtree(work / "d")
        (work / "d").symlink_to(outside)
    else:
        (work / "top.md").unlink()
        make: dict[str, Callable[[Path], None]] = {
            "file": lambda path: path.symlink_to(outside / "x.md"),
            "dangling": lambda path: path.symlink_to(outside / "new.md"),
            "pipe": os.mkfifo,
            "directory": os.mkdir,
            "self": lambda path: path.symlink_to(path),
        }
        make[kind](work / "top.md")
    put("2", d__x_md="2", top_md="2")
    put("3")
    assert tree(outside) == {"x.md": "1"}
    assert os.path.lexists(work / ("d" if kind == "folder" else "top.md"))


def test_a_file_that_changes_while_it_is_replaced_is_kept(work: Path, put: Put, monkeypatch: pytest.MonkeyPatch):
    put("1", a_md="1")
    fill = files.fill

    def meanwhile(temporary: str, data: bytes, mode: int) -> None:
        fill(temporary, data, mode)
        if "own" not in temporary:
            (work / "a.md").write_text("the agent's, written in between")

    monkeypatch.setattr(files, "fill", meanwhile)
    assert put("2", a_md="2").kept == ("a.md",)
    assert tree(work) == {"a.md": "the agent's, written in between"}


@pytest.mark.parametrize("step", range(4))
def test_a_crash_on_the_way_is_mended_by_the_next_write(
    work: Path, put: Put, monkeypatch: pytest.MonkeyPatch, step: int
):
    put("1", a_md="1", b_md="1", old_md="1")
    with monkeypatch.context() as patched:
        real, done = files.replace, list[int]()

        def replace(*arguments: object, **options: object) -> object:
            done.append(1)
            if len(done) > step:
                raise KeyboardInterrupt
            return real(*arguments, **options)  # type: ignore[arg-type]

        patched.setattr(files, "replace", replace)
        if step < 3:
            with pytest.raises(KeyboardInterrupt):
                put("2", a_md="2", b_md="2")
    found = put("3", a_md="3")
    assert found.kept == ()
    assert tree(work) == {"a.md": "3"}


BAD = [
    "", "/etc/passwd", "..", "../x", "a/../../x", "a/./b", "a//b", "a/", "a\\b", "\\\\server\\share", "C:x", "c:/x", "a:stream",
    "a\0b", "a\nb", "a\u202eb", "a\u200bb", "CON", "aux.txt", "d/NUL", "Com1.md", "lpt9", "COM¹", "CONOUT$", "a.", "a ", " a",
    ".git/hooks/post-checkout", ".GIT/config", "sub/.git/config", "git~1/config", ".gitattributes", ".gitmodules", "a" * 300,
    "/".join("a" * 20), "e\u0301", "\ud800", "~/x\u0007", "a|b", "x?", "*",
]  # fmt: skip


@pytest.mark.parametrize("path", BAD)
def test_a_path_that_leads_anywhere_else_is_refused_and_nothing_is_written(tmp_path: Path, work: Path, path: str):
    made = Bundle("default", "1", (BundleFile("fine.md", "x"), BundleFile(path, "x")))
    with pytest.raises(WorkerError, match="the board serves a bundle that is not taken"):
        bundle.write(made, str(work), str(tmp_path / "manifest.json"))
    assert os.listdir(work) == [] and not (tmp_path / "manifest.json").exists()


@pytest.mark.parametrize(
    "pair", [("a.md", "A.md"), ("a", "a/b"), ("a/b", "a"), ("D/x", "d/y"), ("ß", "SS"), ("a", "a"), ("a", "A/b")]
)
def test_two_paths_that_are_one_somewhere_are_refused(pair: tuple[str, str]):
    with pytest.raises(WorkerError, match="twice, or as a file and a folder"):
        bundle_paths.checked([BundleFile(path, "x") for path in pair])


def test_sizes_are_bounded():
    for served in (
        [BundleFile("a", "x" * (bundle_paths.FILE_BYTES + 1))],
        [BundleFile(f"a{number}", "") for number in range(bundle_paths.MOST + 1)],
        [BundleFile(f"a{number}", "x" * bundle_paths.FILE_BYTES) for number in range(17)],
    ):
        with pytest.raises(WorkerError, match="more than"):
            bundle_paths.checked(served)
    with pytest.raises(WorkerError, match="half a character"):
        bundle_paths.checked([BundleFile("a", "\udc80")])


@given(st.text(st.sampled_from("a.A/\\:~ \0cgitn$12") | st.characters(), max_size=12))
@settings(max_examples=300, deadline=None)
def test_whatever_path_is_taken_stays_below_its_folder(path: str):
    if bundle_paths.refusal(path) is None:
        whole = os.path.normpath(os.path.join("/w", path))
        assert whole == "/w/" + path and ".git" not in path.casefold().split("/") and "\\" not in path


def test_a_damaged_note_is_said_and_a_forged_one_leads_nowhere(tmp_path: Path, work: Path, put: Put):
    (tmp_path / "x").write_text("1")
    manifest = tmp_path / "own/manifest.json"
    hashed = files.hash_of(b"1")
    private.write(str(manifest), json.dumps({"files": {"../x": [hashed]}, "folders": ["..", "../own"]}))
    put("1", a_md="1")
    assert (tmp_path / "x").exists()
    manifest.write_text("{")
    with pytest.raises(WorkerError, match="damaged"):
        put("2")
