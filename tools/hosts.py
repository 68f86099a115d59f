"""Install the real host programs that the tests drive, in pinned versions, into the git-ignored `.hosts/`.

    python tools/hosts.py            install what is missing, check every version, print where each stands
    python tools/hosts.py codex      only this one

Each program lives in `.hosts/<id>/`, with a Node of its own in `.hosts/node/`; `.hosts/bin/` links to all of them. npm
picks an older release without a word when the Node that runs it is too old for the newest ("engines"), so the version
that a program itself reports is compared with the pin, and a difference is an error.
"""

import argparse
import dataclasses
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / ".hosts"
NODE_VERSION = "22.23.3"
INSTALL_SECONDS = 900
VERSION_SECONDS = 120


@dataclasses.dataclass(frozen=True, slots=True)
class Program:
    """One host program: its id here, its package and version at npm, the command it brings."""

    host: str
    package: str
    version: str
    command: str


PROGRAMS = (
    Program("claude-code", "@anthropic-ai/claude-code", "2.1.332", "claude"),
    Program("codex", "@openai/codex", "0.171.0", "codex"),
    Program("gemini-cli", "@google/gemini-cli", "0.61.0", "gemini"),
    Program("opencode", "opencode-ai", "1.18.33", "opencode"),
    Program("qwen-code", "@qwen-code/qwen-code", "0.24.4", "qwen"),
    Program("copilot-cli", "@github/copilot", "1.0.102", "copilot"),
    Program("droid", "droid", "0.215.0", "droid"),
    Program("kimi", "@moonshot-ai/kimi-code", "2.1.0", "kimi"),
)


class InstallError(Exception):
    """A program could not be installed, or is not the version that was asked for."""


def main(arguments: list[str]) -> int:
    """Install and check what was asked for; 1 when anything is missing or wrong."""
    known = {program.host: program for program in PROGRAMS}
    parser = argparse.ArgumentParser(description="Install the real host programs for the tests.")
    parser.add_argument("hosts", nargs="*", metavar="host", help=f"one of {', '.join(known)}; all when left out")
    chosen = parser.parse_args(arguments).hosts or list(known)
    unknown = [host for host in chosen if host not in known]
    if unknown:
        parser.error(f"unknown host {unknown[0]}; known: {', '.join(known)}")
    failed = False
    try:
        install_node()
        link("node", node_folder() / "node")
    except InstallError as error:
        print(error, file=sys.stderr)
        return 1
    for host in chosen:
        try:
            install(known[host])
            link(known[host].command, program_path(known[host]))
            print(f"{host:12} {known[host].version:10} {program_path(known[host])}", flush=True)
        except InstallError as error:
            print(f"{host}: {error}", file=sys.stderr, flush=True)
            failed = True
    return 1 if failed else 0


def install_node() -> None:
    """Put the pinned Node into `.hosts/node`, the folder that goes in front of every PATH below."""
    node = node_folder() / "node"
    if node.exists() and reported(str(node)) == NODE_VERSION:
        return
    npm("node", f"node@{NODE_VERSION}")
    if reported(str(node)) != NODE_VERSION:
        raise InstallError(f"node: wanted {NODE_VERSION}, {node} says {reported(str(node)) or 'nothing'}")


def install(program: Program) -> None:
    """Install `program` unless the right version stands there; its own `--version` has the last word."""
    path = program_path(program)
    if path.exists() and reported(str(path)) == program.version:
        return
    npm(program.host, f"{program.package}@{program.version}")
    found = reported(str(path))
    if found != program.version:
        raise InstallError(f"wanted {program.package} {program.version}, {path} says {found or 'nothing'}")


def npm(folder: str, package: str) -> None:
    """`npm install` of one exact package into `.hosts/<folder>`, the last tries' leftovers removed first."""
    if shutil.which("npm") is None:
        raise InstallError("npm is not on the PATH; install Node.js 20 or newer with npm")
    target = ROOT / folder
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    (target / "package.json").write_text('{"private": true}\n')
    flags = ["--no-audit", "--no-fund", "--no-package-lock", "--save-exact"]
    done = run(["npm", "install", *flags, package], cwd=target, seconds=INSTALL_SECONDS)
    if done.returncode:
        raise InstallError(f"npm install {package} failed:\n{(done.stderr or done.stdout)[-2000:]}")


def reported(program: str) -> str:
    """The version number that `program --version` prints, "" when it prints none."""
    try:
        done = run([program, "--version"], cwd=ROOT, seconds=VERSION_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    words = done.stdout.replace("(", " ").split()
    numbers = [word.lstrip("v").rstrip(".,") for word in words if word.lstrip("v")[:1].isdigit()]
    return numbers[0] if numbers else ""


def run(argv: list[str], *, cwd: Path, seconds: int) -> subprocess.CompletedProcess[str]:
    """Run with our Node first on the PATH and no terminal."""
    environment = {**os.environ, "PATH": f"{node_folder()}{os.pathsep}{os.environ.get('PATH', '')}"}
    return subprocess.run(
        argv,
        check=False,
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
    )


def node_folder() -> Path:
    """Where the pinned `node` program lies."""
    return ROOT / "node" / "node_modules" / "node" / "bin"


def program_path(program: Program) -> Path:
    """The command of an installed program."""
    return ROOT / program.host / "node_modules" / ".bin" / program.command


def link(name: str, target: Path) -> None:
    """`.hosts/bin/<name>`: one folder for a PATH. Windows needs rights for links: there each `.bin` is used as it is."""
    if os.name == "nt":
        return
    place = ROOT / "bin" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(os.path.relpath(target, place.parent))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
