"""How an MCP server is told to MiMoCode: `mcp` of mimocode.jsonc or mimocode.json."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import opencode_servers as servers
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = servers.FORMAT
PATH = servers.PATH
REFERENCE = servers.REFERENCE
NAME = "MiMoCode"

reference = servers.reference


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    return servers.entry(server, NAME)


def lost(server: "ServerUse") -> tuple[str, ...]:
    return servers.lost(server, NAME)
