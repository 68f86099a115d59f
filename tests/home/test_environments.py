"""The interpreter and the environment of an author's code."""

import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from agent_connector.errors import HomeError
from agent_connector.home import environments, paths, private


@pytest.fixture
def wheel(tmp_path):
    """A wheel of a package that no index has."""
    path = tmp_path / "acme_words-1.0-py3-none-any.whl"
    info = "acme_words-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("acme_words.py", "WORD = 'hello'\n")
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: acme-words\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return str(path)


@pytest.fixture
def root(tmp_path):
    return str(tmp_path / "root")


def venv_and_pip(name):
    """As on a machine without uv."""


def with_uv(name):
    """uv from the PATH or from beside the interpreter that runs the tests; nothing (and so pip) where there is none."""
    folders = os.environ.get("PATH", "") + os.pathsep + os.path.dirname(sys.executable)
    return shutil.which(name, path=folders)


def test_without_requirements_there_is_an_interpreter_and_no_environment(root):
    python = environments.settle(root, "acme")
    assert private.read(paths.connector_python(root, "acme")).decode() == python + "\n"
    assert not os.path.exists(paths.connector_environment(root, "acme"))


def test_the_interpreter_is_that_of_no_environment(root):
    assert sys.prefix != sys.base_prefix, "the tests run in a virtual environment"
    python = environments.settle(root, "acme")
    prefixes = subprocess.run(
        [python, "-I", "-S", "-c", "import sys; print(sys.prefix == sys.base_prefix)"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert prefixes.stdout == "True\n"
    assert not python.startswith(sys.prefix + os.sep)


def test_an_environment_in_an_environment_is_traced_to_the_interpreter(tmp_path):
    for name, home in (("outer", os.path.dirname(environments.base_interpreter())), ("inner", tmp_path / "outer/bin")):
        (tmp_path / name / "bin").mkdir(parents=True)
        (tmp_path / name / "bin" / "python").write_text("")
        (tmp_path / name / "pyvenv.cfg").write_text(f"home = {home}\nversion = 3\n")
    found = environments.base_interpreter(str(tmp_path / "inner" / "bin" / "python"))
    assert os.path.dirname(found) == os.path.dirname(environments.base_interpreter())


def test_a_temporary_interpreter_is_refused(tmp_path, monkeypatch):
    (tmp_path / "python").write_text("")
    monkeypatch.setattr(environments.tempfile, "gettempdir", lambda: str(tmp_path))
    with pytest.raises(HomeError, match="temporary"):
        environments.base_interpreter(str(tmp_path / "python"))


def imported(root, python):
    """What the connector's code sees when its packages are put on the path, as the runtime does."""
    code = f"import sys; sys.path.append({paths.connector_packages(root, 'acme')!r}); import acme_words as w; print(w.WORD)"
    done = subprocess.run([python, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


def test_the_environment_holds_what_was_asked_for_with_pip(root, wheel):
    python = environments.settle(root, "acme", [wheel], which=venv_and_pip)
    assert imported(root, python) == "hello\n"
    assert sorted(os.listdir(paths.connector_folder(root, "acme"))) == ["env", "python"]


def test_the_environment_holds_what_was_asked_for_with_uv_where_there_is_one(root, wheel):
    python = environments.settle(root, "acme", [wheel], which=with_uv)
    assert imported(root, python) == "hello\n"


def test_a_build_that_fails_says_why_and_leaves_the_old_environment(root, wheel):
    environments.settle(root, "acme", [wheel], which=with_uv)
    with pytest.raises(HomeError, match="could not be built") as caught:
        environments.settle(root, "acme", ["/nowhere/none-1.0-py3-none-any.whl"], which=with_uv)
    assert "pip install" in caught.value.remedy
    assert "none-1.0" in caught.value.what
    assert imported(root, environments.base_interpreter()) == "hello\n"
    assert sorted(os.listdir(paths.connector_folder(root, "acme"))) == ["env", "python"]


@pytest.fixture
def built(monkeypatch):
    """The commands of builds, none of which is run."""
    commands = []

    def run(command, folder, environment):
        commands.append(command)
        os.makedirs(os.path.dirname(environments.environment_python(environment)), exist_ok=True)
        open(environments.environment_python(environment), "w").close()

    monkeypatch.setattr(environments, "_run", run)
    return commands


def test_an_equal_environment_is_kept_and_another_replaced(root, built):
    environments.settle(root, "acme", ["acme-words==1.0"], which=venv_and_pip)
    environments.settle(root, "acme", ["acme-words==1.0"], which=venv_and_pip)
    assert len(built) == 2
    environments.settle(root, "acme", ["acme-words==2.0"], which=lambda name: "/usr/bin/uv")
    assert [command[0] for command in built[2:]] == ["/usr/bin/uv", "/usr/bin/uv"]
    assert built[3][-1] == "acme-words==2.0"
    environments.settle(root, "acme")
    assert not os.path.exists(paths.connector_environment(root, "acme"))


def lend(root, *requirements):
    with environments.lent(root, "acme", requirements, which=venv_and_pip) as environment:
        assert os.path.exists(environments.environment_python(environment))
        return environment


def test_who_only_looks_is_lent_what_was_built_before(root, built):
    first = lend(root, "acme-words==1.0")
    assert lend(root, "acme-words==1.0") == first != lend(root, "acme-words==2.0")
    assert len(built) == 4  # two commands a build
    environments.settle(root, "acme", ["acme-words==3.0"], which=venv_and_pip)
    assert lend(root, "acme-words==3.0") == paths.connector_environment(root, "acme")
    assert len(built) == 6


def test_what_may_have_changed_is_built_anew_and_not_kept(root, built):
    kept = [lend(root, "/src/words"), lend(root, "words @ file:///src/words"), lend(None, "acme-words==1.0")]
    assert len(built) == 6
    assert not any(os.path.exists(place) for place in (*kept, paths.environments_folder(root)))


def test_only_the_last_few_are_kept_and_none_that_may_be_in_use(root, built):
    places = [lend(root, f"acme-words=={number}") for number in range(environments.KEPT + 2)]
    assert all(os.path.exists(place) for place in places)
    for age, place in enumerate(places):
        os.utime(os.path.join(place, "agent-connector.json"), (age, age))
    lend(root, f"acme-words=={environments.KEPT + 1}")
    assert [os.path.exists(place) for place in places] == [False, False, *[True] * environments.KEPT]


def test_where_nothing_can_be_kept_it_is_lent_all_the_same(tmp_path, built):
    (tmp_path / "environments").write_text("in the way")
    lend(str(tmp_path), "acme-words==1.0")
    assert len(built) == 2
