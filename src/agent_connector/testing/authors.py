"""What an author's tests ask of a connector where no host is: what it becomes, and what its hooks answer.

    from agent_connector.testing import explain, simulate

    assert explain("connector.py", "codex").cells["hooks"].support == "native"
    told = simulate("connector.py", "PreToolUse", host="codex", tool="host:Bash", input={"command": "ls"})
    assert told.decisions == ()

A connector is named as `agent-connector install` takes it (a file, a folder, `module:attribute`), or given as the
`Connector` of a module that is imported already.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from agent_connector.connector.declare import Connector
from agent_connector.connector.load import Loaded
from agent_connector.deploy.explain import Explained
from agent_connector.deploy.explain import explain as explained
from agent_connector.deploy.simulate import Simulated
from agent_connector.deploy.simulate import simulate as simulated
from agent_connector.deploy.sources import Wanted, obtain
from agent_connector.errors import ConnectorError
from agent_connector.home import paths
from agent_connector.hosts import query
from agent_connector.testing.host_samples import LAUNCHER, machine

Declared = Connector | Loaded | str | os.PathLike[str]


def loaded(connector: Declared) -> Loaded:
    """The validated connector; raises ConnectorError with every broken rule."""
    if isinstance(connector, Loaded):
        return connector
    target = _target(connector) if isinstance(connector, Connector) else os.fspath(connector)
    return obtain(Wanted(target), _root(), dry=True)


def explain(connector: Declared, host: str, *, scope: str = "user", platform: str = "linux") -> Explained:
    """What each surface of `connector` becomes in `host`, on an empty machine of `platform` (as sys.platform)."""
    model = loaded(connector).model
    return explained(model, [query.known(host)], scope, machine(platform), LAUNCHER)[0]


def simulate(
    connector: Declared,
    event: str,
    *,
    host: str = "claude-code",
    tool: str | None = None,
    payload: Mapping[str, Any] | None = None,
    **given: Any,
) -> Simulated:
    """What the handlers of `event` answer in `host`, and whether it honours that.

    `event` is a normalized name or the host's own. `tool` is a name as matchers have it (`host:Bash`, `query`,
    `github/create_issue`), `given` what happens (input, output, prompt, error, message, source, reason, trigger, text);
    or `payload` is the host's own JSON.
    """
    return simulated(loaded(connector), host, event, tool=tool, given=given, payload=payload, root=_root())


def _root() -> str:
    """Our home, which only keeps what was built for a look."""
    return paths.data_root(os.environ, os.path.expanduser("~"))


def _target(connector: Connector) -> str:
    """FILE:NAME of the module that declares it: the one of its handlers, else the first that is no test."""
    places = sorted(_holders(connector), key=lambda place: place[0])
    if not places:
        raise ConnectorError(
            "no imported module has this connector",
            remedy="Hosts load a connector from a file: give that file, or assign the connector at a module's top.",
        )
    return places[0][1]


def _holders(connector: Connector) -> Iterator[tuple[tuple[bool, bool], str]]:
    homes = {part.handler.__module__ for parts in connector.parts.values() for part in parts if part.handler}
    modules: list[Any] = list(sys.modules.values())  # anything may stand there, None too
    for module in modules:
        file, content = getattr(module, "__file__", None), getattr(module, "__dict__", {})
        name = next((key for key, value in content.items() if value is connector), None)
        if file and name:
            base = os.path.basename(file)
            foreign = bool(homes) and module.__name__ not in homes
            yield (foreign, base.startswith("test_") or base == "conftest.py"), f"{file}:{name}"
