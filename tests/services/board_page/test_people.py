"""People at the page in a browser: by keyboard alone, without JavaScript, on a small screen and in the dark."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect
from tests.services.going import follow, leaving
from tests.services.looks import SCHEMES, check

from agent_connector.board import keys, presence, runs, served, tasks, users
from agent_connector.board.values import BundleFile, Role
from agent_connector.testing.board_stage import PASSWORD

WIDTHS = (360, 800, 1400)
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
# What has the focus, and whether a person sees that it has.
FOCUS = """
() => {
  const e = document.activeElement, card = e.closest('.card'), s = getComputedStyle(e);
  const shown = [e, card].filter(Boolean).some(one => {
    const style = getComputedStyle(one);
    return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
  });
  return [e.tagName, (e.innerText || e.name || '').trim(), shown];
}
"""


def stopped(board: Any, title: str) -> str:
    """A task whose run waits for an answer."""
    task = board.write(tasks.add, title=title, by="x@example.com", status="blocked")
    run = board.write(runs.create, task.id, connector=LONG)
    board.write(runs.change, run.id, status="awaiting_human", cost=0.25)
    board.write(tasks.comment, task.id, "May I use oil?", by="worker on lovelace")
    return task.id


def tab_to(page: Page, tag: str, text: str) -> None:
    """Press Tab until this has the focus; at each stop the focus can be seen."""
    for _ in range(60):
        page.keyboard.press("Tab")
        found, words, shown = page.evaluate(FOCUS)
        assert shown, (found, words)
        if found == tag and words.startswith(text):
            return
    raise AssertionError(f"no {tag} {text!r} was reached")


def choose(page: Page, value: str) -> None:
    """Go through the list that has the focus. Letters would do as well, if they followed each other within a second."""
    page.keyboard.press("Home")
    for _ in range(20):
        if page.evaluate("document.activeElement.value") == value:
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"{value!r} cannot be chosen")


def test_an_escalation_is_answered_by_keyboard_alone(board: Any, context: Callable[..., BrowserContext]) -> None:
    task = stopped(board, "Mend the gate")
    page = context(logged_in=False).new_page()
    page.goto(f"{board.address}/waiting")
    expect(page.locator("input[type=email]")).to_be_focused()
    page.keyboard.type("ada@example.com")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    with leaving(page):
        page.keyboard.press("Enter")
    assert page.url == f"{board.address}/waiting"
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUS)[1] == "Skip to the content"
    page.keyboard.press("Enter")
    tab_to(page, "TEXTAREA", "body")
    page.keyboard.type("Yes, a little.")
    tab_to(page, "SELECT", "")
    choose(page, "todo")
    tab_to(page, "BUTTON", "Answer")
    with leaving(page):
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nobody waits")).to_be_visible()
    expect(page.get_by_role("region", name="Answered")).to_contain_text("Mend the gate")
    found = board.store.read(tasks.get, task)
    assert (found.status, found.comments[-1].body, found.comments[-1].author) == (
        "todo",
        "Yes, a little.",
        "ada@example.com",
    )
    tab_to(page, "BUTTON", "Log out")
    with leaving(page):
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()


def test_everything_works_without_javascript(board: Any, context: Callable[..., BrowserContext]) -> None:
    page = context(logged_in=False, java_script_enabled=False).new_page()
    page.goto(board.address)
    page.get_by_label("E-mail").fill("ada@example.com")
    page.get_by_label("Password").fill(PASSWORD)
    follow(page.get_by_role("button", name="Log in"))
    follow(page.get_by_role("link", name="New task"))
    page.get_by_label("Title").fill("Mend the gate")
    page.get_by_label("What is to be done").fill("It squeaks.")
    follow(page.get_by_role("button", name="Add the task"))
    expect(page.get_by_role("heading", name="Mend the gate")).to_be_visible()
    page.get_by_label("Say something").fill("With oil, please")
    follow(page.get_by_role("button", name="Comment"))
    expect(page.locator(".said")).to_contain_text("With oil, please")
    task = board.store.read(tasks.page)[0][0]
    run = board.write(runs.create, task.id, connector="lovelace")
    event = {"seq": 1, "ts": "2026-12-01T02:48:07Z", "type": "said", "channel": "host", "payload": {"text": "I begin."}}
    page.reload()
    follow(page.locator(".runs a"))
    expect(page.get_by_text("Nothing has been logged yet")).to_be_visible()
    board.write(runs.append, run.id, [event])
    follow(page.get_by_role("link", name="Reload"))
    expect(page.locator("#log li")).to_contain_text("I begin.")
    expect(page.get_by_label("Follow")).to_be_hidden()
    follow(page.get_by_role("link", name="Keys"))
    follow(page.get_by_role("button", name="Mint a key"))
    expect(page.locator("code.key")).to_contain_text("mcp_")
    follow(page.get_by_role("button", name="Revoke"))
    expect(page.get_by_role("row", name="revoked")).to_be_visible()
    follow(page.get_by_role("button", name="Log out"))
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()


def filled(board: Any) -> dict[str, str]:
    """A board with something of everything, and long words in it; the addresses of its pages."""
    for status in ("todo", "todo", "running", "done", "failed", "waiting_for_the_customer"):
        board.write(tasks.add, title=f"{status} {LONG}", description=LONG, by=LONG, status=status, board=LONG[:64])
    task = stopped(board, LONG)
    run = board.write(runs.create, task, connector=LONG, provider=LONG, model=LONG)
    event = {"seq": 1, "ts": "2026-12-01T02:48:07Z", "type": "called", "channel": "host", "payload": {"tool": LONG}}
    said = {**event, "seq": 2, "type": "said", "payload": {"text": f"{LONG}\n" * 3}}
    failed = {**event, "seq": 3, "type": "returned", "payload": {"output": LONG, "failed": True}}
    board.write(runs.append, run.id, [event, said, failed])
    result = {
        "summary": LONG,
        "reason": LONG,
        "branch": LONG,
        "diffStat": LONG,
        "host": LONG,
        "costSource": "estimated",
    }
    board.write(runs.change, run.id, status="awaiting_human", cost=12345.678, result=result)
    board.write(presence.came, LONG, author=LONG, version="1", hosts=["claude-code", LONG])
    board.write(served.set_role, Role("", LONG, 0, LONG, LONG, (LONG,), "high", LONG), by=LONG)
    board.write(served.push_bundle, LONG[:64], [BundleFile(LONG, LONG)], by=LONG)
    user = board.store.read(users.everyone)[0]
    board.write(keys.mint, user.id, LONG[:64])
    return {
        "board": "/",
        "new": "/new",
        "task": f"/tasks/{task}",
        "run": f"/runs/{run.id}",
        "waiting": "/waiting",
        "costs": "/costs",
        "workers": "/workers",
        "roles": "/roles",
        "role": f"/roles?name={LONG}",
        "bundles": "/bundles",
        "bundle": f"/bundles?name={LONG[:64]}&path={LONG}",
        "keys": "/keys?of=everyone",
        "people": "/people",
        "none": "/tasks/none",
    }


def test_pages_fit_and_can_be_read(board: Any, page: Page, errors: list[str], tmp_path: Any) -> None:
    addresses = filled(board)
    for name, address in addresses.items():
        page.goto(board.address + address)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                check(page)
                page.screenshot(path=str(tmp_path / f"{name}-{width}-{scheme}.png"), full_page=True)
    assert [error for error in errors if "404" not in error] == []
    errors.clear()
    follow(page.get_by_role("button", name="Log out"))
    page.set_viewport_size({"width": 360, "height": 700})
    check(page)
