"""What a hook costs: the whole of it, from the command that a host starts, over a bare `python -I -S -c pass`.

A connector is installed into a scratch home by the real means. `python -m bench.hook [--quick]`.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from bench._ratio import Case, paired, show

from agent_connector.connector.load import load
from agent_connector.deploy import declaration, launcher
from agent_connector.home import environments, paths
from agent_connector.runtime.launchers.command import guarded

DECLARATION = """\
from agent_connector import Connector, ask, stdio

connector = Connector(id="acme-db", server=stdio("npx", "-y", "@acme/db-mcp"))


@connector.hook("PreToolUse", matcher="acme_query|acme_write")
def confirm_writes(event):
    if event.tool_name == "acme_write":
        return ask("Confirm the write")
    return None


@connector.statusline
def line(ctx):
    return f"{ctx.model.display_name or ''} ${ctx.cost.total_usd or 0:.2f}"
"""
CALL = {
    "session_id": "9ce89351-e574-4cae-9a2e-977e531dd90c",
    "transcript_path": "/home/ada/.claude/projects/-home-ada-shop/9ce89351-e574-4cae-9a2e-977e531dd90c.jsonl",
    "prompt_id": "f29d28c3-cc4c-4475-b39f-474359cab8fa",
    "permission_mode": "default",
    "effort": {"level": "medium"},
    "hook_event_name": "PreToolUse",
    "tool_name": "mcp__acme-db__acme_write",
    "tool_input": {"table": "orders", "rows": [{"id": 7, "state": "sent"}]},
    "tool_use_id": "toolu_01A09q90qw90lq917835lq9",
    "mcp_server": {"name": "acme-db", "source": "user"},
}
STATUS = {
    "session_id": CALL["session_id"],
    "model": {"id": "claude-opus-5-5", "display_name": "Opus 5.5"},
    "workspace": {"current_dir": "/home/ada/shop", "project_dir": "/home/ada/shop", "added_dirs": []},
    "version": "2.1.332",
    "cost": {"total_cost_usd": 0.0069, "total_duration_ms": 14637},
    "context_window": {"total_input_tokens": 1100, "context_window_size": 1000000, "used_percentage": 0},
}


class Scratch:
    """A home with the connector in it, and payloads as files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = folder / "shop"
        (self.project / ".git").mkdir(parents=True)
        remote = '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@example.com:acme/shop.git\n'
        (self.project / ".git" / "config").write_text(remote)
        source = self.project / "connector.py"
        source.write_text(DECLARATION)
        self.root = str(folder / paths.FOLDER)
        self.launcher = launcher.heal(str(folder), self.root).launcher
        loaded = load(str(source))
        environments.settle(self.root, loaded.model.id)
        declaration.settle(self.root, loaded.model, ())
        self.environment = {**os.environ, "HOME": str(folder), paths.VARIABLE: self.root}

    def payload(self, name: str, **changes: object) -> str:
        """A file with the call as Claude Code tells it, changed."""
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps({**CALL, "cwd": str(self.project), **changes}))
        return str(path)

    def case(self, name: str, argv: list[str], stdin: str, limit: float | None = None) -> Case:
        return Case(name, argv, stdin, limit, self.environment)


def main() -> int:
    """Measure, print, and give 1 when a promise is not kept."""
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    rounds = 25 if options.parse_args().quick else 150
    folder = Path(tempfile.mkdtemp(prefix="agent-connector-bench-"))
    try:
        scratch = Scratch(folder)
        return 0 if all([_starts(scratch, rounds), _sizes(scratch, rounds)]) else 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _starts(scratch: Scratch, rounds: int) -> bool:
    """The figures of each way to start, against a bare interpreter."""
    python = environments.base_interpreter()
    package = Path(paths.version_package(scratch.root, launcher.this_version().name))
    entry = [python, "-I", "-S", str(package / "runtime" / "entry.py")]
    words = ["hook", "claude-code", "PreToolUse", "--connector", "acme-db"]
    line = ["statusline", "claude-code", "--connector", "acme-db"]
    shell = ["/bin/sh", "-c", guarded(scratch.launcher, words, "", sys.platform)]
    hit, miss = scratch.payload("hit"), scratch.payload("miss", tool_name="Bash", mcp_server=None)
    status = scratch.folder / "status.json"
    status.write_text(json.dumps(STATUS))
    base = scratch.case("python -I -S -c pass", [python, "-I", "-S", "-c", "pass"], os.devnull)
    cases = [
        scratch.case("hit, without sh", [*entry, *words], hit, 1.25),
        scratch.case("miss, without sh", [*entry, *words], miss, 1.20),
        scratch.case("hit, launcher", [scratch.launcher, *words], hit, 1.40),
        scratch.case("miss, launcher", [scratch.launcher, *words], miss, 1.30),
        scratch.case("hit, guard and launcher", shell, hit),
        scratch.case("miss, guard and launcher", shell, miss),
        scratch.case("status line, launcher", [scratch.launcher, *line], str(status), 1.50),
    ]
    return show("A hook from its start to its end, over a bare interpreter", paired(base, cases, rounds))


def _sizes(scratch: Scratch, rounds: int) -> bool:
    """What a payload of 1 MB costs more than one of 1 kB: nothing is tokenized before the reply."""
    words = ["hook", "claude-code", "PreToolUse", "--connector", "acme-db"]
    small = scratch.payload("small", tool_input={"text": "x" * 1_000})
    large = scratch.payload("large", tool_input={"text": "x" * 1_000_000})
    base = scratch.case("hit of 1 kB", [scratch.launcher, *words], small)
    return show(
        "A large payload, over a small one",
        paired(base, [scratch.case("hit of 1 MB of one character", [scratch.launcher, *words], large, 1.50)], rounds),
    )


if __name__ == "__main__":
    sys.exit(main())
