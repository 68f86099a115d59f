"""What an agent left uncommitted, as one commit on top of its own: by the worker's repository and index, not the clone's."""

import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent_connector.home.files import fingerprint
from agent_connector.worker.workspace_git import Git, GitFailed

MESSAGE = "Left uncommitted by the agent\n\nCommitted by agent-connector after the run.\n"
_NAMED = 10  # paths that a note names


@dataclass(frozen=True, slots=True)
class Left:
    """`commit` is the tip with everything in it, None when there is nothing at all; `files` were uncommitted."""

    commit: str | None
    files: int
    notes: tuple[str, ...]


def commit(git: Git, folder: str, tip: str | None, served: Mapping[str, str]) -> Left:
    """The files of `folder` on top of `tip`. Ignored files are left out, and so are `served` ones that have their hash."""
    git("read-tree", tip or "--empty")
    git.asks("update-index", "-q", "--refresh")
    changed = [path for path in _changed(git) if not _as_served(folder, path, served)]
    nested = [path for path in changed if _is_folder(folder, path)]
    refused = _take(git, [path for path in changed if path not in set(nested)])
    notes = (*_note("repositories inside the clone", nested), *_note("files that git cannot take", refused))
    tree = git("write-tree")
    if tree == git("rev-parse", f"{tip}^{{tree}}" if tip else _empty(git)):
        return Left(tip, 0, notes)
    made = git("commit-tree", tree, *(("-p", tip) if tip else ()), given=MESSAGE.encode())
    return Left(made, len(changed) - len(nested) - len(refused), notes)


def _changed(git: Git) -> list[str]:
    """Paths that are not as the index has them. Nothing is started in a repository inside: it is one path, with a slash."""
    listed = git.raw("ls-files", "-z", "--others", "--modified", "--deleted", "--exclude-standard")
    return list(dict.fromkeys(os.fsdecode(path) for path in listed.split(b"\0") if path))


def _as_served(folder: str, path: str, served: Mapping[str, str]) -> bool:
    try:
        return path in served and fingerprint(os.path.join(folder, path)) == served[path]
    except OSError:  # closed by the agent: git will say so, too
        return False


def _is_folder(folder: str, path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(os.path.join(folder, path)).st_mode)
    except OSError:
        return False


def _take(git: Git, paths: Sequence[str]) -> list[str]:
    """Put them into the index; those that git refuses come back. One bad path makes it refuse all, so halves are tried."""
    if not paths:
        return []
    try:
        given = b"".join(os.fsencode(path) + b"\0" for path in paths)
        git("update-index", "--add", "--remove", "--replace", "-z", "--stdin", given=given)
    except GitFailed:
        if len(paths) == 1:
            return [paths[0]]
        middle = len(paths) // 2
        return _take(git, paths[:middle]) + _take(git, paths[middle:])
    return []


def _note(what: str, paths: Sequence[str]) -> tuple[str, ...]:
    named = ", ".join(ascii(path)[:100] for path in sorted(paths)[:_NAMED])
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return (f"not taken, and left in the clone: {what}: {named}{more}",) if paths else ()


def _empty(git: Git) -> str:
    return git("hash-object", "-t", "tree", "--stdin")
