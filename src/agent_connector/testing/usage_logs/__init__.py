"""Logs of Claude Code and Codex as they would be after months of work, with the truth about what they say.

    truth = write(home, size=20 << 20)            ~/.claude/projects and ~/.codex/sessions below `home`
    truth.hosts["codex"].output                   what a reader has to find, to the token

They hold what makes readers count wrong: answers in several lines with growing counts, forks and copies of whole
sessions, subagents, results whose own `usage` is an echo, huge results, cumulative counters, snapshots that are told
twice, archived and compressed copies, cut lines; and in their content the words of `SECRETS`, which no index may hold.
The same seed gives the same bytes.
"""

from agent_connector.testing.usage_logs.truth import SECRETS, Counts, Truth
from agent_connector.testing.usage_logs.write import write

__all__ = ["SECRETS", "Counts", "Truth", "write"]
