"""How a server is published, read from the command that starts it: a package of PyPI or npm, an image, or an address."""

import os
from dataclasses import dataclass

from agent_connector.connector.model import ConnectorModel, Server
from agent_connector.deploy import python_server
from agent_connector.errors import DeployError


@dataclass(frozen=True, slots=True)
class Package:
    """`registry` is "pypi", "npm" or "oci"; `runner` the program that fetches and starts it; `args` go to the server."""

    registry: str
    name: str
    version: str
    runner: str
    args: tuple[str, ...]
    script: str = ""  # the command in the package, where it has another name


def package(model: ConnectorModel) -> Package:
    """The package of the connector's server. Raises DeployError when its command names none."""
    server = model.server or Server("stdio")
    words = (server.command, *server.args)
    found = _uvx(words) or _npx(words) or _docker(words) or _script(_of_project(words, model), model)
    if found is not None:
        return found
    raise DeployError(
        f"nobody else can start this server: {' '.join(words) or 'there is none'}",
        where=model.source.path,
        remedy='Publish it and declare how it is started from there: stdio("uvx", "acme-db-mcp"), '
        'stdio("npx", "-y", "@acme/db-mcp"), or a [project.scripts] command of this project.',
    )


def elsewhere(words: tuple[str, ...], model: ConnectorModel, *, here: bool = False) -> tuple[str, ...]:
    """The command that starts the server on another machine: that of the project's own package is fetched by uvx.

    `here`: it is for this machine, where what runs from the project's folder goes on running from there.
    """
    found = _script(words if here else _of_project(words, model), model)
    if found is None:
        return words
    pinned = f"{found.name}=={found.version}" if found.version else found.name
    return ("uvx", "--from", pinned, found.script, *found.args)


def _uvx(words: tuple[str, ...]) -> Package | None:
    """`uvx NAME[@VERSION] ARGS` and `uvx --from NAME[==VERSION] SCRIPT ARGS`."""
    rest = list(words[1:] if words[0] == "uvx" else words[3:] if words[:3] == ("uv", "tool", "run") else ())
    if not rest:
        return None
    if rest[0] == "--from" and len(rest) > 2:
        name, version = _split(rest[1], "==")
        return Package("pypi", name, version, "uvx", tuple(rest[3:]), rest[2])
    if rest[0].startswith("-"):
        return None
    name, version = _split(rest[0], "@") if "@" in rest[0] else _split(rest[0], "==")
    return Package("pypi", name, version, "uvx", tuple(rest[1:]))


def _npx(words: tuple[str, ...]) -> Package | None:
    """`npx -y NAME[@VERSION] ARGS`; a scope begins with @ too."""
    if words[0] != "npx":
        return None
    rest = [word for word in words[1:] if word not in ("-y", "--yes")]
    if not rest or rest[0].startswith("-"):
        return None
    scope = "@" if rest[0].startswith("@") else ""
    name, version = _split(rest[0].removeprefix("@"), "@")
    return Package("npm", scope + name, version, "npx", tuple(rest[1:]))


def _docker(words: tuple[str, ...]) -> Package | None:
    """`docker run --rm -i IMAGE[:TAG] ARGS`: the image is the first word that is no flag."""
    if words[0] not in ("docker", "podman") or words[1:2] != ("run",):
        return None
    rest = list(words[2:])
    while rest and rest[0].startswith("-"):
        flag = rest.pop(0)
        if flag in ("-e", "-v", "--env", "--volume", "--mount", "--network", "--name") and rest:
            rest.pop(0)
    if not rest:
        return None
    return Package("oci", rest[0], "", words[0], tuple(rest[1:]))


def _of_project(words: tuple[str, ...], model: ConnectorModel) -> tuple[str, ...]:
    """`uv run --project ROOT SCRIPT ARGS` as SCRIPT ARGS, and a file of the project as its script."""
    root = python_server.project_root(model.source.path) if model.source.path else None
    if root is None or words[:2] != ("uv", "run"):
        return words
    rest = [word for word in words[2:] if word != "--quiet"]
    if len(rest) < 3 or rest[0] != python_server.PROJECT or os.path.realpath(rest[1]) != os.path.realpath(root):
        return words
    if rest[2] != "python":
        return tuple(rest[2:])
    script = python_server.script(rest[3]) if len(rest) == 4 and os.path.isfile(rest[3]) else None
    return words if script is None else (script,)


def _script(words: tuple[str, ...], model: ConnectorModel) -> Package | None:
    """A command of the project's own: its distribution on PyPI has it."""
    root = python_server.project_root(model.source.path) if model.source.path else None
    described = python_server.project(root) if root else {}
    scripts = described.get("scripts")
    if isinstance(scripts, dict) and words[0] in scripts and isinstance(described.get("name"), str):
        version = described.get("version")
        name = described["name"]
        return Package("pypi", name, version if isinstance(version, str) else "", "uvx", words[1:], words[0])
    return None


def _split(text: str, mark: str) -> tuple[str, str]:
    name, _, version = text.partition(mark)
    return name, "" if version == "latest" else version
