"""What tokens cost: against values worked out by hand, and against the list's own arithmetic."""

import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_connector.usage import cards, prices


def at(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def micro(root: Path, model: str, provider: str, when: str, tier: str = "", **counts: int) -> float | None:
    usd = prices.price_tokens(model, provider, at(when), counts, tier, root=str(root)).usd
    return None if usd is None else round(usd * 10**6, 6)


# Each sum: tokens x USD per million, which is micro-dollars.
@pytest.mark.parametrize(
    ("model", "provider", "when", "tier", "counts", "expected"),
    [
        pytest.param(
            "claude-sonnet-4-5-20250929", "anthropic", "2026-11-01", "",
            {"input": 1000, "cache_read": 10_000, "cache_write_5m": 2000, "cache_write_1h": 3000, "output": 500},
            1000 * 3 + 10_000 * 0.3 + 2000 * 3.75 + 3000 * 6 + 500 * 15,
            id="every class has its price",
        ),
        pytest.param(
            "claude-sonnet-4-5", "", "2026-11-01", "", {"input": 140_000, "cache_read": 60_000, "output": 1000},
            140_000 * 3 + 60_000 * 0.3 + 1000 * 15,
            id="200,000 tokens of context are not long yet",
        ),
        pytest.param(
            "claude-sonnet-4-5", "", "2026-11-01", "", {"input": 140_000, "cache_read": 60_001, "output": 1000},
            140_000 * 6 + 60_001 * 0.6 + 1000 * 22.5,
            id="one more makes all of the request dearer",
        ),
        pytest.param(
            "claude-sonnet-4-5", "", "2026-11-01", "", {"input": 300_000, "output": 1000, "requests": 2},
            300_000 * 3 + 1000 * 15,
            id="two requests in one unit are not one long one",
        ),
        pytest.param(
            "claude-opus-4-6", "anthropic", "2026-03-12T23:59:59.999", "", {"input": 250_000, "output": 100},
            250_000 * 10 + 100 * 37.5,
            id="the last moment of an old price",
        ),
        pytest.param(
            "claude-opus-4-6", "anthropic", "2026-03-13", "", {"input": 250_000, "output": 100},
            250_000 * 5 + 100 * 25,
            id="the first moment of a new one",
        ),
        pytest.param(
            "claude-opus-4-6", "anthropic", "2026-11-01", "batch", {"input": 1000, "output": 100},
            1000 * 2.5 + 100 * 12.5, id="batch",
        ),
        pytest.param(
            "gpt-5.5", "openai", "2026-11-01", "priority", {"input": 1000, "cache_read": 500, "output": 100},
            1000 * 12.5 + 500 * 1.25 + 100 * 75, id="priority",
        ),
        pytest.param(
            "gpt-5.5", "openai", "2026-11-01", "flex", {"input": 272_001, "output": 100},
            272_001 * 5 + 100 * 22.5, id="flex with a long context",
        ),
        pytest.param(
            "gemini-2.5-pro", "google", "2026-11-01", "", {"input": 1000, "output": 1000, "reasoning": 900},
            1000 * 1.25 + 1000 * 10, id="reasoning is a part of the output, not more of it",
        ),
        pytest.param(
            "deepseek-v4-pro", "deepseek", "2026-11-01T02:00", "", {"input": 1000, "output": 10},
            1000 * 1.32 + 10 * 3.96, id="dear hours",
        ),
        pytest.param(
            "deepseek-v4-pro", "deepseek", "2026-11-01T12:00", "", {"input": 1000, "output": 10},
            1000 * 0.66 + 10 * 1.98, id="cheap hours",
        ),
        pytest.param(
            "anthropic/claude-sonnet-4-5", "", "2026-11-01", "", {"input": 1000}, 1000 * 3,
            id="a maker's name before the model's",
        ),
        pytest.param(
            "claude-sonnet-4-5", "some-gateway", "2026-11-01", "", {"input": 1000}, 1000 * 3,
            id="an unknown reseller: the maker's list price",
        ),
    ],
)  # fmt: skip
def test_prices_worked_out_by_hand(
    root: Path, model: str, provider: str, when: str, tier: str, counts: dict[str, int], expected: float
) -> None:
    assert micro(root, model, provider, when, tier, **counts) == pytest.approx(expected, rel=1e-12)


def test_a_quote_says_what_it_rests_on(root: Path) -> None:
    found = prices.price_tokens(
        "claude-opus-4-6", "anthropic", at("2026-11-01"), {"input": 10}, "batch", root=str(root)
    )
    assert (found.source, found.key, found.tier) == ("genai-prices", "anthropic/claude-opus-4-6", "batch")
    assert found.version
    before = prices.price_tokens(
        "claude-opus-4-6", "anthropic", at("2026-10-01"), {"input": 10}, "batch", root=str(root)
    )
    assert (before.usd, before.tier) == (10 * 5 / 10**6, ""), (
        "no batch price is known for then: the standard one, said so"
    )


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("claude-opus-99", "anthropic"),
        ("", ""),
        ("qwen3-coder:30b", "ollama"),
        ("gpt-5", "ollama"),
        ("deepseek/deepseek-chat:free", "some-gateway"),
    ],
)
def test_what_nobody_lists_has_no_price(root: Path, model: str, provider: str) -> None:
    assert prices.price_tokens(model, provider, at("2026-11-01"), {"input": 10}, root=str(root)) == prices.Quote(None)


def test_pricing_asks_no_network(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    assert micro(root, "claude-haiku-4-5", "anthropic", "2026-11-01", input=1000) == 1000


MODELS = [
    ("anthropic", "claude-sonnet-4-5"), ("anthropic", "claude-opus-4-6"), ("anthropic", "claude-haiku-4-5"),
    ("openai", "gpt-5.5"), ("openai", "gpt-5"), ("google", "gemini-2.5-pro"), ("google", "gemini-3.8-flash"),
    ("deepseek", "deepseek-v4-flash"), ("deepseek", "deepseek-chat"), ("perplexity", "sonar-deep-research"),
    ("openrouter", "anthropic/claude-sonnet-4.5"), ("x-ai", "grok-4-0709"), ("groq", "openai/gpt-oss-120b"),
]  # fmt: skip
TIERS: dict[str, dict[str, str]] = {
    "": {},
    "batch": {"processing": "batch"},
    "priority": {"service_tier": "priority"},
    "flex": {"service_tier": "flex"},
}
tokens = st.integers(0, 400_000)


@settings(max_examples=150, deadline=None)
@given(
    model=st.sampled_from(MODELS),
    tier=st.sampled_from(sorted(TIERS)),
    time=st.integers(at("2025-01-01"), at("2027-06-01")),
    counts=st.tuples(tokens, tokens, tokens, tokens, tokens, tokens),
)
def test_cards_agree_with_the_list_that_they_come_from(
    model: tuple[str, str], tier: str, time: int, counts: tuple[int, ...]
) -> None:
    import genai_prices

    own: dict[str, int] = dict(zip(cards.CLASSES, counts, strict=True))
    own["reasoning"] = min(own["reasoning"], own["output"])
    whole: dict[str, Any] = {
        "input_tokens": sum(own[name] for name in cards.CONTEXT),
        "cache_read_tokens": own["cache_read"],
        "cache_write_tokens": own["cache_write_5m"] + own["cache_write_1h"],
        "cache_write_1h_tokens": own["cache_write_1h"],
        "output_tokens": own["output"],
        "output_reasoning_tokens": own["reasoning"],
    }
    theirs = genai_prices.calc_price(
        genai_prices.Usage(**whole),
        model[1],
        provider_id=model[0],
        genai_request_timestamp=datetime.fromtimestamp(time / 1000, UTC),
        price_context=TIERS[tier],
    )
    ours = prices.price_tokens(model[1], model[0], time, own, tier, root="/nowhere")
    assert ours.usd == pytest.approx(float(theirs.total_price), rel=1e-9, abs=1e-12)
    assert ours.key == f"{theirs.provider.id}/{theirs.model.id}"
