"""What the person is told while they did not ask."""

import pytest

from agent_connector.byoa.sessions.claude_person import NEWS_KEPT, News


@pytest.mark.parametrize("lines", [("paired", "paired as Ada"), ("paired as Ada", "paired"), ("paired as Ada",) * 2])
def test_the_same_is_not_said_twice(lines: tuple[str, ...]) -> None:
    news = News()
    for line in lines:
        news.add(line)
    assert news.take() == "paired as Ada"
    assert news.take() == ""


def test_only_the_newest_are_kept() -> None:
    news = News()
    for number in range(NEWS_KEPT + 3):
        news.add(f"{number}.")
    assert news.take().splitlines() == [f"{number}." for number in range(3, NEWS_KEPT + 3)]
