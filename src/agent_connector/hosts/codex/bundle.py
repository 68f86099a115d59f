"""Codex' plugins, and its commands that install one.

A plugin's hooks are not told where the plugin lies, so they are left out: they are installed as files.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import plugin_manifest

if TYPE_CHECKING:
    from agent_connector.hosts.uses import About

FORMAT = "codex-plugin"
SURE = "documented"
ROOT = None
FOLDERS = {"commands": "skills", "skills": "skills", "server": ".mcp.json"}
CATALOG = ".agents/plugins/marketplace.json"
INSTALL = (
    ("codex", "plugin", "marketplace", "add", "{folder}"),
    ("codex", "plugin", "add", "{name}@{market}"),
)
REMOVE = (
    ("codex", "plugin", "remove", "{name}@{market}"),
    ("codex", "plugin", "marketplace", "remove", "{market}"),
)


def catalog(market: str, about: "About", source: str) -> dict[str, Any]:
    """As in the family; a local source is an object here."""
    told = plugin_manifest.catalog(market, about, source)
    told["plugins"][0]["source"] = {"source": "local", "path": source}
    return told


def manifest(about: "About", servers: Mapping[str, Any], hooks: Any) -> tuple[str, dict[str, Any]]:
    return ".codex-plugin/plugin.json", plugin_manifest.described(about)
