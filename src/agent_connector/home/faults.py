"""What the operating system refused, in words that say what to do next."""

import errno

from agent_connector.errors import HomeError

_MEANINGS: dict[int, tuple[str, str]] = {
    errno.EACCES: ("permission denied", "Give yourself write access to the file and its folder, then run this again."),
    errno.EPERM: (
        "the system does not permit this (immutable, or owned by somebody else)",
        "Look at the owner and the attributes of the file and its folder, then run this again.",
    ),
    errno.EROFS: ("the file system is read-only", "Make it writable, or manage this file where it comes from."),
    errno.ENOSPC: ("no space is left on the device", "Free some space, then run this again; the file is as it was."),
    errno.EDQUOT: ("the disk quota is used up", "Free some space, then run this again; the file is as it was."),
    errno.EFBIG: ("the file would be larger than allowed", "Raise the limit (ulimit -f), then run this again."),
    errno.EMFILE: ("too many files are open", "Raise the limit (ulimit -n), then run this again."),
    errno.ENAMETOOLONG: ("the name is too long", "Use a shorter path."),
    errno.ENOTDIR: ("a part of the path is a file, not a folder", "Move that file away, then run this again."),
    errno.EISDIR: ("a folder stands where a file is expected", "Move that folder away, then run this again."),
    errno.EEXIST: ("a file stands where a folder is expected", "Move that file away, then run this again."),
    errno.ELOOP: ("the path is a loop of links", "Mend the link, then run this again."),
    errno.EIO: ("the device failed", "Check the disk; the file is as it was as far as it can still be read."),
}

_MAY_NOT_READ = "Give yourself the right to read it and to enter its folder, then run this again."


def explained(error: OSError, path: str, doing: str) -> HomeError:
    """The error of ours for `error` that came while `doing` ("written", "read", "removed") something to `path`."""
    if error.errno == errno.EACCES and doing in ("read", "used"):
        return HomeError(f"cannot be {doing}: permission denied", where=path, remedy=_MAY_NOT_READ)
    meaning, remedy = _MEANINGS.get(error.errno or 0, (error.strerror or type(error).__name__, ""))
    return HomeError(f"cannot be {doing}: {meaning}", where=path, remedy=remedy)
