"""How far a model family's tokens are from the tokenizer's: factors that a person has measured and stored."""

import json
import os
from collections.abc import Mapping
from typing import Any, cast

from agent_connector.errors import TelemetryError
from agent_connector.home import paths

_LEAST, _MOST = 0.25, 4.0  # beyond these the two numbers are not of the same text


def place(root: str) -> str:
    """The file of the factors."""
    return os.path.join(paths.telemetry_folder(root), "calibration.json")


def read(root: str) -> dict[str, float]:
    """Family -> factor; {} when nothing was calibrated or the file cannot be read."""
    try:
        with open(place(root), encoding="utf-8") as file:
            value: Any = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    table = cast(Mapping[str, Any], value)
    return {name: float(one) for name, one in table.items() if isinstance(one, int | float) and _LEAST <= one <= _MOST}


def learn(root: str, family: str, counted: int, reported: int) -> float:
    """Store that a text of `counted` tokens (ours) was `reported` tokens by the model's own count."""
    if counted <= 0 or reported <= 0:
        raise TelemetryError("a calibration needs two counts above zero", remedy="count a text of some 1000 words")
    factor = round(reported / counted, 4)
    if not _LEAST <= factor <= _MOST:
        raise TelemetryError(
            f"{reported} tokens for a text of {counted} cannot be the same text",
            remedy="pass the count that the model's own counter gives for exactly this text",
        )
    table = read(root) | {family: factor}
    os.makedirs(paths.telemetry_folder(root), 0o700, exist_ok=True)
    fresh = place(root) + ".new"
    with open(fresh, "w", encoding="utf-8") as file:
        json.dump(table, file, indent=2)
    os.replace(fresh, place(root))
    return factor
