"""Write the pages that are made from the program's own facts: `make docs`."""

from collections.abc import Callable, Mapping
from pathlib import Path

from agent_connector.cli import reference
from agent_connector.hosts import matrix

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES: Mapping[str, Callable[[], str]] = {"hosts.md": matrix.page, "reference/cli.md": reference.page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
