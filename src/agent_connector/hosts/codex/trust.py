"""Codex' trust in hooks: what it writes when a person trusts one, for `--trust` and for homes that are ours.

Codex runs a hook only when the person has trusted exactly this definition. Its state is the hash of the definition
in the user's config.toml; a new command, matcher or timeout is a new definition.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from agent_connector.hosts.dialects.stream_json import rows

PATH = ("hooks", "state")
_UNMATCHED = ("UserPromptSubmit", "Stop")  # a matcher is not a part of these
_DEFAULT_TIMEOUT = 600


def states(file: str, hooks: Mapping[str, Any], marks: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """Key and value below `hooks.state` for each hook of `file` that is ours.

    `hooks` is the `hooks` object of that file as it stands on disk: the key counts positions. `marks` must all stand
    in a command for it to be ours.
    """
    found: dict[str, dict[str, str]] = {}
    for event, groups in hooks.items():
        for i, group in enumerate(rows(groups)):
            for j, handler in enumerate(rows(group.get("hooks"))):
                if all(mark in str(handler.get("command")) for mark in marks):
                    key = f"{file}:{snake(event)}:{i}:{j}"
                    found[key] = {"trusted_hash": definition_hash(event, group.get("matcher"), handler)}
    return found


def definition_hash(event: str, matcher: str | None, handler: Mapping[str, Any]) -> str:
    """The hash as Codex' own list of hooks reports it, for a command with or without a matcher and a timeout."""
    definition: dict[str, Any] = {
        "event_name": snake(event),
        "hooks": [
            {
                "async": bool(handler.get("async", False)),
                "command": handler["command"],
                "timeout": handler.get("timeout", _DEFAULT_TIMEOUT),
                "type": "command",
            }
        ],
    }
    if matcher is not None and event not in _UNMATCHED:
        definition["matcher"] = matcher
    text = json.dumps(definition, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + sha256(text.encode()).hexdigest()


def snake(event: str) -> str:
    """`PreToolUse` as `pre_tool_use`."""
    return "".join("_" + c.lower() if c.isupper() else c for c in event).lstrip("_")


def project(folder: str) -> tuple[tuple[str, ...], str]:
    """Path and value that make `folder` a trusted project: without it Codex reads none of the project's files."""
    return ("projects", folder, "trust_level"), "trusted"
