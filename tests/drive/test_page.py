"""The page of the hosts that can be driven says what their facets say."""

from pathlib import Path

from agent_connector.drive import page
from agent_connector.drive.hosts import FACETS

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_that_of_the_facets() -> None:
    assert (DOCS / "drive.md").read_text(encoding="utf-8") == page.page(), "run `make docs`"


def test_every_host_stands_in_every_table_and_marks_are_those_of_its_facts() -> None:
    text = page.page()
    for host, facet in FACETS().items():
        assert f"`{facet.PROGRAM} " in text, host
        assert text.count(facet.PROVIDERS[0]) >= 1
    [claude] = [line for line in text.splitlines() if line.startswith("| [Claude Code]")]
    assert "`--resume SESSION` | its own place | `--max-budget-usd 1`" in claude
    assert "(d)" not in claude and "(?)" not in claude
    [cursor] = [line for line in text.splitlines() if line.startswith("| [Cursor]")]
    assert "| `--resume SESSION` (d) | before the prompt (d) | no |" in cursor
