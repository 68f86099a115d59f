"""What the Antigravity app and its CLI have in common beside hooks: their files, servers and content."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import content_md, server_shape
from agent_connector.hosts.dialects.antigravity_hooks import TOOLS
from agent_connector.hosts.dialects.front_matter import join
from agent_connector.hosts.dialects.samples import SESSION, native_name

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent
    from agent_connector.hosts.nodes import Node, Refusal

LONGEST = 12_000  # characters of a workflow

TRANSPORTS = {
    "stdio": ("documented", "`command`, `args`, `env`, `cwd`"),
    "http": ("documented", "`serverUrl`, `headers`"),
    "sse": ("documented", "`serverUrl`, `headers`: the host tells the two apart"),
}
QUIRKS = (
    ("the app, the editor and the CLI read the same files of ~/.gemini/config: one install serves all", "2026-11-30"),
    ("before a tool `{}`, no JSON, a failing hook, and in some builds silence deny: we always answer", "2026-11-30"),
    ("a comment, a wrong shape or a broken number loses every hook of hooks.json without a word", "2026-11-30"),
    ("how invocations are counted is not written down: SessionStart may come at the second one too", "2026-11-30"),
    ("how a server's tools are called in hooks is not known: mcp_<server>_<tool> is understood", "2026-11-30"),
    ("some builds of the CLI (1.1.22 with an API key, 1.1.27) were reported to fire no hooks", "2026-11-30"),
    ("the engine fills in no variables: a reference in the address of a server cannot be written", "2026-11-30"),
)


def shape(host: str) -> server_shape.Shape:
    """A remote entry with `url` alone is dropped by older builds, without a word."""
    return server_shape.Shape(
        host, {"http": None, "sse": None}, address="serverUrl", cwd=True, off="disabled", denied="disabledTools"
    )


def command(command: "Command", folder: str, host: str) -> "Sequence[Node | Refusal]":
    return content_md.workflow(command, folder, host, LONGEST)


def subagent(subagent: "Subagent", folder: str, host: str) -> "Sequence[Node | Refusal]":
    """Without a list of tools: how a server's tools are named there is not known, and a wrong name takes them away."""
    if refused := content_md.denial_refused(subagent, host):
        return [refused]
    return content_md.subagent(subagent, join(folder, subagent.name + ".md"), {})


def payload(
    folder: str, host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]
) -> dict[str, Any]:
    """What the hook of `host_event` would read; `folder` is the host's own below ~/.gemini."""
    import os

    made: dict[str, Any] = {
        "conversationId": SESSION,
        "workspacePaths": [os.getcwd()],
        "transcriptPath": f"/home/user/.gemini/{folder}/brain/{SESSION}/.system_generated/logs/transcript.jsonl",
        "artifactDirectoryPath": f"/home/user/.gemini/{folder}/brain/{SESSION}",
    }
    if tool:
        name = native_name(TOOLS, tool) if server is None else f"mcp_{server}_{tool}"
        made |= {"toolCall": {"name": name, "args": dict(given.get("input", {}))}, "stepIdx": 4}
    if host_event == "PostToolUse":
        made["error"] = given.get("error", "it failed") if event == "PostToolUseFailure" else ""
    if host_event in ("PreInvocation", "PostInvocation"):
        made |= {"invocationNum": 0, "initialNumSteps": 1}
    if event == "Stop":
        made |= {"executionNum": 1, "terminationReason": given.get("reason", "NO_TOOL_CALL"), "fullyIdle": True}
    return made
