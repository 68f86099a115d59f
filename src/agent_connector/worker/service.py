"""A service file that keeps the worker running: for systemd, launchd, or the Windows task scheduler. Pure text.

It names the stable launcher where that is installed, so that an upgrade changes nothing in it, and carries the PATH of
now: agents' programs are found on it. No key is ever written into it.
"""

import plistlib
import subprocess
from collections.abc import Mapping, Sequence
from importlib import resources
from string import Template
from xml.sax.saxutils import escape

KINDS = ("systemd", "launchd", "windows")
LABEL = "io.agent-connector.worker"
CARRIED = ("PATH", "AGENT_CONNECTOR_DATA_DIR", "APPSUITE_CREDENTIALS", "APPSUITE_CONNECTOR_CONFIG", "XDG_STATE_HOME")
PATIENCE = 60  # seconds for running agents to end


def default_kind(platform: str) -> str:
    return {"darwin": "launchd", "win32": "windows"}.get(platform, "systemd")


def text(kind: str, command: Sequence[str], variables: Mapping[str, str], *, keys: str, logs: str, user: str) -> str:
    """`command` runs the worker; `keys` is a file of NAME=value lines, `logs` a file for what it says."""
    carried = {name: variables[name] for name in CARRIED if variables.get(name)}
    if kind == "systemd":
        return _systemd(command, carried, keys)
    if kind == "launchd":
        return _launchd(command, carried, logs)
    return _windows(command, user)


def _systemd(command: Sequence[str], carried: Mapping[str, str], keys: str) -> str:
    words = " ".join(_quoted(word.replace("$", "$$")) for word in command)
    lines = "\n".join(f"Environment={_quoted(f'{name}={value}')}" for name, value in carried.items())
    place = keys.replace("%", "%%")
    return _template("systemd.service").substitute(command=words, environment=lines, keys=place, patience=PATIENCE)


def _quoted(word: str) -> str:
    held = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("\n", "\\n")
    return f'"{held}"'


def _launchd(command: Sequence[str], carried: Mapping[str, str], logs: str) -> str:
    held = {
        "Label": LABEL,
        "ProgramArguments": list(command),
        "EnvironmentVariables": dict(carried),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 15,
        "ExitTimeOut": PATIENCE,
        "ProcessType": "Background",
        "StandardErrorPath": logs,
        "StandardOutPath": logs,
        "Umask": 0o077,
    }
    told = (
        f"<!-- The worker of agent-connector. Put this at ~/Library/LaunchAgents/{LABEL}.plist, then:\n"
        f"       launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/{LABEL}.plist -->\n"
    )
    head, mark, rest = plistlib.dumps(held, sort_keys=False).decode().partition("<plist")
    return head + told + mark + rest


def _windows(command: Sequence[str], user: str) -> str:
    filled = {"program": command[0], "arguments": subprocess.list2cmdline(command[1:]), "user": user}
    return _template("task.xml").substitute({name: escape(value) for name, value in filled.items()})


def _template(name: str) -> Template:
    return Template((resources.files("agent_connector.worker") / "templates" / name).read_text(encoding="utf-8"))
