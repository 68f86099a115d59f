"""How an agent asks for a person, and what makes a text risky."""

import pytest

from agent_connector.worker import markers

MARKERS = ("NEEDS HUMAN", "BLOCKED ON HUMAN")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("All done.\nNEEDS HUMAN: which region?", "which region?"),
        ("> **needs human** - the key is missing", "the key is missing"),
        ("- NEEDS HUMAN", ""),
        ("Blocked on human: approve the price.", "approve the price"),
        ('{"needsHuman": true, "reason": "no access"}', "no access"),
        ('Here it is:\n```json\n{"needsHuman": "choose A or B"}\n```', "choose A or B"),
    ],
)
def test_an_agent_asks_on_a_line_of_its_own(text: str, asked: str) -> None:
    assert markers.asked(text, MARKERS) == asked


@pytest.mark.parametrize(
    "text",
    [
        "I never say needs human in the middle of a sentence.",
        "NEEDS HUMANITIES teachers",
        '{"needsHuman": false}',
        '{"needsHuman": ',
        "",
    ],
)
def test_what_is_no_question_is_none(text: str) -> None:
    assert markers.asked(text, MARKERS) is None


def test_a_risky_word_counts_as_a_whole_word_only() -> None:
    assert markers.risky("Please DROP TABLE users", ["drop table", "prod"]) == "drop table"
    assert markers.risky("improve the product", ["prod"]) is None
    assert markers.risky("deploy to prod.", ["", "prod"]) == "prod"
