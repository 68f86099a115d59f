"""One value per message of the wire, with the parser that reads it back."""

from collections.abc import Callable
from typing import Any

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.protocol import mcp
from agent_connector.byoa.protocol.headers import retry_after

ORIGIN = wire.parse_origin("https://notes.example")
APP = wire.App("notes", "Notes")
ENDPOINTS = wire.Endpoints(
    *(f"https://notes.example/byoa/{name}" for name in ("start", "pair", "revoke", "sessions", "poll", "events", "mcp"))
)
DISCOVERY = wire.Discovery(APP, ENDPOINTS)
TOKEN = "t0ken-" * 8
TOOL = mcp.Tool("search", "Searches", '{"type":"object"}')
CREDENTIAL = wire.Credential(ORIGIN, TOKEN, "c1", "Ada", APP, DISCOVERY)
EVENTS = (
    wire.Started(),
    wire.Delta("Hel\nlo \U0001f600"),
    wire.ToolStep("search", "Searching"),
    wire.Ended(wire.Outcome.ERROR, wire.Reason.REJECTED),
)
MESSAGES = (
    wire.Chat("m1", "What is new?", "Ada"),
    wire.Stop("m2", "m1"),
    wire.Change("m3", "model", "large"),
    wire.End("m4"),
)
SESSION = wire.SessionInfo(
    wire.session_key(ORIGIN, "opencode", "s1"),
    "opencode",
    "1.2.3",
    "Fix the build",
    wire.Workspace("app", "github.com:ada/app.git", "main", "/code/app"),
    (wire.Setting("model", "Model", ("small", "large"), "small"),),
    ("abort", "settings"),
)
GRANT = wire.Grant("d" * 22, "BCDF-GHJK", "https://notes.example/pair", 600, 5, "https://notes.example/pair?code=BCDF")

Parser = Callable[[bytes], Any]
SAMPLES: dict[str, tuple[Any, Parser]] = {
    "discovery": (DISCOVERY, lambda data: wire.parse_discovery(data, ORIGIN)),
    "pair_start": (wire.Client("opencode", "1.2.3", "agent-connector 1", "ada's laptop"), wire.parse_pair_start),
    "grant": (GRANT, lambda data: wire.parse_grant(data, ORIGIN)),
    "pair_poll": (wire.PairPoll("d" * 22), wire.parse_pair_poll),
    "paired": (wire.Paired(TOKEN, "c1", "Ada", APP), wire.parse_paired),
    "register": (wire.Register(SESSION, ("m1", "m9")), wire.parse_register),
    "registered": (wire.Registered("s1", "0"), wire.parse_registered),
    "poll": (wire.Poll("s1", 7, "idle"), wire.parse_poll),
    "messages": (wire.Messages("8", MESSAGES), wire.parse_messages),
    "batch": (wire.Batch("s1", "m1", 0, EVENTS), wire.parse_batch),
    "taken": (wire.Taken(1), wire.parse_taken),
    "credential": (CREDENTIAL, lambda data: wire.parse_credential(data, "https_notes.example")),
    "tool_cache": (
        wire.ToolCache(ORIGIN, 1.7e9, (TOOL,)),
        lambda data: wire.parse_tool_cache(data, "https_notes.example"),
    ),
    "policy": (wire.Policy({"notes": ("branch",), "*": ()}), wire.parse_policy),
}
# Parsers that have no value of their own to dump.
OTHER_PARSERS: dict[str, Parser] = {
    "refusal": wire.parse_refusal,
    "rpc in JSON": lambda data: mcp.parse_answer(data, "application/json", 1),
    "rpc in a stream": lambda data: mcp.parse_answer(data, "text/event-stream", 1),
    "tools": lambda data: mcp.read_tools(mcp.parse_answer(data, "application/json", 1)),  # type: ignore[arg-type]
    "origin": lambda data: wire.parse_origin(data.decode("latin-1")),
    "path": lambda data: wire.within(ORIGIN, data.decode("latin-1"), "path"),
    "header": lambda data: retry_after({"retry-after": data.decode("latin-1"), "date": data.decode("latin-1")}),
}
