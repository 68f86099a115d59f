"""The launcher and the registered command: they find what is there, and hosts go on when it is not."""

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from agent_connector.deploy import launcher as deployed
from agent_connector.errors import DeployError
from agent_connector.home import paths
from agent_connector.hosts import query
from agent_connector.runtime.launchers import windows, windows_main
from agent_connector.runtime.launchers.command import guarded

DECLARATION = """
from agent_connector import Connector, ask
connector = Connector(id="acme")

@connector.hook("PreToolUse")
def confirm(event): return ask("Really?")

@connector.statusline
def line(ctx): return "drawn"

@connector.action("reindex", label="Rebuild")
def reindex(ctx):
    import os, sys
    return f"{sys.executable} {sys.flags.isolated} {os.environ['PATH']}"
"""
HOOKS = {host: facet for host in query.hosts() if (facet := query.hooks(host)) is not None}
ONE_OF_EACH = {facet.NEUTRAL: host for host, facet in HOOKS.items()}  # all that the registered commands differ in
SHELLS = [shell for shell in ("dash", "bash", "busybox", "ksh", "zsh") if shutil.which(shell)]


@pytest.fixture
def standing(home, versions):
    """A home with a launcher and a connector; the versions are its own, to be broken."""
    os.unlink(paths.versions_folder(home.root))
    shutil.copytree(versions, paths.versions_folder(home.root), symlinks=True)
    home.connector(DECLARATION)
    path = Path(paths.launcher_path(str(home.folder)))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(deployed.rendered(home.root, {"PATH": "/usr/bin:/bin"}, "linux"))
    path.chmod(0o700)
    home.launcher = str(path)
    home.home = Path(paths.version_folder(home.root, home.version.name))
    del home.variables[paths.VARIABLE]
    return home


def registered(home, host, event="x"):
    """Run what a host has stored for a hook, as hosts do: in a shell, with more payload than a pipe holds."""
    facet = query.hooks(host)
    command = guarded(home.launcher, ["hook", host, event, "--connector", "acme"], facet.NEUTRAL, "linux")
    payload = json.dumps({"tool_name": "Bash", "hook_event_name": event, "tool_input": {"a": "x" * 300_000}}).encode()
    return fed(["/bin/sh", "-c", command], payload, home.variables)


def fed(command, payload, variables=None):
    """Run a command on a payload; BrokenPipeError when it does not read that to its end."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables
    )
    process.stdin.write(payload)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


# ---- the registered command


def without_library(home):
    """An interpreter that is there and cannot be loaded: the system gives such a start exit code 127."""
    python = home.folder / "python"
    python.write_text("#!/bin/sh\nexit 127\n")
    python.chmod(0o700)
    (home.home / "python").write_text(f"{python}\n")
    (home.home / "needs").write_text(f"{home.folder}/libpython.so\n")


def test_the_registered_command_runs_the_launcher(standing):
    code, out, err = registered(standing, "claude-code", "PreToolUse")
    assert (code, err) == (0, b"") and json.loads(out)["hookSpecificOutput"]["permissionDecision"] == "ask"


GONE = {
    "the interpreter": lambda home: (home.home / "python").write_text("/no/such/python\n"),
    "the file that names it": lambda home: (home.home / "python").unlink(),
    "a library of the interpreter": lambda home: without_library(home),
    "our package": lambda home: shutil.rmtree(home.home / "agent_connector"),
    "the entry": lambda home: (home.home / "agent_connector/runtime/entry.py").unlink(),
    "the version": lambda home: shutil.rmtree(home.home),
    "all versions": lambda home: shutil.rmtree(home.home.parent),
    "the launcher": lambda home: os.unlink(home.launcher),
    "the launcher's mode": lambda home: os.chmod(home.launcher, 0o600),
    "the folder of the launcher": lambda home: shutil.rmtree(os.path.dirname(home.launcher)),
    "the whole home": lambda home: shutil.rmtree(home.root),
}


@pytest.mark.parametrize("gone", GONE.values(), ids=GONE.keys())
def test_every_host_goes_on_when_something_is_gone(standing, own_copy, gone):
    if gone in (GONE["our package"], GONE["the entry"]):
        own_copy(standing.home / "agent_connector")
    (Path(standing.root) / "connectors/acme/python").unlink()
    gone(standing)
    if gone is GONE["the launcher's mode"] and os.geteuid() == 0:
        assert not os.access(standing.launcher, os.X_OK)  # root, too, needs one bit for execution
    for neutral, host in ONE_OF_EACH.items():
        code, out, err = registered(standing, host)
        assert (host, code, err) == (host, 0, b"")
        assert out.decode() == neutral


def test_what_is_registered_differs_in_the_host_s_name_and_in_what_it_takes_for_nothing():
    def of(host):
        return guarded("/l", ["hook", host, "x", "--connector", "acme"], HOOKS[host].NEUTRAL, "linux")

    for host, facet in HOOKS.items():
        assert of(host).replace(f" {host} ", " - ") == of(one := ONE_OF_EACH[facet.NEUTRAL]).replace(f" {one} ", " - ")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("neutral", ["", "{}", 'it\'s; "odd" $x'])
def test_the_command_is_read_alike_by_all_shells(tmp_path, shell, neutral):
    folder = tmp_path / "it's a $HOME; `folder`"
    folder.mkdir()
    program = folder / "launcher"
    command = guarded(str(program), ["hook", "a b", "--connector", "acme"], neutral, "darwin")
    words = [shell, "-c", command] if shell != "busybox" else [shell, "sh", "-c", command]

    def run():
        code, out, err = fed(words, b"x" * 1_000_000)
        assert (code, err) == (0, b"")
        return out.decode()

    assert run() == neutral
    program.write_text('#!/bin/sh\ncat >/dev/null; printf "%s|" "$@"\n')
    program.chmod(0o700)
    assert run() == "hook|a b|--connector|acme|"


DEATHS = {
    "a crash": "os.kill(os.getpid(), 11)",
    "a bare exit": "os._exit(3)",
    "exit code 1": "os._exit(1)",
    "a signal": "os.kill(os.getpid(), 15)",
}
DYING = """
import os
from agent_connector import Connector
connector = Connector(id="acme")

@connector.hook("PreToolUse", on_error={on_error!r})
def dies(event):
    {death}
"""


@pytest.mark.parametrize("host", ["gemini-cli", "cursor"])  # one that wants nothing, one that wants an object
@pytest.mark.parametrize("death", DEATHS)
def test_code_that_tears_its_process_down_harms_no_host(standing, host, death):
    standing.connector(DYING.format(death=DEATHS[death], on_error="allow"))
    facet = query.hooks(host)
    code, out, _ = registered(standing, host, facet.EVENTS["PreToolUse"])
    assert (code, out.decode()) == (0, facet.NEUTRAL)
    assert "ended the process" in (Path(standing.root) / "hooks.log").read_text("utf-8")


@pytest.mark.parametrize("death", DEATHS)
def test_a_guard_that_tears_its_process_down_denies(standing, death):
    standing.connector(DYING.format(death=DEATHS[death], on_error="deny"))
    code, out, _ = registered(standing, "claude-code", "PreToolUse")
    assert (code, json.loads(out)["hookSpecificOutput"]["permissionDecision"]) == (0, "deny")


def test_a_crash_after_the_answer_leaves_the_answer(standing):
    standing.connector(DECLARATION.replace(
        'return ask("Really?")', 'import atexit, os; atexit.register(os.kill, os.getpid(), 11); return ask("Really?")'
    ))  # fmt: skip
    code, out, _ = registered(standing, "claude-code", "PreToolUse")
    assert (code, json.loads(out)["hookSpecificOutput"]["permissionDecision"]) == (0, "ask")
    assert not list(Path(standing.root).glob("answered.*"))


def test_exit_codes_of_the_launcher_go_through(tmp_path):
    program = tmp_path / "launcher"
    program.write_text("#!/bin/sh\necho why >&2\nexit 2\n")
    program.chmod(0o700)
    command = guarded(str(program), ["hook"], "{}", "linux")
    done = subprocess.run(["/bin/sh", "-c", command], input=b"", capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"why\n")


def test_the_marks_of_an_entry_stand_in_its_command():
    for platform, launcher in (("linux", "/home/it's me/.agent-connector/bin/agent-connector"),
                               ("win32", r"C:\Users\A B\.agent-connector\bin\agent-connector.exe")):  # fmt: skip
        command = guarded(launcher, ["hook", "codex", "Stop", "--connector", "acme"], "{}", platform)
        assert ".agent-connector/bin/agent-connector" in command.replace("\\", "/")
        assert "--connector acme" in command


# ---- the launcher


def launch(home, *words, stdin=b"", shell=None, cwd=None, **variables):
    program = [*(shell or []), home.launcher]
    done = subprocess.run(
        [*program, *words], input=stdin, env={**home.variables, **variables}, cwd=cwd, capture_output=True,
        timeout=60, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("shell", [["dash"], ["bash", "--posix"]])
def test_the_launcher_runs_in_any_posix_shell(standing, shell):
    assert launch(standing, "statusline", "claude-code", "--connector", "acme", stdin=b"{}", shell=shell) == (
        0, b"drawn", b"",
    )  # fmt: skip
    (standing.home / "python").write_text("/gone\n")
    (Path(standing.root) / "connectors/acme/python").unlink()
    assert launch(standing, "hook", "cursor", "stop", "--connector", "acme", shell=shell) == (0, b"{}", b"")
    assert launch(standing, "statusline", "claude-code", "--connector", "acme", shell=shell) == (0, b"", b"")


def test_what_is_gone_is_said_to_a_person(standing):
    (standing.home / "python").write_text("/gone/python\n")
    (standing.home / "tools").write_text("/gone/tools\n")
    (Path(standing.root) / "connectors/acme/python").unlink()
    for words in (["action", "codex", "reindex", "--connector", "acme"], ["status"], []):
        code, out, err = launch(standing, *words)
        assert code == 1 and out == b""
        assert b"/gone/" in err and b"agent-connector upgrade" in err


def test_a_server_is_started_without_us_when_we_are_gone(standing):
    shutil.rmtree(standing.home)
    code, out, err = launch(
        standing, "serve", "--connector", "acme", "--", "sh", "-c", 'cat; echo "$0" "$@"; exit 7', "a b", "--", "c",
        stdin=b"in\n",
    )  # fmt: skip
    assert (code, out) == (7, b"in\na b -- c\n") and b"is gone" in err
    code, out, err = launch(standing, "serve", "--connector", "acme", "--url", "https://x")
    assert (code, out) == (1, b"")


def test_other_verbs_go_to_the_interpreter_with_all_dependencies(standing, tmp_path):
    fake = tmp_path / "tools"
    fake.write_text('#!/bin/sh\nprintf "%s|" "$@" "$AGENT_CONNECTOR_DATA_DIR"\nexit 3\n')
    fake.chmod(0o700)
    (standing.home / "tools").write_text(f"{fake}\n")
    assert launch(standing, "doctor", "a b") == (
        3, f"-P|-m|agent_connector|doctor|a b|{standing.root}|".encode(), b"",
    )  # fmt: skip


def test_a_connector_with_an_interpreter_of_its_own_runs_in_it(standing):
    other = standing.folder / "other python"
    os.symlink(standing.version.python, other)
    python = Path(standing.root) / "connectors/acme/python"
    python.write_text(f"{other}\n")
    words = ["action", "codex", "reindex", "--connector", "acme"]
    assert launch(standing, *words)[1].split(b" 1 ")[0].decode() == str(other)
    python.write_text("/gone\n")
    assert launch(standing, *words)[1].split(b" ")[0].decode() == standing.version.python


def test_the_path_of_install_time_comes_behind_and_once(standing):
    words = ["action", "codex", "reindex", "--connector", "acme"]
    for path, wanted in (("/opt/x", "/opt/x:/usr/bin:/bin"), ("/usr/bin:/bin", "/usr/bin:/bin"), ("", "/usr/bin:/bin")):
        assert launch(standing, *words, PATH=path)[1].decode().split()[-1] == wanted
    del standing.variables["PATH"]
    assert launch(standing, *words)[1].decode().split()[-1].endswith("/usr/bin:/bin")


def test_the_data_root_is_baked_in_and_the_variable_overrules_it(standing, tmp_path):
    words = ["statusline", "claude-code", "--connector", "acme"]
    assert launch(standing, *words, stdin=b"{}", HOME="/nowhere")[1] == b"drawn"
    elsewhere = tmp_path / "else where"
    os.rename(standing.root, elsewhere)
    os.makedirs(os.path.dirname(standing.launcher))
    os.rename(elsewhere / "bin" / "agent-connector", standing.launcher)
    assert launch(standing, *words, stdin=b"{}")[1] == b""
    for said in (str(elsewhere), "~/else where", "else where"):
        assert launch(standing, *words, stdin=b"{}", cwd=tmp_path, AGENT_CONNECTOR_DATA_DIR=said)[1] == b"drawn"


@pytest.mark.parametrize("name", ["plain", "with space", "it's", 'a"b', "$HOME", "back\\slash", "`id`", "*", "ä"])
def test_any_folder_may_hold_our_home(tmp_path, name):
    root = tmp_path / name
    script = deployed.rendered(str(root), {"PATH": f"/usr/bin:{tmp_path}"}, "linux")
    (root / "versions" / "v" / "agent_connector" / "runtime").mkdir(parents=True)
    (root / "versions" / "current").write_text("v\n")
    (root / "versions" / "v" / "agent_connector" / "runtime" / "entry.py").write_text("")
    (root / "versions" / "v" / "python").write_text(f"{root}/echo\n")
    (root / "echo").write_text('#!/bin/sh\nprintf "%s|" "$AGENT_CONNECTOR_DATA_DIR" "$@"\n')
    (root / "echo").chmod(0o700)
    program = root / "launcher"
    program.write_bytes(script)
    done = subprocess.run(["/bin/sh", str(program), "serve"], capture_output=True, timeout=30, check=True, env={})
    entry = f"{root}/versions/v/agent_connector/runtime/entry.py"
    assert done.stdout.decode() == f"{root}|-I|-S|{entry}|serve|"


# ---- pins


@pytest.fixture
def pinned(standing, tmp_path):
    """A second version that only says its name."""
    for name in ("1.0", "2.0"):
        runtime = standing.home.parent / name / "agent_connector" / "runtime"
        runtime.mkdir(parents=True)
        (runtime / "entry.py").write_text(f"print('{name}')")
        (standing.home.parent / name / "python").write_text(f"{standing.version.python}\n")
    (tmp_path / "shop" / "deep").mkdir(parents=True)
    (tmp_path / "shopping").mkdir()
    os.symlink(tmp_path / "shop", tmp_path / "link")

    def line(folder, rows, **variables):
        text = "".join(f"{tmp_path / place}\t{version}\n" for place, version in rows)
        Path(paths.pins(standing.root)).write_text(text)
        words = ["statusline", "claude-code", "--connector", "acme"]
        return launch(standing, *words, stdin=b"{}", cwd=tmp_path / folder, **variables)[1].decode().strip()

    return line


def test_a_pin_counts_in_its_folder_and_below(pinned):
    rows = [("shop", "1.0")]
    assert pinned("shop", rows) == "1.0" and pinned("shop/deep", rows) == "1.0"
    assert pinned("shopping", rows) == "drawn" and pinned(".", rows) == "drawn"
    assert pinned("shop", []) == "drawn"


def test_the_longest_folder_counts_wherever_it_stands(pinned):
    rows = [("shop/deep", "2.0"), ("shop", "1.0")]
    assert pinned("shop/deep", rows) == pinned("shop/deep", rows[::-1]) == "2.0"
    assert pinned("shop", rows) == "1.0"


def test_a_link_to_the_folder_is_the_folder(pinned, tmp_path):
    rows = [("shop", "1.0")]
    assert pinned("link", rows, PWD=str(tmp_path / "link")) == "1.0"
    assert pinned("shop", [("link", "1.0")], PWD=str(tmp_path / "link")) == "1.0"


def test_hosts_that_start_us_elsewhere_say_the_project(pinned, tmp_path):
    assert pinned("shopping", [("shop", "1.0")], CLAUDE_PROJECT_DIR=str(tmp_path / "shop" / "deep")) == "1.0"
    rows = [("shop", "1.0"), ("shopping", "2.0")]
    assert pinned("shopping", rows, CLAUDE_PROJECT_DIR=str(tmp_path / "shop")) == "2.0"


def test_a_pin_on_a_version_that_is_not_there_falls_back_and_is_noted(pinned, standing):
    assert pinned("shop", [("shop", "3.0")]) == "drawn"
    assert "version 3.0" in standing.logged()[0]["what"]


def test_a_pins_file_without_an_end_or_with_odd_lines_is_borne(pinned, standing, tmp_path):
    pinned("shop", [])
    Path(paths.pins(standing.root)).write_text(f"\n\t\nno tab\n/\t9\n{tmp_path}/shop\t1.0")
    words = ["statusline", "claude-code", "--connector", "acme"]
    assert launch(standing, *words, stdin=b"{}", cwd=tmp_path / "shop")[1] == b"1.0\n"


# ---- Windows, by its rules


def test_the_windows_program_is_a_stub_that_runs_our_script():
    main = "print('hello')\n"
    stub = windows.stub("AMD64")
    data = windows.program(stub, r"C:\Program Files\Python\python.exe", main)
    assert data.startswith(b"MZ") and data[: len(stub)] == stub
    line, _, archive = data[len(stub) :].partition(b"\r\n")
    assert line == b'#!"C:\\Program Files\\Python\\python.exe" -I -S'
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert opened.read("__main__.py").decode() == main
    assert windows.program(stub, r"C:\Program Files\Python\python.exe", main) == data
    assert windows.stub("ARM64") != stub
    with pytest.raises(DeployError, match="mips"):
        windows.stub("mips")


def test_the_windows_program_can_be_run_by_python_as_it_stands(tmp_path):
    path = tmp_path / "agent-connector.exe"
    path.write_bytes(deployed.rendered(str(tmp_path / "nothing here"), {"PATH": "C:\\x"}, "win32"))
    command = [sys.executable, "-I", "-S", str(path), "hook", "cursor", "stop", "--connector", "acme"]
    done = subprocess.run(command, input=b"{}", capture_output=True, timeout=60, check=True)
    assert done.stdout == b"{}"
    done = subprocess.run([*command[:4], "status"], capture_output=True, timeout=60, check=False)
    assert done.returncode == 1 and b"is gone" in done.stderr


def test_the_windows_script_starts_what_is_installed(standing, monkeypatch):
    program = standing.folder / "agent-connector.exe"
    program.write_bytes(deployed.rendered(standing.root, {"PATH": "/nowhere"}, "win32"))

    def run(*words, stdin=b"{}"):
        command = [standing.version.python, "-I", "-S", str(program), *words]
        done = subprocess.run(
            command, input=stdin, env=standing.variables, capture_output=True, timeout=60, check=False
        )
        return done.returncode, done.stdout, done.stderr

    assert run("statusline", "claude-code", "--connector", "acme") == (0, b"drawn", b"")
    code, out, _ = run("action", "codex", "reindex", "--connector", "acme")
    assert code == 0 and out.split()[0].decode() == standing.version.python and out.strip().endswith(b":/nowhere")
    other = standing.folder / "other"
    os.symlink(standing.version.python, other)
    (Path(standing.root) / "connectors/acme/python").write_text(f"{other}\n")
    assert run("action", "codex", "reindex", "--connector", "acme")[1].split()[0].decode() == str(other)


def test_pins_on_windows_mean_the_same(tmp_path, monkeypatch):
    runtime = tmp_path / "versions" / "1.0" / "agent_connector" / "runtime"
    runtime.mkdir(parents=True)
    (runtime / "entry.py").write_text("")
    (tmp_path / "versions" / "current").write_text("2.0\n")
    (tmp_path / "shop" / "deep").mkdir(parents=True)
    monkeypatch.setenv("AGENT_CONNECTOR_MISSED_PIN", "")
    for folder, rows, wanted in (
        ("shop/deep", [("shop", "1.0")], "1.0"),
        (".", [("shop", "1.0")], "2.0"),
        ("shop", [("shop", "3.0")], "2.0"),
        ("shop/deep", [("shop", "3.0"), ("shop/deep", "1.0")], "1.0"),
    ):
        monkeypatch.chdir(tmp_path / folder)
        (tmp_path / "pins").write_text("".join(f"{tmp_path / place}\t{version}\n" for place, version in rows))
        assert windows_main.version(str(tmp_path)) == wanted
    assert os.environ["AGENT_CONNECTOR_MISSED_PIN"] == "3.0"
    monkeypatch.chdir("/")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path / "shop/deep"))
    assert windows_main.version(str(tmp_path)) == "1.0"


def test_the_windows_command_guards_with_what_cmd_has_built_in():
    launcher = r"C:\Users\A B\.agent-connector\bin\agent-connector.exe"
    words = ["hook", "cursor", "stop", "--connector", "acme"]
    assert guarded(launcher, words, "{}", "win32") == (
        f'cmd /d /c if exist "{launcher}" ("{launcher}" hook cursor stop --connector acme) else (echo {{}})'
    )
    assert guarded(launcher, words, "", "win32").endswith("else (exit /b 0)")
    assert guarded(launcher, words, "a&b", "win32").endswith("else (echo a^&b)")
    odd = guarded(launcher, ["a b", 'say "x"', "end \\"], "", "win32")
    assert '"a b" "say \\"x\\"" "end \\\\"' in odd
