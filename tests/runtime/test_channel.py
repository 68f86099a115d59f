"""The standard streams, at their edges."""

import os
import subprocess
import sys
import threading
import time

import pytest

from agent_connector.runtime import channel

CHILD = """
import os, sys
sys.path.insert(0, {package!r})
from agent_connector.runtime import channel
{code}
"""
PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(channel.__file__))))


def child(code, **options):
    command = [sys.executable, "-I", "-S", "-c", CHILD.format(package=PACKAGE, code=code)]
    return subprocess.run(command, capture_output=True, timeout=60, check=True, **options)


def test_what_is_beyond_the_limit_is_read_to_its_end_and_not_kept():
    code = "channel.LIMIT = 100_000; found = channel.receive(); print(found is None, os.read(0, 1))"
    assert child(code, input=b"x" * 300_000).stdout == b"True b''\n"
    code = "channel.LIMIT = 300_000; print(len(channel.receive()))"
    assert child(code, input=b"x" * 300_000).stdout == b"300000\n"


def test_a_pipe_that_does_not_block_is_waited_for():
    reading, writing = os.pipe()
    os.set_blocking(reading, False)

    def slowly():
        for piece in (b"one ", b"two ", b"three"):
            os.write(writing, piece)
            time.sleep(0.05)
        os.close(writing)

    thread = threading.Thread(target=slowly)
    thread.start()
    assert child("print(channel.receive())", stdin=reading).stdout == b"b'one two three'\n"
    thread.join()
    os.close(reading)


def test_a_reply_goes_into_a_pipe_that_does_not_block():
    code = "os.set_blocking(1, False); print(channel.send(b'x' * 1_000_000), file=sys.stderr)"
    done = child(code)
    assert len(done.stdout) == 1_000_000 and done.stderr == b"True\n"


@pytest.mark.parametrize("leak", ["os.write(1, b'no')", "print('no', flush=True)", "os.system('echo no; echo no >&2')"])
def test_only_the_reply_gets_through_once_streams_are_diverted(leak):
    done = child(f"channel.divert(); {leak}; channel.send(b'yes'); channel.complain('reason')")
    assert (done.stdout, done.stderr) == (b"yes", b"reason")


def test_programs_left_running_do_not_hold_the_hosts_streams():
    code = (
        "channel.divert()\n"
        "if os.fork() == 0:\n    import time; time.sleep(90); os._exit(0)\n"
        "import subprocess\n"
        "subprocess.Popen(['sleep', '90'], close_fds=False)\n"
        "channel.send(b'yes')"
    )
    assert child(code).stdout == b"yes"  # waits for the end of the streams, at most 60 s


def test_a_stream_that_is_closed_takes_nothing_and_breaks_nothing():
    code = "os.close(1); os.close(2); channel.divert(); os._exit(channel.send(b'x') or channel.complain('y'))"
    assert child(code).stdout == b""
