"""docs/usage.md says what the verbs do: its file of prices is one, and every field of every document is named."""

import json
import re
from pathlib import Path
from typing import Any, cast

from tests.usage.reports.units import put, unit

from agent_connector.cli import books
from agent_connector.home import moments
from agent_connector.usage import (
    live,
    pricefile,
    prices,
    prices_show,
    report,
    report_leaders,
    report_sessions,
    report_show,
    rollups,
)

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "usage.md").read_text("utf-8")
NAMED = set(re.findall(r"`([\w./-]+)`", PAGE))
NOON = 1_793_534_400_000


def test_the_file_of_prices_on_the_page_is_one() -> None:
    (text,) = re.findall(r"^```toml prices\.toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    file = pricefile.parse(text.encode(), "prices.toml")
    assert len(file.entries) == 3
    told = pricefile.terms(file, "amazon-bedrock", "claude-sonnet-4-5-20250929", "", NOON)
    assert told is not None
    assert [over for over, _ in told.steps] == [-1, 200_000]


def fields(value: Any) -> set[str]:
    """Every key of a document, at any depth, but those that are names of hosts or classes of units."""
    found = set[str]()
    if isinstance(value, list):
        found.update(*map(fields, cast(list[Any], value)))
    if isinstance(value, dict):
        table = cast(dict[str, Any], value)
        found.update(table, *(fields(one) for name, one in table.items() if name != "sources"))
    return found


def test_every_field_of_every_document_is_on_the_page(root: Path) -> None:
    put(root, [unit(time=NOON, input=1, cost=1), unit(time=NOON, model="unheard-of", input=1)])
    asked = prices_show.Asked("claude-sonnet-4-5", "", "", NOON)
    card = prices.card("", "claude-sonnet-4-5", root=str(root))
    with rollups.rolled(str(root)) as connection:
        reports = {by: report.make(connection, by, None, moments.zone("UTC")) for by in report.BY}
        entry = books.Entry("acme", "query", 1, 2, 3, "exact")
        documents = [
            *(report_show.as_values(one) for one in reports.values()),
            report_sessions.as_values(report_sessions.of(connection, reports["session"])),
            report_leaders.as_values(report_leaders.of(reports["model"])),
            live.as_values(live.look(connection, moments.zone("UTC"), NOON)),
            prices_show.as_values(asked, card),
            books.as_values(books.Books([entry], [entry], reports["host"], ""), 5, 0),
        ]
    for document in documents:
        assert document["schema"] in NAMED
        assert fields(json.loads(json.dumps(document))) - NAMED == set()
