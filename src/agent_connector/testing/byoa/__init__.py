"""Test an app, a host adapter or a driver against the real pairer: no agent, no sleep, no socket.

world = World(ScriptedApp("https://notes.example"))
world.pair("https://notes.example")
session, handle = world.open()
turn = world.app.chat("What is new?")
world.run(1)
session.begin(); handle.delta("Nothing."); session.end()
world.run(1)
assert world.app.turns[turn].text == "Nothing."

For an app of your own: `AppWorld` and `pair_by_page` (docs/byoa-app.md).
"""

from agent_connector.testing.byoa.app_world import AppClock, AppWorld
from agent_connector.testing.byoa.asgi import http_over
from agent_connector.testing.byoa.fakes import FakeHost, FakeSession, MemoryFiles, ScriptedClock, ScriptedRandom
from agent_connector.testing.byoa.pages import Browser, pair_by_page
from agent_connector.testing.byoa.scripted_app import AppSession, AppTurn, ScriptedApp
from agent_connector.testing.byoa.world import World

__all__ = [
    "AppClock",
    "AppSession",
    "AppTurn",
    "AppWorld",
    "Browser",
    "FakeHost",
    "FakeSession",
    "MemoryFiles",
    "ScriptedApp",
    "ScriptedClock",
    "ScriptedRandom",
    "World",
    "http_over",
    "pair_by_page",
]
