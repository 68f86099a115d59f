"""Plays a recorded agent: what it answered and sent after a prompt, with the ids of the live requests."""

import json
import sys


def main(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        record = [json.loads(line) for line in file]
    asked = {
        entry["message"]["id"]: entry["message"]["method"]
        for entry in record
        if entry["from"] == "client" and "method" in entry["message"]
    }
    answers = {
        asked[entry["message"]["id"]]: entry["message"].get("result")
        for entry in record
        if entry["from"] == "agent" and "method" not in entry["message"]
    }
    start = next(i for i, entry in enumerate(record) if entry["message"].get("method") == "session/prompt")
    for line in sys.stdin:
        live = json.loads(line)
        if live.get("method") == "session/prompt":
            play(record[start + 1 :])
        if "id" in live and "method" in live:
            say({"jsonrpc": "2.0", "id": live["id"], "result": answers.get(live["method"], {})})


def play(entries: list[dict]) -> None:
    """Everything that came before the answer; a question waits for whoever is asked."""
    for entry in entries:
        message = entry["message"]
        if entry["from"] == "agent" and "method" in message:
            say(message)
            if "id" in message:
                answer = json.loads(sys.stdin.readline())
                assert answer["id"] == message["id"], answer


def say(message: dict) -> None:
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
