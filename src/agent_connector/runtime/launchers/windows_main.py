"""What the Windows launcher runs: the rules of `agent-connector.sh` in Python. The installer fills in ROOT and PATH.

The interpreter that runs this is the base interpreter already, so hooks go on in it; only a connector that has an
interpreter of its own, and the command line, start another one. Two rules of the script have no twin, since they
watch that interpreter from outside: the files that it needs to start, and a process that the author's code tore down.
"""

import os
import sys

ROOT = "@ROOT@"
PATH = "@PATH@"
NEUTRAL = {"@NEUTRAL@": ""}  # what is answered where there is nothing to say, by host and event, then by host
RUN_BY_HOSTS = ("hook", "statusline", "action", "serve")


def main(arguments: "list[str]") -> int:
    root = os.environ.setdefault("AGENT_CONNECTOR_DATA_DIR", ROOT)
    os.environ["PATH"] = os.pathsep.join(part for part in (os.environ.get("PATH", ""), PATH) if part)
    home = os.path.join(root, "versions", version(root))
    verb = arguments[0] if arguments else ""
    if verb not in RUN_BY_HOSTS:
        tools = line(os.path.join(home, "tools"))
        if not os.path.exists(tools):
            return gone(tools or home, arguments)
        return start([tools, "-P", "-m", "agent_connector", *arguments])
    entry = os.path.join(home, "agent_connector", "runtime", "entry.py")
    if not os.path.exists(entry):
        return gone(home, arguments)
    python = own_python(root, arguments) if verb != "serve" else ""
    if python and os.path.normcase(python) != os.path.normcase(sys.executable) and os.path.exists(python):
        return start([python, "-I", "-S", entry, *arguments])
    sys.argv = [entry, *arguments]
    with open(entry, encoding="utf-8") as stream:
        code = compile(stream.read(), entry, "exec")
    exec(code, {"__name__": "__main__", "__file__": entry})  # noqa: S102  # it ends the process
    return 0


def version(root: str) -> str:
    """The current version, or the one that a pin asks for in this folder, when it is there."""
    current = line(os.path.join(root, "versions", "current"))
    rows = text(os.path.join(root, "pins")).splitlines()
    pin = pinned(rows, os.getcwd()) or pinned(rows, os.environ.get("CLAUDE_PROJECT_DIR", ""))
    if not pin or pin == current:
        return current
    if os.path.exists(os.path.join(root, "versions", pin, "agent_connector", "runtime", "entry.py")):
        return pin
    os.environ["AGENT_CONNECTOR_MISSED_PIN"] = pin
    return current


def pinned(rows: "list[str]", here: str) -> str:
    """The version that the longest pinned folder around `here` asks for, "" without one."""
    inside = os.path.normcase(here) + os.sep
    longest, pin = "", ""
    for row in rows:
        folder, _, wanted = row.partition("\t")
        place = os.path.normcase(folder).rstrip(os.sep) + os.sep
        if folder and here and inside.startswith(place) and len(place) > len(longest):
            longest, pin = place, wanted.strip()
    return pin


def own_python(root: str, arguments: "list[str]") -> str:
    """The interpreter of the connector that the arguments name."""
    if "--connector" not in arguments[:-1]:
        return ""
    connector = arguments[arguments.index("--connector") + 1]
    return line(os.path.join(root, "connectors", connector, "python"))


def gone(what: str, arguments: "list[str]") -> int:
    """Answer for what is gone: hosts must go on working."""
    if arguments[:1] == ["statusline"]:
        return 0
    if arguments[:1] == ["hook"]:
        sys.stdin.buffer.read()
        host, event = [*arguments[1:3], "", ""][:2]
        sys.stdout.write(NEUTRAL.get(f"{host} {event}", NEUTRAL.get(host, "")))
        return 0
    print(f"agent-connector: {what} is gone; install agent-connector again, then run: agent-connector upgrade",
          file=sys.stderr)  # fmt: skip
    if arguments[:1] == ["serve"] and "--" in arguments[:-1]:
        return start(arguments[arguments.index("--") + 1 :])
    return 1


def start(command: "list[str]") -> int:
    import subprocess

    return subprocess.run(command, check=False).returncode


def text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as stream:
            return stream.read()
    except OSError:
        return ""


def line(path: str) -> str:
    return text(path).partition("\n")[0].strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
