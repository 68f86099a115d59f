"""Which host does a task, and with which models: from the roles of the board, the configuration and this machine. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agent_connector.board.values import Role, Task
from agent_connector.errors import WorkerError
from agent_connector.worker import providers
from agent_connector.worker.config import Config


@dataclass(frozen=True, slots=True)
class Route:
    """`candidates` are models in order, at least one; None stands for the host's own choice. `notes` say what was not
    as the board wanted it. The next candidate is for a failure of the infrastructure, never for a run that ended."""

    host_id: str
    candidates: tuple[str | None, ...]
    role: Role | None = None
    provider: str | None = None
    notes: tuple[str, ...] = ()


def route(task: Task, roles: Iterable[Role], config: Config, available: Mapping[str, object]) -> Route:
    """The way of `task`. `available` tells of each host whether it can be run here.

    A role that the task pins is taken whatever its version; else the newest whose host is here. WorkerError: the pinned
    role is not served, or no host that could do it is here.
    """
    newest = sorted(roles, key=lambda role: -role.version)
    if task.role is not None:
        return _by(pinned(task.role, newest), config, available, ())
    notes = list[str]()
    for role in newest:
        host = _host(role, config)
        if available.get(host):
            return _by(role, config, available, tuple(notes))
        notes.append(f"the role {role.name!r} needs {host}, which is not on this machine")
    return _by(newest[0] if newest else None, config, available, tuple(notes[1:]))


def pinned(word: str, newest: Iterable[Role]) -> Role:
    """The newest role with that id, else with that name."""
    held = list(newest)
    by_id = [role for role in held if role.id == word]
    by_name = [role for role in held if role.name.casefold() == word.casefold()]
    if by_id or by_name:
        return (by_id or by_name)[0]
    names = ", ".join(dict.fromkeys(role.name for role in held)) or "none"
    raise WorkerError(
        f"the task wants the role {word[:100]!r}, which the board does not serve",
        where="role",
        remedy=f"Roles that it serves: {names}. Change the task's role, or add it.",
    )


def _by(role: Role | None, config: Config, available: Mapping[str, object], notes: tuple[str, ...]) -> Route:
    provider = role.provider if role else None
    wanted, said = providers.host_of(provider) if provider else None, list(notes)
    host = wanted or config.adapter
    if provider and wanted is None:
        said.append(f"the provider {provider[:100]!r} is not known here: {host} does it")
    if not available.get(host) and host != config.adapter:
        said.append(f"{host} is not on this machine: {config.adapter} does it, with a model of its own choice")
        host = config.adapter
    if not available.get(host):
        raise WorkerError(
            f"{host} is not on this machine",
            where="adapter",
            remedy=f"Install it, or name another adapter: {', '.join(one for one in available if available[one]) or 'none is here'}.",
        )
    models = _models(role) if wanted in (None, host) else (None,)
    return Route(host, models, role, provider, tuple(said))


def _host(role: Role, config: Config) -> str:
    return (providers.host_of(role.provider) if role.provider else None) or config.adapter


def _models(role: Role | None) -> tuple[str | None, ...]:
    """The role's models in order, each once."""
    named = (role.model, *role.fallback_models) if role else ()
    return tuple(dict.fromkeys(model.strip() for model in named if model and model.strip())) or (None,)
