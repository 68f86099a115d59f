"""No space left, or a file too large for a limit: the old file stands, nothing is littered, and the person is told."""

import errno
import json
import os
import subprocess
import sys

import pytest

from agent_connector.deploy.apply import apply
from agent_connector.deploy.change import Change
from agent_connector.errors import HomeError
from agent_connector.home import ledger, private
from agent_connector.hosts.nodes import Key, Whole

pytestmark = pytest.mark.chaos

ORIGINAL = b'{\n  "mine": 1\n}\n'
SIZE = 256 * 1024


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 256 kB."""
    place = tmp_path / "disk"
    place.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={SIZE},mode=0755", "none"]
    mounted = subprocess.run(["mount", *options, str(place)], capture_output=True, text=True, timeout=60, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"NOT RUN: mounting a small tmpfs needs root on Linux ({mounted.stderr.strip()})")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], timeout=60, check=True)


def fill(folder, leave):
    """Write until no more than `leave` bytes are left."""
    ballast = folder / "ballast"
    with open(ballast, "wb", buffering=0) as stream:
        try:
            while True:
                stream.write(b"x" * 4096)
        except OSError as error:
            assert error.errno == errno.ENOSPC
    if leave:
        os.truncate(ballast, os.path.getsize(ballast) - leave)
    return ballast


def changes(settings, value="x"):
    node = Key(str(settings), "json", ("mcpServers", "acme"), {"command": value})
    return [Change("+", "codex", "server", "user", str(settings), node, ("acme", "codex"))]


@pytest.mark.parametrize("leave", [0, 4096, 8192])
def test_a_full_disk_of_the_hosts_leaves_the_old_file(small_disk, tmp_path, leave):
    (small_disk / "settings.json").write_bytes(ORIGINAL)
    ballast = fill(small_disk, leave)
    wanted = changes(small_disk / "settings.json", "x" * 20_000)
    other = changes(tmp_path / "other.json")
    report = apply([*wanted, *other], root=str(tmp_path / "root"))
    assert [change.op for change in report.changes] == ["!", "+"]
    assert "no space is left" in report.changes[0].note
    assert "Free some space" in report.changes[0].remedy
    assert (small_disk / "settings.json").read_bytes() == ORIGINAL
    assert sorted(os.listdir(small_disk)) == ["ballast", "settings.json"]
    ballast.unlink()
    report = apply(wanted, root=str(tmp_path / "root"))
    assert [change.op for change in report.changes] == ["+"]
    assert json.loads((small_disk / "settings.json").read_bytes())["mine"] == 1


def test_a_full_disk_leaves_no_folders_behind(small_disk, tmp_path):
    fill(small_disk, 0)
    node = Whole(str(small_disk / "skills" / "acme" / "SKILL.md"), "x" * 20_000)
    change = Change("+", "codex", "skills", "user", node.file, node, ("acme", "codex"))
    report = apply([change], root=str(tmp_path / "root"))
    assert [change.op for change in report.changes] == ["!"]
    assert os.listdir(small_disk) == ["ballast"]
    assert ledger.load(str(tmp_path / "root")) == ledger.Ledger()


@pytest.mark.parametrize("leave", [0, 4096, 8192, 16384])
def test_a_full_disk_of_ours_stops_before_any_file_is_touched_or_ends_right(small_disk, tmp_path, leave):
    root = small_disk / "root"
    root.mkdir(mode=0o700)
    settings = tmp_path / "settings.json"
    settings.write_bytes(ORIGINAL)
    ballast = fill(small_disk, leave)
    try:
        apply(changes(settings), root=str(root))
    except HomeError as error:
        assert "no space is left" in str(error)
        assert "Free some space" in error.remedy
    ballast.unlink()
    report = apply(changes(settings), root=str(root))
    assert [change.op for change in report.changes] in (["+"], ["="])
    assert json.loads(settings.read_bytes()) == {"mine": 1, "mcpServers": {"acme": {"command": "x"}}}
    assert ledger.load(str(root)).pending == {}
    assert [name for name in os.listdir(root) if ".agent-connector-" in name] == []


def test_private_files_survive_a_full_disk(small_disk):
    path = small_disk / "state"
    private.write(str(path), "old")
    fill(small_disk, 0)
    with pytest.raises(HomeError, match="no space is left"):
        private.write(str(path), "x" * 20_000)
    assert private.read(str(path)) == b"old"
    assert sorted(os.listdir(small_disk)) == ["ballast", "state"]


LIMITED = """
import resource, sys
sys.path[:0] = [sys.argv[1]]
from test_full_disk import apply, changes
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
for change in apply(changes(sys.argv[2], "x" * 20_000), root=sys.argv[3]).changes:
    print(change.op, change.note)
"""


def test_a_file_that_a_limit_forbids_is_left(tmp_path):
    settings = tmp_path / "settings.json"
    settings.write_bytes(ORIGINAL)
    arguments = [os.path.dirname(__file__), str(settings), str(tmp_path / "root")]
    apply(changes(settings, "y"), root=str(tmp_path / "root"))
    before = settings.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert settings.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["root", "settings.json"]
    assert "larger than allowed" in done.stdout + done.stderr
