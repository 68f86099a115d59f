"""A scripted ACP agent: plays a recording, or misbehaves as it is told. Its own notes of what it was asked go to a file.

acp_agent.py play RECORDING NOTES | acp_agent.py KIND NOTES
"""

import json
import subprocess
import sys
import time


def say(**message) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def update(**fields) -> None:
    say(method="session/update", params={"sessionId": "s-1", "update": fields})


class Agent:
    def __init__(self, notes: str) -> None:
        self.notes = open(notes, "a", encoding="utf-8")  # noqa: SIM115 - to the end of the process

    def hear(self) -> dict:
        line = sys.stdin.readline()
        if not line:
            sys.exit(0)
        message = json.loads(line)
        self.notes.write(json.dumps(message) + "\n")
        self.notes.flush()
        return message


def play(agent: Agent, path: str) -> None:
    """What was answered and sent after a prompt, with the ids of the live requests; what came before the prompt, before."""
    with open(path, encoding="utf-8") as file:
        record = [json.loads(line) for line in file]
    asked = {
        e["message"]["id"]: e["message"]["method"] for e in record if e["from"] == "client" and "method" in e["message"]
    }
    answers = {
        asked[e["message"]["id"]]: e["message"].get("result")
        for e in record
        if e["from"] == "agent" and "method" not in e["message"]
    }
    start = next(i for i, e in enumerate(record) if e["message"].get("method") == "session/prompt")
    while True:
        live = agent.hear()
        method = live.get("method")
        if method == "session/new":
            sent(agent, record[:start])
        if method == "session/prompt":
            sent(agent, record[start + 1 :])
        if "id" in live and method:
            say(id=live["id"], result=answers.get(method, {}))


def sent(agent: Agent, entries: list[dict]) -> None:
    for entry in entries:
        message = entry["message"]
        if entry["from"] == "agent" and "method" in message:
            print(json.dumps(message), flush=True)
            if "id" in message:
                agent.hear()


HELLO = {"protocolVersion": 1, "agentCapabilities": {"loadSession": True}}
NEW = {
    "sessionId": "s-1",
    "configOptions": [{"id": "m", "category": "model", "options": [{"value": "big"}, {"value": "small"}]}],
}


def misbehave(agent: Agent, kind: str) -> None:
    while True:
        live = agent.hear()
        match live.get("method"), kind:
            case "initialize", "mute":
                time.sleep(600)
            case "initialize", "old":
                say(id=live["id"], result={"protocolVersion": 1, "agentCapabilities": {}})
            case "initialize", _:
                say(id=live["id"], result=HELLO)
            case "session/new", "locked":
                say(
                    id=live["id"],
                    error={"code": -32000, "message": "Authentication required", "data": {"details": "log in"}},
                )
            case "session/load", _:
                update(sessionUpdate="user_message_chunk", content={"type": "text", "text": "of the past"})
                update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": "said in the past"})
                if kind != "forgetful":
                    update(sessionUpdate="usage_update", cost={"amount": 2.0, "currency": "USD"})
                say(id=live["id"], result={})
            case "session/new", _:
                say(id=live["id"], result=NEW)
            case "session/prompt", _:
                prompt(agent, kind, live)
            case _, _:
                if "id" in live and "method" in live:
                    say(id=live["id"], result={})


def prompt(agent: Agent, kind: str, live: dict) -> None:
    update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": "On "})
    update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": "it."})
    if kind == "dies":
        sys.stderr.write("out of luck\n")
        sys.exit(7)
    if kind == "deaf":
        time.sleep(600)
    if kind == "patient":  # lets go of the prompt when it is cancelled
        while agent.hear().get("method") != "session/cancel":
            pass
        say(id=live["id"], result={"stopReason": "cancelled"})
        return
    if kind == "noisy":
        print("a line of a library")
        say(id=9, method="fs/read_text_file", params={"path": "/etc/passwd"})
        agent.hear()
        say(method="_own/notice", params={})
    if kind == "pushes":  # asks before it runs a command, and runs what it may
        for number, command in enumerate(("git push origin main", "echo made > made.txt")):
            call = {"toolCallId": f"c{number}", "title": f"run_commands: {command}", "kind": "execute"}
            asked = {**call, "status": "pending", "rawInput": {"commands": [command]}}
            options = [{"optionId": "yes", "kind": "allow_once"}, {"optionId": "no", "kind": "reject_once"}]
            told = {"sessionId": "s-1", "toolCall": asked, "options": options}
            say(id=70 + number, method="session/request_permission", params=told)
            if agent.hear()["result"]["outcome"]["optionId"] == "yes":
                subprocess.run(["/bin/sh", "-c", command], check=True)
            update(sessionUpdate="tool_call_update", toolCallId=f"c{number}", status="completed")
    if kind == "costly":  # its cost grows; then it goes on until it is cancelled
        for amount in (0.25, 0.25, 1.0):
            update(sessionUpdate="usage_update", cost={"amount": amount, "currency": "USD"})
        while agent.hear().get("method") != "session/cancel":
            pass
        say(id=live["id"], result={"stopReason": "cancelled"})
        return
    if kind == "edits":  # tells the files of a call, and no name but the model's words
        about = {"title": "Todo", "kind": "edit", "locations": [{"path": "/w/a.py"}]}
        call = {"toolCallId": "c", **about, "content": [{"type": "diff", "path": "/w/b.py", "newText": "b"}]}
        options = [{"optionId": "yes", "kind": "allow_once"}, {"optionId": "no", "kind": "reject_once"}]
        say(
            id=7, method="session/request_permission", params={"sessionId": "s-1", "toolCall": call, "options": options}
        )
        agent.hear()
        update(sessionUpdate="tool_call_update", toolCallId="c", status="completed")
    if kind in ("hermes", "forgetful"):
        usage = {"inputTokens": 100, "cachedReadTokens": 30, "outputTokens": 7, "thoughtTokens": 2}
        update(sessionUpdate="usage_update", cost={"amount": 2.5, "currency": "USD"})
        say(id=live["id"], result={"stopReason": "end_turn", "usage": usage})
        return
    say(id=live["id"], result={"stopReason": "end_turn"})


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    play(Agent(rest[1]), rest[0]) if what == "play" else misbehave(Agent(rest[0]), what)
