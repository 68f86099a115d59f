"""The page of patterns is the table."""

from pathlib import Path

from agent_connector.redaction import reference
from agent_connector.redaction.redactor import TABLE

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "redaction.md"


def test_the_page_is_what_the_table_says() -> None:
    assert PAGE.read_text("utf-8") == reference.page(), "run `make docs`"


def test_every_pattern_says_where_its_format_is_from() -> None:
    assert [pattern.what for pattern in TABLE if not pattern.source or not pattern.what] == []
