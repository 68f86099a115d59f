"""The worker's own commands on this machine pass the same judge: what it may run beyond the agent's table is listed here.

The worker's git never reads an agent's settings, and it talks to folders of this machine only, so it may fetch and write
references. Push, in any shape, it may not either.
"""

from collections.abc import Sequence

from agent_connector.errors import GuardError
from agent_connector.worker.guard import grammar
from agent_connector.worker.guard.values import Rules, Verdict, allowed

# git commands of the worker that an agent may not run
GIT = frozenset(
    [
        "init",
        "config",
        "fetch",
        "checkout",
        "read-tree",
        "update-index",
        "write-tree",
        "commit-tree",
        "update-ref",
        "hash-object",
        "cat-file",
        "rev-parse",
        "rev-list",
        "ls-files",
        "ls-tree",
        "symbolic-ref",
        "diff",
        "diff-tree",
        "for-each-ref",
        "status",
        "show-ref",
        "merge-base",
        "check-ref-format",
        "version",
    ]
)
_REFUSED = ("--upload-pack", "--receive-pack", "--exec", "-x", "--ext-diff", "--force-with-lease", "--mirror")


def judge(argv: Sequence[str]) -> Verdict:
    """The verdict on a command line of the worker."""
    words = list(argv)
    if words[:1] != ["git"] and words[:1] != ["git.exe"]:
        return grammar.judge_words(words, Rules("/"))
    rest = words[1:]
    while rest and rest[0][:1] == "-":
        rest = rest[2:] if rest[0] in ("-c", "-C") else rest[1:]
    command = rest[0] if rest else "version"
    settings = [words[at + 1].lower() for at, word in enumerate(words[:-1]) if word == "-c"]
    if any(one.startswith("alias.") or ".pushinsteadof" in one for one in settings):
        return Verdict(False, "git-config", "an alias stands for another command")
    if rest[:2] == ["worktree", "list"]:
        return allowed()
    if command not in GIT:
        return grammar.judge_words(["git", *rest], Rules("/"))
    bad = next((word for word in rest for one in _REFUSED if word == one or word.startswith(one + "=")), None)
    if bad is not None:
        return Verdict(False, "git-force", f"git {command} {bad} is nothing that the worker does")
    if command == "fetch" and any("://" in word or "::" in word or "@" in word.partition("/")[0] for word in rest[1:]):
        return Verdict(False, "git-network", "the worker fetches from folders of this machine only")
    return allowed()


def check(argv: Sequence[str]) -> None:
    """GuardError for a command that the worker does not run."""
    verdict = judge(argv)
    if not verdict.allowed:
        raise GuardError(f"the worker does not run `{' '.join(argv)[:200]}`: {verdict.reason}", where=verdict.rule)
