"""What a connector's content puts before models: memory always, of skills, commands and subagents the description
always and the rest when they are used. Counted from the declaration as it was installed.

Counting needs the tokenizer, whose start takes longer than a report, so counts are kept beside the book.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, cast

from agent_connector.connector.load import thaw
from agent_connector.connector.model import ConnectorModel
from agent_connector.errors import AgentConnectorError
from agent_connector.home import paths, private
from agent_connector.telemetry import calibration, tokenizer
from agent_connector.telemetry.tokenizer import Count

SURFACES = ("memory", "skills", "commands", "subagents")
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Footprint:
    """Tokens of one surface of a connector: before the model in every turn, and more when all of it is used."""

    connector: str
    surface: str
    count: int
    always: int
    used: int
    source: str


def read(root: str) -> list[Footprint]:
    """The footprints of all installed connectors that have content."""
    kept, fresh, found = _kept(root), dict[str, Any](), list[Footprint]()
    counter: tokenizer.Counter | None = None
    for connector in _connectors(root):
        stamp = _stamp(root, connector)
        if stamp is None:
            continue
        known = kept.get(connector)
        if known is not None and known[0] == stamp:
            mine = known[1]
        else:
            counter = counter or tokenizer.load(calibration.read(root))
            mine = _counted(root, connector, counter)
        fresh[connector] = [stamp, [asdict(one) for one in mine]]
        found += mine
    if fresh.keys() != kept.keys() or counter is not None:
        private.write(_place(root), json.dumps({"version": _VERSION, "connectors": fresh}))
    return found


def of(model: ConnectorModel, counter: tokenizer.Counter) -> list[Footprint]:
    """The footprint of one connector, surface by surface; what it does not have is left out."""
    family = model.telemetry.model_family or ""
    found: list[Footprint] = []
    for surface, texts in _texts(model):
        if not texts:
            continue
        always = sum((counter.text(told, family) for told, _ in texts), tokenizer.NOTHING)
        used = sum((counter.text(more, family) for _, more in texts), tokenizer.NOTHING)
        total: Count = always + used
        found.append(Footprint(model.id, surface, len(texts), always.tokens, used.tokens, total.source))
    return found


def _texts(model: ConnectorModel) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """(surface, [(what is always told, what comes with its use)])"""
    yield "memory", [(one.text, "") for one in model.memory]
    yield "skills", [(f"{one.name}: {one.description}", one.body) for one in model.skills]
    yield "commands", [(f"/{one.name}: {one.description}", one.prompt) for one in model.commands]
    yield "subagents", [(f"{one.name}: {one.description}", one.prompt) for one in model.subagents]


def _counted(root: str, connector: str, counter: tokenizer.Counter) -> list[Footprint]:
    try:
        with open(paths.install_record(root, connector), encoding="utf-8") as file:
            stored = json.load(file)["stored"]
        return of(thaw(stored).model, counter)
    except (OSError, ValueError, KeyError, TypeError, AgentConnectorError):
        return []  # `doctor` says what is wrong with it


def _connectors(root: str) -> list[str]:
    try:
        return sorted(os.listdir(paths.connectors_folder(root)))
    except OSError:
        return []


def _stamp(root: str, connector: str) -> list[int] | None:
    """What changes when the installed declaration does; None when there is none."""
    try:
        status = os.stat(paths.install_record(root, connector))
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


def _place(root: str) -> str:
    return os.path.join(paths.telemetry_folder(root), "footprint.json")


def _kept(root: str) -> Mapping[str, tuple[list[int], list[Footprint]]]:
    """What was counted before: connector -> (stamp, footprints); {} when there is nothing that we can read."""
    try:
        with open(_place(root), encoding="utf-8") as file:
            value: Any = json.load(file)
        if value["version"] != _VERSION:
            return {}
        known = cast("Mapping[str, tuple[list[int], list[dict[str, Any]]]]", value["connectors"])
        return {name: (stamp, [Footprint(**one) for one in rows]) for name, (stamp, rows) in known.items()}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
