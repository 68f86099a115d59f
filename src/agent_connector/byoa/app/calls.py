"""For whom a tool of the app is called: set around every request to the MCP endpoint."""

from contextvars import ContextVar

from agent_connector.byoa.app.people import Account, AppError, Connection

CALLER: ContextVar[Connection | None] = ContextVar("byoa_caller", default=None)


def current_connection() -> Connection:
    """The connection whose agent calls the tool that runs now."""
    connection = CALLER.get()
    if connection is None:
        raise AppError("no tool is being called by a connected agent here")
    return connection


def current_account() -> Account:
    """The account for which the tool that runs now is called."""
    return current_connection().account
