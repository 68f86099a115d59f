"""Changes on their way into files: what is written, what is left, and what is said."""

import json
import os
import stat

import pytest

from agent_connector.deploy import apply as module
from agent_connector.deploy import diff, jobs, manual
from agent_connector.deploy.change import Change, FileResult
from agent_connector.deploy.wanted import NOT_RUN
from agent_connector.errors import HomeError
from agent_connector.home import backups, files, ledger, paths
from agent_connector.hosts.nodes import Block, Default, Item, Key, Whole

LAUNCHER = "/home/ada/.agent-connector/bin/agent-connector"


@pytest.fixture
def root(tmp_path):
    return str(tmp_path / "root")


@pytest.fixture
def settings(tmp_path):
    return tmp_path / "settings.json"


def want(node, *, connector="acme", host="codex", surface="server", op="+", project=None, scope="user"):
    return Change(op, host, surface, scope, node.file, node, (connector, host), project=project)


def server(connector="acme", **more):
    return {"command": LAUNCHER, "args": ["serve", "--connector", connector, "--", "acme"], **more}


def hook(connector="acme", event="Stop", timeout=10):
    return {"command": f"{LAUNCHER} hook codex {event} --connector {connector}", "timeout": timeout}


def marks(connector="acme"):
    return (".agent-connector/bin/agent-connector", f"--connector {connector}")


def key(file, value=None, path=("mcpServers", "acme"), format="json"):
    return Key(str(file), format, path, server() if value is None else value)


def item(file, value=None, connector="acme"):
    return Item(str(file), "json", ("hooks", "Stop"), hook(connector) if value is None else value, marks(connector))


def apply(root, *changes, **options):
    return module.apply(changes, root=root, **options)


def ops(report):
    return [change.op for change in report.changes]


def content(path):
    return json.loads(path.read_text())


# what is wanted is written once


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("json", '{"a": 1}\n'),
        ("jsonc", '// mine\n{"a": 1,}\n'),
        ("json5", "{a: 1}\n"),
        ("toml", "a = 1 # mine\n"),
        ("yaml", "a: 1 # mine\n"),
    ],
)
def test_a_key_is_written_and_a_second_time_nothing_is(root, tmp_path, format, text):
    path = tmp_path / "settings"
    path.write_text(text)
    node = key(path, format=format)
    assert ops(apply(root, want(node))) == ["+"]
    written = path.read_text()
    assert text.strip().strip("{}\n") in written
    assert "agent-connector" in written
    stamps = [os.stat(p).st_mtime_ns for p in (path, paths.ledger(root))]
    report = apply(root, want(node))
    assert ops(report) == ["="]
    assert report.files == ()
    assert stamps == [os.stat(p).st_mtime_ns for p in (path, paths.ledger(root))]


def test_a_changed_value_replaces_ours(root, settings):
    apply(root, want(key(settings)))
    report = apply(root, want(key(settings, server(timeout=5))))
    assert ops(report) == ["~"]
    assert content(settings)["mcpServers"]["acme"]["timeout"] == 5


def test_a_node_that_a_person_took_out_is_written_again(root, settings):
    apply(root, want(key(settings)))
    settings.write_text("{}")
    assert ops(apply(root, want(key(settings)))) == ["+"]
    assert "acme" in content(settings)["mcpServers"]


def test_a_file_is_written_once_for_all_its_changes(root, settings, monkeypatch):
    written = []
    real = files.replace
    monkeypatch.setattr(
        files, "replace", lambda snapshot, *a, **k: written.append(snapshot.path) or real(snapshot, *a, **k)
    )
    settings.write_text("{}")
    apply(root, want(key(settings)), want(item(settings)), want(key(settings, "1", ("env", "A"))))
    assert written == [str(settings)]
    assert set(content(settings)) == {"mcpServers", "hooks", "env"}


def test_files_are_written_in_the_order_of_the_plan(root, tmp_path, monkeypatch):
    written = []
    real = files.replace
    monkeypatch.setattr(
        files, "replace", lambda snapshot, *a, **k: written.append(snapshot.path) or real(snapshot, *a, **k)
    )
    order = [str(tmp_path / name) for name in ("z.json", "a.json", "m.json")]
    apply(root, *(want(key(path)) for path in order))
    assert written == order


def test_changes_that_are_refused_already_are_passed_through(root, settings):
    refused = Change("!", "codex", "server", "user", str(settings), None, ("acme", "codex"), "no such transport")
    report = apply(root, refused, want(key(settings)))
    assert report.changes[0] is refused
    assert ops(report) == ["!", "+"]
    assert report.failed


def test_the_original_bytes_are_backed_up_before_the_write(root, settings):
    settings.write_text('{"a": 1}\n')
    report = apply(root, want(key(settings)))
    with open(backups.location(root, report.files[0].backup), "rb") as stream:
        assert stream.read() == b'{"a": 1}\n'


# what is not ours is left


def test_a_persons_key_is_left_and_only_force_replaces_it(root, settings):
    settings.write_text('{"mcpServers": {"acme": {"command": "mine"}}}\n')
    before = settings.read_bytes()
    report = apply(root, want(key(settings)))
    assert ops(report) == ["!"]
    assert "something else" in report.changes[0].note
    assert "mcpServers.acme" in report.changes[0].remedy
    assert settings.read_bytes() == before
    assert ops(apply(root, want(key(settings)), force=True)) == ["~"]
    assert content(settings)["mcpServers"]["acme"] == server()


def test_an_equal_key_that_was_there_is_taken_as_it_is(root, settings):
    settings.write_text('{"env": {"A": "1"}}')
    before = settings.stat()
    assert ops(apply(root, want(key(settings, "1", ("env", "A"))))) == ["="]
    assert settings.stat().st_mtime_ns == before.st_mtime_ns


def test_our_key_without_a_ledger_is_known_by_its_launcher(root, settings):
    settings.write_text(json.dumps({"mcpServers": {"acme": server(old=True)}}))
    assert ops(apply(root, want(key(settings)))) == ["~"]
    settings.write_text(json.dumps({"mcpServers": {"acme": server("acme-db")}}))
    os.unlink(paths.ledger(root))
    assert ops(apply(root, want(key(settings)))) == ["!"]


def test_our_key_that_a_person_changed_is_left_and_only_force_replaces_it(root, settings):
    apply(root, want(key(settings)))
    settings.write_text(settings.read_text().replace('"acme"\n', '"other"\n'))
    before = settings.read_bytes()
    report = apply(root, want(key(settings, server(timeout=5))))
    assert ops(report) == ["!"]
    assert "changed since" in report.changes[0].note
    assert settings.read_bytes() == before
    assert ops(apply(root, want(key(settings, server(timeout=5))), force=True)) == ["~"]


def test_a_host_that_writes_the_same_in_another_form_has_changed_nothing(root, settings):
    apply(root, want(key(settings)))
    settings.write_text(
        json.dumps(dict(reversed(content(settings)["mcpServers"]["acme"].items()))).join(
            ['{"mcpServers":{"acme":', "}}"]
        )
    )
    assert ops(apply(root, want(key(settings, server(timeout=5))))) == ["~"]


def test_a_default_never_replaces_a_persons_value(root, settings):
    settings.write_text('{"statusLine": "mine"}')
    node = Default(str(settings), "json", ("statusLine",), {"command": "ours"})
    for force in (False, True):
        report = apply(root, want(node), force=force)
        assert ops(report) == ["!"]
        assert "kept" in report.changes[0].note
    assert content(settings) == {"statusLine": "mine"}


def test_a_default_of_ours_follows_the_author(root, settings):
    apply(root, want(Default(str(settings), "json", ("env", "A"), "1")))
    assert ops(apply(root, want(Default(str(settings), "json", ("env", "A"), "2")))) == ["~"]
    settings.write_text('{"env": {"A": "person"}}')
    assert ops(apply(root, want(Default(str(settings), "json", ("env", "A"), "3")), force=True)) == ["!"]


def test_two_connectors_do_not_share_a_place_with_two_values(root, settings):
    node = key(settings, "1", ("env", "A"))
    apply(root, want(node))
    assert ops(apply(root, want(node, connector="other"))) == ["="]
    report = apply(root, want(key(settings, "2", ("env", "A")), connector="other"), force=True)
    assert ops(report) == ["!"]
    assert "acme" in report.changes[0].note
    assert content(settings) == {"env": {"A": "1"}}


def test_two_hosts_in_one_plan_do_not_fight_over_a_place(root, settings):
    one, other = key(settings, "1", ("env", "A")), key(settings, "2", ("env", "A"))
    report = apply(root, want(one), want(other, host="cursor"))
    assert ops(report) == ["+", "!"]
    assert content(settings) == {"env": {"A": "1"}}


# elements of lists


def test_an_element_is_found_by_its_marks_and_replaced_in_its_place(root, settings):
    settings.write_text(json.dumps({"hooks": {"Stop": [{"command": "mine"}]}}))
    apply(root, want(item(settings)))
    mine = {"command": "mine too"}
    settings.write_text(json.dumps({"hooks": {"Stop": [*content(settings)["hooks"]["Stop"], mine]}}))
    report = apply(root, want(item(settings), op="-"), want(item(settings, hook(timeout=99))))
    assert ops(report) == ["~"]
    assert content(settings)["hooks"]["Stop"] == [{"command": "mine"}, hook(timeout=99), mine]


def test_an_element_of_a_connector_with_a_longer_name_is_not_ours(root, settings):
    apply(root, want(item(settings, connector="acme-db"), connector="acme-db"))
    os.unlink(paths.ledger(root))
    assert ops(apply(root, want(item(settings)))) == ["+"]
    assert content(settings)["hooks"]["Stop"] == [hook("acme-db"), hook()]


def test_an_old_element_of_ours_without_a_ledger_is_replaced(root, settings):
    settings.write_text(json.dumps({"hooks": {"Stop": [hook(timeout=1), {"command": "mine"}]}}))
    assert ops(apply(root, want(item(settings)))) == ["~"]
    assert content(settings)["hooks"]["Stop"] == [hook(), {"command": "mine"}]


def test_an_element_that_a_person_changed_is_left_and_only_force_replaces_it(root, settings):
    apply(root, want(item(settings)))
    settings.write_text(json.dumps({"hooks": {"Stop": [hook(timeout=1)]}}))
    for node in (item(settings), item(settings, hook(timeout=99))):
        report = apply(root, want(node))
        assert ops(report) == ["!"]
        assert content(settings)["hooks"]["Stop"] == [hook(timeout=1)]
    assert ops(apply(root, want(item(settings)), force=True)) == ["~"]
    assert content(settings)["hooks"]["Stop"] == [hook()]


def test_several_elements_of_one_list_live_side_by_side(root, settings):
    nodes = [item(settings, hook(timeout=n)) for n in (1, 2, 3)]
    assert ops(apply(root, *map(want, nodes))) == ["+"] * 3
    assert ops(apply(root, *map(want, nodes))) == ["="] * 3
    report = apply(root, want(nodes[0]), want(nodes[1], op="-"), want(nodes[2]))
    assert ops(report) == ["=", "-", "="]
    assert content(settings)["hooks"]["Stop"] == [hook(timeout=1), hook(timeout=3)]


def test_a_person_who_took_an_element_out_gets_it_again_when_installing(root, settings):
    apply(root, want(item(settings)))
    settings.write_text('{"hooks": {"Stop": []}}')
    assert ops(apply(root, want(item(settings)))) == ["+"]


def test_something_else_where_the_list_should_be_is_told(root, settings):
    settings.write_text('{"hooks": {"Stop": "mine"}}')
    report = apply(root, want(item(settings)))
    assert ops(report) == ["!"]
    assert "hooks.Stop" in report.changes[0].note
    assert settings.read_text() == '{"hooks": {"Stop": "mine"}}'


# blocks and whole files


def test_a_block_is_put_into_a_persons_text(root, tmp_path):
    path = tmp_path / "AGENTS.md"
    path.write_text("# Mine\n")
    node = Block(str(path), "acme/schema", "Use the tools.")
    assert ops(apply(root, want(node, surface="memory"))) == ["+"]
    assert path.read_text().startswith("# Mine\n")
    assert "Use the tools." in path.read_text()
    assert ops(apply(root, want(node, surface="memory"))) == ["="]
    assert ops(apply(root, want(Block(str(path), "acme/schema", "Other."), surface="memory"))) == ["~"]
    assert "Use the tools." not in path.read_text()


def test_a_block_that_a_person_edited_is_left_and_only_force_replaces_it(root, tmp_path):
    path = tmp_path / "AGENTS.md"
    node = Block(str(path), "acme/schema", "Use the tools.")
    apply(root, want(node, surface="memory"))
    path.write_text(path.read_text().replace("Use the", "Never use the"))
    report = apply(root, want(node, surface="memory"))
    assert ops(report) == ["!"]
    assert "Never use the" in path.read_text()
    assert ops(apply(root, want(node, surface="memory"), force=True)) == ["~"]
    assert "Never use the" not in path.read_text()


def test_a_whole_file_is_made_with_its_folders(root, tmp_path):
    path = tmp_path / "skills" / "acme" / "SKILL.md"
    node = Whole(str(path), "---\nname: acme\n---\n")
    assert ops(apply(root, want(node, surface="skills"))) == ["+"]
    assert path.read_text() == "---\nname: acme\n---\n"
    assert ops(apply(root, want(Whole(str(path), "new"), surface="skills"))) == ["~"]
    assert path.read_text() == "new"


def test_a_program_may_be_run(root, tmp_path):
    path = tmp_path / "hook.sh"
    apply(root, want(Whole(str(path), "#!/bin/sh\n", executable=True)))
    assert os.access(path, os.X_OK)


def test_a_program_that_may_not_be_run_any_more_is_mended(root, tmp_path):
    path = tmp_path / "hook.sh"
    node = Whole(str(path), "#!/bin/sh\n", executable=True)
    apply(root, want(node))
    path.chmod(0o640)
    seen = apply(root, want(node), dry=True)
    assert [(change.op, change.note) for change in seen.changes] == [("~", NOT_RUN)]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert ops(apply(root, want(node))) == ["~"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    assert ops(apply(root, want(node))) == ["="]


def test_a_persons_file_is_left_and_only_force_replaces_it(root, tmp_path):
    path = tmp_path / "SKILL.md"
    path.write_bytes(b"mine \xff")
    assert ops(apply(root, want(Whole(str(path), "ours")))) == ["!"]
    assert path.read_bytes() == b"mine \xff"
    assert ops(apply(root, want(Whole(str(path), "ours")), force=True)) == ["~"]
    assert path.read_text() == "ours"


# files that cannot be written


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"a": 1,\n "b": }\n', "line 2"),
        (b'{"mcpServers": {"acme": 1, "acme": 2}}', "acme"),
        (b'{"a": "\xff"}', "UTF-8"),
        (b"[1]", "list"),
        (b'{"mcpServers": []}', "mcpServers"),
    ],
)
def test_a_file_that_cannot_be_edited_is_told_and_the_others_go_on(root, tmp_path, settings, data, said):
    settings.write_bytes(data)
    report = apply(root, want(key(settings)), want(key(tmp_path / "other.json")))
    assert ops(report) == ["!", "+"]
    assert said in report.changes[0].note
    assert "By hand: set `mcpServers.acme`" in report.changes[0].remedy
    assert settings.read_bytes() == data
    assert list(ledger.load(root).files) == [str(tmp_path / "other.json")]


def test_one_file_cannot_be_two_things(root, settings):
    report = apply(root, want(key(settings)), want(Whole(str(settings), "{}")))
    assert ops(report) == ["!", "!"]
    assert "json and whole at once" in report.changes[0].note
    assert not settings.exists()


def test_a_file_is_edited_in_the_strictness_in_which_we_wrote_it(root, settings):
    apply(root, want(key(settings)))
    lax = Key(str(settings), "json5", ("mcpServers", "other"), server("other"))
    assert ops(apply(root, want(lax, connector="other"), want(key(settings)))) == ["+", "="]
    assert set(content(settings)["mcpServers"]) == {"acme", "other"}


def test_a_read_only_file_is_told_and_the_others_go_on(root, tmp_path, settings):
    settings.write_text("{}")
    settings.chmod(0o444)
    foreseen = apply(root, want(key(settings)), want(key(tmp_path / "new" / "other.json")), dry=True)
    assert ops(foreseen) == ["!", "+"] and "read-only" in foreseen.changes[0].note
    report = apply(root, want(key(settings)), want(key(tmp_path / "other.json")))
    assert ops(report) == ["!", "+"]
    assert "read-only" in report.changes[0].note
    assert settings.read_text() == "{}"
    assert sorted(os.listdir(tmp_path)) == ["other.json", "root", "settings.json"]
    table = Key(str(tmp_path / "config.toml"), "toml", ("mcp_servers", "acme"), {"command": "acme"})
    assert manual.to_set(table).partition("\n")[2] == '[mcp_servers.acme]\ncommand = "acme"'
    assert list(ledger.load(root).files) == [str(tmp_path / "other.json")]


def test_a_link_out_of_the_project_is_told(root, tmp_path):
    (tmp_path / "project").mkdir()
    (tmp_path / "outside.json").write_text("{}")
    (tmp_path / "project" / ".mcp.json").symlink_to(tmp_path / "outside.json")
    change = want(key(tmp_path / "project" / ".mcp.json"), scope="project", project=str(tmp_path / "project"))
    report = apply(root, change)
    assert ops(report) == ["!"]
    assert "out of the project" in report.changes[0].note
    assert (tmp_path / "outside.json").read_text() == "{}"


def test_folders_of_a_file_that_could_not_be_written_are_taken_away(root, tmp_path, monkeypatch):
    def replace(*arguments, **options):
        raise HomeError("no space is left on the device")

    monkeypatch.setattr(files, "replace", replace)
    report = apply(root, want(Whole(str(tmp_path / "a" / "b" / "c.md"), "text")))
    assert ops(report) == ["!"]
    assert os.listdir(tmp_path) == ["root"]
    assert ledger.load(root) == ledger.Ledger()


def test_two_paths_to_one_file_are_one_file(root, tmp_path):
    (tmp_path / "AGENTS.md").write_text("# Mine\n")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    one = Block(str(tmp_path / "AGENTS.md"), "acme/x", "Text.")
    other = Block(str(tmp_path / "CLAUDE.md"), "acme/x", "Text.")
    report = apply(root, want(one, surface="memory"), want(other, surface="memory", host="claude-code"))
    assert ops(report) == ["+", "="]
    assert (tmp_path / "AGENTS.md").read_text().count("Text.") == 1
    assert (tmp_path / "CLAUDE.md").is_symlink()


# a host that writes at the same time


def test_a_host_that_wrote_meanwhile_loses_nothing_and_we_write_again(root, settings, monkeypatch):
    settings.write_text('{"a": 1}')
    real, writes = files.replace, ['{"a": 2}', '{"a": 3}']

    def replace(snapshot, *arguments, **options):
        if writes:
            settings.write_text(writes.pop(0))
        return real(snapshot, *arguments, **options)

    monkeypatch.setattr(files, "replace", replace)
    report = apply(root, want(key(settings)))
    assert ops(report) == ["+"]
    assert content(settings) == {"a": 3, "mcpServers": {"acme": server()}}
    assert report.files[0].before == b'{"a": 3}'


def test_a_host_that_wrote_over_ours_gets_it_again(root, settings, monkeypatch):
    settings.write_text('{"a": 1}')
    real, writes = files.replace, ['{"a": 2}']

    def replace(*arguments, **options):
        receipt = real(*arguments, **options)
        if not writes:
            return receipt
        settings.write_text(writes.pop())
        return files.Receipt(receipt.found_hash, receipt.new_hash, held=False)

    monkeypatch.setattr(files, "replace", replace)
    assert ops(apply(root, want(key(settings)))) == ["+"]
    assert content(settings) == {"a": 2, "mcpServers": {"acme": server()}}


def test_a_host_that_never_stops_writing_is_told(root, settings, monkeypatch):
    settings.write_text('{"a": 1}')
    real, count = files.replace, iter(range(1000))

    def replace(*arguments, **options):
        settings.write_text(json.dumps({"a": next(count)}))
        return real(*arguments, **options)

    monkeypatch.setattr(files, "replace", replace)
    report = apply(root, want(key(settings)))
    assert ops(report) == ["!"]
    assert "kept writing" in report.changes[0].note
    assert list(content(settings)) == ["a"]
    assert ledger.load(root) == ledger.Ledger()


def test_a_file_that_is_half_written_is_read_again(root, settings, monkeypatch):
    settings.write_text('{"a": ')
    monkeypatch.setattr(jobs.time, "sleep", lambda _: settings.write_text('{"a": 1}'))
    assert ops(apply(root, want(key(settings)))) == ["+"]
    assert content(settings)["a"] == 1


def test_an_empty_file_that_was_just_touched_is_given_its_time(root, settings, monkeypatch):
    settings.write_text("")
    writes = ["", "", '{"a": 1}']
    monkeypatch.setattr(jobs.time, "sleep", lambda _: settings.write_text(writes.pop(0)))
    apply(root, want(key(settings)))
    assert content(settings)["a"] == 1


# previews


def test_a_preview_says_the_same_and_touches_nothing(root, settings):
    settings.write_text('{\n  "a": 1\n}\n')
    changes = (want(key(settings)), want(item(settings)))
    before = settings.read_bytes()
    seen = apply(root, *changes, dry=True)
    assert settings.read_bytes() == before
    assert not os.path.exists(root)
    done = apply(root, *changes)
    assert (ops(seen), seen.files[0].after) == (ops(done), settings.read_bytes())


def test_a_diff_shows_what_changes(root, settings, tmp_path):
    settings.write_text('{\n  "a": 1\n}')
    report = apply(root, want(key(settings, 1, ("b",))), want(Whole(str(tmp_path / "n.md"), "new\n")), dry=True)
    assert diff.render(report) == (
        f"--- a/{str(settings)[1:]}\n+++ b/{str(settings)[1:]}\n"
        '@@ -1,3 +1,4 @@\n {\n-  "a": 1\n+  "a": 1,\n+  "b": 1\n }\n\\ No newline at end of file\n'
        f"--- /dev/null\n+++ b/{str(tmp_path)[1:]}/n.md\n@@ -0,0 +1 @@\n+new\n"
    )


def test_a_diff_of_what_is_no_text_or_too_large_says_so(tmp_path):
    assert "3 bytes before, 0 bytes after" in diff.file_diff(result_of(b"a\0b", None))
    assert "5000000 bytes before" in diff.file_diff(result_of(b"x" * 5_000_000, b""))
    assert diff.file_diff(result_of(None, b"")) == "--- /dev/null\n+++ b/f\n"


def result_of(before, after):
    return FileResult("/f", before, after)
