"""Board, worker and real hosts over ACP: a task is done, a push is denied where it is asked for, an answer goes on with it."""

import tempfile
from collections.abc import Generator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.real.worker.stage import KEY, PASSWORD, PERSON, Machine, shell, stand_in
from tests.real.worker.test_end_to_end import CHANGED

from agent_connector.home.folders import remove_tree
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.script import Step

pytestmark = [pytest.mark.real, pytest.mark.timeout(400)]

# Where each one's model is, and the key for it.
HOSTS: Mapping[str, tuple[str, str]] = {
    "claude-code": ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
    "gemini-cli": ("GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY"),
    "cline": ("OPENAI_BASE_URL", "OPENAI_API_KEY"),
}
STEPS = (
    shell("echo made > made.txt", say="I begin with the file."),
    Step(say="The file is made."),
    shell("git push origin main", say="I try to push."),
    shell("echo local > local.txt"),
    Step(say="It was denied."),
    shell("echo unpushed > answer.txt", say="I leave it unpushed."),
    Step(say="Done as the answer says."),
)


@pytest.fixture(scope="module")
def models() -> Generator[Mapping[str, StandIn]]:
    with ExitStack() as stack:
        yield {host: stack.enter_context(stand_in(host, *STEPS)) for host in HOSTS}


@pytest.fixture(scope="module")
def machine(models: Mapping[str, StandIn]) -> Generator[Machine]:
    told = {key: KEY for _, key in HOSTS.values()}
    told |= {base: models[host].url for host, (base, _) in HOSTS.items()}
    machine = Machine(Path(tempfile.mkdtemp(prefix="ac-", dir="/tmp")), told)
    machine.repository()
    machine.run("board", "migrate")
    machine.run("board", "user", "add", PERSON, "--owner", "--password-stdin", given=f"{PASSWORD}\n")
    for host in HOSTS:
        machine.run("board", "role", "set", host, "--provider", f"acp:{host}")
    machine.set_up(CHANGED)
    try:
        yield machine.start()
    finally:
        code = machine.stop()
    assert code == 0, machine.said()
    text = machine.said()
    remove_tree(str(machine.folder))
    assert KEY not in text and "mcp_" not in text


@pytest.mark.parametrize("host", HOSTS)
def test_a_task_is_done_over_acp_and_a_push_is_denied(
    host: str, machine: Machine, models: Mapping[str, StandIn]
) -> None:
    done = machine.task("Make a file", "--role", host)
    shown = machine.becomes(done, "done")
    assert "The file is made." in shown["comments"][-1]["body"]
    assert machine.git("show", f"agent-connector/{done}:made.txt") == "made\n"
    assert ("$" in shown["comments"][-1]["body"]) == (host == "claude-code")  # the others tell no tokens over ACP

    push = machine.task("Push it", "--role", host)
    parked = machine.becomes(push, "blocked")
    assert "the guard denied `git push origin main`" in parked["comments"][-1]["body"]
    assert f"acp:{host}" in parked["comments"][-1]["body"]
    assert machine.git("show", f"agent-connector/{push}:local.txt") == "local\n"  # the run went on after the denial
    machine.run("board", "task", "comment", push, "Leave it unpushed.")
    machine.run("board", "task", "move", push, "todo")
    shown = machine.becomes(push, "done")
    assert "Done as the answer says." in shown["comments"][-1]["body"]
    assert machine.git("show", f"agent-connector/{push}:answer.txt") == "unpushed\n"
    last = models[host].requests[-1]
    assert last.has("| Leave it unpushed.", "user")
    # Gemini CLI finds no session again within the minute that it began in; a new one begins then.
    assert host == "gemini-cli" or last.has("I try to push.", "assistant")
    assert {key for request in models[host].requests for key in request.keys} == {KEY}  # the proxy's doing
    assert machine.git("branch", "--list", "main", "--format=%(refname:short)") == "main\n"
