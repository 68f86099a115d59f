"""What a bundle carries so that its hooks run without agent-connector: the light part of this package, and a small home
with the connector's manifest and code.
"""

import json
import os
import shlex
from collections.abc import Iterator, Sequence

import agent_connector
from agent_connector.connector import manifest
from agent_connector.connector.model import ConnectorModel
from agent_connector.deploy import declaration

RUNTIME, STATE = "runtime", "runtime/home"
_PACKAGE = os.path.dirname(os.path.abspath(agent_connector.__file__))
_PARTS = (
    "__init__.py",
    "errors.py",
    "version.py",
    "connector/*",
    "home/__init__.py",
    "home/paths.py",
    "home/system.py",
    "hosts/__init__.py",
    "hosts/nodes.py",
    "hosts/machine.py",
    "hosts/dialects/*",
    "runtime/*",
    "telemetry/__init__.py",
    "telemetry/append.py",
)


def command(root: str, arguments: Sequence[str], neutral: str) -> str:
    """A shell command for a hook of a bundle that lies in `root`; with no Python it answers neutrally."""
    entry = f'"{root}/{RUNTIME}/agent_connector/runtime/entry.py"'
    home = f'AGENT_CONNECTOR_DATA_DIR="{root}/{STATE}" AGENT_CONNECTOR_TELEMETRY=0'
    answer = f" printf %s {shlex.quote(neutral)};" if neutral else ""
    words = shlex.join(arguments)
    return (
        f"command -v python3 >/dev/null 2>&1 && {home} exec python3 -I -S {entry} {words};"
        f" cat >/dev/null 2>&1;{answer} exit 0"
    )


def files(model: ConnectorModel, host: str) -> dict[str, str]:
    """Path in the bundle -> text."""
    found = {f"{RUNTIME}/agent_connector/{path}": _read(os.path.join(_PACKAGE, path)) for path in _modules(host)}
    home = f"{STATE}/connectors/{model.id}"
    found[f"{home}/connector.json"] = json.dumps(manifest.build(model), indent=1, ensure_ascii=False) + "\n"
    for relative, origin in declaration.code(model.source):
        found[f"{home}/declaration/{relative}"] = _read(origin)
    return found


def _modules(host: str) -> Iterator[str]:
    for part in (*_PARTS, f"hosts/{host.replace('-', '_')}/*"):
        folder, _, name = part.rpartition("/")
        if name != "*":
            yield part
            continue
        for found in sorted(os.listdir(os.path.join(_PACKAGE, folder))):
            if found.endswith(".py"):
                yield f"{folder}/{found}"


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as stream:
        return stream.read()
