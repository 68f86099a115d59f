"""The programs that some tests need and that no Python package brings: PostgreSQL, Chromium and bubblewrap.

python tools/services.py           say where each is; 1 when one is missing
python tools/services.py install   install what is missing with the system's package manager (Debian, as root)
"""

import glob
import os
import shutil
import subprocess
import sys

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
PACKAGES = {
    "postgresql": "postgresql",
    "chromium": "chromium",
    "bubblewrap": "bubblewrap",
}  # what it is -> its Debian package
INSTALL_SECONDS = 900


def postgresql() -> str | None:
    """The folder of PostgreSQL's server programs: that of `initdb` on the PATH, else the newest of Debian's."""
    found = shutil.which("initdb")
    if found:
        return os.path.dirname(os.path.realpath(found))
    folders = glob.glob("/usr/lib/postgresql/*/bin") + glob.glob("/opt/homebrew/opt/postgresql@*/bin")
    there = [folder for folder in folders if os.path.exists(os.path.join(folder, "initdb"))]
    return max(there, key=_version, default=None)


def _version(folder: str) -> int:
    return int("".join(letter for letter in folder if letter.isdigit()) or "0")


def chromium() -> str | None:
    """A Chromium that Playwright can drive; $CHROMIUM names another."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)


def bubblewrap() -> str | None:
    """What shuts a worker's runs in."""
    return shutil.which("bwrap")


FIND = {"postgresql": postgresql, "chromium": chromium, "bubblewrap": bubblewrap}


def install() -> None:
    """Install what is missing; the package manager's words go to stderr."""
    missing = [PACKAGES[name] for name, find in FIND.items() if find() is None]
    if not missing:
        return
    if shutil.which("apt-get") is None:
        sys.exit(f"tools/services.py: install {' and '.join(missing)} with this system's package manager")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing],
    ):
        done = subprocess.run(
            command, env=environment, stdout=sys.stderr.fileno(), timeout=INSTALL_SECONDS, check=False
        )
        if done.returncode:
            sys.exit(f"tools/services.py: `{' '.join(command)}` failed with exit code {done.returncode}")


def main(words: list[str]) -> int:
    if words == ["install"]:
        install()
    elif words:
        sys.exit(__doc__)
    for name, find in FIND.items():
        print(f"{name:12} {find() or 'missing'}")
    return 0 if all(find() for find in FIND.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
