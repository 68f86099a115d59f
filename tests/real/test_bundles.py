"""Bundles in the real programs: Claude Code and Gemini CLI accept them, and a plugin's hook decides about its server's tool."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.real.runs import PROGRAMS

from agent_connector.connector.load import load
from agent_connector.deploy.bundles.package import package
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.script import Script, Step, ToolCall

pytestmark = pytest.mark.real
ACME = str(Path(__file__).parents[2] / "examples" / "acme" / "connector.py")


def run(home: Path, *argv: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A host's program in a home of its own."""
    home.mkdir(exist_ok=True)
    return subprocess.run(
        argv,
        cwd=home,
        env={"HOME": str(home), "PATH": f"{PROGRAMS}:{os.environ['PATH']}", **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )


def test_claude_code_takes_the_plugin_and_its_hook_guards_its_tool(tmp_path: Path) -> None:
    (bundle,) = package(load(ACME), "claude-plugin", str(tmp_path / "dist"))
    checked = run(tmp_path / "home", "claude", "plugin", "validate", bundle.path)
    assert checked.returncode == 0 and "acme-db:acme-schema" in checked.stdout, checked.stdout
    tool = "mcp__plugin_acme-db_acme-db__acme_write"
    script = Script((Step(calls=(ToolCall(tool, {"sql": "delete from orders"}),)), Step(say="done")))
    with StandIn(script, "acme-db") as model:
        done = run(
            tmp_path / "home",
            "claude", "-p", "go", "--plugin-dir", bundle.path, "--allowedTools", "mcp__plugin_acme-db_acme-db",
            "--output-format", "stream-json", "--verbose",
            ANTHROPIC_BASE_URL=model.url, ANTHROPIC_API_KEY="dummy", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            ENABLE_TOOL_SEARCH="false",
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "acme_write changes the Acme database: confirm the write" in done.stdout, done.stdout
    tools = next(json.loads(line) for line in done.stdout.splitlines() if '"subtype":"init"' in line)["tools"]
    assert tool in tools


def test_gemini_cli_takes_the_extension(tmp_path: Path) -> None:
    (bundle,) = package(load(ACME), "gemini-extension", str(tmp_path / "dist"))
    checked = run(tmp_path / "home", "gemini", "extensions", "validate", bundle.path)
    assert checked.returncode == 0 and "successfully validated" in checked.stdout + checked.stderr


@pytest.mark.parametrize("host", ["claude-code", "codex", "qwen-code", "droid"])
def test_the_hosts_own_commands_install_a_bundle_and_take_it_out(host: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    words = [sys.executable, "-m", "agent_connector"]
    done = run(home, *words, "install", "-c", ACME, "--method", "marketplace", "-t", host, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    listed = {"claude-code": ("claude", "plugin", "list"), "codex": ("codex", "plugin", "list"),
              "qwen-code": ("qwen", "extensions", "list"), "droid": ("droid", "plugin", "list")}[host]  # fmt: skip
    assert "acme-db" in run(home, *listed).stdout
    done = run(home, *words, "uninstall", "-c", "acme-db", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "acme-db@" not in run(home, *listed).stdout
