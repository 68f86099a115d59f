"""How an MCP server is told to Kilo CLI: `mcp` of kilo.json or kilo.jsonc."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import opencode_servers as servers
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = servers.FORMAT
PATH = servers.PATH
REFERENCE = servers.REFERENCE
NAME = "Kilo CLI"

reference = servers.reference


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    return servers.entry(server, NAME)


def lost(server: "ServerUse") -> tuple[str, ...]:
    return servers.lost(server, NAME)
