"""`statusline <host> --connector <id>`: the author's status line in the host's terminal.

What the host tells comes to the author in the same words for every host, and what it does not tell is None.
Whatever goes wrong, nothing is printed and `hooks.log` gets a line.
"""

from agent_connector.connector.contexts import StatusContext
from agent_connector.home import paths, system
from agent_connector.runtime import channel, codec, deadline
from agent_connector.runtime.decide import facet, read_manifest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NoReturn

LIMIT = 5.0  # seconds; hosts draw the line again and again, a late one is of no use


def main(arguments: "Sequence[str]") -> "NoReturn":
    """Print the line and end the process, without tearing the interpreter down."""
    host = arguments[0] if arguments else ""
    connector = arguments[arguments.index("--connector") + 1] if "--connector" in arguments[:-1] else ""
    root = paths.data_root(system.variables(), system.person_home())

    def note(what: str, error: "BaseException | None" = None) -> None:
        from agent_connector.runtime import log

        log.note(root, "statusline", what, error, connector=connector, host=host)

    def expired() -> "NoReturn":
        note("was not done in time")
        system.calls._exit(0)

    deadline.arm(LIMIT, expired)
    try:
        data = channel.receive()
        module = facet(host, "statusline")
        manifest = read_manifest(root, connector)
        channel.divert()
        channel.send(render(root, manifest, module, host, codec.decode_object(data or b"")).encode("utf-8", "replace"))
    except BaseException as error:  # noqa: BLE001  # the top level: a status line must not spoil the terminal
        note("could not be drawn", error)
    system.calls._exit(0)


def render(root: str, manifest: "Mapping[str, Any]", module: "Any", host: str, raw: "dict[str, Any]") -> str:
    """What the author's handler makes of the host's `raw` payload, in as many lines as the host shows."""
    from agent_connector.runtime import declaration

    entry = manifest["statusline"].get(host) or manifest["statusline"]["*"]
    handler = declaration.load(root, manifest).handler("statusline", entry["handler"])
    if handler is None:
        raise LookupError(f"the status line {entry['name']} has no function under its decorator")
    values: dict[str, Any] = module.context(raw)
    values["usage"] = used(root, host, values.get("session"))
    said = declaration.await_result(handler(StatusContext(values, raw)))
    lines = [said] if isinstance(said, str) else list(said or ())
    return "\n".join("\n".join(lines).split("\n")[: module.MAX_LINES])


def used(root: str, host: str, session: "dict[str, Any] | None") -> "dict[str, Any]":
    """What the session used as far as its log was read; nothing where it was not."""
    name = session.get("id") if session else None
    if not isinstance(name, str) or not name:
        return {}
    try:
        with open(paths.usage_session(root, host, name), "rb") as stream:
            return codec.decode_object(stream.read())
    except (OSError, ValueError):
        return {}
