"""A log as it is written, over lost connections, and columns that follow."""

from typing import Any

from playwright.sync_api import Page, expect

from agent_connector.board import runs, tasks
from agent_connector.board.runs import Run


def started(board: Any, events: int = 0) -> Run:
    task = board.write(tasks.add, title="Mend the gate", by="x@example.com", status="running")
    run = board.write(runs.create, task.id, connector="lovelace", model="m-1")
    board.write(runs.change, run.id, status="running")
    if events:
        logged(board, run, *range(events))
    return run


def logged(board: Any, run: Run, *numbers: int, text: str = "line {}.", type: str = "line") -> None:
    events = [
        {
            "seq": seq,
            "ts": "2026-12-01T02:48:07Z",
            "type": type,
            "channel": "stdout",
            "payload": {"text": text.format(seq)},
        }
        for seq in numbers
    ]
    for start in range(0, len(events), 200):
        board.write(runs.append, run.id, events[start : start + 200])


def test_a_log_is_seen_as_it_is_written(board: Any, page: Page) -> None:
    run = started(board)
    page.goto(f"{board.address}/runs/{run.id}")
    expect(page.get_by_text("Nothing has been logged yet")).to_be_visible()
    expect(page.get_by_text("live", exact=True)).to_be_visible()
    logged(board, run, 1, 2)
    expect(page.locator("#log li")).to_have_count(2)
    expect(page.get_by_text("Nothing has been logged yet")).to_be_hidden()
    hostile = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    logged(board, run, 3, text=hostile, type="said")
    expect(page.locator("#e3 .told")).to_have_text(hostile)
    assert page.locator("#log img, #log script").count() == 0 and page.title() != "owned"
    logged(board, run, *range(4, 304))
    expect(page.locator("#log li")).to_have_count(303)
    expect(page.locator("#events")).to_have_text("303")
    expect(page.locator("#e303")).to_be_in_viewport()  # it follows
    page.get_by_label("Follow").uncheck()
    page.locator("#log").evaluate("log => { log.scrollTop = 0 }")
    logged(board, run, 304)
    expect(page.locator("#e304")).to_be_attached()
    assert page.locator("#log").evaluate("log => log.scrollTop") == 0  # and leaves who reads in peace
    board.write(runs.change, run.id, status="succeeded", cost=1.25)
    expect(page.locator("#state")).to_have_text("succeeded")
    expect(page.locator("#cost")).to_have_text("$1.25")


def test_a_lost_connection_costs_no_line_and_doubles_none(board: Any, page: Page, errors: list[str]) -> None:
    run = started(board, events=20)
    page.goto(f"{board.address}/runs/{run.id}")
    expect(page.get_by_text("live", exact=True)).to_be_visible()
    logged(board, run, *range(20, 25))
    expect(page.locator("#log li")).to_have_count(25)
    board.stop()
    expect(page.get_by_text("connecting again")).to_be_visible()
    logged(board, run, *range(25, 30))
    board.start()
    logged(board, run, *range(30, 40))
    expect(page.get_by_text("live", exact=True)).to_be_visible()
    expect(page.locator("#log li")).to_have_count(40)
    told = page.locator("#log .told").all_inner_texts()
    assert told == [f"line {seq}." for seq in range(40)]
    assert all("ERR_" in error for error in errors), errors  # none, when it was back before the browser tried again
    errors.clear()


def test_a_page_that_nobody_sees_gives_its_connection_back(board: Any, page: Page) -> None:
    run = started(board, events=3)
    page.goto(f"{board.address}/runs/{run.id}")
    expect(page.get_by_text("live", exact=True)).to_be_visible()
    hide = "Object.defineProperty(document, 'hidden', {{value: {}, configurable: true}}); "
    tell = "document.dispatchEvent(new Event('visibilitychange'))"
    with page.expect_event("requestfailed", lambda request: request.resource_type == "eventsource"):
        page.evaluate(hide.format("true") + tell)
    logged(board, run, 3, 4)
    page.wait_for_timeout(500)  # by then a line that comes all the same would be there
    expect(page.locator("#log li")).to_have_count(3)
    page.evaluate(hide.format("false") + tell)
    expect(page.locator("#log li")).to_have_count(5)


def test_the_columns_follow(board: Any, page: Page) -> None:
    task = board.write(tasks.add, title="Mend the gate", by="x@example.com")
    page.goto(board.address)
    link = page.get_by_role("link", name="Mend the gate")
    expect(page.get_by_role("region", name="todo").get_by_role("link")).to_have_count(1)
    link.focus()
    board.write(tasks.set_status, task.id, "done", by="x@example.com")
    expect(page.get_by_role("region", name="done").get_by_role("link")).to_have_text("Mend the gate")
    expect(link).to_be_focused()
    run = board.write(runs.create, task.id, connector="lovelace")
    board.write(tasks.set_status, task.id, "blocked", by="x@example.com")
    expect(page.locator("#asking")).to_be_hidden()
    board.write(runs.change, run.id, status="awaiting_human")
    expect(page.locator("#asking")).to_be_visible()
