"""What is done now and then: forget what nobody can ask for any more."""

from agent_connector.board import logins, requests, sessions
from agent_connector.board.engine import Tx

EVERY = 3600.0  # seconds


def prune(tx: Tx) -> dict[str, int]:
    """How much went, by what it was."""
    return {"requests": requests.prune(tx), "sessions": sessions.prune(tx), "failures": logins.prune(tx)}
