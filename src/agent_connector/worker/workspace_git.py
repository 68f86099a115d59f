"""git as the worker runs it: with nobody's settings, hooks or helpers, and never by the settings of an agent's clone.

What an agent leaves behind is hostile: its `.git/config` could name programs to run (filters, fsmonitor, hooks, pagers,
transports). So no command here reads it: a repository of the worker's own (`bare`) borrows the clone's objects.
"""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from agent_connector.errors import WorkerError
from agent_connector.worker.guard import own

SECONDS = 600.0
OLDEST = (2, 32)  # the first that can be kept from a person's own settings
NAME, EMAIL = "agent-connector", "agent@agent-connector.invalid"
_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull,
    "core.commitGraph": "false",  # these three are caches that the agent may have written: they can lie
    "core.multiPackIndex": "false",
    "pack.useBitmaps": "false",
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    "core.pager": "cat",
    "core.sshCommand": "false",
    "commit.gpgSign": "false",
    "credential.helper": "",
    "fetch.recurseSubmodules": "false",
    "submodule.recurse": "false",
    "diff.ignoreSubmodules": "all",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "protocol.file.allow": "always",
    "advice.detachedHead": "false",
}
_CHECKED = {"transfer.fsckObjects": "true", "fetch.fsckObjects": "true"}  # of what an agent made; old history may fail
_KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "PATHEXT", "COMSPEC")


class GitFailed(WorkerError):
    """git said no; `said` is what it wrote."""

    def __init__(self, arguments: Sequence[str], where: str, said: str) -> None:
        line = next((line for line in said.splitlines() if line.strip()), "without a word")
        remedy = "Make the folder your own (chown)." if "dubious ownership" in said else ""
        super().__init__(f"git {arguments[0]} failed: {line[:300]}", where=where, remedy=remedy)
        self.said = said


@dataclass(frozen=True, slots=True)
class Git:
    """git in one folder. `added` are variables: GIT_DIR and GIT_WORK_TREE for a repository that lies elsewhere."""

    folder: str
    added: Mapping[str, str] = field(default_factory=dict[str, str])
    checks: bool = False  # every object that is fetched is looked at

    def __call__(self, *arguments: str, given: bytes | None = None, seconds: float = SECONDS) -> str:
        """What it prints, without the last line break."""
        return self.raw(*arguments, given=given, seconds=seconds).decode("utf-8", "surrogateescape").rstrip("\n")

    def raw(self, *arguments: str, given: bytes | None = None, seconds: float = SECONDS) -> bytes:
        own.check(["git", *arguments])
        held = _SETTINGS | (_CHECKED if self.checks else {})
        settings = [part for name, value in held.items() for part in ("-c", f"{name}={value}")]
        try:
            done = subprocess.run(
                ["git", "--no-pager", *settings, *arguments],
                cwd=self.folder,
                env=self._environment(),
                input=given if given is not None else b"",
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except FileNotFoundError:
            raise WorkerError(
                "git is not there", where="PATH", remedy="Install git: sandboxDir is a repository."
            ) from None
        except subprocess.TimeoutExpired:
            raise GitFailed(arguments, self.folder, f"it took more than {seconds:g} seconds") from None
        if done.returncode:
            raise GitFailed(arguments, self.folder, done.stderr.decode("utf-8", "replace"))
        return done.stdout

    def asks(self, *arguments: str) -> str | None:
        """The answer, None when git says no: for questions that may have none."""
        try:
            return self(*arguments)
        except GitFailed:
            return None

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        nowhere = {"HOME": os.devnull, "XDG_CONFIG_HOME": os.devnull, "USERPROFILE": os.devnull}
        return {
            **kept,
            **nowhere,
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_SYSTEM": os.devnull,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "",
            "GIT_ALLOW_PROTOCOL": "file",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_CEILING_DIRECTORIES": os.path.dirname(
                self.folder
            ),  # a broken .git must not lead to a repository above
            "GIT_AUTHOR_NAME": NAME,
            "GIT_AUTHOR_EMAIL": EMAIL,
            "GIT_COMMITTER_NAME": NAME,
            "GIT_COMMITTER_EMAIL": EMAIL,
            **self.added,
        }


@cache
def new_enough() -> None:
    """WorkerError when git is missing, or too old to be told whose settings count."""
    said = Git(os.getcwd())("version")
    found = re.search(r"(\d+)\.(\d+)", said)
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        least = ".".join(map(str, OLDEST))
        raise WorkerError(f"git is too old: {said}", where="PATH", remedy=f"Install git {least} or newer.")


def bare(folder: str, objects: str, work_tree: str, object_format: str) -> Git:
    """A new repository in `folder` that borrows `objects`, for the files of `work_tree`."""
    os.mkdir(folder, 0o700)
    Git(folder)("init", "--quiet", "--bare", "--template=", f"--object-format={object_format}", folder)
    own = os.path.join(folder, "objects")
    os.makedirs(os.path.join(own, "info"), exist_ok=True)
    with open(os.path.join(own, "info", "alternates"), "w", encoding="utf-8", errors="surrogateescape") as stream:
        stream.write(os.path.relpath(objects, own).replace(os.sep, "/") + "\n")
    git = Git(folder)
    for name, value in _SETTINGS.items():  # what serves a fetch from here is told nothing by our command line
        git("config", "--local", name, value)
    return Git(
        work_tree, {"GIT_DIR": folder, "GIT_WORK_TREE": work_tree, "GIT_INDEX_FILE": os.path.join(folder, "index")}
    )
