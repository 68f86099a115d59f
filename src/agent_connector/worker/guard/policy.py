"""The rules of one run, from the worker's configuration: folders without links, what is protected, what a person allowed."""

import fnmatch
import os
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence

from agent_connector.errors import WorkerError
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.worker.config import Allow
from agent_connector.worker.guard.values import Rules
from agent_connector.worker.guard.ways import SWITCHES

_SURFACES = ("server", "hooks", "statusline", "actions", "config_patch")
# What changes a host's doings in a project beside the files of its facets.
_ALSO = (
    ".claude/settings.json", ".claude/settings.local.json", ".claude/hooks", ".codex", ".gemini/settings.json",
    ".qwen/settings.json", ".github/hooks", ".github/copilot", ".factory/settings.json", ".factory/hooks", ".opencode",
    "opencode.json", "opencode.jsonc", ".mcp.json", ".vscode/tasks.json", ".vscode/settings.json", ".vscode/mcp.json",
)  # fmt: skip
ANYTHING = ("*", "env", "eval", "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox")  # programs that run any other
NEVER = ("push", "send-pack", "http-push", "send-email")


def rules(
    workspace: str,
    home: str,
    *,
    temporary: Sequence[str] = (),
    allow: Iterable[Allow] = (),
    repository: str = "",
    protected: Sequence[str] = (),
    secret: Sequence[str] = (),
    servers: Sequence[str] = (),
    network: str = "model",
    hosts: Sequence[str] = (),
) -> Rules:
    """`repository` is the folder that `guard.allow` names, which the workspace is a clone of."""
    real = os.path.realpath(workspace)
    return Rules(
        real,
        os.path.realpath(home),
        temporary=[os.path.realpath(path) for path in temporary],
        protected=[*project_files(real), *(os.path.realpath(path) for path in protected)],
        secret=[os.path.realpath(path) for path in secret],
        allow=[allowed_words(one.command) for one in allow if _is_for(one.repo, repository or workspace)],
        servers=servers,
        network=network,
        hosts=hosts,
        windows=sys.platform == "win32",
    )


def project_files(workspace: str) -> list[str]:
    """Every file and folder of the project that configures a host, from the hosts' own facets."""
    machine = Machine("/nonexistent", sys.platform, {}, workspace)
    found: list[str] = []
    for host in query.hosts():
        files: Mapping[str, str] = query.places(host).files("project", machine)
        found += [files[surface] for surface in _SURFACES if surface in files]
    also = [*_ALSO, *(name for known in SWITCHES.values() for name in known.project)]
    found += [os.path.join(workspace, *name.split("/")) for name in also]
    return list(dict.fromkeys(path for path in found if path.rstrip("/") != workspace))


def allowed_words(command: str) -> tuple[str, ...]:
    """A line of `guard.allow` as words. What may never be allowed is an error, not a line without effect."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise WorkerError(f"the command {command!r} is not understood: {error}", where="guard.allow") from None
    if not words or os.path.basename(words[0]) in ANYTHING:
        raise WorkerError(
            f"{command!r} would allow everything", where="guard.allow", remedy="name a program and its words"
        )
    if any(never in word for word in words for never in NEVER):
        raise WorkerError(
            f"{command!r}: a push is never allowed", where="guard.allow", remedy="a person pushes the branch"
        )
    if words[0] == "git" and (len(words) < 2 or words[1] == "*" or words[1].startswith("-")):
        raise WorkerError(
            f"{command!r} would allow every git command", where="guard.allow", remedy="name the git command"
        )
    return words


def _is_for(repo: str, repository: str) -> bool:
    """A folder, its name, or a pattern of either."""
    path = os.path.realpath(os.path.expanduser(repository))
    wanted = os.path.realpath(os.path.expanduser(repo)) if "/" in repo and "*" not in repo else repo
    return fnmatch.fnmatch(path, wanted) or fnmatch.fnmatch(os.path.basename(path), wanted)
