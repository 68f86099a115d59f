"""What the page says of each book, and what it does with hostile names."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from agent_connector.cli.main import main

ACME = str(Path(__file__).parents[2] / "examples" / "acme")


class Rows(HTMLParser):
    """The cells of each table row, by the heading of its table."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.heading = ""
        self.rows: dict[str, list[list[str]]] = {}
        self.inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("h2", "h3"):
            self.heading, self.inside = "", "heading"
        elif tag == "tr":
            self.rows.setdefault(self.heading.strip(), []).append([])
        elif tag in ("td", "th"):
            self.rows[self.heading.strip()][-1].append("")
            self.inside = "cell"

    def handle_endtag(self, tag: str) -> None:
        if tag in ("h2", "h3", "td", "th"):
            self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside == "heading":
            self.heading += data
        elif self.inside == "cell":
            self.rows[self.heading.strip()][-1][-1] += data.strip()


def rows(page: TestClient, heading: str, address: str = "/") -> list[list[str]]:
    return Rows(page.get(address).text).rows.get(heading, [[]])[1:]


def test_an_empty_machine_has_a_page(page: TestClient) -> None:
    text = page.get("/").text
    assert "The hosts' logs have not been read yet" in text
    assert "No host was found on this machine" in text


def test_the_logs_are_priced_by_model_host_and_project(page: TestClient, used: Callable[..., None]) -> None:
    used()
    text = page.get("/").text
    assert "$15.00" in text  # a million tokens of output at the list price of the model
    assert rows(page, "By model")[0][:2] == ["claude-sonnet-4-5", "$15.00"]
    assert Rows(text).rows["By project"][1][0] == "shop"
    assert re.search(r"most on \d{4}-\d\d-\d\d: \$15\.00", text)


def test_a_model_without_a_price_makes_it_at_least(page: TestClient, used: Callable[..., None]) -> None:
    used()
    used("claude-of-tomorrow", number=2)
    text = page.get("/").text
    assert "≥ $15.00" in text
    assert "No price is known for <strong><bdi>claude-of-tomorrow</bdi></strong> (1M tokens)" in text


def test_the_servers_bytes_are_a_book_of_their_own(page: TestClient, call: Callable[..., None]) -> None:
    call()
    call(tool="write", out=890)
    call(scope="tool_defs", out=700, **{"in": 0})
    assert [row[:2] for row in rows(page, "By tool")] == [["acme-db·write", "900"], ["acme-db·query", "110"]]
    assert rows(page, "What is read in every turn") == [["acme-db", "codex", "700", "1", "2.1k", "1.01k"]]
    assert "Nothing in this time." in page.get("/").text  # no log was read: the books are not mixed


def test_the_filters_stand_in_the_address(page: TestClient, call: Callable[..., None]) -> None:
    call()
    call(host="cursor", out=890)
    assert rows(page, "By server")[0][1] == "1.01k"
    assert rows(page, "By server", "/?host=cursor")[0][1] == "900"
    text = page.get("/?since=7d&host=cursor").text
    assert 'value="cursor" checked' in text and 'value="7d" checked' in text
    assert rows(page, "By server", "/?host=nobody")[0][1] == "1.01k"
    assert page.get("/?zone=Mars/Olympus").status_code == 400
    assert "Mars/Olympus" in page.get("/?zone=Mars/Olympus").text
    assert "times in Asia/Tokyo" in page.get("/?zone=Asia/Tokyo").text


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "a" * 500,
        "\u202eevil",
        "{{7*7}}",
        "\x1b[2J\x9b\u200b\r",
    ],
)
def test_names_are_text(page: TestClient, call: Callable[..., None], used: Callable[..., None], name: str) -> None:
    call(tool=name, connector=name, project_name=name, host="codex")
    used(name)
    text = page.get("/").text
    assert not {"\u202e", "\x1b", "\x9b", "\u200b", "\r"} & set(text)
    assert "<script" not in text and "<img" not in text and "49" not in rows(page, "By tool")[0][0]


def test_doctor_has_a_word_for_each_surface(page: TestClient, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text('model = "gpt-5"\n')
    assert main(["install", "-c", ACME, "-t", "codex"]) == 0
    matrix = {row[0]: row[1:] for row in rows(page, "Hosts and surfaces as doctor finds them")}
    assert matrix["Codex CLI"][0].startswith("✓ok")
    (home / ".codex" / "config.toml").write_text('model = "gpt-5"\n')
    matrix = {row[0]: row[1:] for row in rows(page, "Hosts and surfaces as doctor finds them")}
    assert matrix["Codex CLI"][0].startswith("✗missing")
    assert "acme-db in codex" in page.get("/").text
