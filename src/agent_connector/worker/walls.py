"""The walls of a run, and of the canary that proves its guard: the same folders, the same way out. Values only."""

from collections.abc import Mapping
from typing import cast

from agent_connector.worker import private_home, programs
from agent_connector.worker.egress.door import Door
from agent_connector.worker.guard.arm import Armed
from agent_connector.worker.private_home import Place
from agent_connector.worker.sandbox.policy import Kind, Network, Policy


def policy(
    program: str, workspace: str, place: Place, armed: Armed, door: Door, network: str, variables: Mapping[str, str]
) -> Policy:
    """What the run may see and reach: its workspace and home, its host's program, and the guard, which it can only read."""
    return Policy(
        workspace=workspace,
        home=place.home,
        readable=(*programs.readable(program, variables.get("PATH", "")), *armed.readable),
        writable=(place.scratch,),
        network=cast("Network", network),
        socket=door.socket,
        port=door.port,
    )


def environment(
    place: Place, kind: Kind, armed: Armed, door: Door, own: Mapping[str, str], added: Mapping[str, str]
) -> dict[str, str]:
    """The run's variables: a few of the worker's, the way out, the guard's."""
    boxed = {} if kind.NAME == "none" else {"IS_SANDBOX": "1"}  # Claude Code lets root work in one only
    return private_home.variables(place, own, {**door.environment(), **armed.environment, **added, **boxed})


def needs_port(kind: Kind) -> bool:
    """A kind without a network of its own reaches the proxy by a port of the loopback."""
    return not kind.OWN_NETWORK
