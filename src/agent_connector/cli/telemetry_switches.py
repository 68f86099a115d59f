"""The switches of the counting, as `telemetry on`, `off` and `status` set and show them."""

import os

import click

from agent_connector.cli.output import emit, say
from agent_connector.cli.telemetry_options import root


def turn(on: bool, connector: str, layer: str, as_json: bool) -> None:
    from agent_connector.telemetry import switch

    if connector and layer:
        raise click.UsageError("one of --connector and --layer")
    switch.turn(root(), on, connector, layer)
    show(as_json)


def show(as_json: bool) -> None:
    from agent_connector.telemetry import switch

    found = switch.status(root(), os.environ)
    value = {
        "on": found.on,
        "variable": found.variable,
        "off_connectors": list(found.off_connectors),
        "off_layers": list(found.off_layers),
    }
    lines = ["counting is " + ("on" if found.on else "off")]
    if not found.on and found.variable is not None:
        lines[0] += f" (AGENT_CONNECTOR_TELEMETRY={found.variable})"
    lines += [f"off for connector {name}" for name in found.off_connectors]
    lines += [f"off for layer {name}" for name in found.off_layers]
    emit(value) if as_json else say("\n".join(lines))
