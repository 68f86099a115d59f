"""`action <host> <id> --connector <id> [arguments]`: a deed that a person starts. It fails loud.

The author's function prints where the person sees it, takes the time that it needs, and what it raises is shown.
"""

import os
import sys

from agent_connector.connector.contexts import ActionContext
from agent_connector.home import paths, system
from agent_connector.runtime.decide import read_manifest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

TYPED = "AGENT_CONNECTOR_ARGUMENTS"  # what a person typed behind a command, where no shell may read it
USAGE = "usage: agent-connector action <host> <action> --connector <id> [arguments]"


def main(arguments: "Sequence[str]") -> int:
    """Run the action; 0 when it is done, 1 when not, 2 when there is no such action."""
    words = list(arguments)
    connector = ""
    if "--connector" in words[:-1]:
        place = words.index("--connector")
        connector = words[place + 1]
        del words[place : place + 2]
    if len(words) < 2 or not connector:
        return _say(USAGE, 2)
    host, action = words[:2]
    root = paths.data_root(os.environ, system.person_home())
    try:
        manifest = read_manifest(root, connector)
    except (OSError, ValueError) as error:
        return _say(f"the connector {connector} is not installed here ({error})", 2)
    known = manifest["actions"].get(action, {})
    entry = known.get(host) or known.get("*")
    if entry is None:
        return _say(f"{connector} has no action {action!r}; it has: {', '.join(manifest['actions']) or 'none'}", 2)
    if not _is_meant(entry):
        return _say("not done", 1)
    typed = os.environ.pop(TYPED, "").split()
    return _run(root, manifest, entry, ActionContext(host, action, os.getcwd(), (*words[2:], *typed)))


def _is_meant(entry: "Mapping[str, Any]") -> bool:
    """A terminal is asked; a host that has a dialog of its own has asked already."""
    if not entry["confirm"] or not (sys.stdin and sys.stdin.isatty()):
        return True
    return input(f"{entry['confirm']} [y/N] ").strip().lower() in ("y", "yes")


def _run(root: str, manifest: "Mapping[str, Any]", entry: "Mapping[str, Any]", context: ActionContext) -> int:
    from agent_connector.runtime import declaration

    try:
        handler = declaration.load(root, manifest).handler("action", entry["handler"])
        if handler is None:
            raise LookupError(f"the action {entry['name']} has no function under its decorator")
        said = declaration.await_result(handler(context))
    except Exception:  # noqa: BLE001  # the top level of what a person started
        import traceback

        traceback.print_exc()
        return _say(f"{entry['label']} failed", 1)
    if isinstance(said, str):
        print(said)
    return 0


def _say(text: str, code: int) -> int:
    print(f"agent-connector: {text}", file=sys.stderr)
    return code
