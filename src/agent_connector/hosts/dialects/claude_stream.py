"""A stream of JSON lines as Claude Code writes it, and its followers after it: the session, and what passes in it."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.drive.events import Called, Returned, RunEvent, Said, Started, Thought
from agent_connector.hosts.dialects.claude_hooks import split
from agent_connector.hosts.dialects.stream_json import rows, table


def started(said: Mapping[str, Any]) -> RunEvent:
    """The record `init`."""
    servers = {str(server.get("name")): str(server.get("status")) for server in rows(said.get("mcp_servers"))}
    tools = tuple(str(tool) for tool in said.get("tools", ()))
    return Started(str(said.get("session_id")), said.get("model"), said.get("cwd"), servers, tools)


def message(said: Mapping[str, Any]) -> Sequence[RunEvent]:
    """A message comes in pieces, one record for each part; its usage is that of the message's start, so not read."""
    parent = said.get("parent_tool_use_id")
    parts = rows(table(said.get("message")).get("content"))
    return [event for part in parts if (event := _part(part, parent))]


def _part(part: Mapping[str, Any], parent: str | None) -> RunEvent | None:
    match part.get("type"):
        case "text" if part.get("text"):
            return Said(part["text"], parent)
        case "thinking":
            return Thought(str(part.get("thinking", "")), parent)
        case "tool_use":
            server, name = split(part["name"], None, ())
            return Called(part["id"], part["name"], part.get("input"), server, name if server else None, parent)
        case "tool_result":
            return Returned(part["tool_use_id"], part.get("content"), bool(part.get("is_error")), parent)
        case _:
            return None
