"""A home folder with logs of a given size."""

import random
from collections.abc import Sequence
from pathlib import Path

from agent_connector.testing.usage_logs import claude, codex
from agent_connector.testing.usage_logs.truth import Truth, Words

HOSTS = ("claude-code", "codex")
_WRITERS = {"claude-code": claude.write, "codex": codex.write}


def write(home: Path, size: int, seed: int = 1, hosts: Sequence[str] = HOSTS) -> Truth:
    """About `size` bytes for each of `hosts` below `home`; what is there already stays."""
    truth = Truth()
    for host in hosts:
        chance = random.Random(f"{seed} {host}")  # noqa: S311  # no secret hangs on it
        before = set(home.rglob("*.jsonl*"))
        _WRITERS[host](home, size, chance, Words(chance), truth)
        files = set(home.rglob("*.jsonl*")) - before
        truth.files[host] = len(files)
        truth.bytes[host] = sum(path.stat().st_size for path in files)
    return truth
