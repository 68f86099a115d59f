"""The few system calls that Python has no name for: Landlock, seccomp, capabilities, descriptors of others (Linux)."""

import ctypes
import fcntl
import os
import struct

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every machine, as all calls since 2019
PIDFD_OPEN, PIDFD_GETFD = 434, 438
SECCOMP = {"x86_64": 317, "aarch64": 277}
_VERSION = 1
_PATH_BENEATH, _NET_PORT = 1, 2
_SET_FILTER, _NEW_LISTENER, _WAIT_KILLABLE = 1, 1 << 3, 1 << 5
_PDEATHSIG, _NO_NEW_PRIVS, _CAPBSET_DROP, _CAP_AMBIENT, _CLEAR_ALL = 1, 38, 24, 47, 4
_CAPABILITY_VERSION = 0x2008_0522
_CAPABILITIES = 64
_RECEIVE, _SEND, _VALID, _ADD = 0xC050_2100, 0xC018_2101, 0x4008_2102, 0x4018_2103
_REPLACE = 1


def call(number: int, *arguments: int) -> int:
    """A system call by its number; OSError when it fails."""
    result: int = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(argument) for argument in arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def control(option: int, *arguments: int) -> None:
    """`prctl`; OSError when it fails."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    if libc.prctl(ctypes.c_int(option), *(ctypes.c_ulong(argument) for argument in padded)) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def landlock_version() -> int:
    """The version of Landlock's interface; 0 where there is none, or it is switched off."""
    try:
        return call(CREATE_RULESET, 0, 0, _VERSION)
    except OSError:
        return 0


def landlock_ruleset(files: int, network: int, scopes: int, version: int) -> int:
    """A descriptor of a set that handles these rights. The structure grew with the versions."""
    size = 8 if version < 4 else 16 if version < 6 else 24
    value = ctypes.create_string_buffer(struct.pack("=QQQ", files, network, scopes)[:size], size)
    return call(CREATE_RULESET, ctypes.addressof(value), size, 0)


def landlock_path(ruleset: int, rights: int, path: int) -> None:
    """Grant `rights` below the folder, or of the file, that the descriptor `path` stands for."""
    value = ctypes.create_string_buffer(struct.pack("=Qi", rights, path), 12)
    call(ADD_RULE, ruleset, _PATH_BENEATH, ctypes.addressof(value), 0)


def landlock_port(ruleset: int, rights: int, port: int) -> None:
    value = ctypes.create_string_buffer(struct.pack("=QQ", rights, port), 16)
    call(ADD_RULE, ruleset, _NET_PORT, ctypes.addressof(value), 0)


def landlock_restrict(ruleset: int) -> None:
    call(RESTRICT_SELF, ruleset, 0)


def no_new_privileges() -> None:
    """No program that is started from now on gains anything, by its owner or its file."""
    control(_NO_NEW_PRIVS, 1)


def die_with_parent(number: int) -> None:
    control(_PDEATHSIG, number)


def drop_capabilities() -> None:
    """What root may do beyond its files; without effect for others, who have none."""
    for number in range(_CAPABILITIES):
        try:
            control(_CAPBSET_DROP, number)
        except OSError:  # not root, or a number that this kernel does not know
            continue
    control(_CAP_AMBIENT, _CLEAR_ALL)
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITY_VERSION, 0), 8)
    if libc.capset(header, ctypes.create_string_buffer(24)) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def filter_calls(program: bytes, machine: str) -> int:
    """Put this process under the filter for good; the descriptor on which its questions come."""
    lines = ctypes.create_string_buffer(program, len(program))
    value = ctypes.create_string_buffer(struct.pack("@HP", len(program) // 8, ctypes.addressof(lines)))
    return call(SECCOMP[machine], _SET_FILTER, _NEW_LISTENER | _WAIT_KILLABLE, ctypes.addressof(value))


class Question:
    """A system call that waits for an answer."""

    __slots__ = ("arguments", "ident", "thread")

    def __init__(self, raw: bytes) -> None:
        self.ident, self.thread, _, _, _, _, *self.arguments = struct.unpack("=QIIiIQ6Q", raw[:80])


def receive(listener: int) -> Question:
    buffer = bytearray(256)  # must be zeros
    fcntl.ioctl(listener, _RECEIVE, buffer)
    return Question(bytes(buffer))


def reply(listener: int, ident: int, error: int) -> None:
    fcntl.ioctl(listener, _SEND, struct.pack("=QqiI", ident, 0, -error, 0))


def still_waits(listener: int, ident: int) -> bool:
    """False when the caller is gone, and its number may be another's."""
    try:
        fcntl.ioctl(listener, _VALID, struct.pack("=Q", ident))
    except OSError:
        return False
    return True


def replace_descriptor(listener: int, ident: int, source: int, number: int, flags: int) -> None:
    """Put our descriptor `source` in the place of `number` of the process that waits."""
    fcntl.ioctl(listener, _ADD, struct.pack("=QIIII", ident, _REPLACE, source, number, flags))


def take_descriptor(process: int, number: int) -> int:
    """A descriptor of our own for what `number` is in `process`."""
    handle = call(PIDFD_OPEN, process, 0)
    try:
        return call(PIDFD_GETFD, handle, number, 0)
    finally:
        os.close(handle)


def connect(descriptor: int, address: bytes) -> int:
    """`connect` with a raw address; 0 or the error's number."""
    value = ctypes.create_string_buffer(address, len(address))
    if libc.connect(descriptor, value, ctypes.c_uint(len(address))) == 0:
        return 0
    return ctypes.get_errno()
