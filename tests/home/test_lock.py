"""One writer at a time, across processes."""

import os
import subprocess
import sys

import pytest

from agent_connector.errors import LockTimeout
from agent_connector.home import lock

HOLDER = """
import sys
from agent_connector.home import lock
with lock.held(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that holds the lock until its stdin closes."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate(timeout=60)


def test_a_lock_that_is_held_elsewhere_is_waited_for_and_then_told(tmp_path, holder):
    with pytest.raises(LockTimeout, match="another agent-connector") as caught, lock.held(str(tmp_path), timeout=0.1):
        pass
    assert caught.value.remedy


def test_a_holder_that_dies_lets_go(tmp_path, holder):
    holder.kill()
    holder.wait(timeout=60)
    with lock.held(str(tmp_path), timeout=60):
        pass


def test_the_same_process_may_take_it_twice(tmp_path):
    with lock.held(str(tmp_path)), lock.held(str(tmp_path), timeout=0.1):
        pass
    assert os.stat(tmp_path / "lock").st_mode & 0o077 == 0
