"""A change: one node of one host's file that is to be there, or to go, and what came of it.

`plan` yields changes, `apply` and `undo` carry them out and give them back with the `op` that really happened.
A planned `+`, `~` or `=` all say "this node is wanted": whether it must be written is decided under the lock, from the
file as it is then. A planned `-` releases the owner's claim; `!` is refused already and is only passed through.
"""

from dataclasses import dataclass, replace
from typing import Literal

from agent_connector.hosts.nodes import Node

Op = Literal["+", "~", "-", "=", "!"]


@dataclass(frozen=True, slots=True)
class Change:
    """One line of a plan or a report.

    `op`: `+` new, `~` changed, `-` gone, `=` nothing to do, `!` refused, failed or left with a warning.
    `owner` is (connector id, host id). `project` is the project's folder in project scope (links may not leave it).
    `remedy` holds the edit that a person can make by hand. `node` is None where nothing is to be written.
    """

    op: Op
    host: str
    surface: str
    scope: str
    file: str
    node: Node | None
    owner: tuple[str, str]
    note: str = ""
    remedy: str = ""
    project: str | None = None

    def ended(self, op: Op, note: str = "", remedy: str = "") -> "Change":
        """This change as it came out."""
        return replace(self, op=op, note=note or self.note, remedy=remedy or self.remedy)


@dataclass(frozen=True, slots=True)
class FileResult:
    """What one file was and is: the bytes before and after (None: absent), and the id of the backup."""

    file: str
    before: bytes | None
    after: bytes | None
    backup: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a set of changes. `files` holds only the files whose bytes changed (or would, when previewed)."""

    changes: tuple[Change, ...] = ()
    files: tuple[FileResult, ...] = ()

    @property
    def failed(self) -> bool:
        """True when something was refused, failed or was left with a warning: exit code 1."""
        return any(change.op == "!" for change in self.changes)
