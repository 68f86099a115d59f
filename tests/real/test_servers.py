"""A real program whose turns take its maker's server all the same takes ours: Amp."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.real.conftest import LIMIT
from tests.real.runs import OVER, PROGRAMS, request

from agent_connector.rehearse.evidence import server_seen
from agent_connector.rehearse.install import install
from agent_connector.rehearse.scratch import Scratch, scratch
from agent_connector.rehearse.script import parse

pytestmark = pytest.mark.real

MINE = '// What I keep.\n{\n  "amp.showCosts": true, // so that I know\n}\n'
ALONE = {"AMP_API_KEY": "made-up", "AMP_URL": "http://127.0.0.1:9"}


def run(place: Scratch, *argv: str) -> str:
    """What a command printed that ended well."""
    done = subprocess.run(
        argv,
        cwd=place.project,
        env=dict(place.environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_amp_starts_our_server_and_its_settings_come_back() -> None:
    wanted = request("amp", parse({"prompt": "unused", "steps": OVER}))
    with scratch(wanted.variables, ALONE) as place:
        settings = Path(place.home, ".config", "amp", "settings.json")
        settings.parent.mkdir(parents=True)
        settings.write_text(MINE, encoding="utf-8")
        assert "server" in install(wanted.loaded, "amp", "user", place).surfaces
        assert "acme-db (user settings): connected (3 tools: probe, guarded, broken)" in run(
            place, str(PROGRAMS / "amp"), "mcp", "doctor"
        )
        seen = server_seen(place.records)
        assert (seen.started, seen.client) == (1, "amp-mcp-client")
        run(place, sys.executable, "-m", "agent_connector", "uninstall", "-c", "acme-db")
        assert settings.read_text(encoding="utf-8") == MINE
