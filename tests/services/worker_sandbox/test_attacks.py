"""From inside of a run: what must not work does not, for whoever runs the worker."""

from collections.abc import Callable
from typing import Any

Attack = Callable[..., dict[str, Any]]


def test_nothing_outside_can_be_read_written_or_reached(kind: str, attack: Attack) -> None:
    found = attack(kind)
    broken = {name: what for table in ("attempts", "of_root") for name, what in found[table].items() if what == "done"}
    assert broken == {}
    assert found["hits"] == [] and found["untouched"] and found["left"] == []


def test_what_a_run_needs_works(kind: str, attack: Attack) -> None:
    found = attack(kind)
    assert {name: what for name, what in found["works"].items() if what != "done"} == {}


def test_no_rights_and_no_variables_of_the_worker_are_inherited(kind: str, attack: Attack) -> None:
    found = attack(kind)
    assert found["capabilities"] == "0" * 32 and found["no_new_privileges"] == "1"
    assert {name for name in found["environment"] if name not in ("PWD", "LC_CTYPE")} == {
        "PATH",
        "HOME",
        "ANTHROPIC_API_KEY",
    }


def test_without_namespaces_and_descriptors_all_is_the_same(attack: Attack) -> None:
    found = attack("landlock without descriptors")
    assert {name for name, what in found["attempts"].items() if what == "done"} == set() and found["hits"] == []
    assert {name: what for name, what in found["works"].items() if what != "done"} == {}


def test_the_kernel_keeps_nothing_of_the_worker_for_a_run(kind: str, attack: Attack) -> None:
    found = attack(kind)["of_kernel"]
    assert found["a key of the worker's keyring"] != "done"
    assert kind == "bubblewrap" or found["a ring for system calls"] != "done"


def test_an_open_network_opens_the_network_alone(kind: str, attack: Attack) -> None:
    found = attack(kind, "open")
    attempts = found["attempts"]
    network = ("a host of the network by its address", "a service of this machine", "a service by IPv6", "a datagram")
    assert {attempts[name] for name in network} == {"done"}
    assert attempts["a unix socket of the machine"] != "done" and attempts["a unix socket through a link"] != "done"
    assert attempts["read the worker's key"] != "done" and attempts["write a file outside"] != "done"


def test_each_attempt_would_succeed_without_a_sandbox(attack: Attack) -> None:
    """Or the tests above would prove nothing."""
    found = attack("none", "open")
    failed = {name: what for name, what in found["attempts"].items() if what != "done"}
    assert set(failed) <= {"write to the system"}, failed  # for root alone
    assert {"tcp", "tcp6", "udp", "udp6", "unix", "unix datagram", "abstract"} <= set(found["hits"])
