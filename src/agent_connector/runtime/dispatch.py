"""Which module answers a verb that hosts execute. Each is imported only when it is asked for."""

import gc

from agent_connector.home import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MISSED_PIN = "AGENT_CONNECTOR_MISSED_PIN"  # set by the launcher: the version of a pin that is not installed


def main(arguments: "Sequence[str]") -> int:
    """Run `arguments` (verb first) and give the exit code; `hook` and `statusline` end the process themselves."""
    verb, rest = arguments[0] if arguments else "", list(arguments[1:])
    if MISSED_PIN in system.variables():
        _note_missed_pin(verb)
    if verb == "hook":
        gc.disable()  # nothing that is loaded from here on is garbage before the author's code runs
        from agent_connector.runtime import hook

        return hook.main(rest)
    if verb == "statusline":
        gc.disable()
        from agent_connector.runtime import statusline

        return statusline.main(rest)
    if verb == "action":
        from agent_connector.runtime import action

        return action.main(rest)
    if verb == "serve":
        from agent_connector.runtime import serve

        return serve.main(rest)
    raise ValueError(f"{verb!r} is none of hook, statusline, action and serve")


def _note_missed_pin(verb: str) -> None:
    import os

    from agent_connector.home import paths
    from agent_connector.runtime import log

    version = os.environ.pop(MISSED_PIN)
    root = paths.data_root(os.environ, system.person_home())
    log.note(root, verb, f"version {version}, which a pin asks for here, is not installed; the current one is used")
