"""The person's own prices: what stands above what, and what a mistake in the file says."""

from pathlib import Path

import pytest

from agent_connector.errors import UsageError
from agent_connector.usage import prices

DAY = 86_400_000
NOVEMBER, MARCH = 1_793_500_000_000, 1_772_323_200_000  # MARCH is 2026-03-01, to the ms
FILE = """\
[[price]]
model = "claude-*"
input = 2
output = 8

[[price]]
model = "claude-sonnet-4-5"
from = 2026-03-01
input = 1
cache_write_5m = 1.5
output = 4
reasoning = 6
request = 0.01

[[price.above]]
context = 1_000
input = 3

[[price]]
model = "claude-sonnet-4-5"
provider = "bedrock"
tier = "batch"
input = 0.5
"""


def usd(
    root: Path, model: str, provider: str = "", time: int = NOVEMBER, tier: str = "", **counts: int
) -> float | None:
    return prices.price_tokens(model, provider, time, {"requests": 0, **counts}, tier, root=str(root)).usd


@pytest.fixture
def priced(root: Path) -> Path:
    root.mkdir()
    (root / "prices.toml").write_text(FILE, "utf-8")
    return root


def test_the_file_stands_above_the_list(priced: Path) -> None:
    found = prices.price_tokens("claude-opus-4-6", "anthropic", NOVEMBER, {"input": 10**6}, root=str(priced))
    assert (found.usd, found.source, found.key) == (2, "prices.toml", "claude-*")
    assert len(found.version) == 12
    assert usd(priced, "gpt-5.5", "openai", input=1000) == 1000 * 5 / 10**6, "what it does not name is as listed"


def test_the_most_particular_entry_counts_and_only_from_its_day_on(priced: Path) -> None:
    assert usd(priced, "claude-sonnet-4-5", input=100) == pytest.approx(100 * 1e-6)
    assert usd(priced, "claude-sonnet-4-5", time=MARCH, input=100) == pytest.approx(100 * 1e-6)
    assert usd(priced, "claude-sonnet-4-5", time=MARCH - 1, input=100) == pytest.approx(200 * 1e-6)
    assert usd(priced, "claude-sonnet-4-5", "bedrock", tier="batch", input=100) == pytest.approx(50 * 1e-6)
    assert usd(priced, "claude-sonnet-4-5", "bedrock", input=100) == pytest.approx(100 * 1e-6)
    assert usd(priced, "CLAUDE-Sonnet-4-5", input=100) == pytest.approx(100 * 1e-6)


def test_an_entry_for_a_provider_stands_above_a_name_and_a_name_above_a_pattern(root: Path) -> None:
    root.mkdir()
    rows = (("gpt-*", "azure", 1), ("gpt-5.5", "", 2), ("gpt-5*", "", 3), ("*", "", 4))
    text = "".join(f'[[price]]\nmodel = "{m}"\nprovider = "{p}"\ninput = {usd}\n' for m, p, usd in rows)
    (root / "prices.toml").write_text(text, "utf-8")
    asked = (("gpt-5.5", "azure"), ("gpt-5.5", "openai"), ("gpt-5.4", "openai"), ("gpt-4", "openai"))
    assert [usd(root, model, provider, input=10**6) for model, provider in asked] == [1, 2, 3, 4]


def test_classes_without_a_price_cost_what_they_are_a_part_of(priced: Path) -> None:
    assert usd(priced, "claude-sonnet-4-5", cache_read=100) == pytest.approx(100 * 1e-6)
    assert usd(priced, "claude-sonnet-4-5", cache_write_1h=100) == pytest.approx(150 * 1e-6)
    assert usd(priced, "claude-sonnet-4-5", output=100, reasoning=40) == pytest.approx((60 * 4 + 40 * 6) * 1e-6)
    assert usd(priced, "claude-sonnet-4-5", requests=3) == pytest.approx(0.03)


def test_a_long_context_has_its_own_price(priced: Path) -> None:
    assert usd(priced, "claude-sonnet-4-5", input=1000) == pytest.approx(1000 * 1e-6)
    assert usd(priced, "claude-sonnet-4-5", input=900, cache_read=101, output=1) == pytest.approx(
        (900 * 3 + 101 * 3 + 4) * 1e-6
    ), "what the step does not name goes on; a class without a price follows the one it is a part of"


def test_before_its_first_day_the_list_counts(root: Path) -> None:
    root.mkdir()
    (root / "prices.toml").write_text('[[price]]\nmodel="gpt-5.5"\nfrom=2026-03-01\ninput=1\noutput=1\n', "utf-8")
    assert usd(root, "gpt-5.5", time=MARCH, input=1000) == pytest.approx(1000 * 1e-6)
    assert usd(root, "gpt-5.5", time=MARCH - 1, input=1000) == pytest.approx(5000 * 1e-6)


def test_a_pattern_means_itself_but_for_the_star(root: Path) -> None:
    root.mkdir()
    (root / "prices.toml").write_text('[[price]]\nmodel="in-[a]?-*"\ninput=1\n', "utf-8")
    assert usd(root, "in-[a]?-9", input=1) is not None
    assert usd(root, "in-axx-9", input=1) is None


def test_a_changed_file_counts_at_once(priced: Path) -> None:
    assert usd(priced, "claude-opus-4-6", input=10**6) == 2
    (priced / "prices.toml").write_text(FILE.replace("input = 2", "input = 3"), "utf-8")
    assert usd(priced, "claude-opus-4-6", input=10**6) == 3


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('[[price]]\nmodel = "x"\ninput = = 1\n', 3, "no TOML"),
        ('[[price]]\nmodel = "x"\ninput = 1\n\n[[price]]\nmodel = "y"\noutptu = 4\n', 7, "unknown 'outptu'"),
        (
            '[[price]]\nmodel = "x"\ninput = 1\n[[price.above]]\ncontext = 5\n\n[[price]]\ninput = 4\n',
            7,
            "names its model",
        ),
        (
            '[[price]]\nmodel = "x"\ninput = 1\n[[price.above]]\ncontext = 5\n[[price.above]]\ncontext = 5\n',
            7,
            "another one",
        ),
        ('[[price]]\nmodel = "x"\ninput = -1\n', 3, "from 0 to"),
        ('[[price]]\nmodel = "x"\ninput = nan\n', 3, "from 0 to"),
        ('[[price]]\nmodel = "x"\ninput = "1"\n', 3, "from 0 to"),
        ('[[price]]\nmodel = "x"\ninput = true\n', 3, "from 0 to"),
        ('[[price]]\nmodel = "x"\nfrom = "2026-01-01"\ninput = 1\n', 3, "a day"),
        ('[[price]]\nmodel = "x"\nfrom = 2026-01-01T10:00:00\ninput = 1\n', 3, "a day"),
        ('[[price]]\nmodel = "x"\ntier = "cheap"\ninput = 1\n', 3, "batch, fast, priority, flex"),
        ('[[price]]\nmodel = "x"\ncache_read = 1\n', 2, "at least input, output or request"),
        ('[price]\nmodel = "x"\n', 1, "list of tables"),
        ('price = [{ model = "x", input = 1 }]\n\nmodels = 1\n', 3, "unknown 'models'"),
    ],
)
def test_a_mistake_is_told_with_its_file_and_line(root: Path, text: str, line: int, says: str) -> None:
    root.mkdir()
    (root / "prices.toml").write_text(text, "utf-8")
    with pytest.raises(UsageError) as caught:
        usd(root, "x", input=1)
    assert caught.value.where == f"{root / 'prices.toml'}:{line}"
    assert says in caught.value.what
    assert caught.value.remedy


def test_bytes_that_are_no_text_are_told_too(root: Path) -> None:
    root.mkdir()
    (root / "prices.toml").write_bytes(b'[[price]]\nmodel = "\xff"\n')
    with pytest.raises(UsageError, match="not UTF-8") as caught:
        usd(root, "x", input=1)
    assert caught.value.where.endswith("prices.toml:2")
