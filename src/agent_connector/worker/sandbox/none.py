"""No sandbox at all: only where the configuration says `none` in so many words, and said again at each start."""

from collections.abc import Mapping, Sequence

from agent_connector.worker.sandbox.policy import Policy, Probe, Wrapped

NAME = "none"
OWN_NETWORK = False
NOTICE = (
    "agent-connector: this run is in NO sandbox (sandbox.kind: none). The agent can read and write whatever you can, "
    "and reach every host.\n"
)


def probe() -> Probe:
    return Probe(True, "nothing is shut in")


def wrap(argv: Sequence[str], policy: Policy, environment: Mapping[str, str]) -> Wrapped:
    return Wrapped(tuple(argv), dict(environment))
