"""The main job on real input, in a scratch home: detect, install, look, decide, rehearse, measure, uninstall, compare.

    python tools/demo.py [--keep]

Every step is the real command line of this checkout. Nothing outside the scratch home is read or written.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOLD, DIM, OFF = (
    ("\033[1m", "\033[2m", "\033[0m") if sys.stdout.isatty() and "NO_COLOR" not in os.environ else ("",) * 3
)

# What a person already has in each host: comments, odd spacing, foreign entries. All of it must survive.
OWNED = {
    ".claude.json": '{\n  "numStartups": 41,\n  "mcpServers": { "other": { "command": "other-mcp" } }\n}\n',
    ".claude/settings.json": '{\n\t"model": "opus",\n\t"permissions": {"allow": ["Bash(git *)"]}\n}\n',
    ".claude/CLAUDE.md": "# My rules\r\n\r\n- Be brief.\r\n",
    ".codex/config.toml": '# my codex\nmodel = "gpt-5"   # the good one\n\n[mcp_servers.other]\ncommand = "other-mcp"\n',
    ".codex/AGENTS.md": "Always run the tests.",
    ".gemini/settings.json": '{\n  // shown in the footer\n  "ui": {"theme": "Dracula"}\n}\n',
    ".config/opencode/opencode.jsonc": '{\n  "$schema": "https://opencode.ai/config.json",\n  "share": "disabled", // mine\n}\n',
    ".cursor/mcp.json": '{"mcpServers":{"other":{"command":"other-mcp","args":[]}}}',
}


def title(number: int, text: str) -> None:
    """Announce a step."""
    print(f"\n{BOLD}{number}. {text}{OFF}", flush=True)


class Scratch:
    """A home of its own and a project in it, and commands that see nothing else."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = self.home / "project"
        self.project.mkdir(parents=True)
        hosts = ROOT / ".hosts" / "bin"
        self.environment = {
            "HOME": str(self.home),
            "PATH": os.pathsep.join([str(hosts)] * hosts.is_dir() + [os.environ.get("PATH", os.defpath)]),
            "LANG": "C.UTF-8",
            "ACME_DSN": "sqlite:///acme.db",
            **{name: os.environ[name] for name in ("NO_COLOR", "COLUMNS", "SYSTEMROOT") if name in os.environ},
        }

    def connector(self, *arguments: str, check: bool = True) -> int:
        """Run our command line and show it."""
        print(f"{DIM}$ agent-connector {' '.join(arguments)}{OFF}", flush=True)
        done = subprocess.run(
            [sys.executable, "-m", "agent_connector", *arguments],
            cwd=self.project,
            env=self.environment,
            timeout=180,
            check=False,
        )
        if check and done.returncode not in (0, 1):
            sys.exit(f"demo: exit code {done.returncode}")
        return done.returncode

    def files(self) -> dict[str, str]:
        """Every file of the person below home (not our own folder) and its SHA-256."""
        found = {}
        for path in sorted(self.home.rglob("*")):
            relative = path.relative_to(self.home).as_posix()
            if path.is_file() and not relative.startswith(".agent-connector/"):
                found[relative] = hashlib.sha256(path.read_bytes()).hexdigest()
        return found

    def folders(self) -> set[str]:
        """Every folder below home that is not ours."""
        every = (path.relative_to(self.home).as_posix() for path in self.home.rglob("*") if path.is_dir())
        return {name for name in every if not name.startswith(".agent-connector")}


def call_tool(scratch: Scratch) -> str:
    """Start the server as Claude Code would, from its entry in ~/.claude.json, and call one tool through the proxy."""
    entry = json.loads((scratch.home / ".claude.json").read_text("utf-8"))["mcpServers"]["acme-db"]
    client = {"name": "claude-code", "version": "2.1.332"}
    messages = [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client},
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {
            "jsonrpc": "2.0",
            "id": 3,
            "method": "tools/call",
            "params": {"name": "acme_query", "arguments": {"sql": "select name from customers order by name"}},
        },
    ]
    environment = {**scratch.environment, "CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "demo-session"}
    server = subprocess.Popen(
        [entry["command"], *entry["args"]],
        cwd=scratch.project,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin and server.stdout  # noqa: S101 - both are pipes, see above
    answer = ""
    for message in messages:
        server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        if "id" in message:
            answer = server.stdout.readline()
    server.stdin.close()
    server.wait(timeout=30)
    return answer.strip()


def wait_for_counts(scratch: Scratch, seconds: float = 20.0) -> None:
    """Counting is done behind the session, in a process of its own: give it the time to finish."""
    command = [sys.executable, "-m", "agent_connector", "telemetry", "report", "--by", "tool", "--json"]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done = subprocess.run(command, env=scratch.environment, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode == 0 and "acme_query" in done.stdout:
            return
        time.sleep(0.5)


def host_program(scratch: Scratch) -> str | None:
    """The first host of this demo whose program is on the PATH."""
    programs = {"claude-code": "claude", "codex": "codex", "opencode": "opencode", "gemini-cli": "gemini"}
    return next((host for host, name in programs.items() if shutil.which(name, path=scratch.environment["PATH"])), None)


def run(scratch: Scratch) -> int:
    """All steps; 0 when every file came back byte for byte."""
    for name, text in OWNED.items():
        path = scratch.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    files, folders = scratch.files(), scratch.folders()
    acme = str(ROOT / "examples" / "acme" / "connector.py")

    title(1, "Which hosts are here?")
    scratch.connector("detect")
    title(2, "Install one connector into all of them (first only shown, then done)")
    scratch.connector("install", "--connector", acme, "--dry-run")
    scratch.connector("install", "--connector", acme)
    title(3, "What the hosts' files look like now")
    scratch.connector("status")
    for name in (".codex/config.toml", ".claude/CLAUDE.md"):
        print(f"{DIM}--- ~/{name}{OFF}\n{(scratch.home / name).read_text('utf-8')}")
    title(4, "What a hook would answer, host by host, without running a host")
    for host in ("claude-code", "codex", "gemini-cli"):
        scratch.connector("simulate", "--connector", acme, "--host", host, "--tool", "acme_write", "PreToolUse")
    title(5, "The same on the real program, against a stand-in model")
    host = host_program(scratch)
    if host:
        scratch.connector("rehearse", "--connector", acme, "--host", host)
    else:
        print("no host program on this machine; `make test-hosts` installs those that npm has and rehearses each")
    title(6, "A tool call through the measuring proxy")
    print(call_tool(scratch))
    title(7, "What it cost")
    wait_for_counts(scratch)
    scratch.connector("telemetry", "report", "--by", "tool")
    title(8, "Uninstall, and compare every file with what it was")
    scratch.connector("uninstall", "--connector", "acme-db", "--purge")
    return compare(scratch, files, folders)


def compare(scratch: Scratch, files: dict[str, str], folders: set[str]) -> int:
    """Say of every file whether it is what it was; 0 when all are and nothing more is there."""
    left, now = scratch.folders() - folders, scratch.files()
    for name in sorted(files.keys() | now.keys()):
        print(f"  {'same' if files.get(name) == now.get(name) else 'DIFFERENT'}  ~/{name}")
    if now == files and not left:
        print(f"{BOLD}all {len(files)} files are byte for byte what they were; nothing was left behind{OFF}")
        return 0
    print(f"{BOLD}files differ or folders were left: {sorted(left)}{OFF}")
    return 1


def main() -> int:
    """Make the scratch home, run, remove it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--keep", action="store_true", help="leave the scratch home")
    keep = parser.parse_args().keep
    folder = Path(tempfile.mkdtemp(prefix="agent-connector-demo-"))
    print(f"scratch home: {folder / 'home'}{'' if keep else ' (removed at the end)'}")
    try:
        return run(Scratch(folder))
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
