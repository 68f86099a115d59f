"""The connector that lets apps join sessions of Claude Code: its hooks tell the session's pairer what happens.

Each handler takes one line to the pairer and gives back what it answers. Where no pairer is there, nothing is said.
"""

import time

from agent_connector import Connector, stdio
from agent_connector.home import paths, system
from agent_connector.runtime import byoa_door, codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Payload = Mapping[str, Any]

HOST = "claude-code"
QUICK = 1.0  # seconds: the person waits for each of these
COMMAND = 15.0  # an app has to be asked for its code first
STARTS = 6.0
HOLD = 580.0  # how long a Stop may be held at the most; how long it is, the pairer decides
ROOM = 10.0  # between our limits and the host's
# What the pairer is told of an event. No prompt and no input or output of a tool is among it.
TOLD = (
    "agent_id",
    "command_args",
    "cwd",
    "hook_event_name",
    "last_assistant_message",
    "notification_type",
    "permission_mode",
    "prompt_id",
    "reason",
    "session_id",
    "source",
    "stop_hook_active",
    "tool_name",
    "transcript_path",
)
LAUNCHER = paths.launcher_path(system.person_home())
NOBODY = "No pairer is running in this session: look at the server `byoa` with /mcp, then run agent-connector doctor."

connector = Connector(
    id="byoa",
    server=stdio(LAUNCHER, "byoa", "claude", "serve"),
    version="0.1",
    description="Bring your own agent: lets the apps that you pair talk to this session",
    targets=[HOST],
)
connector.telemetry(enabled=False)
connector.command(
    "byoa",
    description="Apps that may talk to this session: connect, disconnect, status, wait",
    argument_hint="connect ADDRESS | disconnect APP | status | wait SECONDS",
    prompt="Say that /byoa did not reach agent-connector, and that `agent-connector doctor` in a shell tells why.",
)


def _tell(payload: "Payload", seconds: float) -> "Payload | None":
    """The pairer's answer, as the hook's own."""
    variables = system.variables()
    told: dict[str, Any] = {name: payload[name] for name in TOLD if name in payload}
    told["pid"] = variables.get("CLAUDE_PID", "")
    told["attended"] = variables.get("CLAUDE_CODE_SESSION_ATTENDED", "")
    names = [byoa_door.by_process(told["pid"])] if told["pid"].isdigit() else []
    names.append(byoa_door.by_session(str(payload.get("session_id", ""))))
    root = paths.data_root(variables, system.person_home())
    answer = byoa_door.ask(byoa_door.folder(root, HOST), names, codec.encode(told), seconds)
    return codec.decode_object(answer) if answer else None


def _watch(event: str, seconds: float = QUICK) -> None:
    def handler(payload: "Payload") -> "Payload | None":
        return (_tell(payload, seconds) or {}).get("reply")

    handler.__name__ = f"on_{event}"
    connector.native_hook(HOST, event, timeout=seconds + ROOM)(handler)


for _event in (
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PermissionRequest",
    "Notification",
    "StopFailure",
):
    _watch(_event)
_watch("Stop", HOLD)


@connector.native_hook(HOST, "UserPromptExpansion", timeout=COMMAND + ROOM)
def on_command(payload: "Payload") -> "Payload | None":
    """`/byoa`: answered without the model, so that neither it nor an app can pair or unpair anything."""
    if payload.get("command_name") != "byoa":
        return None
    end = time.monotonic() + STARTS
    while not (answer := _tell(payload, COMMAND)) and time.monotonic() < end:
        time.sleep(0.2)  # a person who is quick: the pairer is still starting
    return answer.get("reply") if answer else {"decision": "block", "reason": NOBODY}
