"""Who else may read or write a file: its mode; on Windows its access list, told as the mode that it stands for."""

import ctypes
import os
import re
import stat
import sys
from typing import Any, cast

OWNERS = frozenset(("SY", "BA", "OW", "CO"))  # the system and administrators may do anything everywhere
READING = frozenset(("FR", "FX", "FRFX", "GR", "GX", "GRGX", "0x1200a9", "0x120089"))
ALLOWS = frozenset(("A", "OA", "XA", "ZA"))
ADMINISTRATOR = "-500"  # ends the id of the machine's own administrator, who is written as LA in a list
ENTRY = re.compile(r"\(([^;()]*);([^;()]*);([^;()]*);[^;()]*;[^;()]*;([^;()]*)(?:;[^)]*)?\)")
READ_BY_OTHERS, ALL_BY_OTHERS = 0o055, 0o077


def access(path: str, found: os.stat_result) -> tuple[int, bool]:
    """The mode, and whether it belongs to this user; `found` is what the system says of `path`."""
    if sys.platform == "win32":
        return told(_descriptor(path), _user())
    return stat.S_IMODE(found.st_mode), found.st_uid == os.geteuid()


def told(descriptor: str, user: str) -> tuple[int, bool]:
    """A security descriptor in its text form (SDDL), as a mode. An entry that is not understood lets everybody in."""
    mine = {user, "LA"} if user.endswith(ADMINISTRATOR) else {user}
    owner = re.match(r"O:(.*?)(?=G:|D:|S:|$)", descriptor)
    own = owner is not None and owner[1] in mine | {"BA"}
    start = descriptor.find("D:")
    entries = descriptor[start:].partition("S:(")[0] if start >= 0 else ""
    if not entries or "NO_ACCESS_CONTROL" in entries:
        return 0o700 | ALL_BY_OTHERS, own
    mode = 0o700
    for kind, flags, rights, who in ENTRY.findall(entries):
        if kind in ALLOWS and "IO" not in flags and who not in mine | OWNERS:
            mode |= READ_BY_OTHERS if rights in READING else ALL_BY_OTHERS
    return mode, own


def _library(name: str) -> Any:
    return cast("Any", ctypes).WinDLL(name, use_last_error=True)  # only Windows has it


def _descriptor(path: str) -> str:
    """Owner and access list of `path`."""
    library = _library("advapi32")
    found, text = ctypes.c_void_p(), ctypes.c_wchar_p()
    code = library.GetNamedSecurityInfoW(ctypes.c_wchar_p(path), 1, 1 | 4, None, None, None, None, ctypes.byref(found))
    if code:
        raise OSError(f"{path}: its access list cannot be read ({code})")
    try:
        call = library.ConvertSecurityDescriptorToStringSecurityDescriptorW
        if not call(found, 1, 1 | 4, ctypes.byref(text), None):
            raise OSError(f"{path}: its access list cannot be told")
        return _taken(text)
    finally:
        _free(found)


def _user() -> str:
    """The id of the user whose process this is."""
    library = _library("advapi32")
    kernel = _library("kernel32")
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    token, size = ctypes.c_void_p(), ctypes.c_uint32()
    if not library.OpenProcessToken(ctypes.c_void_p(kernel.GetCurrentProcess()), 8, ctypes.byref(token)):
        raise OSError("the process does not tell its user")
    try:
        library.GetTokenInformation(token, 1, None, 0, ctypes.byref(size))
        held = ctypes.create_string_buffer(size.value)
        if not library.GetTokenInformation(token, 1, held, size, ctypes.byref(size)):
            raise OSError("the process does not tell its user")
        id = ctypes.cast(held, ctypes.POINTER(ctypes.c_void_p))[0]  # the first field of TOKEN_USER
        text = ctypes.c_wchar_p()
        if not library.ConvertSidToStringSidW(ctypes.c_void_p(id), ctypes.byref(text)):
            raise OSError("the process does not tell its user")
        return _taken(text)
    finally:
        kernel.CloseHandle(token)


def _taken(text: Any) -> str:
    """A text that the system has made, which is freed."""
    said = text.value or ""
    _free(ctypes.cast(text, ctypes.c_void_p))
    return said


def _free(pointer: Any) -> None:
    library = _library("kernel32")
    library.LocalFree.argtypes = [ctypes.c_void_p]
    library.LocalFree(pointer)
