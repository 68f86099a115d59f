"""A person hears of what takes long, on stderr; a program does not."""

import pytest

from agent_connector.home import progress

SLOW = """
import time
time.sleep(0.3)
from agent_connector import *
connector = Connector(id="acme", server=stdio("x"))
@connector.hook("UserPromptSubmit")
def greet(event):
    return context("hello")
"""


@pytest.fixture
def slow(home, monkeypatch):
    (home / "project" / "connector.py").write_text(SLOW)
    monkeypatch.setattr(progress, "SOON", 0.01)


def test_a_person_hears_what_is_being_done(slow, run):
    code, out, err = run("explain")
    assert code == 0 and "importing" in err and "connector.py ...\n" in err and "importing" not in out
    assert "asking the handlers ...\n" in run("simulate", "UserPromptSubmit")[2]


def test_a_program_does_not(slow, run):
    assert run("explain", "--json")[2] == ""
