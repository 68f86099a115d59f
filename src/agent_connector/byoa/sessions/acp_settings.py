"""The settings that an app may choose, out of what an agent offers over ACP; and modes in which nobody is asked.

Modes, approvals, sandboxes and switches of any other kind are never offered: only what stands in `BY_CATEGORY` and
`BY_ID`. The core drops whatever is not on its own list once more.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agent_connector.byoa.protocol import Setting
from agent_connector.byoa.sessions.acp_updates import Object, table, tables, text
from agent_connector.drive.acp_words import asking, is_mode, mode_of, values

BY_CATEGORY = {"model": "model", "thought_level": "reasoning_effort"}
BY_ID = {
    "model": "model",
    "effort": "reasoning_effort",
    "reasoning_effort": "reasoning_effort",
    "thought_level": "reasoning_effort",
    "output_style": "output_style",
    "outputStyle": "output_style",
}
LABELS = {"model": "Model", "reasoning_effort": "Reasoning effort", "output_style": "Output style"}
MODELS = "models"  # the older way to offer models: a list of its own, changed by `session/set_model`
# Modes in which the agent asks for nothing, by their ids without punctuation.
BYPASSED = frozenset(
    (
        "autohigh",
        "autopilot",
        "bypass",
        "bypasspermissions",
        "dangerfullaccess",
        "fullaccess",
        "skippermissionsunsafe",
        "yolo",
    )
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A setting, and how the agent wants to be told of a choice: the option's id, or `MODELS`."""

    setting: Setting
    option: str


@dataclass(frozen=True, slots=True)
class Offers:
    """What an agent offers in one session, and the mode it is in."""

    mode: str = ""
    available: tuple[Object, ...] = ()
    options: tuple[Object, ...] = ()
    models: Object = field(default_factory=dict[str, Any])

    @property
    def bypassed(self) -> bool:
        return plain(self.mode) in BYPASSED

    def now(self, options: tuple[Object, ...]) -> "Offers":
        """The agent has changed its options; some tell a change of the mode in no other way."""
        return replace(self, options=options, mode=mode_of(options) or self.mode)

    @property
    def modes(self) -> tuple[str, ...]:
        """The modes that the person may choose; an app never sees them."""
        return tuple(text(mode.get("id")) for mode in self.available)

    @property
    def asking(self) -> str:
        """The mode to go to where a model, and not the person, would judge each call; empty: stay."""
        return asking(self.mode, self.modes)

    def settings(self) -> dict[str, Offer]:
        """By the wire's name of the setting; of two options for one setting the first counts."""
        found: dict[str, Offer] = {}
        for option in self.options:
            name = _name(option)
            offered = tuple(values(option.get("options")))
            if name and offered and name not in found:
                found[name] = _offer(name, offered, text(option.get("currentValue")), text(option.get("id")))
        ids = tuple(text(model.get("modelId")) for model in tables(self.models.get("availableModels")))
        if ids and "model" not in found:
            found["model"] = _offer("model", ids, text(self.models.get("currentModelId")), MODELS)
        return found


def opened(answer: Object) -> Offers:
    """What the answer to `session/new` says."""
    modes = table(answer.get("modes"))
    mode, available = text(modes.get("currentModeId")), tables(modes.get("availableModes"))
    options = tables(answer.get("configOptions"))
    return Offers(mode or mode_of(options), available, options, table(answer.get("models")))


def plain(mode: str) -> str:
    """Some agents' modes are addresses: what comes after the last `#` is the mode."""
    return "".join(letter for letter in mode.rpartition("#")[2].lower() if letter.isalnum())


def _name(option: Mapping[str, Any]) -> str:
    """The wire's name for this option; empty when an app has no business with it."""
    if option.get("type") != "select" or is_mode(option):
        return ""
    category = option.get("category")
    by_category = BY_CATEGORY.get(category, "") if isinstance(category, str) else ""
    return by_category or BY_ID.get(text(option.get("id")), "")


def _offer(name: str, values: tuple[str, ...], value: str, option: str) -> Offer:
    return Offer(Setting(name, LABELS[name], values, value or None), option)
