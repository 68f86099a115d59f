"""The environment of a program that is run in a home of its own: nothing of the person's can be found from it."""

import os
import sys
from collections.abc import Mapping

# What a program needs from its surroundings. All else stays out: keys, proxies, other hosts' folders and markers.
PASSED = [
    "COLORTERM",
    "COMSPEC",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "NUMBER_OF_PROCESSORS",
    "OS",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SHELL",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TERM",
    "TZ",
    "USER",
    "USERNAME",
    "WINDIR",
]


def environment(variables: Mapping[str, str], home: str, temporary: str, added: Mapping[str, str]) -> dict[str, str]:
    """The few variables of `variables` that are passed on, those `added`, and a home and temporary folder of its own."""
    own = {"HOME": home, "TMPDIR": temporary, "NO_COLOR": "1"}
    if sys.platform == "win32":
        data = os.path.join(home, "AppData")
        own |= {"USERPROFILE": home, "TEMP": temporary, "TMP": temporary}
        own |= {"APPDATA": os.path.join(data, "Roaming"), "LOCALAPPDATA": os.path.join(data, "Local")}
    passed = {name: variables[name] for name in PASSED if name in variables}
    return {"TERM": "xterm-256color", "LANG": "C.UTF-8", **passed, **added, **own}
