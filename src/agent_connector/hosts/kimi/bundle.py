"""Kimi Code CLI's plugins. They are installed inside a session: `/plugins install <folder>`. All but files of content
stands in the manifest, whose paths begin with `./`.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from agent_connector.hosts.uses import About

FORMAT = "kimi-plugin"
SURE = "documented"
ROOT = "${KIMI_PLUGIN_ROOT}"
FOLDERS = {"commands": "skills", "skills": "skills", "subagents": "agents"}


def manifest(about: "About", servers: Mapping[str, Any], hooks: Any) -> tuple[str, dict[str, Any]]:
    told: dict[str, Any] = {
        "name": about.id,
        "version": about.version or "0.0.0",
        "description": about.description,
        "skills": "./skills",
        "agents": "./agents",
        "hooks": cast("dict[str, Any]", hooks).get("hooks") if isinstance(hooks, dict) else None,
        "mcpServers": dict(servers),
    }
    return "kimi.plugin.json", {key: value for key, value in told.items() if value}
