"""The corpus, and the rules that it is judged by."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from agent_connector.worker.guard.values import Rules

CORPUS = Path(__file__).with_name("corpus.toml")
RULES = Rules(
    "/work/project",
    "/work/home",
    temporary=("/work/tmp",),
    protected=("/work/project/.claude", "/work/project/.mcp.json", "/work/guard"),
    secret=("/home/person/.agent-connector/worker",),
)


def corpus() -> Iterator[tuple[str, str]]:
    """(rule, command)"""
    for group in tomllib.loads(CORPUS.read_text(encoding="utf-8"))["group"]:
        for command in group["commands"]:
            yield group["rule"], command
