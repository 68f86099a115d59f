"""The launcher and our versions: put in place, mended, pointed anew, and never half there."""

import os
import shutil
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from agent_connector.deploy import launcher, versions
from agent_connector.errors import DeployError
from agent_connector.home import paths

EVERYTHING = ("package", "python", "tools", "needs", "current", "launcher")
WORDS = ("hook", "cursor", "stop", "--connector", "acme")


@pytest.fixture(autouse=True)
def copies(whole_copies):
    """Here they are what is tested."""


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def root(home):
    return str(home / paths.FOLDER)


def answered(home: Path) -> bytes:
    """What a hook through the launcher says; `{}` also when all is gone, so `alive` tells them apart."""
    done = subprocess.run(
        [paths.launcher_path(str(home)), *WORDS], input=b"{}", capture_output=True, timeout=60, check=True,
        env={"HOME": str(home)},
    )  # fmt: skip
    return done.stdout


def alive(home: Path, root: str) -> bool:
    """True when a hook reaches our runtime: it notes that the connector is not there."""
    log = Path(paths.hooks_log(root))
    log.unlink(missing_ok=True)
    return answered(home) == b"{}" and log.exists()


def test_all_is_put_in_place_and_then_left_as_it_is(home, root):
    healed = launcher.heal(str(home), root)
    assert healed.written == EVERYTHING
    assert healed.launcher == str(home / ".agent-connector" / "bin" / "agent-connector")
    assert alive(home, root)
    assert launcher.problems(str(home), root) == ()
    before = os.stat(healed.launcher).st_ino
    assert launcher.heal(str(home), root).written == ()
    assert os.stat(healed.launcher).st_ino == before


def test_the_data_root_moves_and_the_launcher_stays(home, tmp_path):
    root = str(tmp_path / "elsewhere")
    launcher.heal(str(home), root)
    assert os.listdir(home / ".agent-connector") == ["bin"]
    assert alive(home, root)


def test_nothing_in_our_home_points_into_the_environment_but_the_command_line(home, root):
    launcher.heal(str(home), root)
    version = Path(paths.version_folder(root, launcher.this_version().name))
    environment = os.path.realpath(sys.prefix)
    assert sys.prefix != sys.base_prefix, "these tests are run in a virtual environment"
    named = (version / "python").read_text() + (version / "needs").read_text() + Path(
        paths.launcher_path(str(home))).read_text()  # fmt: skip
    assert environment not in named
    assert (version / "tools").read_text().startswith(environment)


DAMAGE = {
    "launcher gone": (lambda home, root: os.unlink(paths.launcher_path(home)), "launcher"),
    "launcher changed": (lambda home, root: Path(paths.launcher_path(home)).write_text("#!/bin/sh\n"), "launcher"),
    "launcher cannot run": (lambda home, root: os.chmod(paths.launcher_path(home), 0o600), "launcher"),
    "current gone": (lambda home, root: os.unlink(paths.current_version(root)), "current"),
    "current changed": (lambda home, root: Path(paths.current_version(root)).write_text("9.9\n"), "current"),
    "python gone": (lambda home, root: os.unlink(paths.version_python(root, version())), "python"),
    "python changed": (
        lambda home, root: Path(paths.version_python(root, version())).write_text("/no/such\n"),
        "python",
    ),
    "library gone": (
        lambda home, root: Path(paths.version_folder(root, version()), "needs").write_text("/no/such.so\n"),
        "needs",
    ),
    "tools moved": (lambda home, root: Path(paths.version_tools(root, version())).write_text("/old/venv\n"), "tools"),
    "a file gone": (
        lambda home, root: os.unlink(os.path.join(paths.version_package(root, version()), "runtime", "entry.py")),
        "package",
    ),
    "bundle gone": (
        lambda home, root: [
            path.unlink() for path in Path(paths.version_package(root, version()), "runtime").glob("bundle.*")
        ],
        "package",
    ),
    "a file changed": (
        lambda home, root: Path(paths.version_package(root, version()), "errors.py").write_text("broken("),
        "package",
    ),
    "package gone": (lambda home, root: shutil.rmtree(paths.version_package(root, version())), "package"),
}
SEEN_BY_STATUS = {name for name in DAMAGE if name not in ("a file changed", "bundle gone")}


def version() -> str:
    return launcher.this_version().name


@pytest.mark.parametrize("name", DAMAGE)
def test_what_is_damaged_is_seen_and_mended_and_the_rest_is_left(home, root, name):
    launcher.heal(str(home), root)
    damage, what = DAMAGE[name]
    damage(str(home), root)
    if name in SEEN_BY_STATUS:
        assert launcher.problems(str(home), root) != ()
    assert launcher.heal(str(home), root).written == (what,)
    assert launcher.problems(str(home), root) == () and alive(home, root)


def test_an_environment_that_has_moved_is_pointed_to_anew(home, root, tmp_path):
    """Two environments of one interpreter: what ran install first is removed, the other runs it again."""
    for name in ("one", "two"):
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / name)], timeout=120, check=True)
    libraries = next(path for path in sys.path if path.endswith("site-packages"))
    code = (
        f"import sys; sys.path += [{libraries!r}, {str(Path(launcher.__file__).parents[2])!r}]\n"
        f"from agent_connector.deploy.launcher import heal; print(heal({str(home)!r}, {root!r}).written)"
    )

    def install(name):
        done = subprocess.run(
            [str(tmp_path / name / "bin" / "python"), "-c", code],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        return done.stdout

    assert "'tools'" in install("one")
    os.rename(tmp_path / "one", tmp_path / "gone")
    assert alive(home, root)
    done = subprocess.run(
        [paths.launcher_path(str(home)), "status"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1 and "one/bin/python is gone" in done.stderr
    assert any("command line is gone" in line for line in launcher.problems(str(home), root))
    assert install("two").strip() == "('tools',)"
    assert versions.first_line(paths.version_tools(root, version())) == str(tmp_path / "two" / "bin" / "python")
    assert launcher.problems(str(home), root) == ()


def test_all_that_heal_at_once_end_right(home, root, tmp_path):
    """Run from a copy: the checkout may be edited meanwhile, and then each one that comes later renews the package."""
    shutil.copytree(launcher.this_version().package, tmp_path / "source" / "agent_connector")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "source")}
    code = textwrap.dedent(f"""
        from agent_connector.deploy.launcher import heal
        print(heal({str(home)!r}, {root!r}).written)
    """)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        for _ in range(4)
    ]
    ended = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * 4, ended
    assert sorted(out.strip() for out, _ in ended) == sorted([str(EVERYTHING), "()", "()", "()"])
    assert launcher.problems(str(home), root) == () and alive(home, root)
    assert not [name for name in os.listdir(paths.versions_folder(root)) if name.startswith(".")]


def test_a_file_that_vanishes_while_the_package_is_read_is_left_out(home, root, tmp_path):
    this = launcher.this_version()
    package = tmp_path / "agent_connector"
    shutil.copytree(this.package, package)
    (package / "deploy" / "half-saved.py").symlink_to(tmp_path / "gone")
    version = versions.Version("9.9", str(package), this.python, this.tools)
    assert "package" in versions.put(root, version)
    assert versions.put(root, version) == () and versions.is_whole(root, "9.9")


def test_hooks_go_on_while_a_version_is_replaced(home, root):
    launcher.heal(str(home), root)
    target = Path(paths.version_package(root, version()), "errors.py")
    stop = threading.Event()
    ended: list[bytes] = []

    def fire():
        while not stop.is_set():
            ended.append(answered(home))

    threads = [threading.Thread(target=fire) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(4):
        target.write_text("changed")
        assert launcher.heal(str(home), root).written == ("package",)
    stop.set()
    for thread in threads:
        thread.join()
    assert len(ended) > 4 and set(ended) == {b"{}"}


def test_what_a_killed_install_has_left_goes_with_the_next(home, root):
    left = Path(paths.versions_folder(root), ".new-abc", "agent_connector")
    left.mkdir(parents=True)
    launcher.heal(str(home), root)
    assert not left.parent.exists()


def test_an_interpreter_that_cannot_run_hooks_is_refused_and_nothing_is_changed(home, root, tmp_path):
    launcher.heal(str(home), root)
    bad = tmp_path / "python"
    bad.write_text("#!/bin/sh\necho SyntaxError: too old >&2\nexit 1\n")
    bad.chmod(0o700)
    this = launcher.this_version()
    for python, said in ((str(bad), "too old"), ("/no/such/python", "does not start")):
        wanted = versions.Version("9.9", this.package, python, this.tools)
        with pytest.raises(DeployError, match=said):
            versions.put(root, wanted)
    assert not versions.is_whole(root, "9.9") and versions.current(root) == this.name
    assert versions.present(root) == (this.name,)


def test_versions_that_nothing_asks_for_are_pruned(home, root):
    launcher.heal(str(home), root)
    for name in ("1.0", "2.0"):
        shutil.copytree(paths.version_folder(root, version()), paths.version_folder(root, name), symlinks=True)
    assert versions.present(root) == tuple(sorted((version(), "1.0", "2.0")))
    assert versions.prune(root, keep=("2.0",)) == ("1.0",)
    assert versions.present(root) == tuple(sorted((version(), "2.0")))


def test_a_pin_on_what_is_not_there_is_a_problem(home, root):
    launcher.heal(str(home), root)
    Path(paths.pins(root)).write_text(f"/home/ada/shop\t9.9\n/home/ada/other\t{version()}\n")
    (line,) = launcher.problems(str(home), root)
    assert "/home/ada/shop is pinned to version 9.9" in line


def test_the_fallback_path_is_what_will_be_there_tomorrow(tmp_path, monkeypatch):
    scripts = os.path.join(sys.prefix, "bin")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "x").mkdir()
    path = f"{scripts}:/usr/bin:{tmp_path}/x:relative::/usr/bin:/no/such/folder:/bin"
    assert launcher.fallback_path(path) == "/usr/bin:/bin"
    assert launcher.fallback_path("") == "/usr/local/bin:/usr/bin:/bin"


def test_a_windows_launcher_that_runs_is_moved_aside(home, root):
    first = launcher.heal(str(home), root, variables={"PATH": "C:\\one"}, platform="win32")
    assert first.launcher.endswith("agent-connector.exe") and "launcher" in first.written
    old = Path(first.launcher).read_bytes()
    assert launcher.heal(str(home), root, variables={"PATH": "C:\\one"}, platform="win32").written == ()
    assert launcher.heal(str(home), root, variables={"PATH": "C:\\two"}, platform="win32").written == ("launcher",)
    assert Path(first.launcher + ".old").read_bytes() == old != Path(first.launcher).read_bytes()


def test_healing_what_is_whole_starts_no_program(home, root, monkeypatch):
    launcher.heal(str(home), root)
    monkeypatch.setattr(subprocess, "run", None)
    monkeypatch.setattr(subprocess, "Popen", None)
    started = time.time()
    assert launcher.heal(str(home), root).written == ()
    assert os.stat(paths.current_version(root)).st_mtime <= started
