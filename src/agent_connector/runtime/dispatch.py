"""Which module answers a verb that hosts execute. Each is imported only when it is asked for."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MISSED_PIN = "AGENT_CONNECTOR_MISSED_PIN"  # set by the launcher: the version of a pin that is not installed


def main(arguments: "Sequence[str]") -> int:
    """Run `arguments` (verb first) and give the exit code; `hook` and `statusline` end the process themselves."""
    verb, rest = arguments[0] if arguments else "", list(arguments[1:])
    missed = os.environ.pop(MISSED_PIN, "")
    if missed:
        from agent_connector.home import paths
        from agent_connector.runtime import log

        root = paths.data_root(os.environ, os.path.expanduser("~"))
        log.note(root, verb, f"version {missed}, which a pin asks for here, is not installed; the current one is used")
    if verb == "hook":
        from agent_connector.runtime import hook

        return hook.main(rest)
    if verb == "statusline":
        from agent_connector.runtime import statusline

        return statusline.main(rest)
    if verb == "action":
        from agent_connector.runtime import action

        return action.main(rest)
    if verb == "serve":
        from agent_connector.runtime import serve

        return serve.main(rest)
    raise ValueError(f"{verb!r} is none of hook, statusline, action and serve")
