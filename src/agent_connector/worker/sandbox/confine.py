"""Becomes COMMAND under Landlock and a filter for system calls; stays beside it to answer for its connections.

main([RULE ..., "--", COMMAND ...])   A rule is `name=value`; `read`, `write` (folders and files) and `shown` come often, `network`
and `port` once.
"""

import os
import sys
from _socket import CMSG_SPACE, SCM_RIGHTS, SOL_SOCKET, socketpair
from _thread import start_new_thread

from agent_connector.worker.sandbox import bpf, broker, kernel, rights

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from _socket import socket
else:
    import _signal as signal  # the other, and `socket`, double the time of a start

PASSED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)


def main(words: "list[str]") -> None:
    split = words.index("--")
    rules, command = rights.Rules(words[:split]), words[split + 1 :]
    takes = rules.takes and broker.may_take()
    if rules.open_network and not takes:  # datagrams could not be told from streams
        os.write(
            2, b"landlock: an open network cannot be had: this system lets nobody take a descriptor (pidfd_getfd)\n"
        )
        os._exit(126)
    near, far = socketpair()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        near.close()
        become(rules, far, parent, command)
    far.close()
    for number in PASSED_ON:
        signal.signal(number, lambda number, frame: send(child, number))
    null = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(null, number)
    _, given, _, _ = near.recvmsg(1, CMSG_SPACE(4))
    if given:
        listener = int.from_bytes(given[0][2][:4], sys.byteorder)
        start_new_thread(broker.Broker(listener, rules, takes).serve, ())
    _, status = os.waitpid(child, 0)
    leave(status)


def become(rules: rights.Rules, far: "socket", parent: int, command: "list[str]") -> None:
    """Shut this process in, hand out the descriptor on which it will ask, and be the command."""
    machine = os.uname().machine
    try:
        kernel.die_with_parent(signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
        kernel.drop_capabilities()
        kernel.no_new_privileges()
        rights.restrict(rules)
        listener = kernel.filter_calls(bpf.program(machine, open_network=rules.open_network), machine)
        far.sendmsg([b"!"], [(SOL_SOCKET, SCM_RIGHTS, listener.to_bytes(4, sys.byteorder))])
        os.close(listener)
        far.close()
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        os.execvp(command[0], command)  # noqa: S606 - what this is for
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        os.write(2, f"landlock: {place}{error.strerror}\n".encode())
    os._exit(126)


def send(child: int, number: int) -> None:
    try:
        os.kill(child, number)
    except ProcessLookupError:
        return


def leave(status: int) -> None:
    """End as the command did."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 1)
