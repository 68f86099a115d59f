"""Stands in for our command: notes what it was told and answers as `answers.json` beside it says for the event."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

event, here = sys.argv[1], Path(__file__).parent
payload = json.load(sys.stdin)
with (here / "asked.jsonl").open("a") as log:
    log.write(json.dumps({"host_event": event, **payload}) + "\n")
answer = json.loads((here / "answers.json").read_text()).get(event)
if isinstance(answer, dict) and answer.get("child that holds the output"):
    left = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    (here / "left").write_text(str(left.pid))
if isinstance(answer, dict) and "hang" in answer:
    with (here / "hanging").open("a") as log:
        log.write(f"{os.getpid()}\n")
    time.sleep(60)
print(answer["text"] if isinstance(answer, dict) and "text" in answer else json.dumps(answer))
