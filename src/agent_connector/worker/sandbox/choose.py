"""Which kind of sandbox a run gets: the one that is asked for, or the first that works here. Never none by itself."""

import importlib
from typing import cast

from agent_connector.errors import SandboxError
from agent_connector.worker.sandbox.policy import Kind, Probe

# The strongest first. `container` is never chosen by itself, since it needs an image with the host's program in it.
AUTO = ("bubblewrap", "landlock", "seatbelt", "srt")
KINDS = (*AUTO, "container", "none")


def kind(name: str) -> Kind:
    """The module of that kind."""
    if name not in KINDS:
        raise SandboxError(
            f"there is no kind of sandbox {name!r}", where="sandbox.kind", remedy=f"one of: auto, {', '.join(KINDS)}"
        )
    return cast("Kind", importlib.import_module(f"agent_connector.worker.sandbox.{name}"))


def probes() -> dict[str, Probe]:
    """Every kind with what came of its trial on this machine."""
    return {name: kind(name).probe() for name in KINDS}


def choose(name: str) -> Kind:
    """The kind `name`, tried; with "auto" the first that works. SandboxError says why, for each that was tried."""
    tried: dict[str, str] = {}
    for one in AUTO if name == "auto" else (name,):
        found = kind(one)
        probe = found.probe()
        if probe.ok:
            return found
        tried[one] = probe.why
    reasons = "".join(f"\n  - {one}: {why}" for one, why in tried.items())
    remedy = "" if name == "none" else "`sandbox.kind: none` in connector.yml runs without one, at your own risk"
    raise SandboxError(f"no sandbox works on this machine{reasons}", where="sandbox.kind", remedy=remedy)
