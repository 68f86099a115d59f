"""An npm package that OpenCode and its forks load as a plugin: our bridge to the hooks, and what tells it where it lies.

Servers and content are entries and files of the config folder in these hosts, so a package cannot bring them.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent_connector.hosts.uses import About

FORMAT = "npm-plugin"
ROOT = "${AGENT_CONNECTOR_BUNDLE}"  # set by the package's own entry, see WRAPPER
SERVERS = False
FOLDERS = {"hooks": "lib", "native_hooks": "lib"}
WRAPPER = (
    "server.js",
    """\
// Tells the bridge where this package lies, then hands over to it.
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"

process.env.AGENT_CONNECTOR_BUNDLE = dirname(fileURLToPath(import.meta.url))

export * from "./lib/agent-connector-@ID@.js"
""",
)


def manifest(about: "About", servers: Mapping[str, Any], hooks: Any) -> tuple[str, dict[str, Any]]:
    """`package.json`."""
    told: dict[str, Any] = {
        "name": about.id,
        "version": about.version or "0.0.0",
        "description": about.description,
        "license": about.license,
        "type": "module",
        "exports": {"./server": "./server.js", ".": "./server.js"},
        "files": ["server.js", "lib", "runtime"],
    }
    return "package.json", {key: value for key, value in told.items() if value}
