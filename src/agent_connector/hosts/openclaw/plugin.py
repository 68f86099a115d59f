"""A plugin of OpenClaw: a folder of three files, and its entry in openclaw.json. At install only."""

import json
from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects.front_matter import join
from agent_connector.hosts.nodes import Key, Node, Whole

SEES = {"hooks": {"allowConversationAccess": True}}  # without it hooks that see the conversation are not called


def plugin(config: str, name: str, text: str, more: Mapping[str, Any] = SEES) -> list[Node]:
    """The plugin `name` whose module is `text`, and its entry with `more` in it; `config` is openclaw.json."""
    folder = join(config[: max(config.rfind("/"), config.rfind("\\"), 0)], "extensions", name)
    package = {"name": name, "version": "1.0.0", "type": "module", "openclaw": {"extensions": ["./index.js"]}}
    described = {
        "id": name,
        "name": name,
        "activation": {"onStartup": True},
        "configSchema": {"type": "object", "additionalProperties": False},
    }
    return [
        Whole(join(folder, "index.js"), text),
        Whole(join(folder, "package.json"), json.dumps(package, indent=2) + "\n"),
        Whole(join(folder, "openclaw.plugin.json"), json.dumps(described, indent=2) + "\n"),
        Key(config, "json5", ("plugins", "entries", name), {"enabled": True, **more}),
    ]
