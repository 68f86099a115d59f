"""What an app may see of a session: workspace by policy, remotes without secrets, settings of the allow-list (section 5)."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from agent_connector.byoa.protocol import Setting, Workspace, printable
from agent_connector.byoa.protocol.limits import BRANCH, NAME, PATH, SETTING_VALUES, SETTINGS, TITLE, URL

# Everything else could widen what a session may do.
ALLOWED_SETTINGS = ("model", "reasoning_effort", "output_style")
SCP = re.compile(r"(?:[^@/\s]+@)?([A-Za-z0-9.-]+):(?!//)([^\s?#]+)")
SECRET = re.compile(
    r"^(gh[a-z]_|github_pat_|glpat-|gl[a-z]{2,4}-|xox[a-z]-|sk-|ATATT|ATBB)|^[A-Za-z0-9_-]*[0-9][A-Za-z0-9_-]{39,}$"
)
REMOTE_SCHEMES = ("https", "http", "ssh", "git")


def shared(workspace: Workspace, fields: Iterable[str]) -> Workspace:
    """Only `fields`, and of those only what the wire can carry."""
    kept = {
        "folder_name": _line(workspace.folder_name, TITLE),
        "git_remote": _line(plain_remote(workspace.git_remote or ""), URL),
        "branch": _line(workspace.branch, BRANCH),
        "path": _line(workspace.path, PATH),
    }
    wanted = frozenset(fields)
    return Workspace(**{name: value for name, value in kept.items() if name in wanted})


def plain_remote(remote: str) -> str | None:
    """A git remote without user, password, query and tokens; None where that cannot be told, or it is a local path."""
    try:
        parts = urlsplit(remote)
        if parts.scheme in REMOTE_SCHEMES and parts.hostname:
            port = f":{parts.port}" if parts.port else ""
            return _no_secret(f"{parts.scheme}://{parts.hostname}{port}{parts.path}", parts.path)
    except ValueError:
        return None
    found = SCP.fullmatch(remote)
    # one letter before the colon is a drive of Windows
    return _no_secret(f"{found[1]}:{found[2]}", found[2]) if found and len(found[1]) > 1 else None


def _no_secret(remote: str, path: str) -> str | None:
    return None if any(SECRET.match(part) for part in re.split("[/:@]", path)) else remote


def offered(settings: Iterable[Setting]) -> tuple[Setting, ...]:
    """The settings an app may choose from; what is not on the list is never offered."""
    kept = [
        Setting(
            setting.id,
            _line(setting.label, NAME) or setting.id,
            tuple(value for value in setting.values if _line(value, NAME) == value)[:SETTING_VALUES],
            _line(setting.value, NAME),
        )
        for setting in settings
        if setting.id in ALLOWED_SETTINGS
    ]
    return tuple(kept[:SETTINGS])


def title(text: str | None) -> str | None:
    return _line(text, TITLE)


def _line(text: str | None, most: int) -> str | None:
    """One printable line of at most `most` characters, or nothing."""
    if not text:
        return None
    line = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * most]).strip()[:most].rstrip()
    return line if line and printable(line) else None
