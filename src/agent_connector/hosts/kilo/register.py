"""How an MCP server is told to Kilo Code: `mcp` of the files of Kilo CLI, its backend."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import opencode_servers as servers
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = servers.FORMAT
PATH = servers.PATH
REFERENCE = servers.REFERENCE
NAME = "Kilo Code"

reference = servers.reference


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    return servers.entry(server, NAME)


def lost(server: "ServerUse") -> tuple[str, ...]:
    return servers.lost(server, NAME)
