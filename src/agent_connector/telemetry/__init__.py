"""Counting what connectors cost: rows, tokens, books and reports.

`telemetry.middleware("acme-db")` counts inside a FastMCP or `mcp` server; see `telemetry/in_process.py`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.telemetry.in_process import Middleware


def middleware(
    connector: str,
    *,
    host: str = "",
    model_family: str = "",
    store: str = "home",
    root: "str | None" = None,
) -> "Middleware":
    """A middleware that counts the calls of `connector`'s own server, for FastMCP and `mcp` 2.x."""
    from agent_connector.telemetry import in_process

    return in_process.middleware(connector, host=host, model_family=model_family, store=store, root=root)
