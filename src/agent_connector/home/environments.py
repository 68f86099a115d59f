"""The interpreter that runs an author's code, and the environment built for what it imports.

`connectors/<id>/python` names an interpreter that stays: never one of a virtual, uv, pipx or temporary environment,
since those go without a word. What the code imports beyond the standard library lies in `connectors/<id>/env`, built
beside it and moved in place whole, so that a failed build leaves the old one working. Who only looks at a declaration
is lent one: the connector's own, or one of the last few that were built for a look.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress

from agent_connector.errors import HomeError
from agent_connector.home import lock, paths, private, progress
from agent_connector.home.faults import explained
from agent_connector.home.links import within

PATIENCE = 900  # seconds, for one step of a build
KEPT = 4  # environments for a look, at least
_IN_USE = 600.0  # seconds; one that was lent since then may still be needed
_STAMP = "agent-connector.json"

Which = Callable[[str], str | None]


def base_interpreter(executable: str | None = None) -> str:
    """The interpreter that the running environment was made from; HomeError when even that one is temporary."""
    python = os.path.abspath(executable or getattr(sys, "_base_executable", None) or sys.executable)
    while (home := _made_from(python)) is not None:
        python = next((p for p in _candidates(home, python) if os.path.exists(p)), "")
        if not python:
            raise HomeError("the environment's own interpreter is gone", where=home, remedy="Install Python again.")
    if within(os.path.realpath(python), os.path.realpath(tempfile.gettempdir())):
        raise HomeError(
            "this interpreter is in a temporary folder, hosts could not rely on it",
            where=python,
            remedy="Install agent-connector with an interpreter that stays.",
        )
    return python


def settle(root: str, connector: str, requirements: Sequence[str] = (), *, which: Which = shutil.which) -> str:
    """The connector's environment and its `python` file are as `requirements` ask; gives the interpreter.

    Without requirements there is no environment. An equal one that is there already is kept, unless a requirement
    is a path (absolute, or a `file:` URL), whose content may have changed.
    """
    python = base_interpreter()
    environment = paths.connector_environment(root, connector)
    if not requirements:
        _clear(environment)
    elif not _is_fresh(environment, _stamp(python, requirements)):
        _build(python, environment, requirements, which)
    place, line = paths.connector_python(root, connector), (python + "\n").encode()
    if private.read(place) != line:
        private.write(place, line)
    return python


@contextmanager
def lent(
    root: str | None, connector: str, requirements: Sequence[str], *, which: Which = shutil.which
) -> Generator[str]:
    """An environment as `requirements` ask, to look at the connector; built only where none is there.

    Nothing is kept without `root`, nor of a requirement whose content may change (see `settle`).
    """
    python = base_interpreter()
    stamp = _stamp(python, requirements)
    shelf = paths.environments_folder(root) if root and not _may_change(requirements) else None
    if root and shelf and _is_fresh(own := paths.connector_environment(root, connector), stamp):
        yield own
    elif shelf and _can_hold(shelf):
        kept = os.path.join(shelf, hashlib.sha256(stamp.encode()).hexdigest()[:16])
        with lock.held(shelf, PATIENCE):
            if not _is_fresh(kept, stamp):
                _build(python, kept, requirements, which)
            os.utime(os.path.join(kept, _STAMP))
            _prune(shelf)
        yield kept
    else:
        with tempfile.TemporaryDirectory(prefix="agent-connector-", ignore_cleanup_errors=True) as scratch:
            _build(python, os.path.join(scratch, "env"), requirements, which)
            yield os.path.join(scratch, "env")


def _can_hold(shelf: str) -> bool:
    try:
        private.make_folder(shelf)
    except HomeError:
        return False
    return os.access(shelf, os.W_OK)


def _prune(shelf: str) -> None:
    """Remove what was not lent for long, but for the last few."""
    ages: list[tuple[float, str]] = []
    for name in os.listdir(shelf):
        with suppress(OSError):
            place = os.path.join(shelf, name)
            ages.append((time.time() - os.stat(os.path.join(place, _STAMP)).st_mtime, place))
    _clear(*(place for age, place in sorted(ages)[KEPT:] if age > _IN_USE))


def environment_python(environment: str) -> str:
    if sys.platform == "win32":
        return os.path.join(environment, "Scripts", "python.exe")
    return os.path.join(environment, "bin", "python")


def _made_from(python: str) -> str | None:
    """The `home` of the virtual environment that `python` belongs to; None when it belongs to none."""
    folder = os.path.dirname(python)
    for place in (folder, os.path.dirname(folder)):
        text = private.read(os.path.join(place, "pyvenv.cfg"))
        for line in (text or b"").decode(errors="replace").splitlines():
            name, _, value = line.partition("=")
            if name.strip() == "home":
                return value.strip()
    return None


def _candidates(home: str, python: str) -> list[str]:
    names = [os.path.basename(python), f"python{sys.version_info[0]}.{sys.version_info[1]}", "python3", "python"]
    suffix = ".exe" if sys.platform == "win32" else ""
    return [os.path.join(home, name.removesuffix(suffix) + suffix) for name in names]


def _stamp(python: str, requirements: Sequence[str]) -> str:
    return json.dumps({"python": python, "requirements": list(requirements)})


def _is_fresh(environment: str, stamp: str) -> bool:
    found = private.read(os.path.join(environment, _STAMP))
    if found is None or found.decode(errors="replace") != stamp or not os.path.exists(environment_python(environment)):
        return False
    return not _may_change(json.loads(stamp)["requirements"])


def _may_change(requirements: Sequence[str]) -> bool:
    """True when one is a path or a `file:` URL."""
    return any(os.path.isabs(requirement) or "file:" in requirement for requirement in requirements)


def _build(python: str, environment: str, requirements: Sequence[str], which: Which) -> None:
    fresh, old = environment + ".new", environment + ".old"
    private.make_folder(os.path.dirname(environment))
    _clear(fresh, old)
    with progress.during(f"building an environment with {', '.join(requirements)}"):
        for command in _commands(which("uv"), python, fresh, requirements):
            _run(command, os.path.dirname(environment), fresh)
    private.write(os.path.join(fresh, _STAMP), _stamp(python, requirements))
    try:
        if os.path.isdir(environment):
            os.rename(environment, old)
        os.rename(fresh, environment)
    except OSError as error:
        raise explained(error, environment, "replaced") from error
    _clear(old)


def _commands(uv: str | None, python: str, environment: str, requirements: Sequence[str]) -> list[list[str]]:
    inner = environment_python(environment)
    if uv:  # copies, since links into its cache would break when that is cleaned
        return [
            [uv, "venv", "--quiet", "--no-project", "--python", python, environment],
            [uv, "pip", "install", "--quiet", "--link-mode", "copy", "--python", inner, *requirements],
        ]
    pip = ["-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    return [[python, "-m", "venv", environment], [inner, *pip, *requirements]]


def _run(command: list[str], folder: str, environment: str) -> None:
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        _clear(environment)
        raise _failed(command, f"took longer than {PATIENCE} seconds", environment) from None
    except OSError as error:
        _clear(environment)
        raise _failed(command, str(error), environment) from error
    if done.returncode != 0:
        _clear(environment)
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise _failed(command, " / ".join(said[-6:]) or f"exit code {done.returncode}", environment)


def _failed(command: Sequence[str], why: str, environment: str) -> HomeError:
    return HomeError(
        f"the environment for the connector's code could not be built: {why}",
        where=environment.removesuffix(".new"),
        remedy=f"Run it by hand to see more:\n    {' '.join(command)}",
    )


def _clear(*places: str) -> None:
    for place in places:
        if os.path.isdir(place):
            shutil.rmtree(place, ignore_errors=True)
