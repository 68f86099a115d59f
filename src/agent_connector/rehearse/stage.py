"""What a rehearsal sets up for one host beside the install: files of a home that was used before, and tool names.

It is in the host's `headless` facet: only what the real program turned out to need when it meets a stand-in model in
a fresh home.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agent_connector.hosts.contract import Headless
from agent_connector.rehearse.model.actor import Detour


@dataclass(frozen=True, slots=True)
class Stage:
    """`files` stand in the home before the install (their marks are those of `drive.home`); `tools` are names at the model."""

    files: Mapping[str, str] = field(default_factory=dict[str, str])
    tools: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    approves_servers: bool = True  # False: approving one server's tools takes approving everything
    routed: Detour | None = None  # what is called for a server's tool, where none is offered as one
    searched: str = ""  # the name of a server's tool, where the model has to search for it before it calls it


def stage_of(headless: Headless) -> Stage:
    """What the facet says beyond what every facet says."""
    return Stage(
        files=getattr(headless, "HOME_FILES", {}),
        tools=getattr(headless, "MODEL_TOOLS", {}),
        approves_servers=getattr(headless, "APPROVES_SERVERS", True),
        searched=getattr(headless, "SEARCHED", ""),
        routed=getattr(headless, "routed", None),
    )
