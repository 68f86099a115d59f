"""Board, worker, real `claude` and `codex`: a task is done and seen live, a push is denied and answered in the page."""

import os
import re
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.real.worker.stage import KEY, PASSWORD, PERSON, Machine, shell, stand_in, until
from tests.services.conftest import headless
from tests.services.going import follow

from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.script import Step

pytestmark = [pytest.mark.real, pytest.mark.timeout(400)]

CLAUDE = (
    shell("echo made > made.txt", say="I begin with the file."),
    shell("sleep 6", say="Now I wait."),
    Step(say="The file is made."),
    shell("git push origin main", say="I try to push."),
    Step(say="It was denied."),
    shell("echo unpushed > answer.txt", say="I leave it unpushed."),
    Step(say="Done as the answer says."),
)
CODEX = (
    shell("git  -c x.y=z 'push' origin main", argument="cmd"),
    shell("echo codex > codex.txt", argument="cmd"),
    Step(say="Codex made its file."),
)
CHANGED = {
    "pollIntervalMs: 15000": "pollIntervalMs: 300",
    "flushIntervalMs: 1000": "flushIntervalMs: 200",
    "# runningStatus: doing": "runningStatus: doing",
    "# doneStatus: review": "doneStatus: done",
    "# failedStatus: failed": "failedStatus: failed",
}


@pytest.fixture(scope="module")
def models() -> Generator[tuple[StandIn, StandIn]]:
    with stand_in("claude-code", *CLAUDE) as claude, stand_in("codex", *CODEX) as codex:
        yield claude, codex


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory, models: tuple[StandIn, StandIn]) -> Generator[Machine]:
    told = {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": models[0].url,
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": f"{models[1].url}/v1",
    }
    machine = Machine(tmp_path_factory.mktemp("a-home-whose-name-is-longer-than-that-of-a-socket-may-be-" * 3), told)
    machine.repository()
    machine.run("board", "migrate")
    machine.run("board", "user", "add", PERSON, "--owner", "--password-stdin", given=f"{PASSWORD}\n")
    for role, provider in (("writer", "anthropic"), ("coder", "openai")):
        machine.run("board", "role", "set", role, "--provider", provider)
    machine.set_up(CHANGED)
    try:
        yield machine.start()
    finally:
        code = machine.stop()
    assert code == 0, machine.said()
    text = machine.said()
    assert KEY not in text and "mcp_" not in text


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    """Gone with this module: others here have event loops of their own."""
    with headless() as started:
        yield started


@pytest.fixture
def page(machine: Machine, browser: Browser) -> Generator[Page]:
    context = browser.new_context()
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(f"{machine.url}/login")
    page.get_by_label("E-mail").fill(PERSON)
    page.get_by_label("Password").fill(PASSWORD)
    follow(page.get_by_role("button", name="Log in"))
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    yield page
    context.close()
    assert problems == []


def test_a_task_is_done_and_its_log_seen_live(machine: Machine, models: tuple[StandIn, StandIn], page: Page) -> None:
    task = machine.task("Make a file", "--role", "writer")
    page.goto(f"{machine.url}/tasks/{task}")
    follow(page.locator("ol.runs a").first)
    expect(page.locator("#log")).to_contain_text("Now I wait.", timeout=120_000)
    expect(page.locator("#log")).to_contain_text("The file is made.", timeout=120_000)  # it came by itself
    expect(page.locator("#state")).to_have_text("succeeded", timeout=120_000)
    expect(page.locator("#cost")).to_have_text(re.compile(r"\$0\.\d+"))
    shown = machine.becomes(task, "done")
    assert "The file is made." in shown["comments"][-1]["body"]
    assert machine.git("show", f"agent-connector/{task}:made.txt") == "made\n"
    assert machine.git("status", "--porcelain") == ""
    assert {key for request in models[0].requests for key in request.keys} == {KEY}  # the proxy's doing: see below
    log = page.locator("#log").inner_text()
    assert KEY not in log


def test_a_push_is_denied_and_answered_in_the_page(
    machine: Machine, models: tuple[StandIn, StandIn], page: Page
) -> None:
    task = machine.task("Push it", "--role", "writer")
    parked = machine.becomes(task, "blocked")
    assert "the guard denied `git push origin main`" in parked["comments"][-1]["body"]
    page.goto(f"{machine.url}/waiting")
    card = page.locator("form", has=page.get_by_label("Your answer")).first
    card.get_by_label("Your answer").fill("Leave it unpushed.")
    follow(card.get_by_role("button", name="Answer"))
    shown = machine.becomes(task, "done")
    assert "Done as the answer says." in shown["comments"][-1]["body"]
    assert machine.git("show", f"agent-connector/{task}:answer.txt") == "unpushed\n"
    last = models[0].requests[-1]
    assert last.has("| Leave it unpushed.", "user")
    assert last.has("I try to push.", "assistant")  # the session went on, it did not begin again
    assert machine.git("branch", "--list", "main", "--format=%(refname:short)") == "main\n"


def test_codex_is_driven_by_its_role_and_guarded_too(machine: Machine, models: tuple[StandIn, StandIn]) -> None:
    task = machine.task("Make Codex's file", "--role", "coder")
    parked = machine.becomes(task, "blocked")
    assert "push" in parked["comments"][-1]["body"] and "codex" in parked["comments"][-1]["body"]
    assert machine.git("show", f"agent-connector/{task}:codex.txt") == "codex\n"
    assert {key for request in models[1].requests for key in request.keys} == {KEY}


def test_nothing_of_a_run_is_left(machine: Machine) -> None:
    until(lambda: not [name for name in os.listdir("/proc") if name.isdigit() and _of_a_run(name, machine.folder)])


def _of_a_run(pid: str, folder: Path) -> bool:
    try:
        environment = Path("/proc", pid, "environ").read_bytes()
    except OSError:
        return False
    return f"HOME={folder}/home/.local/state/".encode() in environment
