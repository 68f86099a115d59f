"""Bridges: modules that plugin hosts load, made of a template whose CONFIG is filled in. At install only."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects.front_matter import join
from agent_connector.hosts.nodes import Node, Whole

if TYPE_CHECKING:
    from agent_connector.hosts.contract import HookUse

BEGIN, END = "// agent-connector:config begin\n", "// agent-connector:config end\n"
# In the place of such a line stands what several need: how a bridge asks our program, how an action runs it.
PARTS = {"// agent-connector:shared\n": "shared.js", "// agent-connector:run\n": "run.js"}
TEMPLATES = os.path.join(os.path.dirname(__file__), "templates")


def wire(
    host: str, template: str, hooks: "Sequence[HookUse]", folder: str, tools: "Callable[[Sequence[HookUse]], str]"
) -> list[Node]:
    """The bridge module of one connector in `folder`; see `module`."""
    if not hooks:
        return []
    name, text = module(host, template, hooks, tools)
    return [Whole(join(folder, f"{name}.js"), text)]


def module(
    host: str, template: str, hooks: "Sequence[HookUse]", tools: "Callable[[Sequence[HookUse]], str]"
) -> tuple[str, str]:
    """Name and text of a connector's bridge, whose commands carry our marks.

    `tools` gives for the hooks of one event a regex over the host's names of tools, "" for all of them.
    """
    connector = hooks[0].marks[-1].rpartition(" ")[2]
    wired: dict[str, dict[str, Any]] = {}
    for event in dict.fromkeys(hook.event for hook in hooks):
        same = [hook for hook in hooks if hook.event == event]
        wired[event] = {"command": same[0].command, "timeout": round(max(hook.timeout for hook in same) * 1000)}
        if regex := tools(same):
            wired[event]["tools"] = regex
    return f"agent-connector-{connector}", filled(template, {"id": connector, "host": host, "hooks": wired})


def filled(template: str, config: Mapping[str, Any]) -> str:
    """The text of a template with `config` as its CONFIG, and with what it shares with others."""
    before, begin, rest = _text(template).partition(BEGIN)
    _, end, after = rest.partition(END)
    text = f"{before}{begin}const CONFIG = {json.dumps(config, indent=2, ensure_ascii=False)}\n{end}{after}"
    for line, part in PARTS.items():
        text = text.replace(line, _text(part)) if line in text else text
    return text


def _text(name: str) -> str:
    with open(os.path.join(TEMPLATES, name), encoding="utf-8") as file:
        return file.read()
