"""What a rehearsal sets up for one host beside the install: files of a home that was used before, and tool names.

Only what the real programs turned out to need when they meet a stand-in model in a fresh home.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Stage:
    """`files` stand in the home before the install (`@MODEL@` is the stand-in's URL); `tools` are names at the model."""

    files: Mapping[str, str] = field(default_factory=dict[str, str])
    tools: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    approves_servers: bool = True  # False: approving one server's tools takes approving everything


_GEMINI_SETTINGS = """{
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false}
}
"""

STAGES: Mapping[str, Stage] = {
    # At the model, Codex' shell has other names than in its hooks.
    "codex": Stage(
        tools={"Bash": ("exec_command", "shell_command", "shell", "local_shell"), "Agent": ("spawn_agent",)}
    ),
    # With a base URL and no method that was chosen before, Gemini takes "gateway", which a headless run refuses.
    "gemini-cli": Stage(files={".gemini/settings.json": _GEMINI_SETTINGS}, approves_servers=False),
    # Once a plugin is there, every start asks the npm registry for a package; here the stand-in says no at once.
    "opencode": Stage(files={".npmrc": "registry=@MODEL@/npm/\nfetch-retries=0\n"}),
}
