"""Roles and bundles: versions, and what may be in a bundle."""

import os
from pathlib import Path

import pytest

from agent_connector.board import folder, served
from agent_connector.board.store import Store
from agent_connector.board.values import BundleFile, Role
from agent_connector.errors import BoardRefused


def role(name: str, **more) -> Role:
    return Role("", name, 0, **more)


def test_every_change_of_a_role_is_a_version_and_workers_see_the_newest(store: Store):
    first = store.write(served.set_role, role("mender", provider="acme", fallback_models=("a", "b")), by="ada")
    store.write(served.set_role, role("reviewer"), by="ada")
    second = store.write(served.set_role, role("mender", model="m"), by="ada")
    assert (first.id, first.version, second.version) == (second.id, 1, 2)
    seen = store.read(served.served_roles)
    assert [(one.name, one.version) for one in seen] == [("mender", 2), ("reviewer", 1)], "the newest version first"
    assert (seen[0].provider, seen[0].model, seen[0].fallback_models) == (None, "m", ())
    assert [one.fallback_models for one in store.read(served.role_versions, "mender")] == [(), ("a", "b")]
    store.write(served.retire_role, "mender", by="ada")
    assert [one.name for one in store.read(served.served_roles)] == ["reviewer"]
    with pytest.raises(BoardRefused):
        store.write(served.retire_role, "mender", by="ada")
    assert store.write(served.set_role, role("mender"), by="ada").version == 4


def test_a_push_is_a_version_unless_nothing_changed(store: Store):
    files = [BundleFile("b.md", "B"), BundleFile("a/a.md", "A")]
    first = store.write(served.push_bundle, "default", files, by="ada")
    assert [file.path for file in first.files] == ["a/a.md", "b.md"]
    assert store.write(served.push_bundle, "default", files[::-1], by="eve").version == "1"
    assert store.write(served.push_bundle, "default", files[:1], by="ada").version == "2"
    assert store.write(served.push_bundle, "empty", [], by="ada").version == "1"
    newest, old = store.read(served.bundle, "default"), store.read(served.bundle, "default", 1)
    assert newest is not None
    assert old == first
    assert [file.path for file in newest.files] == ["b.md"]
    found = [(one.name, one.version, one.files, one.created_by) for one in store.read(served.bundle_versions)]
    assert found == [("default", 2, 1, "ada"), ("default", 1, 2, "ada"), ("empty", 1, 0, "ada")]


@pytest.mark.parametrize(
    "path",
    ["../x", "/etc/x", "a/../../x", "a//b", "./a", "a/.", "", "C:/x", "a\\b", "a\nb", "a/ b", "a./b", "x" * 201, "a\0"],
)
def test_a_path_that_leads_out_is_refused(path: str, store: Store):
    with pytest.raises(BoardRefused) as caught:
        store.write(served.push_bundle, "default", [BundleFile(path, "")], by="ada")
    assert caught.value.where == "files[0].path"
    assert store.read(served.bundle, "default") is None


def test_a_bundle_has_bounds(store: Store):
    for files in (
        [BundleFile("A.md", ""), BundleFile("a.MD", "")],
        [BundleFile(f"{number}", "") for number in range(served.MOST_FILES + 1)],
        [BundleFile("a", "x" * served.MOST_BYTES), BundleFile("b", "x")],
        [BundleFile("a", "\0")],
    ):
        with pytest.raises(BoardRefused):
            store.write(served.push_bundle, "default", files, by="ada")


def test_a_folder_is_read_as_it_lies(tmp_path: Path):
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "x.md").write_text("ü")
    (tmp_path / "AGENTS.md").write_bytes(b"a\r\nb")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("secret")
    assert folder.read(str(tmp_path)) == [BundleFile(".claude/x.md", "ü"), BundleFile("AGENTS.md", "a\r\nb")]


def test_a_folder_with_what_cannot_be_served_names_it(tmp_path: Path):
    if os.name == "posix":  # elsewhere a link needs a privilege
        link = tmp_path / "link"
        link.symlink_to("/etc/passwd")
        with pytest.raises(BoardRefused, match="link"):
            folder.read(str(tmp_path))
        link.unlink()
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff")
    with pytest.raises(BoardRefused, match=r"picture\.png"):
        folder.read(str(tmp_path))
    with pytest.raises(BoardRefused, match="no such folder"):
        folder.read(str(tmp_path / "nowhere"))
