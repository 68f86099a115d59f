"""The launcher on Windows: a real program, since hosts refuse to start a `.cmd` without a shell.

distlib's stub is a small program with a `#!` line and a zip behind it: it starts the interpreter of that line with
itself as the argument, and Python runs the zip's `__main__`. Those rules are pure and tested on any system.
"""

import io
import zipfile
from importlib import resources

from agent_connector.errors import DeployError

_STUBS = {"amd64": "t64.exe", "x86_64": "t64.exe", "arm64": "t64-arm.exe", "aarch64": "t64-arm.exe", "x86": "t32.exe"}
_EPOCH = (1980, 1, 1, 0, 0, 0)  # equal inputs give equal bytes: an upgrade sees whether anything changed


def program(stub: bytes, python: str, main: str) -> bytes:
    """The launcher: `stub` starts `python`, isolated and without site packages, on the script `main`."""
    line = f'#!"{python}" -I -S\r\n'.encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("__main__.py", _EPOCH), main.encode())
    return stub + line + buffer.getvalue()


def stub(machine: str) -> bytes:
    """distlib's stub for the processor `machine` (as `platform.machine()` says)."""
    name = _STUBS.get(machine.lower())
    if name is None:
        raise DeployError(f"there is no launcher for the processor {machine}", remedy="Use an x86 or ARM Windows.")
    try:
        return resources.files("distlib").joinpath(name).read_bytes()
    except (ModuleNotFoundError, FileNotFoundError) as error:
        remedy = "Install agent-connector again with all its dependencies."
        raise DeployError(f"the launcher needs distlib: {error}", remedy=remedy) from error
