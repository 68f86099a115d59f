"""Two real programs that stop when a hook's program is missing work on when all of us is gone.

Gemini CLI lets no prompt through then, Copilot CLI no call of a tool.
"""

import os
import shutil
from pathlib import Path

import pytest
from tests.real.conftest import DRIVEN, LIMIT
from tests.real.runs import request

from agent_connector.drive.events import Returned
from agent_connector.drive.run import Outcome, run
from agent_connector.home import paths
from agent_connector.hosts import query
from agent_connector.rehearse.install import install
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.run import Request, find_program, furnish, job_for, tool_names
from agent_connector.rehearse.scratch import Scratch, scratch
from agent_connector.rehearse.script import Script, parse
from agent_connector.rehearse.stage import stage_of

pytestmark = pytest.mark.real

SAYS = [{"say": "Still here."}, {"say": "And still here."}]


def script(host: str, place: Scratch) -> Script:
    """A prompt, and for Copilot a call that a hook of ours is asked about."""
    note = Path(place.project, "note.txt")
    note.write_text("what stands in the note", encoding="utf-8")
    read = {"call": {"tool": "host:Read", "arguments": {"path": str(note)}}}
    return parse({"prompt": "Is anybody there?", "steps": [read, *SAYS] if host == "copilot-cli" else SAYS})


def asked(host: str, wanted: Request, place: Scratch) -> tuple[Outcome, int]:
    """Run the host once in `place`; (what it did, how many requests reached the model)."""
    headless = query.headless(host)
    stage, steps = stage_of(headless), script(host, place)
    program = find_program(host, headless.PROGRAM, wanted.variables)
    with StandIn(steps, "acme-db", tool_names(host, stage)) as model:
        job = job_for(wanted, steps, program, place, stage, model.url)
        outcome = run(headless, job, place.environment, seconds=LIMIT, marks=place.marks)
        return outcome, sum(not one.side for one in model.requests)


@pytest.mark.parametrize("host", ["gemini-cli", "copilot-cli"])
def test_a_host_goes_on_when_ours_is_gone_piece_by_piece(host: str) -> None:
    wanted = request(host, parse({"prompt": "Is anybody there?", "steps": SAYS}))
    with scratch(wanted.variables, {}) as place:
        furnish(place, stage_of(query.headless(host)), "http://127.0.0.1:9")
        installed = install(wanted.loaded, host, "user", place)
        assert {"hooks", "server"} <= set(installed.surfaces)
        for piece, remove in PIECES.items():
            remove(place)
            outcome, requests = asked(host, wanted, place)
            assert outcome.exit_code == 0, outcome.stderr
            assert requests > 0, f"{piece}: no prompt got through: {outcome.stdout}"
            assert "Still here." in "".join(outcome.said)
            returned = [str(event.output) for event in outcome.events if isinstance(event, Returned)]
            assert ["what stands in the note" in text for text in returned] == [True] * (host == "copilot-cli"), piece
            through = "the prompt and the call" if returned else "the prompt"
            DRIVEN[host][f"home {piece}"] = f"{through} got through, the run ended well"


def package(place: Scratch) -> None:
    """What the launcher points to."""
    shutil.rmtree(paths.versions_folder(paths.data_root(place.environment, place.home)))


def launcher(place: Scratch) -> None:
    """The launcher itself, the watched one too."""
    for path in Path(paths.bin_folder(place.home)).iterdir():
        path.unlink()


def everything(place: Scratch) -> None:
    shutil.rmtree(os.path.join(place.home, paths.FOLDER))


PIECES = {
    "whole": lambda place: None,
    "without interpreter and package": package,
    "without the launcher": launcher,
    "gone": everything,
}
