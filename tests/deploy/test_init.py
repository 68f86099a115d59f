"""`init` and `install server.py`: servers in Python, found and started with what they need."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_connector.cli.main import main
from agent_connector.connector.load import load
from agent_connector.deploy import python_server
from agent_connector.deploy.init import init
from agent_connector.errors import ConnectorError

FASTMCP = 'from fastmcp import FastMCP\nmcp = FastMCP("notes")\n'
MAIN = '\nif __name__ == "__main__":\n    mcp.run()\n'
SCRIPT = '# /// script\n# dependencies = ["fastmcp>=2"]\n# ///\n' + FASTMCP + MAIN
PLAIN = """
import json, sys

def main():
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = {"tools": [{"name": "note", "inputSchema": {"type": "object"}}]}
        if message["method"] == "initialize":
            info = {"name": "plain", "version": "1"}
            result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)

if __name__ == "__main__":
    main()
"""


def uv(program: str) -> str | None:
    return "/bin/uv" if program == "uv" else None


def nothing(program: str) -> str | None:
    return None


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "acme_notes"\nversion = "1"\ndependencies = ["fastmcp"]\n[project.scripts]\nacme-notes = "notes:main"\n'
    )
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("AGENT_CONNECTOR_DATA_DIR", raising=False)
    (tmp_path / ".codex").mkdir()
    return tmp_path


def test_a_project_brings_its_dependencies(project: Path) -> None:
    (project / "server.py").write_text(FASTMCP + MAIN)
    found = python_server.find("server.py", str(project), uv)
    server = str(project / "server.py")
    assert found.command == ("uv", "run", "--quiet", "--project", str(project), "python", server)


def test_a_script_brings_its_own(tmp_path: Path) -> None:
    (tmp_path / "notes.py").write_text(SCRIPT)
    found = python_server.find("notes.py", str(tmp_path), uv)
    assert found.command == ("uv", "run", "--quiet", "--script", str(tmp_path / "notes.py"))


def test_a_lone_file_gets_what_it_imports(tmp_path: Path) -> None:
    (tmp_path / "notes.py").write_text(FASTMCP + MAIN)
    found = python_server.find("notes.py", str(tmp_path), uv)
    assert found.command[3:6] == ("--no-project", "--with", "fastmcp")
    assert "fastmcp" in found.how


@pytest.mark.parametrize("target", ["server.py:mcp", "server.py", "server:mcp"])
def test_a_server_that_nobody_runs_is_run(project: Path, target: str) -> None:
    (project / "server.py").write_text(FASTMCP)
    command = python_server.find(target, str(project), uv).command
    assert command[-2] == "-c" and command[-1].endswith(".run()")


def test_a_module_below_src_is_found(project: Path) -> None:
    (project / "src" / "notes").mkdir(parents=True)
    (project / "src" / "notes" / "__init__.py").write_text(FASTMCP)
    command = python_server.find("notes:mcp", str(project), uv).command
    assert command[-1].endswith("from notes import mcp; mcp.run()") and str(project / "src") in command[-1]


OBJECT = "from helper import WORDS\n\n\nclass Server:\n    def run(self):\n        print(WORDS)\n\n\napp = Server()\n"


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("server.py:app", OBJECT),  # a lone file and the one beside it
        ("server:app", OBJECT),
        ("src/acme/server.py:app", OBJECT.replace("from helper", "from .helper")),
        ("src/acme/server.py:app", OBJECT.replace("from helper", "from acme.helper")),
        ("src/acme/__init__.py:app", OBJECT.replace("from helper", "from .helper")),
        ("acme.server:app", OBJECT.replace("from helper", "from .helper")),
        ("acme.server:app", OBJECT),
        ("src/acme/server.py", OBJECT.replace("from helper", "from .helper") + MAIN.replace("mcp.", "app.")),
        ("src/acme/server.py", OBJECT + MAIN.replace("mcp.", "app.")),
    ],
)
def test_a_server_starts_from_any_folder_with_what_it_imports(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, target: str, text: str
) -> None:
    folder, elsewhere = tmp_path / "it's acme", tmp_path / "elsewhere"
    package = folder / "src" / "acme" if "acme" in target else folder
    package.mkdir(parents=True)
    elsewhere.mkdir()
    (package / "__init__.py").write_text("") if "acme" in target else None
    (package / "helper.py").write_text("WORDS = 'it runs'\n")
    (package / ("__init__.py" if "__init__" in target else "server.py")).write_text(text)
    command = python_server.find(target, str(folder), uv).command
    words = command[command.index("python") + 1 :] if "python" in command else command[1:]
    done = subprocess.run(
        [sys.executable, *words], cwd=elsewhere, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("it runs\n", "")


def test_a_list_of_requirements_is_kept(tmp_path: Path) -> None:
    (tmp_path / "notes.py").write_text(FASTMCP + MAIN)
    (tmp_path / "requirements.txt").write_text("fastmcp<3\n")
    found = python_server.find("notes.py", str(tmp_path), uv)
    listed = str(tmp_path / "requirements.txt")
    assert found.command[3:8] == ("--no-project", "--with-requirements", listed, "--with", "fastmcp")
    assert listed in found.how


def test_without_uv_only_what_needs_nothing_is_started(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(PLAIN)
    assert python_server.find("plain.py", str(tmp_path), nothing).command == ("python3", str(tmp_path / "plain.py"))
    (tmp_path / "notes.py").write_text(FASTMCP + MAIN)
    with pytest.raises(ConnectorError, match="uv") as caught:
        python_server.find("notes.py", str(tmp_path), nothing)
    assert "pip install uv" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "target", "said"),
    [
        ("x = 1\n", "server.py", "neither runs a server nor has one"),
        (FASTMCP, "server.py:app", "no 'app' in it"),
        (FASTMCP, "gone:app", "no module 'gone'"),
        ("from mcp.server import Server\napp = Server('a')\n", "server.py", "a low-level Server"),
        ("from mcp.server.lowlevel import Server as Low\napp = Low('a')\n", "server.py:app", "a low-level Server"),
    ],
)
def test_what_is_no_server_is_refused_with_what_to_do(tmp_path: Path, text: str, target: str, said: str) -> None:
    (tmp_path / "server.py").write_text(text)
    with pytest.raises(ConnectorError, match=said) as caught:
        python_server.find(target, str(tmp_path), uv)
    assert caught.value.remedy


@pytest.mark.parametrize(
    "text",
    [
        "from mcp.server.fastmcp import FastMCP\napp = FastMCP('a')\n",
        "from mcp.server.mcpserver import MCPServer as Server\napp: Server = Server('a')\n",
        "import fastmcp\napp = fastmcp.FastMCP('a')\n",
    ],
)
def test_servers_of_all_libraries_are_seen(tmp_path: Path, text: str) -> None:
    (tmp_path / "s.py").write_text(text)
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "other.py").write_text(text)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_s.py").write_text(text)
    assert [(one.path, one.attribute) for one in python_server.servers(str(tmp_path))] == [
        (str(tmp_path / "s.py"), "app")
    ]


@pytest.mark.parametrize(
    ("text", "target", "name", "whose"),
    [
        ('mcp = FastMCP("Weather Service")', "server.py", "weather-service", "its own name"),
        ('mcp = FastMCP(instructions="x", name="weather_now")', "server.py", "weather-now", "its own name"),
        ('NAME = "weather"\nmcp = FastMCP(NAME)', "server.py", "weather", "its own name"),
        ('NAME = "weather"\nNAME = "other"\nmcp = FastMCP(NAME)', "server.py", "acme-notes", "the name of its project"),
        ("mcp = FastMCP(f'{x}')", "server.py", "acme-notes", "the name of its project"),
        ('mcp = FastMCP("MCP Server")', "server.py", "acme-notes", "the name of its project"),
        ('one = FastMCP("one")\nmcp = FastMCP("two")', "server.py", "two", "its own name"),  # the one that is run
        ('one = FastMCP("one")\nmcp = FastMCP("two")', "server.py:one", "one", "its own name"),
        ('mcp = FastMCP("weather")', "server:mcp", "weather", "its own name"),
    ],
)
def test_a_server_goes_by_its_own_name(project: Path, text: str, target: str, name: str, whose: str) -> None:
    (project / "server.py").write_text(f"from fastmcp import FastMCP\n{text}\n{MAIN}")
    found = python_server.find(target, str(project), uv)
    assert (found.name, found.whose) == (name, whose)


def test_a_server_without_a_name_and_a_project_goes_by_its_file(tmp_path: Path) -> None:
    folder = tmp_path / "Forecasts_2"
    folder.mkdir()
    for name, identity in (("weather.py", "weather"), ("server.py", "forecasts-2")):
        (folder / name).write_text("from fastmcp import FastMCP\nmcp = FastMCP()\n" + MAIN)
        assert python_server.find(name, str(folder), uv).name == identity


@pytest.fixture
def in_folder(home: Path, monkeypatch: pytest.MonkeyPatch):
    """Work in a new folder with one server.py, where uv is."""
    monkeypatch.setattr("shutil.which", lambda program, *rest, **more: "/bin/uv" if program == "uv" else None)

    def go(name: str, title: str = "weather") -> Path:
        (home / name).mkdir(exist_ok=True)
        (home / name / "server.py").write_text(FASTMCP.replace("notes", title) + MAIN)
        monkeypatch.chdir(home / name)
        return home / ".agent-connector" / "connectors"

    return go


def test_an_installed_server_keeps_its_id(in_folder, capsys: pytest.CaptureFixture[str]) -> None:
    kept = in_folder("first")
    assert main(["install", "server.py", "--id", "w1", "-t", "codex"]) == 0
    assert main(["install", "server.py", "-t", "codex"]) == 0
    assert "its id is w1, as it was installed before (--id NAME gives it another)" in capsys.readouterr().out
    assert main(["install", "server:mcp", "-t", "codex"]) == 0  # not the file, but the object in it: another one
    assert sorted(os.listdir(kept)) == ["w1", "weather"]
    assert main(["upgrade"]) == 0
    assert sorted(os.listdir(kept)) == ["w1", "weather"]


def test_two_servers_of_one_name_are_told_apart(in_folder, capsys: pytest.CaptureFixture[str]) -> None:
    in_folder("first")
    assert main(["install", "server.py", "-t", "codex"]) == 0
    in_folder("second")
    assert main(["install", "server.py", "-t", "codex"]) == 1
    said = capsys.readouterr().err
    assert "another connector is called weather already, which starts `uv run" in said and "--id NAME" in said
    assert main(["install", "server.py", "--id", "weather-2", "-t", "codex"]) == 0
    assert main(["install", "server.py", "-t", "codex", "--json"]) == 0
    assert '"connector": "weather-2"' in capsys.readouterr().out
    assert (
        main(["install", "server.py", "--id", "weather", "-t", "codex"]) == 0
    )  # the person's own word: it takes the place
    assert "note: until now weather came from uv run" in capsys.readouterr().out


def test_init_takes_the_servers_name_or_the_persons(in_folder, capsys: pytest.CaptureFixture[str]) -> None:
    in_folder("first", "Weather Service")
    assert main(["init", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "weather-service"
    assert main(["init", "--force", "--id", "sky"]) == 0
    assert load("connector.py").model.id == "sky"
    assert main(["init", "--force", "--id", "A B"]) == 2
    assert load("connector.py").model.id == "sky" and "cannot be an id" in capsys.readouterr().err


def test_init_writes_a_connector_that_loads(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "server.py").write_text(FASTMCP)
    (project / "other.py").write_text(
        "from fastmcp import FastMCP\nsecond = FastMCP('b')\n" + MAIN.replace("mcp", "second")
    )
    monkeypatch.setattr("shutil.which", lambda program, *rest, **more: "/bin/uv" if program == "uv" else None)
    assert main(["init", str(project), "--dry-run"]) == 0
    assert not (project / "connector.py").exists()
    assert main(["init", str(project)]) == 0
    text = (project / "connector.py").read_text()
    assert str(project) not in text and 'stdio("uvx", "--from", "acme_notes", "acme-notes")' in text
    server = load(str(project / "connector.py")).model.server
    assert server is not None
    assert (server.command, *server.args) == (
        "uv",
        "run",
        "--quiet",
        "--project",
        str(project),
        "python",
        str(project / "other.py"),
    )
    assert "another server: server.py:mcp" in capsys.readouterr().out
    assert main(["init", str(project)]) == 1
    assert "it is there already" in capsys.readouterr().err
    (project / "other.py").unlink()
    assert main(["init", str(project), "--force", "--json"]) == 0
    server = load(str(project / "connector.py")).model.server
    begins = f"import runpy, sys; sys.path.insert(0, {str(project)!r}); runpy.run_path({str(project / 'server.py')!r})"
    assert server is not None and server.args[-1] == f"{begins}['mcp'].run()"
    assert str(project) not in (project / "connector.py").read_text()


PACKAGED = """
[project]
name = "acme-notes"
version = "1"
[project.scripts]
{scripts}
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
"""


@pytest.mark.parametrize(
    ("scripts", "script"),
    [
        ('notes = "acme_notes:main"', "notes"),
        ('other = "acme_notes.admin:main"\nacme-notes = "acme_notes:main"', "acme-notes"),
        ('other = "acme_notes.admin:main"\nserve = "acme_notes.server:main"', "serve"),
        ('other = "acme_notes.admin:main"\nanother = "acme_notes.tool:main"', None),
        ('tool = "something:main"', None),
    ],
)
def test_a_package_is_started_by_its_own_script(tmp_path: Path, home: Path, scripts: str, script: str | None) -> None:
    """As its author does, where the file runs nothing itself: its object may want more than `run()`."""
    folder = tmp_path / "notes"
    package = folder / "src" / "acme_notes"
    package.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PACKAGED.format(scripts=scripts))
    (package / "__init__.py").write_text("from . import server\n")
    (package / "server.py").write_text("from mcp.server.fastmcp import FastMCP\nserver = FastMCP('notes')\n")
    found = python_server.find("src/acme_notes/server.py", str(folder), uv)
    assert found.command[:5] == ("uv", "run", "--quiet", "--project", str(folder))
    assert (found.command[5:] == (script,)) is (script is not None)
    named = python_server.find("src/acme_notes/server.py:server", str(folder), uv)
    assert named.command[5:7] == ("python", "-c")  # the person's own word
    draft = init(str(folder), uv, dry=True)
    assert (f"'--project', HERE, {script!r})" in draft.text) is (script is not None)


def test_init_says_what_to_do_where_there_is_no_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", str(tmp_path)]) == 1
    assert "connector.toml" in capsys.readouterr().err


def test_a_server_is_installed_by_its_file_and_answers_through_the_launcher(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the real uv, in a project of its own, started as the host would: in another folder, by the registered entry."""
    folder = home / "plain"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\nname = "plain"\nversion = "1"\nrequires-python = ">=3.11"\n')
    (folder / "server.py").write_text(PLAIN)
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.chdir(folder)
    assert main(["install", "server.py", "-t", "claude-code"]) == 0
    assert "with the dependencies of the project" in capsys.readouterr().out
    kept = json.loads((home / ".agent-connector" / "connectors" / "plain" / "connector.json").read_text())
    assert kept["version"] == "1", "the project's"
    entry = json.loads((home / ".claude.json").read_text())["mcpServers"]["plain"]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    asked = [{"id": 1, "method": "initialize", "params": hello}, {"id": 2, "method": "tools/list", "params": {}}]
    text = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in asked)
    done = subprocess.run(
        [entry["command"], *entry["args"]],
        input=text,
        cwd=home,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]


def test_what_is_no_text_of_python_is_passed_over_and_said(tmp_path, capsys, monkeypatch):
    """A pipe would be waited for without end; what is nested too deep or is no text is no fault of ours."""
    monkeypatch.chdir(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "a.py")
    (tmp_path / "b.py").write_bytes(b"import mcp\xff\xfe")
    (tmp_path / "c.py").write_text("import mcp\na = " + "-" * 100_000 + "1")
    (tmp_path / "d.py").write_bytes(b"# coding: latin-1\n# \xe9\n" + FASTMCP.encode())
    assert [os.path.basename(one.path) for one in python_server.servers(str(tmp_path))] == ["d.py"]
    for name in ("b.py", "c.py"):
        assert main(["install", "--dry-run", name]) == 1
        assert "this is no text of Python" in capsys.readouterr().err


FIRST = 'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("notes")\n' + MAIN


def test_a_server_written_for_the_first_mcp_gets_that(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(FIRST)
    found = python_server.find("server.py", str(tmp_path), uv)
    assert found.command[found.command.index("--with") + 1] == "mcp<2"
    (tmp_path / "server.py").write_text(
        FIRST.replace("mcp.server.fastmcp import FastMCP", "mcp.server import MCPServer")
    )
    assert "mcp<2" not in python_server.find("server.py", str(tmp_path), uv).command


@pytest.mark.parametrize(
    ("asked", "told"), [("mcp", True), ("mcp[cli]>=1.2", True), ("mcp>=1.2,<2", False), ("mcp==1.9", False)]
)
def test_a_project_that_lets_in_an_mcp_without_what_its_server_imports_is_told(
    project: Path, asked: str, told: bool
) -> None:
    (project / "pyproject.toml").write_text(f'[project]\nname = "n"\nversion = "1"\ndependencies = ["{asked}"]\n')
    (project / "server.py").write_text(FIRST)
    assert ("; ask for mcp<2 there" in python_server.find("server.py", str(project), uv).how) is told
    (project / "uv.lock").write_text("")  # says which one
    assert "mcp<2" not in python_server.find("server.py", str(project), uv).how
    (project / "script.py").write_text(f'# /// script\n# dependencies = ["{asked}"]\n# ///\n{FIRST}')
    assert ("; ask for mcp<2 there" in python_server.find("script.py", str(project), uv).how) is told
