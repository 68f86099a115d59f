"""Simulate: what a hook would answer, host by host, without running a host.

The same steps as in a host (parse, matchers, handler, reply), in a process of its own under the interpreter's flags
that hosts get; then whether the host honours the reply, degrades or drops it, and why.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from agent_connector.connector.light import EVENTS, TOOL_EVENTS
from agent_connector.connector.load import Loaded
from agent_connector.connector.model import ConnectorModel
from agent_connector.deploy import declaration
from agent_connector.errors import DeployError
from agent_connector.home import environments, paths
from agent_connector.hosts import query

LIMIT = 60.0  # seconds; handlers have shorter limits of their own
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@dataclass(frozen=True, slots=True)
class Said:
    """One decision and what the host does with it."""

    kind: str
    verdict: str
    sure: str
    why: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Simulated:
    """`matched` are the handlers that were asked; `output` and `exit_code` are what the host would get."""

    host: str
    event: str
    host_event: str
    payload: Mapping[str, Any]
    matched: tuple[str, ...]
    decisions: tuple[Said, ...]
    output: str
    exit_code: int
    stderr: str
    failures: tuple[str, ...]

    @property
    def failed(self) -> bool:
        return bool(self.failures)


def simulate(
    loaded: Loaded,
    host: str,
    event: str,
    *,
    tool: str | None = None,
    given: Mapping[str, Any] | None = None,
    payload: Mapping[str, Any] | None = None,
    root: str | None = None,
) -> Simulated:
    """Run the handlers of `loaded` for `event` (normalized, or the host's own name) as `host` would.

    `payload` is the host's own JSON; without one, it is made of `tool` and `given` (input, output, prompt,
    error, message and so on, in neutral words).
    """
    host_event, raw = sample(loaded, host, event, tool=tool, given=given, payload=payload)
    answer = _run(loaded, host, host_event, raw, root)
    said = tuple(_said(host, answer["event"], decision) for decision in answer["decisions"])
    return Simulated(
        host,
        answer["event"],
        host_event,
        raw,
        tuple(answer["matched"]),
        said,
        answer["output"],
        answer["exit_code"],
        answer["stderr"],
        tuple(answer["failures"]),
    )


def sample(
    loaded: Loaded,
    host: str,
    event: str,
    *,
    tool: str | None = None,
    given: Mapping[str, Any] | None = None,
    payload: Mapping[str, Any] | None = None,
) -> tuple[str, dict[str, Any]]:
    """The host's own name of `event`, and what its hook reads on stdin: `payload`, or one that is made up."""
    facet = query.hooks(query.known(host))
    if facet is None:
        raise DeployError(f"{query.facts(host).NAME} has no hooks", remedy="`explain` says what each host has.")
    native = event in facet.NATIVE or (event not in EVENTS and event in facet.EVENTS.values())
    if event not in facet.EVENTS and not native:
        raise DeployError(
            f"{query.facts(host).NAME} has no event {event}",
            remedy=f"It has {', '.join((*facet.EVENTS, *facet.NATIVE))}.",
        )
    host_event = event if native else facet.EVENTS[event]
    return host_event, dict(payload) if payload is not None else _payload(
        loaded, host, event, host_event, tool, given or {}
    )


def _said(host: str, event: str, decision: Mapping[str, str]) -> Said:
    facet = query.hooks(host)
    verdict, sure, why = facet.honours(event, decision["kind"]) if facet else ("dropped", "documented", "")
    return Said(decision["kind"], verdict, sure, why, decision["text"])


def _payload(
    loaded: Loaded,
    host: str,
    event: str,
    host_event: str,
    tool: str | None,
    given: Mapping[str, Any],
) -> dict[str, Any]:
    samples = query.samples(host)
    if samples is None:
        raise DeployError(
            f"a payload of {query.facts(host).NAME} cannot be made up",
            remedy="Record one and give it with --payload FILE.",
        )
    if event in TOOL_EVENTS and tool is None:
        raise DeployError(f"{event} is about a tool", remedy="Name one: --tool NAME (host:Bash for the host's own).")
    server: str | None = loaded.model.server_name
    name = tool or ""
    if name.startswith("host:"):
        server, name = None, name.removeprefix("host:")
    elif "/" in name:
        server, _, name = name.partition("/")
    return samples.payload(host_event, event, server, name, given)


def _run(loaded: Loaded, host: str, host_event: str, raw: dict[str, Any], root: str | None) -> dict[str, Any]:
    """A home for this one run: the manifest and the copy of the code, as an install would make them."""
    model = loaded.model
    scratch = tempfile.mkdtemp(prefix="agent-connector-simulate-")
    try:
        installed = paths.declaration_folder(root, model.id) if root else ""
        declaration.settle(scratch, model, (), copy=bool(model.source.path and os.path.exists(model.source.path)))
        place = paths.declaration_folder(scratch, model.id)
        if not os.path.isdir(place) and os.path.isdir(installed):
            shutil.copytree(installed, place)
        request = {"root": scratch, "host": host, "event": host_event, "connector": model.id, "payload": raw}
        script = os.path.join(_PACKAGE, "deploy", "simulate_child.py")
        with _required(model, scratch, root):
            done = subprocess.run(
                [sys.executable, "-I", "-S", script],
                input=json.dumps(request).encode(),
                capture_output=True,
                timeout=LIMIT,
                check=False,
            )
    except subprocess.TimeoutExpired:
        raise DeployError(f"the handler had no answer within {LIMIT:g} s", where=model.source.path) from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if done.returncode != 0 or not done.stdout:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise DeployError("the handler ended the process", where=lines[-1] if lines else model.source.path)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@contextmanager
def _required(model: ConnectorModel, scratch: str, root: str | None) -> Generator[None]:
    """What the code requires stands where the runtime looks for it."""
    if not model.source.requires:
        yield
        return
    with environments.lent(root, model.id, model.source.requires) as environment:
        try:
            os.symlink(environment, paths.connector_environment(scratch, model.id), target_is_directory=True)
        except OSError:  # Windows gives links to few
            shutil.copytree(environment, paths.connector_environment(scratch, model.id))
        yield
