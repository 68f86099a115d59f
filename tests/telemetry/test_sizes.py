"""Percentiles out of classes of sizes."""

from hypothesis import given
from hypothesis import strategies as st

from agent_connector.telemetry import sizes


@given(st.integers(0, 1 << 40), st.integers(0, 1 << 40))
def test_classes_keep_the_order_and_are_narrow(one: int, other: int) -> None:
    low, high = sorted((one, other))
    assert sizes.class_of(low) <= sizes.class_of(high)
    assert abs(sizes.middle(sizes.class_of(one)) - one) <= one * 0.04


@given(st.lists(st.integers(0, 100_000), min_size=1, max_size=200), st.floats(0.01, 1))
def test_a_percentile_is_near_the_one_of_all_sizes(found: list[int], share: float) -> None:
    counts: dict[int, int] = {}
    for size in found:
        counts[sizes.class_of(size)] = counts.get(sizes.class_of(size), 0) + 1
    told = sizes.percentile(counts, share)
    exact = next(size for place, size in enumerate(sorted(found), 1) if place >= share * len(found))
    assert told is not None and abs(told - exact) <= exact * 0.04


def test_no_calls_have_no_percentile() -> None:
    assert sizes.percentile({}, 0.5) is None
