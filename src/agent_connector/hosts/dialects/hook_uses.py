"""Hooks that a host tells at one event of its own although they are two of ours (a call that came back, or failed).

At install only.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_connector.hosts.contract import HookUse


def one_for_each_event(hooks: "Sequence[HookUse]") -> "list[HookUse]":
    """One hook for each of the host's events, which catches what any of its hooks catches."""
    together: dict[str, HookUse] = {}
    for hook in hooks:
        before = together.get(hook.event)
        if before is not None:
            matchers = (*before.matchers, *hook.matchers)
            hook = replace(before, matchers=matchers, timeout=max(before.timeout, hook.timeout))
        together[hook.event] = hook
    return list(together.values())
