"""Make `.venv` from the lock: with uv where it is on PATH, else with venv and pip. Does nothing when up to date.

    python tools/env.py [FOLDER]        FOLDER defaults to .venv

Prints the environment's interpreter as its last line.
"""

import hashlib
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def interpreter(folder: str) -> str:
    """The environment's python, by platform."""
    parts = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
    return os.path.join(folder, *parts)


def stamp() -> str:
    """What the environment is made from: lock, project file, and this interpreter's version."""
    digest = hashlib.sha256(sys.version.encode())
    for name in ("requirements.lock", "pyproject.toml"):
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def run(*command: str) -> None:
    """Run one step, its output to stderr, each line once: pip warns of a missing folder anew for every package.

    A failure ends the program with the step's exit code.
    """
    told: set[str] = set()
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as step:
        for line in step.stdout or ():
            if line not in told:
                told.add(line)
                print(line, end="", file=sys.stderr, flush=True)
    if step.returncode:
        sys.exit(f"tools/env.py: `{' '.join(command)}` failed with exit code {step.returncode}")


def build(folder: str) -> None:
    """Install the locked packages, then this project from its checkout."""
    python = interpreter(folder)
    uv = shutil.which("uv")
    if uv:
        run(uv, "venv", "-q", "--clear", "--python", sys.executable, folder)
        install = [uv, "pip", "install", "-q", "--python", python]
    else:
        run(sys.executable, "-m", "venv", "--clear", folder)
        install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    run(*install, "--require-hashes", "-r", "requirements.lock")
    run(*install, "--no-deps", "--no-build-isolation", "-e", ".")


def main() -> None:
    """Build when the stamp differs, then print the interpreter."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is what tells a person with an older Python
        sys.exit(f"agent-connector needs Python 3.11 or newer; this is {sys.version.split()[0]} ({sys.executable}).")
    folder = os.path.join(ROOT, sys.argv[1] if len(sys.argv) > 1 else ".venv")
    mark = os.path.join(folder, ".stamp")
    wanted = stamp()
    try:
        with open(mark) as file:
            fresh = file.read() == wanted
    except OSError:
        fresh = False
    if not fresh:
        print("making the environment (once) ...", file=sys.stderr)
        build(folder)
        with open(mark, "w") as file:
            file.write(wanted)
    print(interpreter(folder))


if __name__ == "__main__":
    main()
