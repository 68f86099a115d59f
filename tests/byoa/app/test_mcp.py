"""The app's own tools through the pairer's proxied tool, served by the official SDK and called for the right account."""

import json
from contextlib import asynccontextmanager

import pytest
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool

from agent_connector.byoa.app import AppError, current_account, current_connection
from agent_connector.testing.byoa import pair_by_page

NOTES = {"1": ["buy milk"], "2": ["call Ada"]}


def notes() -> MCPServer:
    server = MCPServer("notes")

    @server.tool()
    async def search(query: str) -> str:
        """Search the notes of the person."""
        return "; ".join(note for note in NOTES[current_account().id] if query in note)

    @server.tool()
    def whose() -> str:
        """In a thread of its own."""
        connection = current_connection()
        return f"{connection.account.name} on {connection.machine}"

    return server


def plain() -> Server:
    async def tools(ctx, params):
        return ListToolsResult(tools=[Tool(name="search", description="Search", input_schema={"type": "object"})])

    async def call(ctx, params):
        return CallToolResult(content=[TextContent(type="text", text=f"for {current_account().name}")])

    return Server("notes", on_list_tools=tools, on_call_tool=call)


async def call(scene, host, tool, **arguments):
    number = host.reports.call("byoa_notes", {"tool": tool, "arguments": arguments})
    await scene.world.until(lambda: number in scene.world.results)
    result = scene.world.results[number]
    return result.is_error, "".join(block.get("text", "") for block in result.content)


def test_a_tool_is_called_for_the_account_that_paired(play):
    async def story(scene):
        host, _ = await scene.live()
        (tool,) = host.reports.tools()
        assert tool.name == "byoa_notes" and "Search the notes of the person." in tool.description
        assert await call(scene, host, "search", query="m") == (False, "buy milk")
        assert await call(scene, host, "whose") == (False, "Ada on test machine")
        failed, text = await call(scene, host, "search")
        assert failed and "query" in text

    play(story, mcp=notes())


def test_a_server_of_the_low_level_kind(play):
    async def story(scene):
        host, _ = await scene.live()
        assert [tool.name for tool in host.reports.tools()] == ["byoa_notes"]
        assert await call(scene, host, "search") == (False, "for Ada")

    play(story, mcp=plain())


def test_without_a_token_of_a_connection_there_are_no_tools(play):
    async def story(scene):
        _, session = await scene.live()
        ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        accept = {"Accept": "application/json, text/event-stream"}
        assert (await scene.post("/byoa/mcp", ask, "guessed", **accept)).status == 401
        assert (await scene.post("/byoa/mcp", ask, **accept)).status == 401
        page = await scene.post("/byoa/mcp", ask, scene.token, **accept)
        assert page.status == 200
        assert {tool["name"] for tool in json.loads(page.text)["result"]["tools"]} == {"search", "whose"}
        assert (await scene.browser().get("/byoa/mcp")).status == 405
        assert (await scene.post("/byoa/mcp", b"x" * (8 * 1024 * 1024 + 1), scene.token)).status == 413
        token = scene.token
        await scene.byoa.revoke(session._account, session.connection_id)
        assert (await scene.post("/byoa/mcp", ask, token, **accept)).status == 401

    play(story, mcp=notes())


def test_the_stateless_revision_of_mcp_is_answered_too(play):
    async def story(scene):
        await scene.live()
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "lab", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        params = {"name": "whose", "arguments": {}, "_meta": meta}
        ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {
            "Accept": "application/json, text/event-stream",
            "MCP_Protocol_Version": "2026-07-28",
            "Mcp_Method": "tools/call",
            "Mcp_Name": "whose",
        }
        page = await scene.post("/byoa/mcp", ask, scene.token, **headers)
        assert "Ada on test machine" in page.text, page.text

    play(story, mcp=notes())


def test_a_server_that_cannot_start_is_said_and_hangs_nobody(play):
    @asynccontextmanager
    async def lifespan(server):
        raise LookupError("no database")
        yield

    async def story(scene):
        with pytest.raises(LookupError, match="no database"):
            await pair_by_page(scene.world, headers={"Remote-User": "ada"})
        with pytest.raises(LookupError, match="no database"):
            await scene.post("/byoa/mcp", {}, scene.token)

    play(story, mcp=Server("notes", lifespan=lifespan))


def test_outside_a_call_there_is_no_account():
    with pytest.raises(AppError):
        current_account()
