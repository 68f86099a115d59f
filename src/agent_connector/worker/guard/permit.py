"""What an agent asks for over ACP, answered by the same judge: `permit(call)` for `drive.acp`.

Agents tell a tool's name and its arguments, or only its kind and a title. Where nothing tells what a call does, it is no.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any

from agent_connector.drive.events import Called
from agent_connector.hosts.dialects.values import mapping
from agent_connector.worker.guard import switches, tools
from agent_connector.worker.guard.values import Rules, Verdict, allowed, rules_of

KINDS = {
    "read": "Read",
    "edit": "Edit",
    "delete": "Edit",
    "move": "Edit",
    "search": "Grep",
    "execute": "Bash",
    "fetch": "Fetch",
    "think": "Todo",
    "switch_mode": "Todo",
}
OnDenial = Callable[[Verdict, str, str], None]  # (verdict, tool, what a person is shown of the call)
Permit = Callable[[Called], bool]


def seeing(plain: Mapping[str, Any]) -> Rules:
    """Rules that follow links and look into scripts. Nothing here waits for a pipe that an agent made."""

    def text(path: str) -> str | None:
        try:
            return switches.text(path)
        except (OSError, ValueError):
            return None

    return rules_of(plain, os.path.realpath, text, None)


def permitting(host: str, rules: Rules, on_denial: OnDenial) -> Permit:
    """The answer to every request of one run; denials are told to `on_denial`."""

    def permit(call: Called) -> bool:
        verdict = judge(host, call, rules)
        if not verdict.allowed:
            arguments = mapping(call.arguments)
            on_denial(verdict, call.tool, tools.shown(call.title or call.tool, arguments))
        return verdict.allowed

    return permit


def judge(host: str, call: Called, rules: Rules) -> Verdict:
    """By the tool's name where the agent tells it. One that is a guess counts for nothing where the kind tells more."""
    arguments = mapping(call.arguments)
    kind = KINDS.get(call.kind or "")
    told = kind in tools.TABLED
    if call.server and not (call.guessed and told):
        return tools.judge(host, call.name or call.tool, arguments, rules, server=call.server)
    if call.kind in ("think", "switch_mode"):
        return allowed()
    if call.guessed and told:
        return _by_kind(host, str(kind), call, arguments, rules)
    by_name = tools.judge(host, call.tool, arguments, rules) if call.tool else None
    if by_name is None or by_name.rule == "unknown-tool":
        if kind is not None:
            return _by_kind(host, kind, call, arguments, rules)
        return by_name or Verdict(False, "unknown-tool", "the agent does not tell which tool it is about to call")
    if by_name.allowed and call.guessed:
        return _guessed(host, call, arguments, rules)
    return by_name


def _by_kind(host: str, kind: str, call: Called, arguments: Mapping[str, Any], rules: Rules) -> Verdict:
    if call.paths and kind != "Bash":
        told = arguments.get("paths", [])
        arguments = {**arguments, "paths": [*(told if isinstance(told, list) else [told]), *call.paths]}
    if kind == "Bash" and not arguments and call.title:
        arguments = {"command": call.title.strip("`")}
    if kind in ("Read", "Grep") and not arguments:
        return Verdict(False, "unknown-argument", "the agent does not tell which file it is about to read")
    return tools.judge(host, kind, arguments, rules)


def _guessed(host: str, call: Called, arguments: Mapping[str, Any], rules: Rules) -> Verdict:
    """What may be called so may be another thing: harmless is only what the agent itself names."""
    if tools.is_harmless(host, call.tool) or not arguments:
        return Verdict(False, "unknown-tool", "the agent does not tell which tool it is about to call")
    if tools.holds_command(arguments):
        return tools.judge(host, "Bash", arguments, rules)
    return tools.judge(host, call.tool, arguments, rules)
