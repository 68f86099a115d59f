"""What takes long is said, and what does not is not."""

import threading

from agent_connector.home import progress


def test_what_takes_long_is_said_while_it_lasts(monkeypatch):
    monkeypatch.setattr(progress, "SOON", 0)
    said = threading.Event()
    with progress.heard(lambda what: said.set()), progress.during("fetching it"):
        assert said.wait(60)


def test_what_is_soon_done_is_not_said(monkeypatch):
    monkeypatch.setattr(progress, "SOON", 60)
    said = []
    with progress.heard(said.append), progress.during("fetching it"):
        before = threading.active_count()
    assert said == [] and before > 1


def test_nobody_is_told_who_did_not_ask(monkeypatch):
    monkeypatch.setattr(progress, "SOON", 0)
    with progress.during("fetching it"):
        count = threading.active_count()
    with progress.heard(None), progress.during("fetching it"):
        assert threading.active_count() == count
