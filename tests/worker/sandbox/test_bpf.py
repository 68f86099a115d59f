"""The filter for system calls, run here as the kernel runs it: which call is allowed, refused, or put to the broker."""

import struct

import pytest

from agent_connector.worker.sandbox import bpf

UDP, RAW = 2, 3
VERDICTS = {bpf.ALLOW: "allow", bpf.NOTIFY: "ask", bpf.KILL: "kill", bpf.ERRNO | 1: "deny", bpf.ERRNO | 38: "unknown"}


def verdict(machine: str, name: str | int, *arguments: int, open_network: bool = False, arch: int | None = None) -> str:
    number = name if isinstance(name, int) else bpf.CALLS[machine][name]
    data = struct.pack("=iIQ6Q", number, bpf.ARCHES[machine] if arch is None else arch, 0, *(*arguments, *[0] * 6)[:6])
    program = bpf.program(machine, open_network=open_network)
    at = value = 0
    while True:
        operation, yes, no, operand = struct.unpack_from("=HBBI", program, at * 8)
        at += 1
        if operation == 0x20:
            value = struct.unpack_from("=I", data, operand)[0]
        elif operation == 0x54:
            value &= operand
        elif operation == 0x06:
            return VERDICTS[operand]
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[operation]
            at += yes if holds else no


@pytest.mark.parametrize("machine", list(bpf.CALLS))
def test_streams_are_allowed_and_nothing_else_that_leaves(machine: str) -> None:
    assert verdict(machine, "connect", 3) == "ask"
    flags = 0x800 | 0x80000  # non-blocking, close on exec
    for family in (bpf.INET, bpf.INET6):
        assert verdict(machine, "socket", family, bpf.STREAM | flags) == "allow"
        assert verdict(machine, "socket", family, bpf.STREAM, bpf.TCP) == "allow"
        assert verdict(machine, "socket", family, bpf.STREAM, 262) == "deny"  # MPTCP, which Landlock does not know
        assert verdict(machine, "socket", family, bpf.STREAM, 132) == "deny"  # SCTP
        assert {verdict(machine, "socket", family, kind | flags) for kind in (UDP, RAW, 4, 5)} == {"deny"}
    assert verdict(machine, "socket", bpf.UNIX, bpf.STREAM | flags) == "allow"
    assert verdict(machine, "socket", bpf.UNIX, UDP) == verdict(machine, "socketpair", bpf.UNIX, UDP) == "deny"
    assert verdict(machine, "socketpair", bpf.UNIX, bpf.STREAM) == "allow"
    assert (
        verdict(machine, "socket", bpf.NETLINK, RAW, 0) == "allow"
        and verdict(machine, "socket", bpf.NETLINK, RAW, 15) == "deny"
    )
    assert {verdict(machine, "socket", family, bpf.STREAM) for family in (17, 40, 38, 16_000)} == {"deny"}
    assert {verdict(machine, name) for name in bpf.DENIED} == {"deny"}
    assert verdict(machine, 0) == "allow"


@pytest.mark.parametrize("machine", list(bpf.CALLS))
@pytest.mark.parametrize("name,at", [("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3)])
def test_a_send_that_connects_is_refused(machine: str, name: str, at: int) -> None:
    before = [0] * at
    assert verdict(machine, name, *before, 0x4000) == "allow"
    assert verdict(machine, name, *before, 0x4000 | bpf.FASTOPEN) == "deny"


def test_calls_of_another_machine_do_not_slip_by() -> None:
    assert verdict("x86_64", "socket", bpf.UNIX, 1, arch=0x4000_0003) == "kill"  # 32 bit
    assert verdict("x86_64", 0x4000_0000 | 42) == "unknown"  # x32


@pytest.mark.parametrize("machine", list(bpf.CALLS))
def test_an_open_network_allows_datagrams_but_no_way_around_the_broker(machine: str) -> None:
    assert verdict(machine, "socket", bpf.INET, UDP, open_network=True) == "allow"
    assert verdict(machine, "connect", 3, open_network=True) == "ask"
    assert verdict(machine, "socket", bpf.UNIX, UDP, open_network=True) == "deny"
    assert verdict(machine, "io_uring_setup", open_network=True) == "deny"
