"""`init`: a connector for the MCP server that stands in a project, as a file to go on from."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agent_connector.connector.load import load
from agent_connector.connector.validation import SLUG_WORDS, Check
from agent_connector.deploy import python_server
from agent_connector.deploy.python_server import Candidate
from agent_connector.errors import ConnectorError

NAME = "connector.py"
_TEMPLATE = '''\
"""What AI-agent hosts are told of {title}. `agent-connector install` puts it into them."""

import os

from agent_connector import Connector, stdio

HERE = os.path.dirname(os.path.abspath(__file__))

connector = Connector(
    id={id!r},
    server=stdio({command}),{published}
)

# When should an agent use it? One sentence, in every session:
# connector.memory("Use the {id} tools for ...")
'''


@dataclass(frozen=True, slots=True)
class Draft:
    """A connector that was written, or (`dry`) would be. `how` says how its server is started."""

    path: str
    text: str
    id: str
    how: str
    others: tuple[Candidate, ...]


def init(
    folder: str,
    which: Callable[[str], str | None],
    *,
    identity: str | None = None,
    force: bool = False,
    dry: bool = False,
) -> Draft:
    """Write `connector.py` for the first server in `folder`. Raises ConnectorError when there is none, or a file.

    Without `identity` the connector's id is the server's own name, or its project's.
    """
    folder = os.path.abspath(folder)
    path = os.path.join(folder, NAME)
    if os.path.exists(path) and not (force or dry):
        raise ConnectorError("it is there already", where=path, remedy="Look at it, or write it anew with --force.")
    found = python_server.servers(folder)
    if not found:
        raise ConnectorError(
            "no FastMCP or mcp server was found in the Python files here",
            where=folder,
            remedy="For a server in another language: agent-connector install --name NAME -- COMMAND ARGS, "
            "or write connector.toml with an id and [server] command = ...",
        )
    first = found[0]
    server = python_server.find(first.path, folder, which)
    identity = identity or server.name
    check = Check(None)
    check.slug("--id", identity)
    if check.problems:
        raise ConnectorError(f"{identity!r} cannot be an id", where="--id", remedy=f"Allowed: {SLUG_WORDS}.")
    text = _TEMPLATE.format(
        title=identity,
        id=identity,
        command=", ".join(_word(word, folder) for word in server.command),
        published=_published(first.path),
    )
    if not dry:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        load(path)  # what was written is valid, or this says what is not
    return Draft(path, text, identity, server.how, tuple(found[1:]))


def _word(word: str, folder: str) -> str:
    """A word of the command as Python, paths below the folder relative to the file."""
    if word == folder:
        return "HERE"
    if word.startswith(folder + os.sep):
        return f"os.path.join(HERE, {', '.join(map(repr, os.path.relpath(word, folder).split(os.sep)))})"
    return " + ".join(_pieces(word, folder)) or repr(word)


def _pieces(word: str, folder: str) -> Iterator[str]:
    """A `-c` word and the paths in it, which stand there as Python texts."""
    found = re.split(f"'({re.escape(folder)}(?:{re.escape(os.sep)}[^']*)?)'", word)
    for number, piece in enumerate(found):
        if number % 2:
            yield f"repr({_word(piece, folder)})"
        elif piece:
            yield repr(piece)


def _published(path: str) -> str:
    """A remark on how the server is started once its project is on the index."""
    root = python_server.project_root(path)
    described = python_server.project(root) if root else {}
    scripts = described.get("scripts")
    if not described.get("name") or not isinstance(scripts, dict) or not scripts:
        return ""
    script = str(next(iter(scripts)))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # names
    return f'  # once it is published: stdio("uvx", "--from", {str(described["name"])!r}, {script!r})'.replace("'", '"')
