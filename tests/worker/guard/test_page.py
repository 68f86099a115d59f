"""The page of the guard is what the tables say, and the tables agree with each other."""

from pathlib import Path

from agent_connector.worker.guard import page, programs
from agent_connector.worker.guard.names import RULES
from agent_connector.worker.guard.refused import REFUSED

DOCS = Path(__file__).resolve().parents[3] / "docs"


def test_the_page_is_made_from_the_tables():
    assert (DOCS / "worker-guard.md").read_text(encoding="utf-8") == page.page(), "run `make docs`"


def test_no_program_is_both_allowed_and_refused():
    both = {name for name in REFUSED if name in programs.TABLE or name in programs.SPECIAL}
    assert both == set()
    assert {rule for rule, _ in REFUSED.values()} <= set(RULES)
