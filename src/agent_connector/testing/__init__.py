"""Contract suites and fakes, and what an author's own tests use: `explain`, `simulate`, and the pytest plugin.

`explain` and `simulate` are in `authors.py`, the fixtures in `pytest_plugin.py`, `walk(host)` in `hosts.py`;
`boards.py` has a task board in memory, `board_checks.py` the contract that it and every other board keeps.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from agent_connector.testing.authors import explain, simulate

__all__ = ["explain", "simulate"]


def __getattr__(name: str) -> "Any":
    """Loaded when asked for: the suites beside it need none of the installer."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from agent_connector.testing import authors

    return getattr(authors, name)
