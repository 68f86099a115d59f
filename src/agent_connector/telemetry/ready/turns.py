"""A ready connector: what hosts themselves tell of their model's turns, counted as it happens. `telemetry turns on` installs it.

Numbers of the host, in a book of their own (`model_turn`), never added to those of servers or of logs. Gemini CLI tells
with each chunk of an answer, of which the last one counts; Cursor with each response. Hosts that are not here either
tell nothing in their hooks (Claude Code, Codex, Antigravity) or only how full the context is (Qwen Code).
"""

import os

from agent_connector import Connector
from agent_connector.home import paths
from agent_connector.telemetry import append

ID = "host-turns"
HOST_NATIVE = "host-native"

connector = Connector(id=ID, version="1.0.0", description="Counts the turns that hosts report")
connector.telemetry(enabled=False)  # of its own hooks


def number(value: object) -> int:
    """A count that a host gives; 0 for what is none."""
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and value > 0 else 0


def table(value: object) -> "dict[str, object]":
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]  # JSON: keys are text


def first(value: object) -> object:
    return value[0] if isinstance(value, list) and value else None  # pyright: ignore[reportUnknownVariableType]  # JSON


def note(host: str, session: object, folder: object, model: object, given: int, brought: int) -> None:
    """Append one turn: tokens that the model read and wrote."""
    if not given and not brought:
        return
    root = paths.data_root(os.environ, os.path.expanduser("~"))
    if not append.enabled(root, ID, "turns"):
        return
    key, name = append.project(str(folder)) if folder else ("", "")
    append.append(
        root,
        {
            "scope": "model_turn",
            "connector": ID,
            "host": host,
            "tool": str(model or ""),
            "session": str(session or ""),
            "project": key,
            "project_name": name,
            "in": given,
            "out": brought,
            "source": HOST_NATIVE,
        },
    )


@connector.native_hook("gemini-cli", "AfterModel")
def gemini(event: "dict[str, object]") -> None:
    """The last chunk of an answer has the sums; what the answer had beyond its text was thinking."""
    answer = table(event.get("llm_response"))
    candidates = answer.get("candidates")
    last = table(first(candidates)).get("finishReason")
    if last:
        usage = table(answer.get("usageMetadata"))
        given = number(usage.get("promptTokenCount"))
        brought = max(number(usage.get("totalTokenCount")) - given, number(usage.get("candidatesTokenCount")))
        model = table(event.get("llm_request")).get("model")
        note("gemini-cli", event.get("session_id"), event.get("cwd"), model, given, brought)


@connector.native_hook("cursor", "afterAgentResponse")
def cursor(event: "dict[str, object]") -> None:
    """One response of the agent; `stop` tells the same again. Documented, not seen: the classes are taken as disjoint."""
    folder = first(event.get("workspace_roots"))
    given = sum(number(event.get(name)) for name in ("input_tokens", "cache_read_tokens", "cache_write_tokens"))
    session = event.get("conversation_id")
    note("cursor", session, folder, event.get("model"), given, number(event.get("output_tokens")))
