"""Where a session works: the folder, and what git says of it. What of it an app sees is the policy's affair."""

import os
import subprocess

from agent_connector.byoa.protocol import Workspace

GIT_WITHIN = 5.0


def workspace(folder: str) -> Workspace:
    """Asks git twice; where there is no git, or no repository, only the folder is known."""
    remote = _git(folder, "config", "--get", "remote.origin.url")
    branch = _git(folder, "symbolic-ref", "--short", "-q", "HEAD")
    return Workspace(os.path.basename(folder.rstrip("/\\")) or None, remote, branch, folder)


def _git(folder: str, *words: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", folder, *words],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=GIT_WITHIN,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace").strip() or None
