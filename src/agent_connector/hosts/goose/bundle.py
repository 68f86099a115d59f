"""goose's plugins, in the Open Plugins format. Its command installs one from a git repository; a folder is enough too."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import plugin_manifest, server_shape

if TYPE_CHECKING:
    from agent_connector.hosts.nodes import Refusal
    from agent_connector.hosts.uses import About, ServerUse

FORMAT = "open-plugin"
SURE = "documented"
ROOT = "${PLUGIN_ROOT}"
FOLDERS = {
    "commands": "skills",
    "skills": "skills",
    "subagents": "agents",
    "hooks": "hooks/hooks.json",
    "native_hooks": "hooks/hooks.json",
    "server": ".mcp.json",
}

_SHAPE = server_shape.Shape("a plugin of goose", cwd=True)


def entry(server: "ServerUse") -> "dict[str, Any] | Refusal":
    """`command`, `args`, `env`, `cwd`: a plugin's servers are programs, in other words than those of config.yaml."""
    return server_shape.entry(_SHAPE, server)


def manifest(about: "About", servers: Mapping[str, Any], hooks: Any) -> tuple[str, dict[str, Any]]:
    return "plugin.json", plugin_manifest.described(about)
