"""An MCP bundle (`.mcpb`, manifest 0.4): a zip that Claude Desktop installs by a double click.

A server of PyPI becomes a `uv` server: a project of a few lines that depends on it, so the app's own uv brings it. One of
npm is started by npx, which the person has to have.
"""

import json
import re
from typing import Any

from agent_connector.connector.model import ConnectorModel, Server
from agent_connector.deploy.bundles.published import Package, package
from agent_connector.errors import DeployError
from agent_connector.hosts.uses import About

FORMAT = "mcpb"
_REFERENCE = re.compile(r"\$\{env:([A-Za-z_]\w*)(?::-([^}]*))?\}")
_SECRET = re.compile(r"key|token|secret|password|dsn|credential", re.IGNORECASE)
_ENTRY = "server/main.py"
_MAIN = '''\
"""Starts {name}."""

import sys
from importlib.metadata import entry_points

found = [point for point in entry_points(group="console_scripts") if point.name == {script!r}]
if not found:
    sys.exit("{name} has no command {script}")
sys.exit(found[0].load()())
'''


def files(model: ConnectorModel, about: About) -> dict[str, str]:
    """Path in the bundle -> text."""
    server = model.server
    if server is None or server.transport != "stdio":
        raise DeployError(
            "an MCP bundle holds a server that is a program",
            where=model.source.path,
            remedy="A remote server is added in the app's own settings.",
        )
    found = package(model)
    manifest = _manifest(model, server, about, found)
    told = {"manifest.json": json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"}
    if found.registry == "pypi":
        told["pyproject.toml"] = _project(found, about)
        told[_ENTRY] = _MAIN.format(name=found.name, script=found.script or found.name)
    return told


def _manifest(model: ConnectorModel, server: Server, about: About, found: Package) -> dict[str, Any]:
    asked: dict[str, Any] = {}

    def say(text: str) -> str:
        """`text` with a person's setting in the place of each variable."""

        def setting(one: "re.Match[str]") -> str:
            name, default = one[1], one[2]
            told: dict[str, Any] = {"type": "string", "title": name, "description": f"The variable {name}"}
            told["required"] = default is None
            if default:
                told["default"] = default
            if _SECRET.search(name):
                told["sensitive"] = True
            asked[name] = told
            return "${user_config." + name + "}"

        return _REFERENCE.sub(setting, text)

    if found.registry == "pypi":
        args = ["run", "--directory", "${__dirname}", _ENTRY, *map(say, found.args)]
        started: dict[str, Any] = {"command": "uv", "args": args}
    else:
        started = {"command": server.command, "args": [say(word) for word in server.args]}
    if server.env:
        started["env"] = {name: say(text) for name, text in server.env.items()}
    kind = "uv" if found.registry == "pypi" else "node" if found.registry == "npm" else "binary"
    told: dict[str, Any] = {
        "manifest_version": "0.4",
        "name": about.id,
        "version": about.version or "0.0.0",
        "description": about.description or about.id,
        "author": {"name": about.author or about.id},
        "homepage": about.url,
        "license": about.license,
        "server": {"type": kind, "entry_point": _ENTRY if kind == "uv" else server.command, "mcp_config": started},
        "user_config": asked,
    }
    return {name: value for name, value in told.items() if value}


def _project(found: Package, about: About) -> str:
    version = found.version or about.version
    pinned = f"{found.name}=={version}" if version else found.name
    return (
        f'[project]\nname = "{about.id}-bundle"\nversion = "{about.version or "0.0.0"}"\n'
        f'requires-python = ">=3.11"\ndependencies = ["{pinned}"]\n'
    )
