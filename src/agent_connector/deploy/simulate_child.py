"""One event through the runtime, and what came of every step, as JSON. Started by `simulate` under `-I -S`.

What the author's code prints goes to stderr; the answer has its own pipe.
"""

import importlib.util
import json
import os
import sys
from typing import Any


def main() -> None:
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    request: dict[str, Any] = json.load(sys.stdin)
    _offer_ourselves(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    json.dump(_decide(request), answer)
    answer.flush()
    os._exit(0)


def _offer_ourselves(folder: str) -> None:
    """Make `agent_connector` importable without the folder beside it, which may hold anybody's packages."""
    place = os.path.join(folder, "__init__.py")
    spec = importlib.util.spec_from_file_location("agent_connector", place, submodule_search_locations=[folder])
    if spec is None or spec.loader is None:
        raise ImportError(f"{place} is no module")
    module = importlib.util.module_from_spec(spec)
    sys.modules["agent_connector"] = module
    spec.loader.exec_module(module)


def _decide(request: dict[str, Any]) -> dict[str, Any]:
    from agent_connector.runtime import decide

    failures: list[str] = []

    def failed(handler: str, what: str, error: BaseException | None) -> None:
        shown = f": {type(error).__name__}: {error}" if error is not None else ""
        failures.append(f"{handler} {what}{shown}".strip())

    run = decide.Run(request["root"], request["host"], request["event"], request["connector"], failed=failed)
    decide.prepare(run)
    reply = decide.decide(run, request["payload"])
    output = decide.rendered(run, reply)
    event = run.event
    return {
        "event": event.name if event is not None else request["event"],
        "matched": [entry["name"] for entry in (*run.native, *run.matched)],
        "decisions": [{"kind": decision.kind, "text": decision.reason or decision.text} for decision in run.decisions],
        "output": output.decode("utf-8", "replace"),
        "exit_code": reply.exit_code if reply is not None else 0,
        "stderr": reply.stderr if reply is not None else "",
        "failures": failures,
    }


if __name__ == "__main__":
    main()
