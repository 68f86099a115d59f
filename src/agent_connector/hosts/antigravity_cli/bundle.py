"""Antigravity's plugins, and its commands that install one.

Its releases differ on whether a plugin's hooks are loaded, so they are left out: they are installed as files.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import plugin_manifest

if TYPE_CHECKING:
    from agent_connector.hosts.uses import About

FORMAT = "agy-plugin"
SURE = "documented"
ROOT = None
FOLDERS = {"commands": "commands", "skills": "skills", "subagents": "agents", "server": "mcp_config.json"}
INSTALL = (("agy", "plugin", "install", "{bundle}"),)
REMOVE = (("agy", "plugin", "uninstall", "{name}"),)


def manifest(about: "About", servers: Mapping[str, Any], hooks: Any) -> tuple[str, dict[str, Any]]:
    schema = "https://antigravity.google/schemas/v1/plugin.json"
    return "plugin.json", {"$schema": schema, **plugin_manifest.described(about)}
