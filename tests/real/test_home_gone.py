"""The real Gemini CLI, which lets no prompt through when a hook program is missing, works on when all of us is gone."""

import os
import shutil
from pathlib import Path

import pytest
from tests.real.conftest import DRIVEN
from tests.real.runs import request

from agent_connector.drive.run import Outcome, run
from agent_connector.home import paths
from agent_connector.hosts import query
from agent_connector.rehearse.install import install
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.run import find_program, furnish, job_for
from agent_connector.rehearse.scratch import Scratch, scratch
from agent_connector.rehearse.script import parse
from agent_connector.rehearse.stage import stage_of

pytestmark = pytest.mark.real

HOST = "gemini-cli"
HEADLESS = query.headless(HOST)
STAGE = stage_of(HEADLESS)
SCRIPT = parse({"prompt": "Is anybody there?", "steps": [{"say": "Still here."}, {"say": "And still here."}]})


def asked(place: Scratch, program: str) -> tuple[Outcome, int]:
    """Run the host once in `place`; (what it did, how many requests reached the model)."""
    with StandIn(SCRIPT, "acme-db") as model:
        job = job_for(request(HOST, SCRIPT), SCRIPT, program, place, STAGE, model.url)
        outcome = run(HEADLESS, job, place.environment, seconds=240, marks=place.marks)
        return outcome, sum(not one.side for one in model.requests)


def test_gemini_goes_on_when_ours_is_gone_piece_by_piece() -> None:
    wanted = request(HOST, SCRIPT)
    program = find_program(HOST, "gemini", wanted.variables)
    with scratch(wanted.variables, {}) as place:
        furnish(place, STAGE, "http://127.0.0.1:9")
        installed = install(wanted.loaded, HOST, "user", place)
        assert {"hooks", "server"} <= set(installed.surfaces)
        for piece, remove in PIECES.items():
            remove(place)
            outcome, requests = asked(place, program)
            assert outcome.exit_code == 0, outcome.stderr
            assert requests > 0, f"{piece}: no prompt got through: {outcome.stdout}"
            assert "Still here." in "".join(outcome.said)
            DRIVEN[HOST][f"home {piece}"] = "the prompt got through, the run ended well"


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
