"""`server.json` for the MCP registry (schema of 2025-12-11): what the server is, where its package or address is."""

import re
from typing import Any
from urllib.parse import urlsplit

from agent_connector.connector.interpolation import references
from agent_connector.connector.manifest import server_fields
from agent_connector.connector.model import ConnectorModel, Server
from agent_connector.deploy.bundles.published import package
from agent_connector.errors import DeployError
from agent_connector.hosts.uses import About

FORMAT = "mcp-server-json"
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
_SECRET = re.compile(r"key|token|secret|password|dsn|credential", re.IGNORECASE)
_LONGEST = 100  # characters of a description
_REMOTES = {"http": "streamable-http", "sse": "sse"}
_REFERENCE = re.compile(r"\$\{env:([A-Za-z_]\w*)(?::-([^}]*))?\}")


def server_json(model: ConnectorModel, about: About, name: str = "") -> dict[str, Any]:
    """The document. `name` is the reverse-DNS name; without one it is made of the project's page on GitHub or GitLab."""
    server = model.server
    if server is None:
        raise DeployError("the connector has no server", where=model.source.path, remedy="The registry lists servers.")
    if not about.description:
        raise DeployError(
            "the registry wants a description", where=model.source.path, remedy='Connector(..., description="...")'
        )
    told: dict[str, Any] = {
        "$schema": SCHEMA,
        "name": name or _name(about),
        "description": about.description[:_LONGEST],
        "version": about.version or "0.0.0",
    }
    if about.url.startswith(("https://github.com/", "https://gitlab.com/")):
        told["repository"] = {"url": about.url, "source": urlsplit(about.url).netloc.partition(".")[0]}
    elif about.url:
        told["websiteUrl"] = about.url
    if server.transport in _REMOTES:
        told["remotes"] = [_remote(server)]
    elif server.transport == "stdio":
        told["packages"] = [_package(model, about)]
    else:
        raise DeployError(f"the registry has no {server.transport} transport", remedy="Offer it over http or stdio.")
    return told


def _name(about: About) -> str:
    parts = urlsplit(about.url)
    owner = parts.path.strip("/").partition("/")[0]
    if parts.netloc in ("github.com", "gitlab.com") and owner:
        return f"io.{parts.netloc.partition('.')[0]}.{owner.lower()}/{about.id}"
    raise DeployError(
        "the registry wants a name under a domain of yours",
        remedy="Pass --name io.github.YOU/" + about.id + ", or set the project's page in [project.urls].",
    )


def _package(model: ConnectorModel, about: About) -> dict[str, Any]:
    found = package(model)
    told: dict[str, Any] = {"registryType": found.registry, "identifier": found.name}
    version = found.version or about.version
    if version and found.registry != "oci":  # an image has its tag in its name
        told["version"] = version
    told["runtimeHint"] = found.runner
    if found.script and found.script != found.name and found.registry == "pypi":
        told["runtimeArguments"] = [{"type": "named", "name": "--from", "value": found.name}]
        told["packageArguments"] = [{"type": "positional", "value": found.script}]
    told["transport"] = {"type": "stdio"}
    if found.args:
        told["packageArguments"] = [*told.get("packageArguments", []), *map(_argument, found.args)]
    variables = _variables(model)
    return {**told, "environmentVariables": variables} if variables else told


def _argument(word: str) -> dict[str, Any]:
    """A word of the command line; a reference to a variable becomes one of the argument's own."""
    names = _REFERENCE.findall(word)
    if not names:
        return {"type": "positional", "value": word}
    value = _REFERENCE.sub(lambda found: "{" + found[1] + "}", word)
    return {"type": "positional", "value": value, "variables": {name: _input(name, default) for name, default in names}}


def _variables(model: ConnectorModel) -> list[dict[str, Any]]:
    """What the server reads of its environment."""
    server = model.server or Server("stdio")
    told: list[dict[str, Any]] = []
    for name, text in server.env.items():
        found = references({"env": text})
        if not found:
            told.append({"name": name, "value": text})
        elif len(found) == 1 and _REFERENCE.fullmatch(text):
            told.append({"name": name, **_input(name, found[0][1] or "")})
        else:
            value = _REFERENCE.sub(lambda one: "{" + one[1] + "}", text)
            told.append({"name": name, "value": value, "variables": {n: _input(n, d or "") for n, d in found}})
    return told


def _input(name: str, default: str) -> dict[str, Any]:
    told: dict[str, Any] = {"isRequired": not default}
    if default:
        told["default"] = default
    return {**told, "isSecret": True} if _SECRET.search(name) else told


def _remote(server: Server) -> dict[str, Any]:
    told: dict[str, Any] = {"type": _REMOTES[server.transport], "url": _REFERENCE.sub(r"{\1}", server.url)}
    headers = [_header(name, text) for name, text in server.headers.items()]
    if server.bearer:
        headers.append(_header("Authorization", "Bearer ${env:" + server.bearer + "}"))
    if headers:
        told["headers"] = headers
    names = references(server_fields(server))
    in_url = [(name, default) for name, default in names if "{" + name + "}" in told["url"]]
    if in_url:
        told["variables"] = {name: _input(name, default or "") for name, default in in_url}
    return told


def _header(name: str, text: str) -> dict[str, Any]:
    found = _REFERENCE.findall(text)
    value = _REFERENCE.sub(lambda one: "{" + one[1] + "}", text)
    told: dict[str, Any] = {"name": name, "value": value}
    return {**told, "variables": {n: _input(n, d) for n, d in found}} if found else told
