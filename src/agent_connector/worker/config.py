"""`connector.yml` as a frozen value: what the worker does, how much of it at once, and what may never happen.

load(path) reads it, or raises one WorkerError that says everything that is wrong, each with its line. The keys, what is
allowed for each and what it means stand in `config_rules`; the defaults stand here.
"""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field

from agent_connector.home.system import person_home


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How a run is shut in."""

    kind: str = "auto"
    network: str = "model"
    allow_hosts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Allow:
    """Commands that the guard lets pass in one repository."""

    repo: str
    command: str


@dataclass(frozen=True, slots=True)
class Guard:
    """What an agent may run beyond the guard's own rules."""

    allow: tuple[Allow, ...] = ()
    allow_unguarded: bool = False


@dataclass(frozen=True, slots=True)
class Hitl:
    """When a person is asked, and how the answer comes back."""

    blocked_status: str = "blocked"
    resume_status: str = "todo"
    answerers: tuple[str, ...] = ()
    adapter_human_markers: tuple[str, ...] = ("NEEDS HUMAN", "NEEDS_HUMAN", "HUMAN INPUT NEEDED", "WAITING FOR HUMAN")
    risk_markers: tuple[str, ...] = (
        "drop database",
        "drop table",
        "truncate table",
        "production database",
        "terraform destroy",
        "delete the repository",
        "force push",
        "rotate the keys",
    )


@dataclass(frozen=True, slots=True)
class Ergonomics:
    """How much at once, for how much money, and how to stop it all."""

    kill_switch_file: str
    max_concurrency: int = 1
    spend_cap_usd: float | None = None
    spend_cap_per_day_usd: float | None = None
    spend_cap_per_board_usd: float | None = None
    run_reserve_usd: float = 2.0
    auto_push: bool = False


@dataclass(frozen=True, slots=True)
class Log:
    """How a run's log goes to the board."""

    batch_size: int = 100
    flush_interval_ms: int = 1000
    max_events: int = 20_000


@dataclass(frozen=True, slots=True)
class Config:
    """All of it; folders and files are absolute. `path` is the file that it was read from."""

    sandbox_dir: str
    state_path: str
    ergonomics: Ergonomics
    path: str = ""
    connector_id: str | None = None
    bundle_name: str = "default"
    board: str | None = None
    poll_status: tuple[str, ...] = ("todo",)
    running_status: str | None = None
    done_status: str | None = None
    failed_status: str | None = None
    poll_interval_ms: int = 15_000
    poll_limit: int = 50
    run_timeout_ms: int = 600_000
    stall_timeout_ms: int = 300_000
    lease_seconds: int = 120
    kill_grace_ms: int = 10_000
    adapter: str = "claude-code"
    allow_insecure: bool = False
    inherit_home: bool = False
    sandbox: Sandbox = field(default_factory=Sandbox)
    guard: Guard = field(default_factory=Guard)
    hitl: Hitl = field(default_factory=Hitl)
    log: Log = field(default_factory=Log)

    @property
    def holder(self) -> str:
        """The name under which tasks are claimed: `connectorId`, else the machine's."""
        return self.connector_id or f"worker-{socket.gethostname()}"


def load(path: str, variables: Mapping[str, str] | None = None, home: str | None = None) -> Config:
    """The configuration in `path`; WorkerError names every problem with file and line."""
    from agent_connector.worker import config_read

    told = os.environ if variables is None else variables
    return config_read.read(path, told, person_home() if home is None else home)
