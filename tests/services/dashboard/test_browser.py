"""The page in a real browser: at three widths, in light and dark, by keyboard, from the verb's own address."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request
from tests.services import going, looks
from tests.services.looks import SCHEMES, WIDTHS

from agent_connector.telemetry import append
from agent_connector.testing import usage_logs


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """The first address of a dashboard over a home with something in every book."""
    home = tmp_path_factory.mktemp("home")
    root = home / ".agent-connector"
    usage_logs.write(home, size=1 << 20)
    for number in range(200):
        row = {"t": time.time_ns() // 1_000_000 - number * 3_600_000, "scope": "call", "connector": "acme-db",
               "host": "codex", "surface": "server", "tool": f"a_rather_long_name_of_a_tool_{number % 9}", "session": "s",
               "source": "tokenizer-exact", "in": 10, "out": number * 37, "ms": 4.0}  # fmt: skip
        append.append(str(root), row)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("AGENT_CONNECTOR")}
    environment |= {"HOME": str(home), "TZ": "UTC"}
    for words in (
        ["usage", "scan"],
        ["install", "-c", str(Path(__file__).parents[3] / "examples" / "acme"), "-t", "codex,cursor"],
    ):
        subprocess.run(
            [sys.executable, "-m", "agent_connector", *words], env=environment, capture_output=True, check=True
        )
    argv = [sys.executable, "-m", "agent_connector", "dashboard", "--json", "--no-scan"]
    with subprocess.Popen(argv, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield first_address(server)
        finally:
            server.terminate()


def first_address(server: "subprocess.Popen[str]") -> str:
    """As the verb prints it."""
    assert server.stdout
    text = ""
    while not text.endswith("}\n"):
        line = server.stdout.readline()
        assert line, f"it ended with {server.wait()}, and had printed {text!r}"
        text += line
    return str(json.loads(text)["url"])


@pytest.fixture
def page(browser: Browser, address: str, request: pytest.FixtureRequest) -> Generator[Page]:
    """The page in a window of its own; what a browser complains about fails the test."""
    width, scheme = getattr(request, "param", (1280, "light"))
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    opened, complaints = context.new_page(), list[str]()

    def failed(request: Request) -> None:
        if not going.is_left(request):
            complaints.append(f"{request.url} {request.failure}")

    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("requestfailed", failed)
    try:
        opened.goto(address)
        opened.goto(opened.url + "?since=all")
        yield opened
        assert complaints == []
    finally:
        context.close()


@pytest.mark.parametrize("page", [(w, s) for w in WIDTHS for s in SCHEMES], indirect=True)
def test_it_fits_and_can_be_read(page: Page) -> None:
    looks.check(page)
    assert page.locator("svg.chart").count() == 2
    for chart in page.locator("svg.chart").all():
        assert chart.get_attribute("role") == "img" and " days from " in (chart.locator("desc").text_content() or "")


def test_the_address_bar_has_no_token_and_the_filters_work_by_keyboard(page: Page) -> None:
    assert "token" not in page.url
    everything = page.locator(".tile dd").first.inner_text()
    page.get_by_role("checkbox", name="codex").focus()
    page.keyboard.press("Space")
    with going.leaving(page):
        page.keyboard.press("Enter")
    assert "host=codex" in page.url and "since=all" in page.url
    assert page.get_by_role("checkbox", name="codex").is_checked()
    assert page.locator(".tile dd").first.inner_text() != everything


def test_a_screen_reader_finds_its_way(page: Page) -> None:
    heads = [one.inner_text().split("\n")[0] for one in page.get_by_role("heading", level=2).all()]
    assert [head.split(" ")[0] for head in heads] == ["What", "What", "Turns", "Hosts"]
    for table in page.get_by_role("table").all():
        assert table.get_by_role("columnheader").count() > 1
        assert table.get_by_role("rowheader").count() == table.locator("tbody tr").count()


def test_another_browser_gets_nothing(browser: Browser, page: Page) -> None:
    context = browser.new_context()
    stranger = context.new_page()
    answer = stranger.goto(page.url)
    assert answer is not None and answer.status == 403
    context.close()
