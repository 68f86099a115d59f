"""What a run may see and reach, and what a kind of sandbox makes of it. Values only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

Network = Literal["none", "model", "hosts", "open"]


@dataclass(frozen=True, slots=True)
class Policy:
    """The folders and the network of one run. What is not listed is not there, but for the system's own programs.

    `workspace`, `home` and `writable` can be written, `readable` only read; `hidden` is cut out of all of these.
    With `network` other than "open" nothing can be reached but the egress proxy: through the unix socket `socket`, or
    where a kind does not cut the network off, at `port` of 127.0.0.1. Inside it is always at that `port`.
    """

    workspace: str
    home: str
    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    network: Network = "none"
    socket: str | None = None
    port: int | None = None

    @property
    def changeable(self) -> tuple[str, ...]:
        """All that can be written."""
        return (self.workspace, self.home, *self.writable)

    @property
    def shown(self) -> tuple[str, ...]:
        """All of the machine's that is not the system's."""
        return (*self.changeable, *self.readable)

    @property
    def proxied(self) -> bool:
        """True when there is a proxy to reach."""
        return self.network != "open" and self.port is not None


@dataclass(frozen=True, slots=True)
class Probe:
    """Does a kind work on this machine? `why` it does not; when it does, what it lacks here, or nothing."""

    ok: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A command that starts another one shut in.

    With `monitor` its first process only watches over the rest: asking a run to stop must pass it by. `after` is a
    command that ends what killing the processes here does not, such as a container.
    """

    argv: tuple[str, ...]
    environment: Mapping[str, str]
    monitor: bool = False
    after: tuple[str, ...] = ()


@runtime_checkable
class Kind(Protocol):
    """What each module of a kind offers."""

    NAME: str
    OWN_NETWORK: bool  # the proxy is reached by its unix socket; else it needs a port of this machine's loopback

    def probe(self) -> Probe:
        """Run a real command inside, and say whether and why not."""
        ...

    def wrap(self, argv: Sequence[str], policy: Policy, environment: Mapping[str, str]) -> Wrapped:
        """The command that runs `argv` inside. The environment inside is `environment` and nothing of the worker's."""
        ...
