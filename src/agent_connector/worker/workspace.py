"""Where a run works: in a clone of its own when sandboxDir is a git repository, else in sandboxDir itself.

prepare     a clone with its own copy of every object, no remote, on the branch `agent-connector/<task id>`
collect     once nothing of the agent lives: what it committed, and what it left uncommitted, as that branch of sandboxDir
remove      the clone, when `collect` has said that all of it is in sandboxDir

The clone's `.git` is the agent's to fill and is never trusted (`workspace_git`, `workspace_store`).
"""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from agent_connector.errors import WorkerError
from agent_connector.home import private
from agent_connector.home.folders import remove_tree
from agent_connector.worker import workspace_left, workspace_store
from agent_connector.worker.config_read import is_repository
from agent_connector.worker.workspace_git import EMAIL, NAME, Git, GitFailed, bare, new_enough

PREFIX = "agent-connector/"
FOLDER, NOTE, QUARANTINE = "work", "workspace.json", "collect.git"
SERVED, TAKEN = "served.json", "taken.json"  # path -> hash of the bundle's files; branch -> commit that we put there
STAT_LINES, STAT_BYTES = 40, 8_000
MOST_BRANCHES = 50  # that are asked about: an agent can make any number of them
_PLAIN = re.compile(r"(?!.*\.\.)(?!.*\.lock$)[A-Za-z0-9][A-Za-z0-9._-]{0,99}(?<!\.)")
_GLOB = re.compile(r"[*?\[\]!#\\ ]")
_OWN = {"user.name": NAME, "user.email": EMAIL, "commit.gpgSign": "false", "gc.auto": "0", "maintenance.auto": "false"}


@dataclass(frozen=True, slots=True)
class Workspace:
    """`path` is where the agent works. Of a clone: its branch, the commit that it began at, and what it came from."""

    path: str
    is_git: bool = False
    branch: str | None = None
    start: str | None = None  # None: the repository had no commit
    origin: str = ""
    folder: str = ""  # the run's own, which holds the clone


@dataclass(frozen=True, slots=True)
class Changes:
    """What became of it. `fetched`: the branch holds it; `clean`: the clone holds nothing beyond that.

    `branch` is None when no run of the task has changed anything, `commit` when this one did not; `uncommitted` files were committed by the worker.
    """

    branch: str | None = None
    diff_stat: str | None = None
    fetched: bool = True
    clean: bool = True
    commit: str | None = None
    uncommitted: int = 0
    notes: tuple[str, ...] = ()


def branch_of(task_id: str) -> str:
    """The branch of a task. An id that is no plain name gets a hash in place of what cannot stand in one."""
    if _PLAIN.fullmatch(task_id):
        return PREFIX + task_id
    hashed = hashlib.sha256(task_id.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    kept = re.sub(r"[^A-Za-z0-9_-]+", "-", task_id)[:60].strip("-_")
    return PREFIX + (f"{kept}-{hashed}" if kept else hashed)


def prepare(sandbox_dir: str, run_folder: str, task_id: str) -> Workspace:
    """The place for a run of the task; `run_folder` is private to the task and may hold what an earlier run left there."""
    if not is_repository(sandbox_dir):
        return Workspace(sandbox_dir)
    new_enough()
    left = find(run_folder)
    if left is not None:
        changes = collect(left)
        if not (changes.fetched and changes.clean):
            return left  # the agent goes on with what could not be taken
        remove(left)
    branch = branch_of(task_id)
    origin = Git(sandbox_dir)
    start = origin.asks("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}^{{commit}}") or origin.asks(
        "rev-parse", "--verify", "--quiet", "HEAD^{commit}"
    )
    made = Workspace(os.path.join(run_folder, FOLDER), True, branch, start, sandbox_dir, run_folder)
    private.make_folder(run_folder)
    remove_tree(made.path)
    try:
        _clone(made, origin)
    except BaseException:  # whatever it was goes on; half a clone is no place to work
        remove_tree(made.path)
        raise
    private.write(os.path.join(run_folder, NOTE), json.dumps(asdict(made)))
    return made


def find(run_folder: str) -> Workspace | None:
    """The clone that an earlier run, or a worker that was killed, left in its folder."""
    held = private.read(os.path.join(run_folder, NOTE))
    if held is None:
        return None
    try:
        made = Workspace(**json.loads(held))
    except (ValueError, TypeError):
        return None
    own = (made.path, made.folder) == (os.path.join(run_folder, FOLDER), run_folder)
    return made if own and os.path.lexists(made.path) else None


def hide(workspace: Workspace, served: Mapping[str, str]) -> None:
    """Keep the bundle's files (path -> hash) out of what is committed, by the agent and by `collect`, while they are as
    they were served. To be called before the agent starts."""
    if not workspace.is_git:
        return
    private.write(os.path.join(workspace.folder, SERVED), json.dumps(dict(served)))
    if workspace_store.refusal(workspace.path) is None:
        lines = "".join("/" + _GLOB.sub(r"\\\g<0>", path) + "\n" for path in served)
        workspace_store.exclude(workspace.path, lines)


def collect(workspace: Workspace) -> Changes:
    """Take what the agent did into sandboxDir. Nothing of the agent may live any more.

    What cannot be taken is said in `notes`, and stays in the clone.
    """
    if not workspace.is_git:
        return Changes()
    refused = workspace_store.refusal(workspace.path)
    if refused is not None:
        return Changes(None, None, False, False, notes=(f"the clone was not read: {refused}",))
    quarantine = os.path.join(workspace.folder, QUARANTINE)
    remove_tree(quarantine)
    try:
        return _collect(workspace, quarantine, _held(workspace, SERVED))
    except (GitFailed, OSError) as error:
        why = error.what if isinstance(error, GitFailed) else f"its files cannot be read: {error.strerror}"
        return Changes(None, None, False, False, notes=(f"the branch was not taken: {why}",))
    finally:
        remove_tree(quarantine)


def remove(workspace: Workspace) -> bool:
    """True when the clone is gone. A shared folder is nobody's to remove."""
    if not workspace.is_git:
        return True
    gone = remove_tree(workspace.path)
    if gone:
        for name in (NOTE, SERVED, TAKEN):
            private.remove(os.path.join(workspace.folder, name))
    return gone


def _held(workspace: Workspace, name: str) -> dict[str, str]:
    held = private.read(os.path.join(workspace.folder, name))
    return {} if held is None else json.loads(held)


def _clone(made: Workspace, origin: Git) -> None:
    """Through the transport, so that nothing is shared with the origin: no hard link, no borrowed object, no remote."""
    os.mkdir(made.path, 0o700)
    git = Git(made.path)
    kind = origin("rev-parse", "--show-object-format")
    git("init", "--quiet", "--template=", f"--object-format={kind}", f"--initial-branch={made.branch}", made.path)
    for name, value in _OWN.items():
        git("config", "--local", name, value)
    if made.start is not None:
        wanted = ("+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")
        start = f"+{made.start}:refs/agent-connector/start"
        git("fetch", "--quiet", "--no-write-fetch-head", "--no-tags", made.origin, start, *wanted)
        shutil.rmtree(os.path.join(made.path, ".git", "logs"), ignore_errors=True)  # they name the person's folder
        git("checkout", "--quiet", "--no-track", "-B", str(made.branch), made.start, "--")


def _collect(workspace: Workspace, quarantine: str, served: Mapping[str, str]) -> Changes:
    origin = Git(workspace.origin, checks=True)
    objects = os.path.join(workspace.path, ".git", "objects")
    git = bare(quarantine, objects, workspace.path, origin("rev-parse", "--show-object-format"))
    refs = workspace_store.read(workspace.path)
    tip, damaged = _tip(git, workspace, refs)
    left = workspace_left.commit(git, workspace.path, tip, served)
    notes = (*damaged, *left.notes, *_beyond(git, workspace, refs, left.commit))
    if left.commit is None or left.commit == workspace.start:
        return Changes(*_earlier(origin, workspace), clean=not notes, notes=notes)
    git("update-ref", "refs/heads/taken", left.commit)
    branch = _take(origin, workspace, quarantine, left.commit)
    clean = not notes
    if branch != workspace.branch:
        notes += (f"{workspace.branch} was changed or checked out meanwhile: the run's work is in {branch}",)
    return Changes(branch, _stat(origin, workspace, left.commit), True, clean, left.commit, left.files, notes)


def _tip(git: Git, workspace: Workspace, refs: workspace_store.Refs) -> tuple[str | None, tuple[str, ...]]:
    """The commit that the agent ended at: of its branch, or of what is checked out where the branch did not move."""
    own = refs.branches.get(str(workspace.branch))
    moved = own if own != workspace.start else None
    for commit in (moved, refs.head, own):
        if commit is not None and git.asks("cat-file", "-e", f"{commit}^{{commit}}") is not None:
            return commit, ()
    if workspace.start is None:
        return None, ()
    return workspace.start, ("the clone's own branch is damaged; its files are taken as they are",)


def _beyond(git: Git, workspace: Workspace, refs: workspace_store.Refs, taken: str | None) -> tuple[str, ...]:
    """What the clone holds that `taken` does not: other branches with commits of their own, a stash."""
    known = [commit for commit in (taken, workspace.start) if commit is not None]
    others = {commit: name for name, commit in refs.branches.items() if commit not in known}
    asked = list(others.items())[:MOST_BRANCHES]
    found = [f"the branch {ascii(name)[:80]}" for commit, name in asked if _own(git, commit, known)]
    if len(others) > len(asked):
        found.insert(0, f"further branches: {len(others) - len(asked)}")
    if refs.on is None and refs.head is not None and _own(git, refs.head, known):
        found.append("a commit on no branch")
    if refs.stash:
        found.append("a stash")
    return (f"not taken, and left in the clone: {', '.join(found[:20])}",) if found else ()


def _own(git: Git, commit: str, known: list[str]) -> bool:
    """True when the commit is there and is in none of the histories of `known`."""
    if git.asks("cat-file", "-e", f"{commit}^{{commit}}") is None:
        return False
    return git.asks("rev-list", "--max-count=1", commit, "--not", *known) != ""


def _take(origin: Git, workspace: Workspace, quarantine: str, commit: str) -> str:
    """Into sandboxDir, checked on the way. The branch moves only from where the clone began: else another name is used."""
    incoming = f"refs/agent-connector/incoming/{hashlib.sha256(str(workspace.branch).encode()).hexdigest()[:16]}"
    origin(
        "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance",
        "--update-shallow", quarantine, f"+refs/heads/taken:{incoming}",
    )  # fmt: skip
    ours = _held(workspace, TAKEN)
    try:
        for number in range(1, 100):
            name = str(workspace.branch) + (f"-{number}" if number > 1 else "")
            if _moved(origin, name, commit, (workspace.start, ours.get(name))):
                private.write(os.path.join(workspace.folder, TAKEN), json.dumps({**ours, name: commit}))
                return name
        raise WorkerError(f"{workspace.branch} and every name beside it is taken", where=workspace.origin)
    finally:
        origin.asks("update-ref", "-d", incoming)


def _moved(origin: Git, name: str, commit: str, ours: tuple[str | None, ...]) -> bool:
    """True when the branch is at `commit`; one that is at nothing of `ours` is somebody else's."""
    ref = f"refs/heads/{name}"
    now = origin.asks("rev-parse", "--verify", "--quiet", ref)
    if now == commit:
        return True
    if f"branch {ref}" in origin("worktree", "list", "--porcelain").splitlines():
        return False  # checked out: its files would no longer be those of its commit
    if now is not None and now not in ours and origin.asks("merge-base", "--is-ancestor", now, commit) is None:
        return False
    return (
        origin.asks("update-ref", "-m", "agent-connector: taken from a run", ref, commit, now or "0" * len(commit))
        is not None
    )


def _earlier(origin: Git, workspace: Workspace) -> tuple[str | None, str | None]:
    """The branch that earlier runs of the task have left, and what it changes: a run that adds nothing ends with it, too."""
    at = origin.asks("rev-parse", "--verify", "--quiet", f"refs/heads/{workspace.branch}")
    told = _stat(origin, workspace, at) if at is not None and at == workspace.start else ""
    return (workspace.branch, told) if told else (None, None)


def _stat(origin: Git, workspace: Workspace, commit: str) -> str:
    """What the branch changes against where it left the checked-out one, for a person to read."""
    base = (workspace.start and origin.asks("merge-base", workspace.start, "HEAD")) or origin(
        "hash-object", "-t", "tree", "--stdin"
    )
    shape = (
        "--stat=100",
        f"--stat-count={STAT_LINES}",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--ignore-submodules=all",
    )
    return origin("diff", *shape, base, commit, "--")[:STAT_BYTES]
