"""The MCP server: two tables, one tool."""

from mcp.server.mcpserver import MCPServer

TABLES = {"customers": "id, name, city", "orders": "id, customer, total"}

server = MCPServer("acme-db")


@server.tool()
def columns(table: str) -> str:
    """The columns of a table of the Acme database."""
    return TABLES.get(table, f"there is no table {table!r}; there are {', '.join(TABLES)}")


def main() -> None:
    """Serve on standard input and output."""
    server.run()


if __name__ == "__main__":
    main()
