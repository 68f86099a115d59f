"""The core and the protocol do nothing by themselves: no file, socket, clock, thread or randomness of their own."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import agent_connector.byoa

ROOT = Path(agent_connector.byoa.__file__).parent
MODULES = sorted([*(ROOT / "protocol").glob("*.py"), *(ROOT / "core").glob("*.py")])
# Of the standard library, what only computes.
PURE = frozenset(
    [
        "base64",
        "collections",
        "collections.abc",
        "dataclasses",
        "enum",
        "hashlib",
        "ipaddress",
        "itertools",
        "json",
        "math",
        "re",
        "typing",
        "unicodedata",
        "urllib.parse",
    ]
)
OWN = {
    "protocol": ("agent_connector.byoa.protocol",),
    "core": ("agent_connector.byoa.protocol", "agent_connector.byoa.core"),
}
WORLDLY = (
    "asyncio",
    "socket",
    "ssl",
    "threading",
    "subprocess",
    "selectors",
    "random",
    "secrets",
    "tempfile",
    "datetime",
)


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_only_what_computes_is_imported(path: Path) -> None:
    for name in imported(path) - PURE:
        assert name.startswith(OWN[path.parent.name]), f"{name} is not pure"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_nothing_is_opened_printed_or_evaluated(path: Path) -> None:
    called = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"open", "print", "input", "exec", "eval", "__import__"}


def test_loading_the_core_loads_nothing_worldly() -> None:
    code = f"import sys, agent_connector.byoa.core.pairer; print([m for m in {WORLDLY} if m in sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT.parent.parent)!r}); {code}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.stdout.strip(), ran.stderr) == ("[]", "")
