"""Claude Code's plugins, and its commands that install one."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import plugin_manifest

if TYPE_CHECKING:
    from agent_connector.hosts.uses import About

FORMAT = "claude-plugin"
SURE = "documented"
ROOT = "${CLAUDE_PLUGIN_ROOT}"
FOLDERS = {
    "commands": "commands",
    "skills": "skills",
    "subagents": "agents",
    "hooks": "hooks/hooks.json",
    "native_hooks": "hooks/hooks.json",
    "server": ".mcp.json",
}
SERVER_NAME = "plugin_{id}_{server}"
CATALOG = ".claude-plugin/marketplace.json"
INSTALL = (
    ("claude", "plugin", "marketplace", "add", "{folder}"),
    ("claude", "plugin", "install", "{name}@{market}"),
)
REMOVE = (
    ("claude", "plugin", "uninstall", "{name}@{market}"),
    ("claude", "plugin", "marketplace", "remove", "{market}"),
)

catalog = plugin_manifest.catalog


def manifest(about: "About", servers: Mapping[str, Any], hooks: Any) -> tuple[str, dict[str, Any]]:
    return ".claude-plugin/plugin.json", plugin_manifest.described(about)
