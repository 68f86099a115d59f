"""Settings that turn hooks off: what is registered says the opposite, and where that does not help they are found."""

import json
import os
import tomllib
from pathlib import Path

import pytest

from agent_connector.errors import GuardError
from agent_connector.worker.guard import arm, policy, switches
from agent_connector.worker.guard.ways import SWITCHES, WAYS

LOSING = [host for host, known in SWITCHES.items() if any(one.loses for one in known.switches)]
LOOKED = [host for host, known in SWITCHES.items() if not all(one.loses for one in known.switches)]


@pytest.fixture
def folders(tmp_path: Path) -> tuple[str, str, str]:
    """The workspace, the home and the guard's folder."""
    made = tuple(str(tmp_path / name) for name in ("work", "home", "guard"))
    for folder in made:
        os.mkdir(folder, 0o700)
    return made


def write(folder: str, name: str, text: str) -> str:
    path = Path(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def armed(host: str, folders: tuple[str, str, str]) -> arm.Armed:
    work, home, guard = folders
    return arm.arm(host, guard, home, policy.rules(work, home), os.path.join(guard, "nobody", "denials"))


def test_what_is_registered_turns_hooks_on(folders):
    for host in ("claude-code", "qwen-code"):
        made = armed(host, folders)
        path = next(word for word in (*made.argv, *made.environment.values()) if word.endswith("settings.json"))
        assert json.loads(Path(path).read_text())["disableAllHooks"] is False, host
    argv = armed("codex", folders).argv
    assert argv[argv.index("features.hooks=true") - 1] == "-c"
    state = tomllib.loads(next(word for word in argv if word.startswith("hooks.state=")))["hooks"]["state"]
    assert [one["enabled"] for one in state.values()] == [True]


@pytest.mark.parametrize("host", LOOKED)
def test_a_switch_in_any_of_its_files_is_found(host, folders):
    work, home, _ = folders
    known = SWITCHES[host]
    for folder, names in ((work, known.project), (home, known.home)):
        for name in names:
            for one in known.switches:
                value: object = one.off
                for part in reversed(one.key.split(".")):
                    value = {part: value}
                text = "// so\n" + json.dumps(value)[:-1] + ",}"
                path = write(folder, name, text)
                with pytest.raises(GuardError) as caught:
                    switches.look(host, work, home)
                assert caught.value.where == path
                assert one.key in caught.value.what
                os.unlink(path)
    switches.look(host, work, home)


@pytest.mark.parametrize(
    "text",
    [
        '{"hooks',
        "[]",
        '"x"',
        '{"hooksConfig": {"enabled": "no"}}',
        '{"hooksConfig": {"enabled": 1}}',
        "\udcff",
        "[" * 90_000,
    ],
)
def test_what_cannot_be_read_may_say_anything(text, folders):
    work, home, _ = folders
    Path(work, ".gemini").mkdir()
    Path(work, ".gemini", "settings.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(GuardError):
        switches.look("gemini-cli", work, home)


@pytest.mark.parametrize(
    "text", ["", "{}", "/* */ {}", '{"hooksConfig": {"enabled": true, "disabled": []}, "x": [1,]}']
)
def test_other_settings_of_a_project_are_let_be(text, folders):
    work, home, _ = folders
    write(work, ".gemini/settings.json", text)
    switches.look("gemini-cli", work, home)


def test_a_pipe_is_not_waited_for(folders):
    work, home, _ = folders
    os.mkdir(os.path.join(work, ".gemini"))
    os.mkfifo(os.path.join(work, ".gemini", "settings.json"))
    with pytest.raises(GuardError, match="no file"):
        switches.look("gemini-cli", work, home)


@pytest.mark.parametrize("host", LOSING)
def test_a_proof_is_made_among_switches_that_are_off(host, folders):
    work, home, _ = folders
    write(home, ".qwen/settings.json", '{"memory": {"a": 1}}')
    switches.plant(host, work, home)
    known = SWITCHES[host]
    for file in switches.files(known, work, home):
        text = Path(file).read_text()
        value = tomllib.loads(text) if file.endswith(".toml") else json.loads(text)
        for one in known.switches:
            found = value
            for part in one.key.split("."):
                found = found[part]
            assert found == one.off, file
    assert json.loads(Path(home, ".qwen", "settings.json").read_text())["memory"] == {"a": 1}


def test_a_host_that_wins_is_not_kept_from_a_project_with_a_switch(folders):
    work, home, _ = folders
    for host in LOSING:
        switches.plant(host, work, home)
        switches.look(host, work, home)


def test_variables_that_lead_a_host_elsewhere_are_set_already(folders):
    _, home, guard = folders
    gemini = armed("gemini-cli", folders).environment
    assert gemini["GEMINI_CLI_HOME"] == home
    assert os.path.dirname(gemini["GEMINI_CLI_SYSTEM_SETTINGS_PATH"]) == guard
    assert not os.path.exists(gemini["GEMINI_CLI_SYSTEM_SETTINGS_PATH"])
    qwen = armed("qwen-code", folders).environment
    assert qwen["QWEN_HOME"] == os.path.join(home, ".qwen")
    assert qwen["QWEN_CODE_SYSTEM_SETTINGS_PATH"].startswith(guard)


@pytest.mark.parametrize("host", [host for host, way in WAYS.items() if way.kind == "home"])
def test_a_guard_that_was_changed_in_its_home_is_found_out(host, folders):
    made = armed(host, folders)
    arm.check(made)
    path = made.locked[0]
    text = Path(path).read_bytes()
    for change in ("other", "gone", "link", "folder"):
        os.unlink(path)
        if change == "other":
            Path(path).write_bytes(text + b" ")
        elif change == "link":
            Path(path + ".x").write_bytes(text)
            os.symlink(path + ".x", path)
        elif change == "folder":
            os.mkdir(path)
        with pytest.raises(GuardError, match="changed") as caught:
            arm.check(made)
        assert caught.value.where == path
        if change == "folder":
            os.rmdir(path)
        elif change != "gone":
            os.unlink(path)
        Path(path).write_bytes(text)
    arm.check(made)


def test_a_switch_that_a_run_left_is_found_by_the_check(folders):
    made = armed("gemini-cli", folders)
    arm.check(made)
    write(folders[0], ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}')
    with pytest.raises(GuardError, match=r"hooksConfig\.enabled"):
        arm.check(made)
    arm.check(arm.Armed())  # without a guard there is none to check
