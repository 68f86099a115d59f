"""The ids of all hosts, in the order in which they are asked: forks before the hosts they were forked from."""

HOSTS = (
    "claude-code",
    "codex",
    "cursor",
    "gemini-cli",
    "opencode",
)
