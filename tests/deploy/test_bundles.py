"""`package`: bundles that work where agent-connector is not, and documents that fit their published schemas."""

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_connector.cli.main import main
from agent_connector.connector.load import load
from agent_connector.deploy.bundles import build, mcpb, published, registry
from agent_connector.deploy.bundles.check import check
from agent_connector.deploy.bundles.package import package
from agent_connector.errors import DeployError

EXAMPLES = Path(__file__).parents[2] / "examples"
ACME = EXAMPLES / "acme" / "connector.py"
OWN = EXAMPLES / "acme-db" / "src" / "acme_db" / "connector.py"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("AGENT_CONNECTOR_DATA_DIR", raising=False)
    return tmp_path


def declared(folder: Path, server: str, before: str = "", **project: Any) -> Any:
    """A loaded connector with this server, in a project with these fields."""
    file = folder / "declared.py"
    file.write_text(
        f"from agent_connector import Connector, http, stdio\n{before}"
        f"connector = Connector(id='acme-db', version='1.2.0', description='Asks Acme', server={server})\n"
    )
    if project:
        lines = "\n".join(
            f"{key} = {json.dumps(value)}" for key, value in project.items() if not isinstance(value, dict)
        )
        tables = "\n".join(
            f"[project.{key}]\n" + "\n".join(f"{a} = {json.dumps(b)}" for a, b in value.items())
            for key, value in project.items()
            if isinstance(value, dict)
        )
        (folder / "pyproject.toml").write_text(f"[project]\n{lines}\n{tables}\n")
    return load(str(file))


@pytest.mark.parametrize("form", sorted(build.formats()))
def test_every_format_has_a_manifest_and_no_path_of_this_machine(form: str) -> None:
    parcel = build.build(load(str(OWN)), form)
    assert parcel.files and all(not path.startswith(("/", "..")) and "\\" not in path for path in parcel.files)
    assert not any(str(EXAMPLES) in text for text in parcel.files.values())
    manifests = [
        json.loads(text) for path, text in parcel.files.items() if path.endswith(".json") and "runtime" not in path
    ]
    assert any(one.get("name") == "acme-db" for one in manifests if isinstance(one, dict))
    for path, text in parcel.files.items():
        if path.endswith(".json"):
            json.loads(text)


def test_the_same_connector_gives_the_same_bytes() -> None:
    first, second = (build.build(load(str(ACME)), "claude-plugin").files for _ in range(2))
    assert first == second


def commands(value: Any) -> Iterator[str]:
    """Every `command` in a file of hooks."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from [one] if key == "command" and isinstance(one, str) else commands(one)
    elif isinstance(value, list):
        for one in value:
            yield from commands(one)


@pytest.mark.parametrize(
    "form", ["claude-plugin", "factory-plugin", "cursor-plugin", "gemini-extension", "qwen-extension"]
)
def test_a_hook_runs_from_the_bundle_alone(form: str, tmp_path: Path) -> None:
    """As the host would: a shell, the bundle's folder in its variable, any Python, and nothing of ours on the machine."""
    (done,) = package(load(str(ACME)), form, str(tmp_path / "dist"))
    every = list(commands(json.loads(Path(done.path, "hooks", "hooks.json").read_text())))
    root = every[0].split('"', 2)[1].partition("/")[0].strip("${}")
    payload = {"hook_event_name": "UserPromptSubmit", "prompt": "which customer?", "session_id": "s", "cwd": "/",
               "tool_name": "mcp__plugin_acme-db_acme-db__acme_write", "tool_input": {}}  # fmt: skip
    answers = []
    for command in every:
        ran = subprocess.run(
            ["sh", "-c", command],
            input=json.dumps(payload),
            env={"PATH": f"{os.path.dirname(sys.executable)}:/usr/bin:/bin", root: done.path, "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        answers.append(ran.stdout)
    assert "acme_write changes" in "".join(answers) or "customers(id" in "".join(answers), answers
    assert not (tmp_path / ".agent-connector").exists()


def test_without_python_the_hooks_say_nothing(tmp_path: Path) -> None:
    (done,) = package(load(str(ACME)), "claude-plugin", str(tmp_path / "dist"))
    hooks = json.loads(Path(done.path, "hooks", "hooks.json").read_text())["hooks"]
    command = hooks["PreToolUse"][0]["hooks"][0]["command"]
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "cat").symlink_to("/bin/cat")
    ran = subprocess.run(
        ["/bin/sh", "-c", command],
        input="{}",
        env={"PATH": str(tmp_path / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_what_cannot_be_in_a_bundle_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["package", "-c", str(ACME), "--format", "codex-plugin", "-o", str(tmp_path / "d")]) == 0
    out = capsys.readouterr().out
    assert "hooks: the host does not tell a plugin's hooks where the plugin lies" in out
    assert "is a path of this machine" in out and "statusline: no part of codex-plugin" in out
    assert main(["package", "-c", str(ACME), "--format", "codex-plugin", "-o", str(tmp_path / "d")]) == 1
    assert "something is there already" in capsys.readouterr().err
    assert main(["package", "-c", str(ACME), "--format", "rpm"]) == 2
    assert "claude-plugin" in capsys.readouterr().err


def test_all_is_every_host_format_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["package", "-c", str(OWN), "--format", "all", "-o", str(tmp_path), "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert {one["format"] for one in made} == set(build.formats())
    assert not (tmp_path / "server.json").exists()
    assert main(["package", "-c", str(OWN), "--format", "all", "-o", str(tmp_path), "--force"]) == 0
    assert "by name alone: --format mcp-server-json, --format mcpb" in capsys.readouterr().out


def test_a_format_without_a_place_for_anything_is_refused_or_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An npm package brings hooks alone: of a server there would be a package with nothing in it."""
    declared(tmp_path, "stdio('npx', '-y', 'acme')")
    words = ["package", "-c", str(tmp_path / "declared.py"), "-o", str(tmp_path / "dist"), "--format"]
    assert main([*words, "npm-plugin"]) == 1
    assert "npm-plugin has no place for anything that acme-db declares" in capsys.readouterr().err
    assert main([*words, "all"]) == 0
    assert "npm-plugin: left out" in capsys.readouterr().out
    assert not (tmp_path / "dist" / "npm-plugin").exists()


def test_a_readme_names_what_is_in_the_bundle_alone(tmp_path: Path) -> None:
    (done,) = package(load(str(OWN)), "npm-plugin", str(tmp_path))
    assert "In it: 1 hook." in Path(done.path, "README.md").read_text()
    assert "server: no part of npm-plugin; `agent-connector install` writes it" in done.notes
    (done,) = package(load(str(OWN)), "claude-plugin", str(tmp_path))
    assert "In it: the MCP server `acme-db`, 1 hook." in Path(done.path, "README.md").read_text()
    (done,) = package(load(str(OWN)), "gemini-extension", str(tmp_path))
    assert (
        "In it: the MCP server `acme-db`, 1 hook, what its agents are to know."
        in Path(done.path, "README.md").read_text()
    )


def test_a_format_goes_by_its_host_s_name_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["package", "-c", str(OWN), "--format", "goose", "-o", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["format"] == "open-plugin"
    assert main(["package", "-c", str(OWN), "--format", "zed", "-o", str(tmp_path)]) == 2  # has none


def test_a_server_of_the_project_is_fetched_on_other_machines() -> None:
    servers = json.loads(build.build(load(str(OWN)), "claude-plugin").files[".mcp.json"])["mcpServers"]
    assert [servers["acme-db"]["command"], *servers["acme-db"]["args"]] == [
        "uvx",
        "--from",
        "acme-db==1.4.0",
        "acme-db-mcp",
    ]


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        ("stdio('uvx', 'acme-mcp@1.0.1', '--fast')", ("pypi", "acme-mcp", "1.0.1", ("--fast",), "")),
        ("stdio('uvx', '--from', 'acme==2', 'acme-mcp')", ("pypi", "acme", "2", (), "acme-mcp")),
        ("stdio('npx', '-y', '@acme/mcp@3.1.0', 'x')", ("npm", "@acme/mcp", "3.1.0", ("x",), "")),
        ("stdio('npx', 'acme-mcp')", ("npm", "acme-mcp", "", (), "")),
        (
            "stdio('docker', 'run', '--rm', '-i', '-e', 'A=1', 'acme/mcp:4', 'go')",
            ("oci", "acme/mcp:4", "", ("go",), ""),
        ),
    ],
)
def test_a_command_tells_its_package(tmp_path: Path, server: str, expected: tuple[Any, ...]) -> None:
    found = published.package(declared(tmp_path, server).model)
    assert (found.registry, found.name, found.version, found.args, found.script) == expected


BUILT = """
[project]
name = "acme-notes"
version = "2.0"
[project.scripts]
notes = "acme_notes.server:main"
[build-system]
requires = ["hatchling"]
"""


@pytest.mark.parametrize("words", ["'notes'", "'python', os.path.join(HERE, 'src', 'acme_notes', 'server.py')"])
def test_what_runs_from_the_projects_folder_is_its_package_to_others(tmp_path: Path, words: str) -> None:
    """As `init` writes it; on this machine it goes on running from there."""
    (tmp_path / "pyproject.toml").write_text(BUILT)
    package = tmp_path / "src" / "acme_notes"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "server.py").write_text("x = 1\n")
    server = f"stdio('uv', 'run', '--quiet', '--project', HERE, {words})"
    loaded = declared(tmp_path, server, before="import os\nHERE = os.path.dirname(os.path.abspath(__file__))\n")
    found = published.package(loaded.model)
    assert (found.registry, found.name, found.version, found.script) == ("pypi", "acme-notes", "2.0", "notes")
    there, here = (build.build(loaded, "claude-plugin", here=here) for here in (False, True))
    entry = json.loads(there.files[".mcp.json"])["mcpServers"]["acme-db"]
    assert [entry["command"], *entry["args"]] == ["uvx", "--from", "acme-notes==2.0", "notes"]
    entry = json.loads(here.files[".mcp.json"])["mcpServers"]["acme-db"]
    assert entry["args"][:4] == ["run", "--quiet", "--project", str(tmp_path)]
    assert not any("path of this machine" in note for note in (*there.notes, *here.notes))


def test_a_command_of_this_machine_is_no_package(tmp_path: Path) -> None:
    with pytest.raises(DeployError, match="nobody else can start this server") as caught:
        published.package(declared(tmp_path, "stdio('python3', '/home/me/server.py')").model)
    assert "uvx" in str(caught.value)


@pytest.mark.parametrize(
    "server",
    [
        "stdio('uvx', 'acme-mcp', '--dsn', '${env:ACME_DSN}', env={'ACME_TOKEN': '${env:ACME_TOKEN}', 'MODE': 'x'})",
        "stdio('npx', '-y', '@acme/mcp', env={'ACME_URL': 'https://${env:ACME_HOST:-acme.example}/'})",
        "http('https://acme.example/mcp', bearer='ACME_TOKEN', headers={'X-Team': '${env:ACME_TEAM}'})",
        "http('https://${env:ACME_HOST}/mcp')",
    ],
)
def test_server_json_fits_the_registrys_schema(tmp_path: Path, server: str) -> None:
    loaded = declared(tmp_path, server, name="acme", version="1.2.0", urls={"Homepage": "https://github.com/Acme/db"})
    document = registry.server_json(loaded.model, build.about(loaded.model))
    check("mcp-server-json", document)
    assert document["name"] == "io.github.acme/acme-db"
    text = json.dumps(document)
    assert "${env:" not in text
    if "ACME_TOKEN" in server:
        assert '"isSecret": true' in text


def test_a_python_server_is_described_as_one_of_pypi() -> None:
    model = load(str(OWN)).model
    document = registry.server_json(model, build.about(model), "io.github.acme/acme-db")
    check("mcp-server-json", document)
    (told,) = document["packages"]
    assert (told["registryType"], told["identifier"], told["version"], told["runtimeHint"]) == (
        "pypi",
        "acme-db",
        "1.4.0",
        "uvx",
    )


def test_what_does_not_fit_a_schema_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(DeployError, match="name does not fit the schema of mcp-server-json"):
        package(load(str(OWN)), "mcp-server-json", str(tmp_path), name="no slash")
    assert not (tmp_path / "server.json").exists()
    with pytest.raises(DeployError, match="name under a domain of yours"):
        package(load(str(OWN)), "mcp-server-json", str(tmp_path))


def test_a_bundle_for_claude_desktop_fits_its_schema_and_starts(tmp_path: Path) -> None:
    (done,) = package(load(str(OWN)), "mcpb", str(tmp_path))
    with zipfile.ZipFile(done.path) as made:
        manifest = json.loads(made.read("manifest.json"))
        project, script = made.read("pyproject.toml").decode(), made.read("server/main.py").decode()
    check("mcpb", manifest)
    assert manifest["server"]["type"] == "uv" and "acme-db==1.4.0" in project
    compile(script, "main.py", "exec")
    before = Path(done.path).read_bytes()
    package(load(str(OWN)), "mcpb", str(tmp_path), force=True)
    assert Path(done.path).read_bytes() == before


def test_variables_become_settings_of_the_person(tmp_path: Path) -> None:
    loaded = declared(
        tmp_path, "stdio('npx', '-y', '@acme/mcp', env={'ACME_TOKEN': '${env:ACME_TOKEN}', 'P': '${env:P:-1}'})"
    )
    manifest = json.loads(mcpb.files(loaded.model, build.about(loaded.model))["manifest.json"])
    check("mcpb", manifest)
    assert manifest["server"]["mcp_config"]["env"]["ACME_TOKEN"] == "${user_config.ACME_TOKEN}"
    assert manifest["user_config"]["ACME_TOKEN"] == {
        "type": "string", "title": "ACME_TOKEN", "description": "The variable ACME_TOKEN", "required": True, "sensitive": True,
    }  # fmt: skip
    assert manifest["user_config"]["P"]["default"] == "1"


def test_what_is_no_more_in_the_connector_is_no_more_in_its_bundle(tmp_path: Path) -> None:
    (done,) = package(load(str(ACME)), "claude-plugin", str(tmp_path))
    stale = Path(done.path, "skills", "gone", "SKILL.md")
    stale.parent.mkdir()
    stale.touch()
    package(load(str(ACME)), "claude-plugin", str(tmp_path), force=True)
    assert not stale.exists()
