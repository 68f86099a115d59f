"""What an author or a person should know of an install that is right as it stands: one line each."""

import os
import tempfile
from collections.abc import Iterator

from agent_connector.connector.model import ConnectorModel
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine

_PASSING = ("/.cache/uv/", "/uv/tools/", "/pipx/venvs/", "/site-packages/", "/_npx/")


def advice(model: ConnectorModel, scope: str, machine: Machine) -> tuple[str, ...]:
    """The lines, in the order of what is most likely to bite."""
    return (*_server(model, machine), *_later(model), *_project(scope))


def _server(model: ConnectorModel, machine: Machine) -> Iterator[str]:
    """Paths in the server's command that may be gone tomorrow, or that mean another file in each folder."""
    if model.server is None or model.server.transport != "stdio":
        return
    command = model.server.command
    if not any(mark in command for mark in "/\\$") and machine.which(command) is None:
        yield f"{command} is not on your PATH: a host cannot start the server before it is"
    for word in (command, *model.server.args):
        plain = word.replace("\\", "/")
        if not os.path.isabs(word):
            if plain.startswith(("./", "../")):
                yield f"{word} is looked for in the folder in which a host starts the server: write it out in full"
        elif _is_temporary(plain):
            yield f"{word} is in a temporary folder or a tool's cache: hosts would miss it when that is cleared"
        elif environment := _environment(word, machine):
            yield f"{word} is in the virtual environment {environment}: hosts would miss it when that moves"


def _is_temporary(path: str) -> bool:
    temporary = os.path.realpath(tempfile.gettempdir()).replace("\\", "/")
    return path.startswith(temporary + "/") or any(part in path for part in _PASSING)


def _environment(path: str, machine: Machine) -> str | None:
    folder = os.path.dirname(path)
    for place in (folder, os.path.dirname(folder)):
        if machine.exists(os.path.join(place, "pyvenv.cfg")):
            return place
    return None


def _later(model: ConnectorModel) -> Iterator[str]:
    for host in dict.fromkeys((*(model.targets or ()), *model.platforms)):
        if host not in query.hosts():
            yield f"{host} is not described yet: what is declared for it has no effect"


def _project(scope: str) -> Iterator[str]:
    if scope == "project":
        yield "the project's files name the launcher in your own home: keep them out of the repository"
