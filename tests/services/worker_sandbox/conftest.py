"""Workers as root and as a user without rights; a machine that lacks what a kind needs fails, and says what to install."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import agent_connector
from agent_connector.worker.sandbox import choose

HERE = Path(__file__).parent
PACKAGE = Path(agent_connector.__file__).parent
NOBODY = "65534"
NEEDED = ("__init__.py", "errors.py", "drive", "home", "worker")
SECONDS = 240


@pytest.fixture(params=["bubblewrap", "landlock"])
def kind(request: pytest.FixtureRequest) -> str:
    """A kind that has to work here."""
    probe = choose.kind(request.param).probe()
    if not probe.ok:
        pytest.fail(
            f"{request.param} does not work here: {probe.why}; `python tools/services.py install` gets bubblewrap"
        )
    return str(request.param)


@pytest.fixture
def readable() -> Iterator[Path]:
    """A folder for a user without rights: our package in it, and these programs."""
    folder = Path(f"/tmp/agent-connector-test-{os.getpid()}")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "agent_connector").mkdir(parents=True)
    for name in NEEDED:
        source, target = PACKAGE / name, folder / "agent_connector" / name
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    for name in ("worker.py", "attacker.py"):
        shutil.copy(HERE / name, folder / name)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


Attack = Callable[..., dict[str, Any]]


@pytest.fixture(params=["as this user", "as nobody"])
def attack(request: pytest.FixtureRequest, readable: Path) -> Attack:
    """Run a worker with a hostile run inside; what came of it."""
    prefix: list[str] = []
    python = sys.executable
    if request.param == "as nobody" and os.getuid() == 0:
        prefix = [
            "setpriv",
            "--reuid",
            NOBODY,
            "--regid",
            NOBODY,
            "--clear-groups",
            "--",
            "env",
        ]  # env: with no right left
        python = python_of_all(prefix)

    def run(kind: str, network: str = "model") -> dict[str, Any]:
        line = [*prefix, python, str(readable / "worker.py"), kind, network]
        variables = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(readable),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": "/nonexistent",
        }
        done = subprocess.run(
            line, cwd="/tmp", env=variables, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def python_of_all(prefix: list[str]) -> str:
    """A Python that a user without rights can run: this one may lie in root's home."""
    test = ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
    for python in (os.path.realpath(sys.executable), "/usr/bin/python3", "/usr/local/bin/python3"):
        if (
            os.path.exists(python)
            and subprocess.run([*prefix, python, *test], cwd="/", capture_output=True, check=False).returncode == 0
        ):
            return python
    pytest.fail("no Python from 3.11 on can be run by a user without rights; install one as /usr/bin/python3")
