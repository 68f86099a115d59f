"""Droid's plugins, and its commands that install one."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import plugin_manifest

if TYPE_CHECKING:
    from agent_connector.hosts.uses import About

FORMAT = "factory-plugin"
SURE = "documented"
ROOT = "${DROID_PLUGIN_ROOT}"
FOLDERS = {
    "commands": "commands",
    "skills": "skills",
    "subagents": "droids",
    "hooks": "hooks/hooks.json",
    "native_hooks": "hooks/hooks.json",
    "server": "mcp.json",
}
HOOKS_KEY = "hooks"  # a plugin's hooks.json has it; a person's own has not
CATALOG = ".factory-plugin/marketplace.json"
INSTALL = (
    ("droid", "plugin", "marketplace", "add", "{folder}"),
    ("droid", "plugin", "install", "{name}@{market}"),
)
REMOVE = (
    ("droid", "plugin", "uninstall", "{name}@{market}"),
    ("droid", "plugin", "marketplace", "remove", "{market}"),
)

catalog = plugin_manifest.catalog


def manifest(about: "About", servers: Mapping[str, Any], hooks: Any) -> tuple[str, dict[str, Any]]:
    return ".factory-plugin/plugin.json", plugin_manifest.described(about)
