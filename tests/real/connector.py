"""The connector under rehearsal: a hook for every event, whose answer is chosen by the call's `case` argument.

`case` names a decision, and the event when that is not PreToolUse: `deny`, `PostToolUse context` ... Every text that a
model should read is `MARK <event> <kind>`, so that it can be found in its requests.
"""

import os
import sys

from agent_connector import Connector, allow, ask, context, deny, modify, replace_output, stdio

HERE = os.path.dirname(os.path.abspath(__file__))
CHANGED = {"case": "changed", "text": "by the hook"}
connector = Connector(id="acme-db", server=stdio(sys.executable, os.path.join(HERE, "server.py")))
connector.memory("MARK memory: ask the acme-db tools about schemas.\n\n- MARK memory: second line")
connector.skill("acme-schema", description="MARK skill: how the schema is laid out", body="The body.")


def decided(event, kind):
    """The decision `kind` with texts that tell where it comes from."""
    mark = f"MARK {event.name} {kind}"
    makers = {"deny": deny, "ask": ask, "context": context, "replace_output": replace_output}
    if kind == "modify":
        return modify(CHANGED)
    return allow() if kind == "allow" else makers[kind](mark) if kind in makers else None


def by_case(event):
    """The decision that the call's `case` asks for at this event."""
    words = str((event.tool_input or {}).get("case", "")).split()
    name, kind = words if len(words) == 2 else ("PreToolUse", *words, "")[:2]
    return decided(event, kind) if event.name == name else None


@connector.hook("PreToolUse", matcher="probe|guarded|broken|host:Read")
def before(event):
    return by_case(event)


@connector.hook("PermissionRequest", matcher="guarded")
def permission(event):
    return by_case(event)


@connector.hook("PostToolUse", matcher="probe")
def after(event):
    return by_case(event)


@connector.hook("PostToolUseFailure", matcher="broken")
def failed(event):
    return by_case(event)


@connector.hook("SessionStart")
def started(event):
    return decided(event, "deny" if os.environ.get("REFUSE_THE_SESSION") else "context")


@connector.hook("UserPromptSubmit")
def asked(event):
    return decided(event, "deny" if "REFUSE ME" in (event.prompt or "") else "context")


def at_the_end(event):
    """Once: what the last words ask for ("... with context"), else that the agent goes on."""
    kind = "context" if "with context" in (event.last_message or "") else "deny"
    return None if event.stop_hook_active else decided(event, kind)


@connector.hook("Stop")
def stopped(event):
    return at_the_end(event)


@connector.hook("SubagentStart")
def subagent_started(event):
    return decided(event, "context")


@connector.hook("SubagentStop")
def subagent_stopped(event):
    return at_the_end(event)


@connector.hook("SessionEnd")
def ended(event):
    return None
