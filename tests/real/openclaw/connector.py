"""The connector under a Gateway: a call that has to be asked for, an agent that may not stop at once, and an action."""

import os
import sys

from agent_connector import Connector, ask, context, deny, stdio

SERVER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "server.py")
connector = Connector(id="acme-db", server=stdio(sys.executable, SERVER))
connector.memory("MARK memory: ask the acme-db tools about schemas.")
connector.skill("acme-schema", description="MARK skill: how the schema is laid out", body="The body.")
connector.command("acme-plan", description="MARK command: plan a migration", prompt="MARK plan: $ARGUMENTS")
connector.config_patch("openclaw", "ui.seamColor", "#336699", reason="so that it can be told from others")


@connector.hook("PreToolUse", matcher="probe")
def before(event):
    return ask("MARK may it?")


@connector.hook("SessionStart")
def started(event):
    return context("MARK session")


@connector.hook("SessionEnd")
def ended(event):
    return None


@connector.hook("Stop")
def stopped(event):
    return None if event.stop_hook_active else deny("MARK go on")


@connector.native_hook("openclaw", "message_received")
def received(payload):
    return None


@connector.action("sync", label="Sync the schema", confirm="Really?")
def sync(ctx):
    return f"MARK synced in {ctx.host}: {ctx.arguments}"
