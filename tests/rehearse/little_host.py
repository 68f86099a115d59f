"""A host small enough to read: what `claude -p` does with servers, hooks and the model, and some ways to do it badly.

--deaf          runs every tool as if no hook had said anything
--hang          never comes to an end
--real-key      sends a credential of its own
--no-memory     does not read CLAUDE.md
--leave-child   ends and leaves a process behind
"""

import http.client
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

HOME = Path(os.environ["HOME"])
FLAGS = set(sys.argv)
PROMPT = sys.argv[sys.argv.index("--") + 1]
MESSAGES: list[dict] = []


def read(name: str) -> dict:
    path = HOME / name
    return json.loads(path.read_text()) if path.exists() else {}


class Server:
    """One MCP server over stdio."""

    def __init__(self, name: str, entry: dict) -> None:
        self.name = name
        self.child = subprocess.Popen(
            [entry["command"], *entry["args"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        client = {"name": "little-host", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.tools = self.ask("tools/list", {})["tools"]

    def ask(self, method: str, params: dict) -> dict:
        self.child.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())["result"]

    def close(self) -> None:
        self.child.stdin.close()
        self.child.wait(30)


def hook(event: str, **fields: object) -> dict:
    """What the hooks of `event` say, merged."""
    said: dict = {}
    payload = {"hook_event_name": event, "session_id": "s", "cwd": os.getcwd(), **fields}
    for group in read(".claude/settings.json").get("hooks", {}).get(event, []):
        if not re.fullmatch(group.get("matcher") or ".*", str(fields.get("tool_name", ""))):
            continue
        done = subprocess.run(
            ["/bin/sh", "-c", group["hooks"][0]["command"]],
            input=json.dumps(payload),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        said |= json.loads(done.stdout or "{}")
    specific = said.get("hookSpecificOutput", {})
    if context := specific.get("additionalContext"):
        MESSAGES.append({"role": "user", "content": context})
    return {} if "--deaf" in FLAGS else {**said, **specific}


def model(servers: list[Server]) -> dict:
    tools = [
        {"name": f"mcp__{server.name}__{tool['name']}", "description": tool["description"], "input_schema": {}}
        for server in servers
        for tool in server.tools
    ]
    body = {"model": "m", "messages": MESSAGES, "tools": [*tools, {"name": "Bash", "input_schema": {}}]}
    key = "sk-real" if "--real-key" in FLAGS else os.environ["ANTHROPIC_API_KEY"]
    connection = http.client.HTTPConnection(os.environ["ANTHROPIC_BASE_URL"].removeprefix("http://"), timeout=30)
    connection.request("POST", "/v1/messages", json.dumps(body), {"x-api-key": key})
    return json.loads(connection.getresponse().read())


def call(servers: list[Server], name: str, arguments: dict) -> str:
    """Run one tool between its hooks, and give what the model reads."""
    about = {"tool_name": name, "tool_input": arguments}
    said = hook("PreToolUse", **about)
    if said.get("permissionDecision") in ("deny", "ask"):
        return said["permissionDecisionReason"]
    arguments = said.get("updatedInput", arguments)
    server = next(server for server in servers if name.startswith(f"mcp__{server.name}__"))
    result = server.ask("tools/call", {"name": name.split("__", 2)[2], "arguments": arguments})
    said = hook("PostToolUse", **about, tool_response=result["content"])
    return "".join(part["text"] for part in said.get("updatedMCPToolOutput", result["content"]))


def turn(servers: list[Server]) -> None:
    """Ask the model until it calls nothing more and no hook sends it on."""
    while True:
        answer = model(servers)
        MESSAGES.append({"role": "assistant", "content": answer["content"]})
        calls = [part for part in answer["content"] if part["type"] == "tool_use"]
        for part in calls:
            text = call(servers, part["name"], part["input"])
            back = {"type": "tool_result", "tool_use_id": part["id"], "content": text}
            MESSAGES.append({"role": "user", "content": [back]})
        if not calls:
            said = hook("Stop", stop_hook_active=any("MARK Stop" in str(m) for m in MESSAGES))
            if said.get("decision") != "block":
                return
            MESSAGES.append({"role": "user", "content": said["reason"]})


def main() -> None:
    if "--hang" in FLAGS:
        time.sleep(600)
    if "--leave-child" in FLAGS:
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    memory = HOME / ".claude" / "CLAUDE.md"
    if memory.exists() and "--no-memory" not in FLAGS:
        MESSAGES.append({"role": "user", "content": memory.read_text()})
    servers = [Server(name, entry) for name, entry in read(".claude.json").get("mcpServers", {}).items()]
    hook("SessionStart", source="startup")
    MESSAGES.append({"role": "user", "content": PROMPT})
    if hook("UserPromptSubmit", prompt=PROMPT).get("decision") != "block":
        turn(servers)
    hook("SessionEnd", reason="other")
    for server in servers:
        server.close()
    print(json.dumps({"type": "result", "subtype": "success", "result": "done", "session_id": "s"}))


if __name__ == "__main__":
    main()
