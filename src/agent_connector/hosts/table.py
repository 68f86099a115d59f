"""The ids of all hosts, in the order in which they are asked: forks before the hosts they were forked from.

`LATER` are those that a declaration may name already although they are not described yet.
"""

HOSTS = (
    "claude-code",
    "codex",
    "cursor",
    "qwen-code",
    "gemini-cli",
    "opencode",
    "droid",
    "kimi",
    "copilot-cli",
)
LATER = (
    "amazon-q",
    "amp",
    "antigravity",
    "antigravity-cli",
    "augment",
    "claude-desktop",
    "cline",
    "codebuff",
    "continue",
    "crush",
    "goose",
    "hermes",
    "jetbrains-copilot",
    "junie",
    "kilo",
    "kilo-cli",
    "kiro",
    "lm-studio",
    "mimo-code",
    "mux",
    "nemoclaw",
    "omp",
    "openclaw",
    "pi",
    "roo-code",
    "trae",
    "vscode-copilot",
    "warp",
    "windsurf",
    "zed",
)
