"""Charts say in words what they draw."""

from xml.etree import ElementTree

from hypothesis import example, given
from hypothesis import strategies as st

from agent_connector.dashboard import charts

DAYS = st.lists(st.tuples(st.just("2026-11-30"), st.floats(0, 1e15)), min_size=1, max_size=400)


@example([("2026-11-30", 5e-324)], "$")  # the smallest number there is
@given(DAYS, st.sampled_from(["$", "tokens"]))
def test_every_chart_is_a_picture_with_a_text(points: list[tuple[str, float]], unit: str) -> None:
    text = str(charts.columns("Cost by day", points, unit))
    if text.startswith("<p"):
        assert not any(value for _, value in points)
        return
    drawn = ElementTree.fromstring(text)  # noqa: S314  # our own text
    bars = [one for one in drawn.iter() if one.tag == "rect"]
    assert drawn.get("role") == "img" and drawn.findtext("title") == "Cost by day" and drawn.findtext("desc")
    assert len(bars) == len(points)
    for bar in bars:
        assert 0 <= float(bar.get("y", "")) <= charts.HEIGHT and 0 <= float(bar.get("height", "")) <= charts.HEIGHT
        assert charts.LEFT <= float(bar.get("x", "")) <= charts.WIDTH


def test_amounts_are_short() -> None:
    assert [charts.short(n) for n in (0, 7, 950, 1000, 12345, 999_999, 1_234_567, 5e9)] == [
        "0", "7", "950", "1k", "12.3k", "1M", "1.23M", "5G",
    ]  # fmt: skip
    assert [charts.amount(n, "$") for n in (0, 0.0123, 0.5, 1, 1234.5)] == [
        "$0.00",
        "$0.0123",
        "$0.5",
        "$1.00",
        "$1,234.50",
    ]
