"""The errors of the package: each says what happened, where, and what to do next.

    AgentConnectorError
    ├── ConnectorError          a declaration breaks rules (all of them are in `problems`)
    ├── DocumentError           a file that a person owns cannot be edited as it stands
    │   ├── ParseError          it does not parse in the strictness its host reads
    │   └── DuplicateKeyError   our key stands in it twice
    ├── HomeError               our own state, or a file on its way to disk
    │   ├── LinkRefused         the file is a link that must not be followed
    │   ├── LockTimeout         another process holds the lock for too long
    │   ├── WriteConflict       the file changed under us more often than we retry
    │   └── StateError          a file of our own home is damaged
    ├── HostError               a host is unknown, or lacks what was asked of it
    ├── DeployError             an install, upgrade or removal could not be carried out
    ├── TelemetryError          a number cannot be had
    ├── UsageError              what the hosts' logs say cannot be read, priced or shown
    ├── RehearseError           a real host program could not be driven
    ├── BoardError              a task board does not do what was asked
    │   ├── BoardUnreachable    it is down, slow or has lost the session: ask again later
    │   ├── BoardRefused        it says no, and its code says why
    │   └── BoardWrong          its answer breaks the contract
    └── WorkerError             the worker cannot work as it is set up
        ├── SandboxError        a run cannot be shut in
        └── GuardError          a run cannot be guarded

This module is on the hook path: it imports nothing.
"""


class AgentConnectorError(Exception):
    """Root of the tree. `what` happened, `where` (file:line, field path, host) and the `remedy`."""

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.what}" + (f"\n  {self.remedy}" if self.remedy else "")


class Problem:
    """One broken rule of a declaration: the field's path, what was found, what is allowed."""

    __slots__ = ("allowed", "found", "path")

    def __init__(self, path: str, found: str, allowed: str) -> None:
        self.path = path
        self.found = found
        self.allowed = allowed

    def __str__(self) -> str:
        return f"{self.path}: found {self.found}; allowed: {self.allowed}"

    __repr__ = __str__


class ConnectorError(AgentConnectorError):
    """A declaration breaks rules; `problems` holds every one of them."""

    def __init__(self, what: str, *, problems: tuple[Problem, ...] = (), where: str = "", remedy: str = "") -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *(f"  - {problem}" for problem in self.problems)])


class DocumentError(AgentConnectorError):
    """A file that a person owns cannot be edited as it stands. `line` and `column` count from 1 (0: unknown)."""

    def __init__(self, what: str, *, where: str = "", remedy: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.line = line
        self.column = column


class ParseError(DocumentError):
    """The text does not parse in the strictness that its host reads."""


class DuplicateKeyError(DocumentError):
    """The key that we would edit stands in the text twice."""


class HomeError(AgentConnectorError):
    """Our own state, or a file on its way to disk."""


class LinkRefused(HomeError):
    """The file is a link that must not be followed."""


class LockTimeout(HomeError):
    """Another process holds the lock for too long."""


class WriteConflict(HomeError):
    """The file changed under us more often than we retry."""


class StateError(HomeError):
    """A file of our own home is damaged."""


class HostError(AgentConnectorError):
    """A host is unknown, or lacks what was asked of it."""


class DeployError(AgentConnectorError):
    """An install, upgrade or removal could not be carried out."""


class TelemetryError(AgentConnectorError):
    """A number cannot be had."""


class UsageError(AgentConnectorError):
    """What the hosts' logs say cannot be read, priced or shown."""


class RehearseError(AgentConnectorError):
    """A real host program could not be driven."""


class BoardError(AgentConnectorError):
    """A task board does not do what was asked."""


class BoardUnreachable(BoardError):
    """The board is down, slow, or has lost the session; `retry_after` is in seconds where it said so."""

    def __init__(self, what: str, *, retry_after: float | None = None, where: str = "", remedy: str = "") -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.retry_after = retry_after


class BoardRefused(BoardError):
    """The board says no. `code` is one word of its contract: unauthorized, not_found, stale_fence, invalid ..."""

    def __init__(self, what: str, *, code: str, where: str = "", remedy: str = "") -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.code = code


class BoardWrong(BoardError):
    """The board's answer breaks the contract; `where` names the tool and the field."""


class WorkerError(AgentConnectorError):
    """The worker cannot work as it is set up; `where` names the file or the key of its configuration."""


class SandboxError(WorkerError):
    """A run cannot be shut in on this machine; the text says why, for each kind that was tried."""


class GuardError(WorkerError):
    """A run cannot be guarded: its host did not deny what it must."""
