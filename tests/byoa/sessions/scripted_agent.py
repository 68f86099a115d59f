"""A small real ACP agent on the official SDK: what it does with a prompt is the last word of it.

It is started as a program, as a host's agent is. `SCRIPTED_AGENT` in its environment changes it as a whole.
"""

import asyncio
import os
import subprocess
import sys
from typing import Any

from acp import (
    PROTOCOL_VERSION,
    RequestError,
    run_agent,
    start_tool_call,
    update_agent_message_text,
    update_agent_thought_text,
)
from acp.schema import (
    AgentCapabilities,
    Implementation,
    InitializeResponse,
    NewSessionResponse,
    PermissionOption,
    PromptResponse,
    SessionConfigOptionSelect,
    SessionConfigSelectOption,
    SessionMode,
    SessionModeState,
    SetSessionConfigOptionResponse,
    SetSessionModeResponse,
    ToolCallUpdate,
)

HOW = os.environ.get("SCRIPTED_AGENT", "")
MODE = {"bypassed": "bypassPermissions", "judged": "auto"}.get(HOW, "default")
OPTIONS = [
    PermissionOption(option_id="yes", name="Allow", kind="allow_once"),
    PermissionOption(option_id="no", name="Reject", kind="reject_once"),
]


def option(id: str, category: str, values: tuple[str, ...], value: str) -> SessionConfigOptionSelect:
    options = [SessionConfigSelectOption(value=each, name=each) for each in values]
    return SessionConfigOptionSelect(
        id=id, name=id.title(), category=category, type="select", current_value=value, options=options
    )


class Scripted:
    def __init__(self) -> None:
        self.count = 0
        self.servers: dict[str, Any] = {}
        self.cancelled: dict[str, asyncio.Event] = {}
        self.model = "small"
        self.mode = MODE

    def on_connect(self, conn: Any) -> None:
        self.client = conn

    async def initialize(self, protocol_version: int, **kwargs: Any) -> InitializeResponse:
        return InitializeResponse(
            protocol_version=PROTOCOL_VERSION,
            agent_capabilities=AgentCapabilities(),
            agent_info=Implementation(name="scripted", version="7.1"),
        )

    async def new_session(self, cwd: str, mcp_servers: Any = None, **kwargs: Any) -> NewSessionResponse:
        if "signed out" in HOW:
            raise RequestError.auth_required()
        self.count += 1
        id = f"conversation-{os.getpid()}-{self.count}"
        self.servers[id] = mcp_servers or []
        self.cancelled[id] = asyncio.Event()
        modes = [SessionMode(id=each, name=each) for each in ("default", "auto", "bypassPermissions")]
        return NewSessionResponse(
            session_id=id,
            modes=SessionModeState(current_mode_id=MODE, available_modes=modes),
            config_options=self.options(),
        )

    def options(self) -> list[SessionConfigOptionSelect]:
        return [
            option("mode", "mode", ("default", "bypassPermissions"), MODE),
            option("model", "model", ("small", "large"), self.model),
            option("sandbox", "model_config", ("on", "off"), "on"),
        ]

    async def set_session_mode(self, mode_id: str, session_id: str, **kwargs: Any) -> SetSessionModeResponse:
        self.mode = mode_id
        return SetSessionModeResponse()

    async def set_config_option(self, config_id: str, session_id: str, value: Any, **kwargs: Any) -> Any:
        assert config_id == "model"
        self.model = value
        return SetSessionConfigOptionResponse(config_options=self.options())

    async def prompt(self, session_id: str, prompt: list[Any], **kwargs: Any) -> PromptResponse:
        assert [block.type for block in prompt] == ["text"]
        text = prompt[0].text
        self.cancelled[session_id].clear()
        reason = await getattr(self, f"do_{text.split()[-1]}", self.do_echo)(session_id, text)
        return PromptResponse(stop_reason=reason)

    async def cancel(self, session_id: str, **kwargs: Any) -> None:
        self.cancelled[session_id].set()

    async def say(self, session: str, text: str) -> None:
        await self.client.session_update(session_id=session, update=update_agent_message_text(text))

    async def do_echo(self, session: str, text: str) -> str:
        await self.client.session_update(session_id=session, update=update_agent_thought_text("hm"))
        await self.say(session, "heard: ")
        await self.say(session, text)
        return "end_turn"

    async def do_nothing(self, session: str, text: str) -> str:
        return "end_turn"

    async def do_model(self, session: str, text: str) -> str:
        await self.say(session, self.model)
        return "end_turn"

    async def do_mode(self, session: str, text: str) -> str:
        await self.say(session, self.mode)
        return "end_turn"

    async def do_long(self, session: str, text: str) -> str:
        await self.say(session, "working")
        await self.cancelled[session].wait()
        await self.say(session, " stopped")
        return "cancelled"

    async def do_deaf(self, session: str, text: str) -> str:
        await asyncio.Event().wait()
        return "end_turn"

    async def do_stubborn(self, session: str, text: str) -> str:
        await self.say(session, "no end")
        await asyncio.Event().wait()
        return "end_turn"

    async def do_die(self, session: str, text: str) -> str:
        await self.say(session, "last words")
        sys.stderr.write("a bad end\n")
        sys.stderr.flush()
        os._exit(3)

    async def do_orphan(self, session: str, text: str) -> str:
        """A program that it has started holds its output open."""
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(500)"])  # noqa: ASYNC220
        os._exit(4)

    async def do_fail(self, session: str, text: str) -> str:
        raise RequestError.internal_error({"details": "no credit"})

    async def do_refuse(self, session: str, text: str) -> str:
        return "refusal"

    async def do_cut(self, session: str, text: str) -> str:
        await self.say(session, "half a")
        return "max_tokens"

    async def do_subagent(self, session: str, text: str) -> str:
        update = update_agent_message_text("inner")
        update.field_meta = {"claudeCode": {"parentToolUseId": "call-1"}}
        await self.client.session_update(session_id=session, update=update)
        await self.say("the subagent's own conversation", "elsewhere")
        await self.say(session, "outer")
        return "end_turn"

    async def do_ask(self, session: str, text: str) -> str:
        call = start_tool_call("call-1", "rm -rf secret", kind="execute", raw_input={"command": "rm -rf secret"})
        await self.client.session_update(session_id=session, update=call)
        update = ToolCallUpdate(tool_call_id="call-1", title="rm -rf secret", kind="execute")
        answer = await self.client.request_permission(session_id=session, tool_call=update, options=OPTIONS)
        outcome = answer.outcome
        if outcome.outcome == "cancelled":
            await self.say(session, "cancelled")
            return "cancelled"
        await self.say(session, f"answer {outcome.option_id}")
        return "end_turn"

    async def do_tools(self, session: str, text: str) -> str:
        """Call the app's first tool through the server that was handed over."""
        from mcp import ClientSession, StdioServerParameters
        from mcp.client.stdio import stdio_client

        for given in self.servers[session]:
            environment = {variable.name: variable.value for variable in given.env}
            parameters = StdioServerParameters(command=given.command, args=given.args, env=environment)
            async with stdio_client(parameters) as (read, write), ClientSession(read, write) as client:
                await client.initialize()
                for tool in (await client.list_tools()).tools:
                    call = start_tool_call("call-2", f"{tool.name} ({given.name} MCP Server)", kind="other")
                    await self.client.session_update(session_id=session, update=call)
                    result = await client.call_tool(tool.name, {"tool": "search", "arguments": {"q": "x"}})
                    await self.say(session, f"{tool.name}: {result.content[0].text}")
        return "end_turn"


if __name__ == "__main__":
    asyncio.run(run_agent(Scripted()))
