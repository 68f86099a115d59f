"""Counting switched off and on again: for all, for one connector, for one layer. Stored as files, asked at each row."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from agent_connector.errors import TelemetryError
from agent_connector.home import paths, private
from agent_connector.telemetry.append import LAYERS


@dataclass(frozen=True, slots=True)
class Status:
    """What is switched off, and by what."""

    on: bool
    variable: str | None
    off_connectors: tuple[str, ...]
    off_layers: tuple[str, ...]


def turn(root: str, on: bool, connector: str = "", layer: str = "") -> None:
    """Switch counting, for everything or for one connector or layer."""
    if layer and layer not in LAYERS:
        raise TelemetryError(f"{layer!r} is no layer", remedy="one of: " + ", ".join(LAYERS))
    if connector and ("/" in connector or "\\" in connector or connector.startswith(".")):
        raise TelemetryError(f"{connector!r} is no connector's id")
    path = _file(root, connector, layer)
    if on:
        private.remove(path)
    else:
        private.write(path, b"")


def status(root: str, variables: Mapping[str, str]) -> Status:
    """What is off now."""
    prefix = os.path.basename(paths.telemetry_off(root))
    try:
        names = sorted(os.listdir(paths.telemetry_folder(root)))
    except OSError:
        names = []
    connectors = tuple(n.removeprefix(prefix + "-connector-") for n in names if n.startswith(prefix + "-connector-"))
    layers = tuple(n.removeprefix(prefix + "-layer-") for n in names if n.startswith(prefix + "-layer-"))
    variable = variables.get("AGENT_CONNECTOR_TELEMETRY")
    by_variable = variable is not None and variable.lower() in ("0", "off", "false", "no")
    return Status(prefix not in names and not by_variable, variable, connectors, layers)


def _file(root: str, connector: str, layer: str) -> str:
    part = f"-connector-{connector}" if connector else f"-layer-{layer}" if layer else ""
    return paths.telemetry_off(root) + part
