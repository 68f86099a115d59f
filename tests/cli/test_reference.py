"""The page of verbs says what the verbs say."""

from pathlib import Path

from agent_connector.cli import group, reference

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "cli.md"


def test_the_page_in_docs_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == reference.page(), "stale: run `make docs`"


def test_every_verb_and_every_verb_below_it_has_a_section():
    page = reference.page()
    assert all(f"\n## {verb}\n" in page for verb in group.VERBS)
    assert "\n### telemetry report\n" in page


def test_every_verb_shows_examples():
    sections = reference.page().split("\n## ")[1:]
    assert [section.partition("\n")[0] for section in sections if "Examples:" not in section] == []
