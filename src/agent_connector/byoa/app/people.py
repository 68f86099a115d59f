"""Who is signed in, and what they have paired: the values that an app and this package exchange."""

from dataclasses import dataclass

from agent_connector.errors import AgentConnectorError


class AppError(AgentConnectorError):
    """What the app asked for cannot be done: a wrong configuration, text that is too long, a setting not offered."""


@dataclass(frozen=True, slots=True)
class Account:
    """A signed-in person. `id` never changes and is the app's own; `name` is shown to the person and their agent."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Connection:
    """One pairing of an account with a host program on a machine. `new`: not yet acknowledged on the page."""

    id: str
    account: Account
    host: str
    host_version: str
    connector: str
    machine: str
    address: str
    created: float
    new: bool
