"""The system calls that a run without namespaces may not make, as a program for the kernel's filter (seccomp). Pure.

Landlock knows files, TCP ports and scopes; what it does not know is closed here: datagrams, other kinds of sockets, other
ways to connect. `connect` itself is not decided by a filter, which cannot see addresses: it is put to the broker.
"""

import struct

UNIX, INET, INET6, NETLINK = 1, 2, 10, 16
STREAM, SEQPACKET, KIND = 1, 5, 0xF
FASTOPEN = 0x2000_0000  # connects without a call of `connect`
TCP = 6
EPERM, ENOSYS = 1, 38
ALLOW, KILL, ERRNO, NOTIFY = 0x7FFF_0000, 0x8000_0000, 0x0005_0000, 0x7FC0_0000
_LOAD, _EQUAL, _LEAST, _BITS, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _ARCH, _ARGUMENT = 0, 4, 16
_X32 = 0x4000_0000  # the second set of calls of x86_64, which would pass all comparisons by

# machine -> its word for the kernel, and the numbers of its calls
ARCHES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
CALLS = {
    "x86_64": {
        "socket": 41, "connect": 42, "sendto": 44, "sendmsg": 46, "socketpair": 53, "sendmmsg": 307,
        "add_key": 248, "request_key": 249, "keyctl": 250, "io_uring_setup": 425,
    },
    "aarch64": {
        "socket": 198, "connect": 203, "sendto": 206, "sendmsg": 211, "socketpair": 199, "sendmmsg": 269,
        "add_key": 217, "request_key": 218, "keyctl": 219, "io_uring_setup": 425,
    },
}  # fmt: skip
# Never: a ring connects without a call that a filter sees; a keyring is shared with all of the person's programs.
DENIED = ("io_uring_setup", "add_key", "request_key", "keyctl")
_FLAGS_AT = {"sendto": 3, "sendmsg": 2, "sendmmsg": 3}

Step = tuple[int, int, str, str]  # operation, operand, label when it holds, label when not ("" is the next step)


def program(machine: str, *, open_network: bool) -> bytes:
    """The filter for `machine`, a key of CALLS, as the kernel takes it: eight bytes for each step."""
    calls = CALLS[machine]
    steps: list[Step | str] = [(_LOAD, _ARCH, "", ""), (_EQUAL, ARCHES[machine], "", "kill"), (_LOAD, _NUMBER, "", "")]
    if machine == "x86_64":
        steps.append((_LEAST, _X32, "unknown", ""))
    for name in DENIED:
        steps.append((_EQUAL, calls[name], "deny", ""))
    steps.append((_EQUAL, calls["connect"], "ask", ""))
    for name in ("socket", "socketpair", *_FLAGS_AT):
        steps.append((_EQUAL, calls[name], name, ""))
    steps.append((_RETURN, ALLOW, "", ""))
    steps += _sockets(open_network)
    for name, at in _FLAGS_AT.items():
        steps += [name, (_LOAD, _ARGUMENT + 8 * at, "", ""), (_BITS, FASTOPEN, "deny", "allow")]
    for label, value in (
        ("allow", ALLOW),
        ("ask", NOTIFY),
        ("deny", ERRNO | EPERM),
        ("unknown", ERRNO | ENOSYS),
        ("kill", KILL),
    ):
        steps += [label, (_RETURN, value, "", "")]
    return _assembled(steps)


def _sockets(open_network: bool) -> "list[Step | str]":
    """TCP and unix streams; netlink only to read what interfaces there are. With an open network also datagrams."""
    steps: list[Step | str] = ["socket", (_LOAD, _ARGUMENT, "", "")]
    steps += [(_EQUAL, UNIX, "unix", ""), (_EQUAL, NETLINK, "netlink", "")]
    steps += [(_EQUAL, family, "allow" if open_network else "internet", "") for family in (INET, INET6)]
    steps.append((_RETURN, ERRNO | EPERM, "", ""))
    steps += ["socketpair", "unix", (_LOAD, _ARGUMENT + 8, "", ""), (_AND, KIND, "", "")]
    steps += [(_EQUAL, STREAM, "allow", ""), (_EQUAL, SEQPACKET, "allow", "deny")]
    steps += ["internet", (_LOAD, _ARGUMENT + 8, "", ""), (_AND, KIND, "", ""), (_EQUAL, STREAM, "", "deny")]
    steps += [(_LOAD, _ARGUMENT + 16, "", ""), (_EQUAL, 0, "allow", ""), (_EQUAL, TCP, "allow", "deny")]
    steps += ["netlink", (_LOAD, _ARGUMENT + 16, "", ""), (_EQUAL, 0, "allow", "deny")]
    return steps


def _assembled(steps: "list[Step | str]") -> bytes:
    places: dict[str, int] = {}
    plain: list[Step] = []
    for step in steps:
        if isinstance(step, str):
            places[step] = len(plain)
        else:
            plain.append(step)
    lines: list[bytes] = []
    for at, (operation, operand, yes, no) in enumerate(plain):
        ways = [places[label] - at - 1 if label else 0 for label in (yes, no)]
        lines.append(struct.pack("=HBBI", operation, *ways, operand))
    return b"".join(lines)
