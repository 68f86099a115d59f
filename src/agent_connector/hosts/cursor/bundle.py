"""Cursor's plugins. There is no stable command that installs one: it is done in the IDE."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import plugin_manifest

if TYPE_CHECKING:
    from agent_connector.hosts.uses import About

FORMAT = "cursor-plugin"
SURE = "documented"
ROOT = "${CURSOR_PLUGIN_ROOT}"
FOLDERS = {
    "commands": "commands",
    "skills": "skills",
    "subagents": "agents",
    "hooks": "hooks/hooks.json",
    "native_hooks": "hooks/hooks.json",
    "server": "mcp.json",
}
CATALOG = ".cursor-plugin/marketplace.json"

catalog = plugin_manifest.catalog


def manifest(about: "About", servers: Mapping[str, Any], hooks: Any) -> tuple[str, dict[str, Any]]:
    return ".cursor-plugin/plugin.json", plugin_manifest.described(about)
