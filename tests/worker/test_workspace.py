"""A run's clone: what the agent did comes back as a branch, and nothing that it put into its `.git` is ever run or followed."""

import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_connector.home import files
from agent_connector.worker import workspace
from agent_connector.worker.workspace import Changes, Workspace

TASK = "task-1"
BRANCH = "agent-connector/task-1"


def git(folder: Path, *arguments: str, **variables: str) -> str:
    """As a person, or an agent, runs it."""
    who = {f"GIT_{role}_{what}": "someone@example" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder.parent),
        "GIT_CONFIG_NOSYSTEM": "1",
        **who,
        **variables,
    }
    options = ("-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main")
    done = subprocess.run(
        ["git", *options, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.strip()


def committed(folder: Path, **contents: str) -> str:
    for name, text in contents.items():
        (folder / name).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "more")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    folder = tmp_path / "origin"
    folder.mkdir()
    git(folder, "init", "-q")
    committed(folder, readme="one\n", kept="k\n")
    return folder


@pytest.fixture
def run(tmp_path: Path, origin: Path) -> Workspace:
    return workspace.prepare(str(origin), str(tmp_path / "runs/one"), TASK)


def show(origin: Path, name: str, branch: str = BRANCH) -> str:
    return git(origin, "show", f"{branch}:{name}")


def test_what_the_agent_did_comes_back_as_a_branch_and_the_clone_goes(origin: Path, run: Workspace):
    clone = Path(run.path)
    assert (run.branch, git(clone, "branch", "--show-current"), git(clone, "remote")) == (BRANCH, BRANCH, "")
    git(clone, "rm", "-q", "kept")
    committed(clone, readme="two\n", by="agent")
    (clone / "left.txt").write_text("not committed\n")
    (clone / "readme").write_text("three\n")
    (clone / ".gitignore").write_text("*.log\n")
    (clone / "noise.log").write_text("x")
    found = workspace.collect(run)
    assert (found.branch, found.fetched, found.clean, found.uncommitted, found.notes) == (BRANCH, True, True, 3, ())
    assert (show(origin, "readme"), show(origin, "left.txt"), show(origin, "by")) == ("three", "not committed", "agent")
    assert git(origin, "log", "--format=%s", BRANCH) == "Left uncommitted by the agent\nmore\nmore"
    assert "left.txt" in str(found.diff_stat) and "5 files changed" in str(found.diff_stat)
    assert (
        git(origin, "status", "--porcelain") == "" and (origin / "readme").read_text() == "one\n"
    )  # its own files are as they were
    assert git(origin, "for-each-ref", "--format=%(refname)") == f"refs/heads/{BRANCH}\nrefs/heads/main"
    assert workspace.remove(run) and not clone.exists() and workspace.find(run.folder) is None


def test_nothing_is_shared_with_the_origin(origin: Path, run: Workspace):
    inside = [path for path in Path(run.path, ".git").rglob("*") if path.is_file()]
    assert inside and all(path.stat().st_nlink == 1 for path in inside)
    assert str(origin) not in "".join(
        path.read_text(errors="replace") for path in inside if path.suffix not in (".pack", ".idx")
    )
    assert not list(Path(run.path, ".git", "objects/info").glob("*alternates"))
    shutil.rmtree(origin / ".git/objects")
    assert git(Path(run.path), "fsck", "--full") == ""


def test_a_task_that_is_resumed_goes_on_with_its_branch(tmp_path: Path, origin: Path, run: Workspace):
    committed(Path(run.path), one="1")
    workspace.remove(run) if workspace.collect(run).clean else None
    committed(origin, later="by the person")
    again = workspace.prepare(str(origin), str(tmp_path / "runs/two"), TASK)
    assert (Path(again.path) / "one").read_text() == "1" and not (Path(again.path) / "later").exists()
    (Path(again.path) / "two").write_text("2")
    found = workspace.collect(again)
    assert git(origin, "rev-list", "--count", BRANCH) == "3"
    assert "one" in str(found.diff_stat) and "two" in str(found.diff_stat) and "later" not in str(found.diff_stat)


def test_a_run_that_adds_nothing_still_tells_the_branch_of_the_task(tmp_path: Path, origin: Path, run: Workspace):
    committed(Path(run.path), answer="42\n")
    first = workspace.collect(run)
    workspace.remove(run)
    again = workspace.prepare(str(origin), str(tmp_path / "runs/one"), TASK)
    found = workspace.collect(again)
    assert (found.branch, found.diff_stat, found.commit) == (BRANCH, first.diff_stat, None) and found.clean
    workspace.remove(again)
    git(origin, "merge", "-q", BRANCH)  # a person took it: nothing of it is left to look at
    merged = workspace.prepare(str(origin), str(tmp_path / "runs/one"), TASK)
    assert workspace.collect(merged) == Changes()


def test_nothing_done_leaves_no_branch(origin: Path, run: Workspace):
    assert workspace.collect(run) == Changes()
    assert git(origin, "branch", "--list", "agent-connector/*") == ""


def test_what_a_killed_worker_left_is_taken_by_the_next_run(tmp_path: Path, origin: Path, run: Workspace):
    (Path(run.path) / "saved").write_text("s")
    again = workspace.prepare(str(origin), run.folder, TASK)
    assert (Path(again.path) / "saved").read_text() == "s" and show(origin, "saved") == "s"
    git(Path(again.path), "stash", "push", "-q", "-u") if (Path(again.path) / "x").write_text("x") else None
    found = workspace.collect(again)
    assert not found.clean and "a stash" in found.notes[0]
    assert workspace.prepare(str(origin), run.folder, TASK) == again  # and what could not be taken is gone on with
    assert git(Path(again.path), "stash", "list") != ""


def test_the_agents_other_branches_are_said_and_its_checked_out_one_is_taken(origin: Path, run: Workspace):
    clone = Path(run.path)
    git(clone, "checkout", "-q", "-b", "mine")
    committed(clone, x="1")
    assert workspace.collect(run).clean and show(origin, "x") == "1"
    git(clone, "checkout", "-q", BRANCH)
    committed(clone, y="2")
    found = workspace.collect(run)
    assert (found.clean, show(origin, "y")) == (False, "2") and "the branch 'mine'" in found.notes[0]


def test_a_branch_that_the_person_has_changed_or_checked_out_is_left_alone(
    tmp_path: Path, origin: Path, run: Workspace
):
    committed(Path(run.path), x="1")
    git(origin, "branch", BRANCH, git(origin, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "the person's"))
    mine = git(origin, "rev-parse", BRANCH)
    found = workspace.collect(run)
    assert (found.branch, found.fetched, found.clean) == (BRANCH + "-2", True, True)
    assert git(origin, "rev-parse", BRANCH) == mine and show(origin, "x", BRANCH + "-2") == "1"
    git(origin, "checkout", "-q", BRANCH)
    second = workspace.prepare(str(origin), str(tmp_path / "runs/two"), TASK)
    committed(Path(second.path), z="1")
    assert workspace.collect(second).branch == BRANCH + "-3" and git(origin, "status", "--porcelain") == ""


def test_a_history_that_the_agent_rewrote_is_taken(origin: Path, run: Workspace):
    git(Path(run.path), "commit", "-q", "--amend", "-m", "mine now")
    found = workspace.collect(run)
    assert found.clean and git(origin, "log", "-1", "--format=%s", BRANCH) == "mine now"


@pytest.mark.parametrize("kind", ["empty", "detached", "sha256", "worktree"])
def test_repositories_of_every_kind(tmp_path: Path, origin: Path, kind: str):
    folder = origin
    if kind in ("empty", "sha256"):
        folder = tmp_path / kind
        folder.mkdir()
        git(folder, "init", "-q", *(["--object-format=sha256"] if kind == "sha256" else []))
        if kind == "sha256":
            committed(folder, a="1")
    elif kind == "detached":
        git(folder, "checkout", "-q", "--detach")
        committed(folder, a="on no branch")
    else:
        git(origin, "worktree", "add", "-q", str(tmp_path / "tree"))
        folder = tmp_path / "tree"
    run = workspace.prepare(str(folder), str(tmp_path / "run"), TASK)
    assert kind != "detached" or (Path(run.path) / "a").read_text() == "on no branch"
    (Path(run.path) / "new").write_text("n")
    found = workspace.collect(run)
    assert found.clean and show(folder, "new") == "n" and "new" in str(found.diff_stat)


def test_a_folder_that_is_no_repository_is_shared(tmp_path: Path):
    (tmp_path / "plain").mkdir()
    run = workspace.prepare(str(tmp_path / "plain"), str(tmp_path / "run"), TASK)
    assert (run.path, run.is_git, workspace.collect(run)) == (str(tmp_path / "plain"), False, Changes())
    assert workspace.remove(run) and (tmp_path / "plain").exists()


@pytest.mark.parametrize("id", ["../../main", "-x", "a b", "x.lock", "a..b", "", "ü" * 90, "a/b", "@{", "x.", "\udc80"])
def test_every_task_has_a_branch_of_its_own(origin: Path, id: str):
    name = workspace.branch_of(id)
    assert name.startswith("agent-connector/") and name != workspace.branch_of(id + "'")
    git(origin, "check-ref-format", "--branch", name)


def test_files_of_the_bundle_are_committed_only_when_they_are_changed(origin: Path, run: Workspace):
    clone = Path(run.path)
    names = ("AGENTS.md", "to change.md", "w[i]*ld")
    for name in names:
        (clone / name).write_text("served")
    workspace.hide(run, {name: files.hash_of(b"served") for name in names})
    git(clone, "add", "-A")
    assert git(clone, "diff", "--cached", "--name-only") == ""
    (clone / "to change.md").write_text("by the agent")
    assert workspace.collect(run).uncommitted == 1
    assert git(origin, "diff", "--name-only", "main", BRANCH) == "to change.md"


def test_files_that_cannot_be_taken_are_said_and_the_rest_is_taken(origin: Path, run: Workspace):
    clone = Path(run.path)
    os.mkfifo(clone / "pipe")
    (clone / "kept").unlink()
    os.mkfifo(clone / "kept")
    (clone / "readme").unlink()
    (clone / "readme").mkdir()
    (clone / "readme/in").write_text("now a folder")
    (clone / "link").symlink_to("/etc/passwd")
    (clone / "dir").mkdir()
    git(clone / "dir", "init", "-q")
    (clone / "odd\nname\u202e").write_bytes(b"\xff")
    found = workspace.collect(run)
    assert found.fetched and not found.clean
    assert "repositories inside the clone: 'dir/'" in found.notes[0] and "git cannot take: 'kept'" in found.notes[1]
    assert show(origin, "readme/in") == "now a folder"
    assert git(origin, "cat-file", "-p", f"{BRANCH}:link") == "/etc/passwd"
    assert "\u202e" not in str(found.diff_stat)


def test_any_number_of_branches_is_looked_at_in_bounded_time(run: Workspace):
    clone = Path(run.path)
    tree = git(clone, "rev-parse", "HEAD^{tree}")
    tips = [git(clone, "commit-tree", tree, "-m", str(number)) for number in range(3)]
    (clone / ".git/packed-refs").write_text("".join(f"{tips[n % 3]} refs/heads/b{n}\n" for n in range(3000)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(workspace, "MOST_BRANCHES", 2)
        found = workspace.collect(run)
    assert not found.clean and "further branches: 1, the branch" in found.notes[0]


# ---- the agent is hostile


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """A program that leaves a sign whenever anything runs it."""
    program = tmp_path / "canary"
    program.write_text(f"#!/bin/sh\necho ran >> {tmp_path}/RAN\nexit 0\n")
    program.chmod(0o755)
    return program


RUNNING = (
    "core.fsmonitor", "core.hooksPath", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.gitProxy",
    "core.alternateRefsCommand", "diff.external", "gpg.program", "uploadpack.packObjectsHook", "credential.helper",
    "filter.x.clean", "filter.x.smudge", "filter.x.process", "diff.x.textconv", "diff.x.command", "merge.x.driver",
    "pager.diff", "pager.log", "sequence.editor", "interactive.diffFilter", "remote.origin.uploadpack", "fsmonitor.socketDir",
    "trailer.x.cmd", "ssh.variant", "gc.recentObjectsHook", "receive.procReceiveRefs", "alias.fetch", "alias.ls-files",
)  # fmt: skip


def settings(clone: Path, canary: Path) -> None:
    for name in RUNNING:
        git(clone, "config", name, str(canary))
    for name, value in {
        "core.hooksPath": str(canary.parent),
        "filter.x.required": "true",
        "commit.gpgSign": "true",
    }.items():
        git(clone, "config", name, value)
    for place in (clone / ".gitattributes", clone / ".git/info/attributes"):
        place.parent.mkdir(exist_ok=True)
        place.write_text("* filter=x diff=x merge=x\n")


def hooks(clone: Path, canary: Path) -> None:
    (clone / ".git/hooks").mkdir(exist_ok=True)
    names = "pre-commit commit-msg post-commit post-checkout reference-transaction pre-push post-index-change fsmonitor-watchman"
    for name in (*names.split(), "update", "pre-receive", "post-update", "pre-auto-gc", "post-merge", "post-rewrite"):
        shutil.copy(canary, clone / ".git/hooks" / name)


def included(clone: Path, canary: Path) -> None:
    (clone / "more").write_text(f'[core]\n\tfsmonitor = {canary}\n[filter "x"]\n\tclean = {canary}\n')
    git(clone, "config", "include.path", str(clone / "more"))
    (clone / ".gitattributes").write_text("* filter=x\n")


def missing(clone: Path) -> None:
    """Take a blob of the last commit out of the store, so that whoever reads it has to fetch it."""
    committed(clone, lost="to be fetched again")
    blob = git(clone, "rev-parse", "HEAD:lost")
    (clone / ".git/objects" / blob[:2] / blob[2:]).unlink()


def lazy_transport(clone: Path, canary: Path) -> None:
    missing(clone)
    git(clone, "config", "core.repositoryFormatVersion", "1")
    for name, value in {
        "extensions.partialClone": "evil",
        "remote.evil.promisor": "true",
        "protocol.ext.allow": "always",
    }.items():
        git(clone, "config", name, value)
    git(clone, "config", "remote.evil.url", f"ext::{canary}")


def lazy_program(clone: Path, canary: Path) -> None:
    lazy_transport(clone, canary)
    git(clone, "config", "remote.evil.url", str(clone))
    git(clone, "config", "remote.evil.uploadpack", str(canary))


def nested(clone: Path, canary: Path) -> None:
    """A repository inside, as a plain folder and as a committed submodule that is dirty."""
    for name in ("plain", "module"):
        (clone / name).mkdir()
        git(clone / name, "init", "-q")
        committed(clone / name, a="1")
        git(clone / name, "config", "core.fsmonitor", str(canary))
        hooks(clone / name, canary)
    (clone / ".gitmodules").write_text('[submodule "module"]\n\tpath = module\n\turl = ./module\n')
    git(clone, "add", "-f", ".gitmodules")
    git(clone, "update-index", "--add", "--cacheinfo", f"160000,{git(clone / 'module', 'rev-parse', 'HEAD')},module")
    git(clone, "commit", "-q", "-m", "a submodule")
    git(clone, "config", "submodule.module.update", f"!{canary}")
    git(clone, "config", "submodule.recurse", "true")
    (clone / "module/a").write_text("dirty")


def elsewhere(clone: Path, canary: Path) -> None:
    git(clone, "config", "core.worktree", str(canary.parent))
    (clone / ".git/commondir").write_text(str(canary.parent / "private/.git"))


def caches(clone: Path, canary: Path) -> None:
    committed(clone, a="1")
    for name in (
        "objects/info/commit-graph",
        "objects/pack/multi-pack-index",
        "index",
        "index.lock",
        "shallow.lock",
        "info/grafts",
    ):
        (clone / ".git" / name).parent.mkdir(exist_ok=True, parents=True)
        (clone / ".git" / name).write_bytes(b"\xff" * 200)


def replaced(clone: Path, canary: Path) -> None:
    git(clone, "replace", committed(clone, a="1"), git(clone, "rev-parse", "HEAD~1"))


ATTACKS = [settings, hooks, included, lazy_transport, lazy_program, nested, elsewhere, caches, replaced]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
@pytest.mark.parametrize("again", [False, True], ids=["collect", "prepare"])
def test_nothing_that_the_agent_set_up_is_run(
    tmp_path: Path, origin: Path, run: Workspace, canary: Path, attack: Callable[[Path, Path], None], again: bool
):
    attack(Path(run.path), canary)
    (tmp_path / "RAN").unlink(missing_ok=True)  # while it set things up it may have run them itself
    (Path(run.path) / "done").write_text("by the agent")
    found = workspace.collect(run)
    if again:
        workspace.prepare(str(origin), run.folder, TASK)
    assert not (tmp_path / "RAN").exists()
    if attack in (lazy_transport, lazy_program):
        assert not found.fetched and "not taken" in found.notes[0]
    else:
        assert show(origin, "done") == "by the agent", found
        assert git(origin, "fsck", "--strict") == ""
    workspace.remove(run)
    assert not (tmp_path / "RAN").exists() and not os.path.lexists(run.path)


def test_the_attacks_would_run_where_the_clones_own_settings_are_used(tmp_path: Path, run: Workspace, canary: Path):
    """The check of the checks: a plain `git status` and `git add` in such a clone do run the canary."""
    for attack in (settings, hooks, included):
        attack(Path(run.path), canary)
    (Path(run.path) / "done").write_text("x")
    subprocess.run(
        ["git", "add", "-A"], cwd=run.path, env={"PATH": os.environ["PATH"]}, capture_output=True, check=False
    )
    assert (tmp_path / "RAN").exists()


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """Another repository of the person's, that an agent cannot read."""
    folder = tmp_path / "private"
    folder.mkdir()
    git(folder, "init", "-q")
    committed(folder, secret="the person's secret")
    return folder


def dot_git_link(clone: Path, private: Path) -> None:
    shutil.rmtree(clone / ".git")
    (clone / ".git").symlink_to(private / ".git")


def dot_git_file(clone: Path, private: Path) -> None:
    shutil.rmtree(clone / ".git")
    (clone / ".git").write_text(f"gitdir: {private}/.git\n")


def objects_link(clone: Path, private: Path) -> None:
    shutil.rmtree(clone / ".git/objects")
    (clone / ".git/objects").symlink_to(private / ".git/objects")
    point(clone, private)


def alternates(clone: Path, private: Path) -> None:
    (clone / ".git/objects/info").mkdir(exist_ok=True)
    (clone / ".git/objects/info/alternates").write_text(f"{private}/.git/objects\n")
    point(clone, private)


def object_links(clone: Path, private: Path) -> None:
    for path in (private / ".git/objects").rglob("*"):
        target = clone / ".git/objects" / path.relative_to(private / ".git/objects")
        if path.is_file():
            target.parent.mkdir(exist_ok=True, parents=True)
            target.symlink_to(path)
    point(clone, private)


def pack_folder_link(clone: Path, private: Path) -> None:
    git(private, "repack", "-adq")
    shutil.rmtree(clone / ".git/objects/pack")
    (clone / ".git/objects/pack").symlink_to(private / ".git/objects/pack")
    point(clone, private)


def clone_link(clone: Path, private: Path) -> None:
    clone.rename(clone.with_name("moved"))
    clone.symlink_to(private)


def point(clone: Path, private: Path) -> None:
    (clone / ".git/refs/heads" / BRANCH).parent.mkdir(exist_ok=True, parents=True)
    (clone / ".git/refs/heads" / BRANCH).write_text(git(private, "rev-parse", "HEAD") + "\n")


@pytest.mark.parametrize(
    "attack", [dot_git_link, dot_git_file, objects_link, alternates, object_links, pack_folder_link, clone_link],
    ids=lambda attack: attack.__name__,
)  # fmt: skip
def test_no_other_repository_is_read_through_the_clone(
    origin: Path, run: Workspace, private: Path, attack: Callable[[Path, Path], None]
):
    attack(Path(run.path), private)
    found = workspace.collect(run)
    assert (found.fetched, found.clean, found.branch) == (False, False, None) and "was not read" in found.notes[0]
    secret = git(private, "rev-parse", "HEAD:secret")
    assert secret not in git(origin, "cat-file", "--batch-all-objects", "--batch-check")
    workspace.hide(run, {"AGENTS.md": "0"})
    assert not (private / ".git/info/exclude").exists() or "AGENTS" not in (private / ".git/info/exclude").read_text()
    workspace.remove(run)
    assert show(private, "secret", "HEAD") == "the person's secret" and not os.path.lexists(run.path)


def test_no_ref_is_read_through_a_link(origin: Path, run: Workspace, private: Path):
    clone = Path(run.path)
    ref = clone / ".git/refs/heads" / BRANCH
    ref.unlink()
    ref.symlink_to(private / ".git/refs/heads/main")
    (clone / ".git/packed-refs").unlink(missing_ok=True)
    os.mkfifo(clone / ".git/packed-refs")
    (clone / ".git/HEAD").unlink()
    (clone / ".git/HEAD").symlink_to("/etc/passwd")
    (clone / "done").write_text("by the agent")
    found = workspace.collect(run)  # what is known for sure: the commit that it began at, and the files
    assert found.fetched and "damaged" in found.notes[0] and show(origin, "done") == "by the agent"
    assert git(origin, "rev-parse", f"{BRANCH}~1") == run.start


@pytest.mark.parametrize("entry", [".git", ".GIT", "git~1", "..", ".g\u200cit"])
def test_a_tree_that_would_write_into_a_persons_git_folder_is_refused(origin: Path, run: Workspace, entry: str):
    clone = Path(run.path)
    blob = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"],
        cwd=clone,
        input="x",
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout.strip()
    inner = subprocess.run(
        ["git", "mktree", "-z"],
        cwd=clone,
        input=f"100755 blob {blob}\tpre-commit\0",
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    tree = subprocess.run(
        ["git", "mktree", "-z"],
        cwd=clone,
        input=f"040000 tree {inner}\t{entry}\0",
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    point_at = git(clone, "commit-tree", tree, "-p", "HEAD", "-m", "x")
    (clone / ".git/refs/heads" / BRANCH).write_text(point_at + "\n")
    found = workspace.collect(run)
    assert not found.fetched and not found.clean, found
    assert git(origin, "for-each-ref", "--format=%(refname)") == "refs/heads/main"


@pytest.mark.parametrize("line", ["update = !/bin/canary", "url = -u./x", "path = -x"])
def test_submodules_that_would_run_something_at_the_persons_are_refused(origin: Path, run: Workspace, line: str):
    text = f'[submodule "m"]\n\tpath = m\n\turl = https://a.example/b\n\t{line}\n'
    committed(Path(run.path), **{".gitmodules": text})
    found = workspace.collect(run)
    assert (found.fetched, found.clean) == (False, False) and "submodule" in found.notes[0]


def test_objects_under_a_false_name_do_not_come_in(origin: Path, run: Workspace):
    clone = Path(run.path)
    tip = committed(clone, a="honest", b="false")
    honest, other = (git(clone, "rev-parse", f"HEAD:{name}") for name in "ab")
    place = clone / ".git/objects" / honest[:2] / honest[2:]
    place.chmod(stat.S_IRUSR | stat.S_IWUSR)
    shutil.copy(clone / ".git/objects" / other[:2] / other[2:], place)
    found = workspace.collect(run)
    if found.fetched:  # whatever came in is what its name says
        assert tip not in git(origin, "rev-list", "--all") or show(origin, "a") == "honest"
    assert git(origin, "fsck", "--strict", "--full") == ""
