"""Notes, and a panel to talk with the agent sessions that a person has paired."""

from notes_app.build import create
from notes_app.people import NAMES

__all__ = ["NAMES", "create"]
