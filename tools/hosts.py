"""Install the real host programs that the tests drive, in pinned versions, into the git-ignored `.hosts/`.

    python tools/hosts.py            install what is missing, check every version, print where each stands
    python tools/hosts.py codex      only this one

Each program lives in `.hosts/<id>/`, with a Node of its own in `.hosts/node/`; `.hosts/bin/` links to all of them. A
program that needs a newer Node gets that beside it (`.hosts/node24/`), and a script in place of the link. npm picks an
older release without a word when the Node that runs it is too old for the newest ("engines"), so the version that a
program itself reports is compared with the pin, and a difference is an error.
"""

import argparse
import dataclasses
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / ".hosts"
NODE_VERSION = "22.23.3"
NEWER_NODE = "24.21.0"  # for programs that do not start on the other
INSTALL_SECONDS = 900
VERSION_SECONDS = 120


@dataclasses.dataclass(frozen=True, slots=True)
class Program:
    """One host program: its id here, its package and version at npm (or at PyPI), the command it brings.

    `runs_on` is a package that is installed beside it, for the command of the same name that runs it in place of Node.
    """

    host: str
    package: str
    version: str
    command: str
    runs_on: str = ""
    python: bool = False  # comes from PyPI, into an environment of its own
    tells: bool = True  # has a `--version`; else what npm put down is asked
    node: str = NODE_VERSION  # the Node that it runs on, and that npm chooses its release by


PROGRAMS = (
    Program("claude-code", "@anthropic-ai/claude-code", "2.1.332", "claude"),
    Program("codex", "@openai/codex", "0.171.0", "codex"),
    Program("gemini-cli", "@google/gemini-cli", "0.61.0", "gemini"),
    Program("opencode", "opencode-ai", "1.18.33", "opencode"),
    Program("kilo-cli", "@kilocode/cli", "7.7.7", "kilo"),  # newer ones lack the packages of some systems
    Program("qwen-code", "@qwen-code/qwen-code", "0.24.4", "qwen"),
    Program("copilot-cli", "@github/copilot", "1.0.102", "copilot"),
    Program("droid", "droid", "0.215.0", "droid"),
    Program("kimi", "@moonshot-ai/kimi-code", "2.1.0", "kimi"),
    Program("claude-agent-acp", "@agentclientprotocol/claude-agent-acp", "0.101.0", "claude-agent-acp"),
    Program("codex-acp", "@zed-industries/codex-acp", "0.16.0", "codex-acp", tells=False),
    Program("pi", "@earendil-works/pi-coding-agent", "1.6.0", "pi"),
    Program("cline", "cline", "3.0.65", "cline"),
    Program("hermes", "hermes-agent[mcp,acp]", "0.19.0", "hermes", python=True),  # has neither without its extras
    # newer ones lack the packages of some systems; without its maker's server it only takes servers
    Program("amp", "@ampcode/cli", "0.0.1790142911-g7618fb", "amp"),
    # 18.3.4 needs a package that registries lack
    Program("omp", "@oh-my-pi/pi-coding-agent", "18.2.3", "omp", "bun@1.4.5"),
    Program("openclaw", "openclaw", "2026.9.6", "openclaw", node=NEWER_NODE),  # an older Node gets a placeholder
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
        install_node(NODE_VERSION)
        link("node", node_folder(NODE_VERSION) / "node")
    except InstallError as error:
        print(error, file=sys.stderr)
        return 1
    for host in chosen:
        try:
            install(known[host])
            show(known[host])
            if runner := known[host].runs_on.partition("@")[0]:
                link(runner, program_path(known[host]).parent / runner)
            print(f"{host:16} {known[host].version:10} {program_path(known[host])}", flush=True)
        except InstallError as error:
            print(f"{host}: {error}", file=sys.stderr, flush=True)
            failed = True
    return 1 if failed else 0


def install_node(version: str) -> None:
    """Put a pinned Node where `node_folder` says; that goes in front of the PATH of what runs on it."""
    node = node_folder(version) / "node"
    if node.exists() and reported(str(node), version) == version:
        return
    npm(node_home(version), f"node@{version}", node=version)
    if reported(str(node), version) != version:
        raise InstallError(f"node: wanted {version}, {node} says {reported(str(node), version) or 'nothing'}")


def install(program: Program) -> None:
    """Install `program` unless the right version stands there; its own `--version` has the last word."""
    path = program_path(program)
    install_node(program.node)
    if path.exists() and version_of(program) == program.version:
        return
    if program.python:
        pip(program.host, f"{program.package}=={program.version}")
    else:
        npm(program.host, f"{program.package}@{program.version}", *filter(None, [program.runs_on]), node=program.node)
    found = version_of(program)
    if found != program.version:
        raise InstallError(f"wanted {program.package} {program.version}, {path} says {found or 'nothing'}")


def npm(folder: str, *packages: str, node: str) -> None:
    """`npm install` of exact packages, for that Node, into `.hosts/<folder>`; the last tries' leftovers go first."""
    if shutil.which("npm") is None:
        raise InstallError("npm is not on the PATH; install Node.js 20 or newer with npm")
    target = emptied(folder)
    (target / "package.json").write_text('{"private": true}\n')
    flags = ["--no-audit", "--no-fund", "--no-package-lock", "--save-exact"]
    done = run(["npm", "install", *flags, *packages], cwd=target, seconds=INSTALL_SECONDS, node=node)
    if done.returncode:
        raise InstallError(f"npm install {' '.join(packages)} failed:\n{(done.stderr or done.stdout)[-2000:]}")


def pip(folder: str, package: str) -> None:
    """`pip install` of an exact package into an environment in `.hosts/<folder>`, made by the Python that runs this."""
    target = emptied(folder)
    python = scripts(folder) / ("python.exe" if os.name == "nt" else "python")
    for argv in ([sys.executable, "-m", "venv", str(target)], [str(python), "-m", "pip", "install", "-q", package]):
        done = run(argv, cwd=ROOT, seconds=INSTALL_SECONDS)
        if done.returncode:
            raise InstallError(f"{' '.join(argv)} failed:\n{(done.stderr or done.stdout)[-2000:]}")


def emptied(folder: str) -> Path:
    """`.hosts/<folder>` without what an earlier try has left."""
    target = ROOT / folder
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    return target


def scripts(folder: str) -> Path:
    """Where an environment has its programs."""
    return ROOT / folder / ("Scripts" if os.name == "nt" else "bin")


def version_of(program: Program) -> str:
    """What the program itself reports, or what npm has put down where it reports nothing."""
    if program.tells:
        return reported(str(program_path(program)), program.node)
    manifest = ROOT / program.host / "node_modules" / program.package / "package.json"
    return json.loads(manifest.read_text(encoding="utf-8"))["version"] if manifest.exists() else ""


def reported(program: str, node: str) -> str:
    """The version number that `program --version` prints, "" when it prints none; a name before it ("omp/1.2") goes."""
    try:
        done = run([program, "--version"], cwd=ROOT, seconds=VERSION_SECONDS, node=node)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    words = done.stdout.replace("(", " ").replace("/", " ").split()
    numbers = [word.lstrip("v").rstrip(".,") for word in words if word.lstrip("v")[:1].isdigit()]
    return numbers[0] if numbers else ""


def run(argv: list[str], *, cwd: Path, seconds: int, node: str = NODE_VERSION) -> subprocess.CompletedProcess[str]:
    """Run with our Node, and what lies beside the program, first on the PATH and no terminal."""
    places = (str(node_folder(node)), os.path.dirname(argv[0]), os.environ.get("PATH", ""))
    environment = {**os.environ, "PATH": os.pathsep.join(place for place in places if place)}
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


def node_home(version: str) -> str:
    """The folder of a pinned Node in `.hosts`."""
    return "node" if version == NODE_VERSION else f"node{version.partition('.')[0]}"


def node_folder(version: str) -> Path:
    """Where that `node` program lies."""
    return ROOT / node_home(version) / "node_modules" / "node" / "bin"


def program_path(program: Program) -> Path:
    """The command of an installed program."""
    if program.python:
        return scripts(program.host) / program.command
    return ROOT / program.host / "node_modules" / ".bin" / program.command


def show(program: Program) -> None:
    """`.hosts/bin/<command>`: a link, or a script that starts it with a Node which is not that of the PATH."""
    path = program_path(program)
    if program.node == NODE_VERSION:
        link(program.command, path)
    elif place := emptied_link(program.command):
        words = shlex.join((str(node_folder(program.node) / "node"), str(path)))
        place.write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
        place.chmod(0o755)


def link(name: str, target: Path) -> None:
    """`.hosts/bin/<name>` as a link."""
    if place := emptied_link(name):
        place.symlink_to(os.path.relpath(target, place.parent))


def emptied_link(name: str) -> Path | None:
    """`.hosts/bin/<name>`, to be made: one folder for a PATH. Windows needs rights for links: there `.bin` is used."""
    if os.name == "nt":
        return None
    place = ROOT / "bin" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    return place


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
