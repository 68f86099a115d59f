"""The real Copilot CLI in a project where Claude Code is installed too, whose files it loads: it sees ours once."""

from pathlib import Path

import pytest
from tests.real.conftest import DRIVEN, LIMIT
from tests.real.runs import OVER, call, request

from agent_connector.deploy import install as deploying
from agent_connector.drive.run import run
from agent_connector.home import paths
from agent_connector.hosts import query
from agent_connector.rehearse.evidence import LAUNCHER_FOLDER, server_seen
from agent_connector.rehearse.install import install, machine
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.run import find_program, furnish, job_for
from agent_connector.rehearse.scratch import Scratch, scratch
from agent_connector.rehearse.script import parse
from agent_connector.rehearse.stage import stage_of

pytestmark = pytest.mark.real

HOST, OTHER = "copilot-cli", "claude-code"
HEADLESS = query.headless(HOST)
CASES = ("deny", "PostToolUse context")
SCRIPT = parse({"prompt": "Try it here.", "steps": [*(call("probe", case) for case in CASES), *OVER]})


def test_what_two_hosts_read_in_one_project_is_there_once() -> None:
    wanted = request(HOST, SCRIPT, scope="project")
    program = find_program(HOST, HEADLESS.PROGRAM, wanted.variables)
    stage = stage_of(HEADLESS)
    with scratch(wanted.variables, {}) as place, StandIn(SCRIPT, "acme-db") as model:
        furnish(place, stage, model.url)
        root = paths.data_root(place.environment, place.home)
        deploying.install(wanted.loaded, machine=machine(place, "project"), root=root, hosts=[OTHER], scope="project")
        assert {"hooks", "server", "memory"} <= set(install(wanted.loaded, HOST, "project", place).surfaces)
        job = job_for(wanted, SCRIPT, program, place, stage, model.url)
        outcome = run(HEADLESS, job, place.environment, seconds=LIMIT, marks=place.marks)
        assert outcome.exit_code == 0, outcome.stderr
        asked, said = [one for one in model.requests if not one.side], answers(place)
        seen = server_seen(place.records)
    assert [run.arguments["case"] for run in seen.runs] == ["PostToolUse context"]
    assert seen.started == 1
    assert len([1 for host, text in said if "MARK PreToolUse deny" in text]) == 1
    assert len([1 for host, text in said if "MARK PostToolUse context" in text]) == 1
    assert {host for host, text in said if "MARK" in text} == {HOST}
    assert {host for host, _ in said} == {HOST, OTHER}, "it loads no hooks of the other any more"
    assert sum(text.count("MARK memory: second line") for _, text in asked[0].texts) == 1
    DRIVEN[HOST][f"beside {OTHER}"] = "one server, one block of memory, one answer to an event"


def answers(place: Scratch) -> list[tuple[str, str]]:
    """(host, what our hook answered) of every hook that was run."""
    calls = [(call, (call / "argv").read_text().split("\n")) for call in Path(place.records, LAUNCHER_FOLDER).iterdir()]
    return [(argv[1], (call / "out").read_text()) for call, argv in calls if argv[0] == "hook"]
