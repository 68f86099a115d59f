"""Gemini CLI's extensions, and its commands that install one. Servers stand in the manifest, memory in GEMINI.md."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent_connector.hosts.uses import About

FORMAT = "gemini-extension"
SURE = "documented"
ROOT = "${extensionPath}"
FOLDERS = {
    "commands": "commands",
    "skills": "skills",
    "subagents": "agents",
    "hooks": "hooks/hooks.json",
    "native_hooks": "hooks/hooks.json",
    "memory": "GEMINI.md",
}
ASKS = "it asks whether you trust the bundle's folder: run the command in a terminal"
INSTALL = (("gemini", "extensions", "install", "{bundle}", "--consent"),)
REMOVE = (("gemini", "extensions", "uninstall", "{name}"),)


def manifest(about: "About", servers: Mapping[str, Any], hooks: Any) -> tuple[str, dict[str, Any]]:
    told: dict[str, Any] = {"name": about.id, "version": about.version or "0.0.0", "description": about.description}
    if servers:
        told["mcpServers"] = dict(servers)
    return "gemini-extension.json", {key: value for key, value in told.items() if value}
