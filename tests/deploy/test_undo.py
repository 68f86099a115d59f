"""Taking back what is ours, and nothing else."""

import json
import os
import shutil

import pytest

from agent_connector.deploy.apply import apply as carry_out
from agent_connector.deploy.change import Change
from agent_connector.deploy.undo import undo
from agent_connector.home import files, ledger, paths, private
from agent_connector.hosts.nodes import Block, Default, Item, Key, Whole

LAUNCHER = "/home/ada/.agent-connector/bin/agent-connector"


@pytest.fixture
def root(tmp_path):
    return str(tmp_path / "root")


@pytest.fixture
def settings(tmp_path):
    return tmp_path / "settings.json"


def want(node, *, connector="acme", host="codex", surface="server", scope="user", project=None):
    return Change("+", host, surface, scope, node.file, node, (connector, host), project=project)


def apply(root, *changes, **options):
    return carry_out(changes, root=root, **options)


def server(connector="acme"):
    return {"command": LAUNCHER, "args": ["serve", "--connector", connector]}


def key(file, connector="acme", value=None):
    return Key(str(file), "json", ("mcpServers", connector), value or server(connector))


def item(file, connector="acme"):
    command = f"{LAUNCHER} hook codex Stop --connector {connector}"
    marks = (".agent-connector/bin/agent-connector", f"--connector {connector}")
    return Item(str(file), "json", ("hooks", "Stop"), {"command": command}, marks)


def ops(report):
    return [change.op for change in report.changes]


def content(path):
    return json.loads(path.read_text())


ORIGINALS = (
    None,
    b"",
    b"\n",
    b"\xef\xbb\xbf",
    b"{}",
    b'{"a":1}',
    b'{\r\n\t"a": 1\r\n}\r\n',
    b'{"mcpServers": {}, "hooks": {"Stop": []}}',
)


@pytest.mark.parametrize("original", ORIGINALS)
def test_the_file_is_what_it_was_before_the_first_write(root, settings, original):
    if original is not None:
        settings.write_bytes(original)
        os.utime(settings, (1, 1))
    apply(root, want(key(settings)), want(item(settings)))
    apply(root, want(key(settings, value={"command": "new"})))
    report = undo(root, connector="acme")
    assert set(ops(report)) == {"-"}
    assert (settings.read_bytes() if settings.exists() else None) == original
    assert ledger.load(root) == ledger.Ledger()


@pytest.mark.parametrize("original", ORIGINALS)
def test_without_the_backup_our_nodes_are_cut_and_the_rest_is_what_it_was(root, settings, original):
    if original is not None:
        settings.write_bytes(original)
        os.utime(settings, (1, 1))
    apply(root, want(key(settings)), want(item(settings)))
    shutil.rmtree(paths.backups_folder(root), ignore_errors=True)
    undo(root, connector="acme")
    assert (settings.read_bytes() if settings.exists() else None) == original


def test_what_a_host_wrote_since_stays_and_our_nodes_go(root, settings):
    settings.write_text('{\n  "a": 1\n}\n')
    apply(root, want(key(settings)), want(item(settings)))
    settings.write_text(settings.read_text().replace('"a": 1', '"a": 1,\n  "b": 2'))
    assert set(ops(undo(root, connector="acme"))) == {"-"}
    assert settings.read_text() == '{\n  "a": 1,\n  "b": 2\n}\n'


def test_a_file_of_ours_in_which_a_host_wrote_stays_with_what_it_wrote(root, settings):
    apply(root, want(key(settings)))
    settings.write_text(json.dumps({**content(settings), "b": 2}))
    undo(root, connector="acme")
    assert content(settings) == {"b": 2}


def test_a_file_of_ours_that_a_host_only_wrote_in_another_form_goes(root, settings):
    apply(root, want(key(settings)))
    settings.write_text(json.dumps(content(settings)))
    undo(root, connector="acme")
    assert not settings.exists()


def test_a_node_that_was_changed_since_is_left_with_a_warning(root, settings):
    apply(root, want(key(settings)), want(item(settings)))
    changed = content(settings)
    changed["mcpServers"]["acme"]["timeout"] = 5
    settings.write_text(json.dumps(changed))
    report = undo(root, connector="acme")
    assert sorted(ops(report)) == ["!", "-"]
    left = next(change for change in report.changes if change.op == "!")
    assert "changed since" in left.note
    assert "take `mcpServers.acme` out of" in left.remedy
    assert report.failed
    assert content(settings) == {"mcpServers": {"acme": changed["mcpServers"]["acme"]}}


def test_what_was_left_goes_by_force_or_once_the_person_took_it_out(root, settings):
    for force in (True, False):
        apply(root, want(key(settings)))
        settings.write_text(settings.read_text().replace("serve", "other"))
        assert ops(undo(root)) == ["!"]
        if not force:
            settings.write_text("{}")
        assert ops(undo(root, force=force)) == ["-" if force else "="]
        assert ledger.load(root) == ledger.Ledger()
        settings.unlink(missing_ok=True)


def test_a_changed_element_is_left_with_a_warning(root, settings):
    apply(root, want(item(settings)))
    settings.write_text(settings.read_text().replace("hook codex", "hook  codex"))
    before = settings.read_bytes()
    report = undo(root)
    assert ops(report) == ["!"]
    assert "--connector acme" in report.changes[0].remedy
    assert settings.read_bytes() == before
    assert ops(undo(root, force=True)) == ["-"]
    assert "acme" not in (settings.read_text() if settings.exists() else "")


def test_what_is_gone_already_is_no_failure(root, settings):
    apply(root, want(key(settings)), want(item(settings)))
    settings.unlink()
    report = undo(root)
    assert set(ops(report)) == {"="}
    assert not report.failed
    assert not settings.exists()
    assert ledger.load(root) == ledger.Ledger()


# owners


@pytest.mark.parametrize("order", [("acme", "other"), ("other", "acme")])
def test_connectors_leave_in_any_order(root, settings, order):
    settings.write_text('{"a": 1}')
    for connector in ("acme", "other"):
        apply(
            root,
            want(key(settings, connector), connector=connector),
            want(item(settings, connector), connector=connector),
        )
    undo(root, connector=order[0])
    assert list(content(settings)["mcpServers"]) == [order[1]]
    assert order[1] in content(settings)["hooks"]["Stop"][0]["command"]
    undo(root, connector=order[1])
    assert settings.read_text() == '{"a": 1}'


def test_a_shared_node_leaves_with_its_last_owner(root, settings):
    node = Key(str(settings), "json", ("version",), 1)
    apply(root, want(node), want(node, host="cursor"), want(node, connector="other"))
    assert ops(undo(root, connector="acme", hosts=["codex"])) == ["="]
    report = undo(root, connector="other")
    assert ops(report) == ["="]
    assert "acme in cursor" in report.changes[0].note
    assert content(settings) == {"version": 1}
    assert ops(undo(root, connector="acme")) == ["-"]
    assert not settings.exists()


def test_only_the_chosen_scope_and_project_are_undone(root, tmp_path, settings):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        node = key(tmp_path / name / ".mcp.json")
        apply(root, want(node, scope="project", project=str(tmp_path / name)))
    apply(root, want(key(settings)))
    undo(root, connector="acme", scope="project", project=str(tmp_path / "one"))
    assert [p.exists() for p in (tmp_path / "one" / ".mcp.json", tmp_path / "two" / ".mcp.json", settings)] == [
        False,
        True,
        True,
    ]
    undo(root, connector="acme", scope="user")
    assert not settings.exists()
    assert (tmp_path / "two" / ".mcp.json").exists()


def test_a_value_that_was_there_before_us_stays(root, settings):
    settings.write_text('{"version":1}')
    apply(root, want(Default(str(settings), "json", ("version",), 1)), want(key(settings)))
    assert sorted(ops(undo(root))) == ["-", "="]
    assert settings.read_text() == '{"version":1}'


def test_a_value_that_was_replaced_by_force_comes_back(root, settings):
    settings.write_text('{"mcpServers": {"acme": "mine"}}')
    apply(root, want(key(settings)), force=True)
    settings.write_text(json.dumps({**content(settings), "b": 2}))  # so that the old bytes cannot be restored
    assert ops(undo(root)) == ["-"]
    assert content(settings) == {"mcpServers": {"acme": "mine"}, "b": 2}


# parents, files, folders


def test_a_parent_of_ours_goes_with_the_last_node_in_it(root, settings):
    settings.write_text("{}")
    apply(root, want(key(settings)))
    apply(root, want(key(settings, "other"), connector="other"))
    settings.write_text(settings.read_text() + " ")
    undo(root, connector="acme")
    assert list(content(settings)) == ["mcpServers"]
    undo(root, connector="other")
    assert settings.read_text() == "{} "


def test_a_parent_of_ours_that_a_person_uses_stays(root, settings):
    apply(root, want(key(settings)))
    settings.write_text(json.dumps({"mcpServers": {**content(settings)["mcpServers"], "mine": {}}}))
    undo(root)
    assert content(settings) == {"mcpServers": {"mine": {}}}


def test_an_empty_parent_of_the_persons_stays(root, settings):
    settings.write_text('{"mcpServers": {}}')
    apply(root, want(key(settings)))
    settings.write_text(settings.read_text() + "\n")
    undo(root)
    assert settings.read_text() == '{"mcpServers": {}}\n'


def test_folders_of_ours_go_when_the_last_file_in_them_goes(root, tmp_path):
    for connector in ("acme", "other"):
        node = Whole(str(tmp_path / "host" / "skills" / connector / "SKILL.md"), connector)
        apply(root, want(node, connector=connector, surface="skills"))
    undo(root, connector="acme")
    assert os.listdir(tmp_path / "host" / "skills") == ["other"]
    undo(root, connector="other")
    assert os.listdir(tmp_path) == ["root"]


def test_folders_in_which_a_person_put_something_stay(root, tmp_path):
    apply(root, want(Whole(str(tmp_path / "host" / "skills" / "SKILL.md"), "x"), surface="skills"))
    (tmp_path / "host" / "mine").write_text("")
    undo(root)
    assert os.listdir(tmp_path / "host") == ["mine"]


def test_a_whole_file_that_was_changed_since_is_left(root, tmp_path):
    path = tmp_path / "SKILL.md"
    apply(root, want(Whole(str(path), "ours")))
    path.write_text("ours, and mine")
    assert ops(undo(root)) == ["!"]
    assert path.read_text() == "ours, and mine"
    assert ops(undo(root, force=True)) == ["-"]
    assert not path.exists()


def test_a_persons_file_that_was_replaced_by_force_comes_back(root, tmp_path):
    path = tmp_path / "SKILL.md"
    path.write_bytes(b"mine \xff")
    apply(root, want(Whole(str(path), "ours")), force=True)
    path.write_text("edited")
    apply(root, want(Whole(str(path), "ours, newer")), force=True)
    undo(root)
    assert path.read_bytes() == b"mine \xff"


def test_a_block_goes_and_the_text_around_it_stays(root, tmp_path):
    path = tmp_path / "AGENTS.md"
    path.write_bytes(b"\xef\xbb\xbf# Mine\r\n\r\nno newline at the end")
    before = path.read_bytes()
    apply(root, want(Block(str(path), "acme/x", "Text."), surface="memory"))
    undo(root)
    assert path.read_bytes() == before


def test_an_edited_block_is_left(root, tmp_path):
    path = tmp_path / "AGENTS.md"
    apply(root, want(Block(str(path), "acme/x", "Text."), surface="memory"))
    path.write_text(path.read_text().replace("Text.", "My text."))
    assert ops(undo(root)) == ["!"]
    assert "My text." in path.read_text()


def test_memory_is_removed_first(root, tmp_path, settings, monkeypatch):
    apply(root, want(Block(str(tmp_path / "A.md"), "acme/x", "Text."), surface="memory"), want(key(settings)))
    apply(root, want(key(tmp_path / "last.json")))
    written = []
    real = files.replace
    monkeypatch.setattr(
        files, "replace", lambda s, *a, **k: written.append(os.path.basename(s.path)) or real(s, *a, **k)
    )
    undo(root)
    assert written == ["A.md", "last.json", "settings.json"]


# files that moved, or cannot be read


def test_a_file_that_was_moved_into_dotfiles_is_still_known(root, tmp_path, settings):
    settings.write_text('{"a": 1}')
    apply(root, want(key(settings)))
    (tmp_path / "dotfiles").mkdir()
    settings.rename(tmp_path / "dotfiles" / "settings.json")
    settings.symlink_to(tmp_path / "dotfiles" / "settings.json")
    undo(root)
    assert settings.is_symlink()
    assert settings.read_text() == '{"a": 1}'


def test_a_path_that_leads_elsewhere_now_is_undone_where_it_was_written(root, tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.json").write_text("{}")
    link = tmp_path / "settings.json"
    link.symlink_to("one.json")
    apply(root, want(key(link)))
    link.unlink()
    link.symlink_to("two.json")
    undo(root)
    assert [(tmp_path / f"{name}.json").read_text() for name in ("one", "two")] == ["{}", "{}"]
    assert ledger.load(root) == ledger.Ledger()


def test_a_file_that_does_not_parse_is_left_with_its_rows(root, tmp_path, settings):
    apply(root, want(key(settings)), want(key(tmp_path / "other.json")))
    settings.write_text("{")
    report = undo(root)
    assert sorted(ops(report)) == ["!", "-"]
    assert settings.read_text() == "{"
    assert list(ledger.load(root).files) == [str(settings)]
    assert not (tmp_path / "other.json").exists()


def test_a_damaged_ledger_stops_everything(root, settings):
    apply(root, want(key(settings)))
    private.write(paths.ledger(root), "{")
    before = settings.read_bytes()
    with pytest.raises(ledger.StateError):
        undo(root)
    with pytest.raises(ledger.StateError):
        apply(root, want(key(settings, "other")))
    assert settings.read_bytes() == before


def test_a_preview_touches_nothing(root, settings):
    apply(root, want(key(settings)))
    before = (settings.read_bytes(), private.read(paths.ledger(root)))
    report = undo(root, dry=True)
    assert ops(report) == ["-"]
    assert report.files[0].after is None
    assert (settings.read_bytes(), private.read(paths.ledger(root))) == before
