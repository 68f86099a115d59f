"""One event is one event: hosts that load each other's hook files start our command twice for it.

The manifest's `shares_hooks` names the hosts of this connector for which that is so. The first command that claims
an event answers it; the one that comes as another host then says nothing. A claim is a small file; only events
without a call's id, which repeat rightly, lose theirs after some seconds.
"""

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.connector.light import Event

FOLDER = "claims"
_REPEATS = 5.0  # seconds after which an event without an id of its own is a new one
_KEPT = 600.0
_MANY = 64


def is_taken(root: str, connector: str, host: str, event: "Event") -> bool:
    """True when another host's command has this event already. Where nothing can be written nobody has it."""
    import _blake2

    own = event.call_id or f"{event.prompt} {event.source} {event.reason} {event.agent_id}"
    key = "\0".join(str(part) for part in (connector, event.session_id, event.name, own))
    folder = os.path.join(root, FOLDER)
    path = os.path.join(folder, _blake2.blake2b(key.encode("utf-8", "replace"), digest_size=12).hexdigest())
    try:
        return not _claim(path, host, lasting=event.call_id is not None)
    except FileNotFoundError:
        pass
    except OSError:
        return False
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        return not _claim(path, host, lasting=event.call_id is not None)
    except OSError:
        return False


def _claim(path: str, host: str, lasting: bool) -> bool:
    """True when the claim is ours: new, made by this host before, or run out."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if _holder(path) == host:
            return True
        if lasting or time.time() - os.stat(path).st_mtime < _REPEATS:
            return False
        descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC)
    try:
        os.write(descriptor, host.encode())
    finally:
        os.close(descriptor)
    _tidy(os.path.dirname(path))
    return True


def _holder(path: str) -> str:
    """The host in a claim; "" while its maker is still writing, and that is another host's command."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 100).decode()
    finally:
        os.close(descriptor)


def _tidy(folder: str) -> None:
    names = os.listdir(folder)
    if len(names) < _MANY:
        return
    oldest = time.time() - _KEPT
    for name in names:
        path = os.path.join(folder, name)
        try:
            if os.stat(path).st_mtime < oldest:
                os.unlink(path)
        except OSError:  # another command tidies too
            continue
