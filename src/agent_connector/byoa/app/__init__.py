"""The app's side of "bring your own agent": mount `Byoa`, and talk to the agent sessions that people paired.

docs/byoa-app.md shows how; docs/byoa-wire.md says what goes over the wire.
"""

from agent_connector.byoa.app.byoa import Byoa
from agent_connector.byoa.app.calls import current_account, current_connection
from agent_connector.byoa.app.clock import Clock, SystemClock
from agent_connector.byoa.app.live import Delta, Ended, Event, Session, Started, Tool, Turn
from agent_connector.byoa.app.people import Account, AppError, Connection
from agent_connector.byoa.app.store.base import Store
from agent_connector.byoa.app.store.sqlite import SqliteStore
from agent_connector.byoa.protocol import Outcome, Reason, Setting, Workspace

__all__ = [
    "Account",
    "AppError",
    "Byoa",
    "Clock",
    "Connection",
    "Delta",
    "Ended",
    "Event",
    "Outcome",
    "Reason",
    "Session",
    "Setting",
    "SqliteStore",
    "Started",
    "Store",
    "SystemClock",
    "Tool",
    "Turn",
    "Workspace",
    "current_account",
    "current_connection",
]
