"""What the core needs of the world around it. The driver, and `agent_connector.testing.byoa`, implement these.

The core calls `FilePort`, `Clock`, `RandomPort` and the properties of adapter and session itself; sending, submitting,
aborting, applying and displaying leave it as effects, so that nothing calls back into it while it thinks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from agent_connector.byoa.protocol import Setting, Workspace

if TYPE_CHECKING:
    from agent_connector.byoa.core.effects import Outcome, Request


class HttpPort(Protocol):
    """Whole bodies, several at once, no redirects, may give up after 30 s."""

    async def send(self, request: "Request") -> "Outcome": ...


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file under `~/.byoa`. Where there are no modes (Windows) the access list is told as the mode it stands for."""

    text: str
    mode: int
    folder_mode: int
    own: bool = True  # file and folder belong to this user, and neither is a link


class FilePort(Protocol):
    """Paths are relative to `~/.byoa` with `/` between the parts. Troubles are `OSError`."""

    def read(self, path: str) -> StoredFile | None:
        """None: there is no such file."""
        ...

    def write_private(self, path: str, text: str) -> None:
        """Folders 0700, the file 0600 from its first byte, a temporary name, then renamed."""
        ...

    def remove(self, path: str) -> None:
        """A file that is gone already is no trouble."""
        ...

    def list(self, folder: str) -> Sequence[str]:
        """Names in the folder; empty when there is none."""
        ...


class Clock(Protocol):
    def wall(self) -> float:
        """Seconds since 1970. Everything else runs on the `now` of `tick`, which only has to go forward."""
        ...


class RandomPort(Protocol):
    def bytes(self, count: int) -> bytes:
        """Unguessable bytes: tags of provenance lines come from here."""
        ...


class HostAdapter(Protocol):
    """The host program."""

    @property
    def id(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def machine_name(self) -> str: ...
    @property
    def is_interactive(self) -> bool:
        """False for `-p`, RPC and SDK runs: nothing registers then."""
        ...

    def display(self, band: str | None, toast: str | None) -> None: ...


class HostSession(Protocol):
    """One live conversation. Everything here is read again at every tick.

    `busy` and turns are of the main loop only, and `busy` is true from before `turn_started` until after
    `turn_ended` is called on the handle. `abort`, `settings` and `apply_setting` may be missing: see below.
    """

    @property
    def host_session_id(self) -> str | None:
        """None: no conversation is open. A change retires the session and registers a new one."""
        ...

    @property
    def title(self) -> str | None: ...
    @property
    def workspace(self) -> Workspace: ...
    @property
    def busy(self) -> bool: ...
    @property
    def blocked(self) -> bool:
        """The host waits for its person (a permission, a question)."""
        ...

    @property
    def approvals_bypassed(self) -> bool: ...

    def submit(self, prompt: str) -> None: ...


@runtime_checkable
class CanAbort(Protocol):
    def abort(self) -> None: ...


@runtime_checkable
class CanSet(Protocol):
    def settings(self) -> Sequence[Setting]: ...
    def apply_setting(self, setting: str, value: str) -> None: ...
