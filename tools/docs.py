"""Write the pages that are made from the program's own facts: `make docs`."""

from collections.abc import Callable, Mapping
from pathlib import Path

from agent_connector.cli import reference
from agent_connector.drive import page as drive
from agent_connector.hosts import matrix
from agent_connector.redaction import reference as redaction
from agent_connector.worker import config_page
from agent_connector.worker.guard import page as guard

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES: Mapping[str, Callable[[], str]] = {
    "drive.md": drive.page,
    "hosts.md": matrix.page,
    "reference/cli.md": reference.page,
    "reference/redaction.md": redaction.page,
    "reference/worker-keys.md": config_page.page,
    "worker-guard.md": guard.page,
}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
