"""`byoa attach` as a person meets it: what it takes on the command line and in its terminal."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from agent_connector.byoa.core.pairer import Pairer
from agent_connector.byoa.driver import loop
from agent_connector.byoa.driver.files import RealFiles
from agent_connector.byoa.driver.loop import Driver, SystemClock, SystemRandom
from agent_connector.byoa.sessions import desk
from agent_connector.byoa.sessions.typed import Typed
from agent_connector.cli.main import main
from agent_connector.testing.byoa import FakeHost, FakeSession, ScriptedApp
from agent_connector.testing.byoa.live import LivePort

ORIGIN = "https://notes.example"


class Attached:
    """Opens its one session after what is to be done first."""

    def __init__(self, files: RealFiles, port: LivePort) -> None:
        host = FakeHost()
        self.pairer = Pairer(host, files, SystemClock(), SystemRandom(), version="1.0")
        self.driver = Driver(self.pairer, host, port)
        self.apps_at_start = ""

    async def run(self, first: Callable[[], Awaitable[None]]) -> None:
        running = asyncio.create_task(self.driver.run())
        try:
            await first()
            self.apps_at_start = await self.driver.status()
            self.pairer.attach(FakeSession())
            await asyncio.Event().wait()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


def stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *lines: str | None, apps: tuple[str, ...] = ()) -> list[str]:
    """What is shown until the person leaves."""
    monkeypatch.setattr(loop, "TICK", 0.02)
    notes: list[str] = []

    async def run() -> None:
        attached = Attached(RealFiles(str(tmp_path / ".byoa")), LivePort(ScriptedApp(ORIGIN)))
        typed = Typed()
        async with asyncio.timeout(60):
            staying = asyncio.create_task(desk.stay(attached, typed, notes.append, apps))
            while apps and not attached.apps_at_start:
                await asyncio.sleep(0.01)
            for line in lines:
                typed.feed(line)
            await staying
        notes.append(f"at its start: {attached.apps_at_start}")
        assert len(asyncio.all_tasks()) == 1, asyncio.all_tasks()

    asyncio.run(run())
    return notes


def test_what_is_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("", "connect notes.example", "/byoa status", "disconnect Notes", "status", "what?", "leave")
    notes = stay(tmp_path, monkeypatch, *lines)
    told = "\n".join(notes)
    assert f"paired with Notes ({ORIGIN}) as Ada" in notes
    assert notes[notes.index(f"paired with Notes ({ORIGIN}) as Ada") + 1] == desk.LATER
    assert f"Notes ({ORIGIN}) as Ada: " in told
    assert f"disconnected from Notes ({ORIGIN})" in notes
    assert "no app is paired" in notes
    assert desk.HELP in notes


def test_an_app_is_paired_before_a_session_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = stay(tmp_path, monkeypatch, "leave", apps=("notes.example",))
    assert notes[-1].startswith(f"at its start: Notes ({ORIGIN}) as Ada: ")
    assert desk.LATER not in notes


def test_it_stays_when_nobody_types(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "TICK", 0.02)

    async def run() -> None:
        attached = Attached(RealFiles(str(tmp_path / ".byoa")), LivePort(ScriptedApp(ORIGIN)))
        typed = Typed()
        typed.feed(None)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await desk.stay(attached, typed, lambda text: None)

    asyncio.run(run())


@pytest.mark.parametrize(
    "words",
    [("pi", "--url", "http://127.0.0.1:1"), ("omp", "--session", "ses_1"), ("codex",)],
)
def test_what_does_not_belong_together(words: tuple[str, ...]) -> None:
    assert main(["byoa", "attach", *words]) == 2


def test_another_machine_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["byoa", "attach", "opencode", "--url", "https://opencode.example"]) == 1
    assert "not on this machine" in capsys.readouterr().err


def test_the_extension_is_taken_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from agent_connector.byoa.sessions import extensions

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.delenv("PI_CODING_AGENT_DIR", raising=False)
    where = extensions.install("pi", {}, str(tmp_path))
    assert where is not None
    assert main(["byoa", "attach", "pi", "--remove"]) == 0
    assert "took out" in capsys.readouterr().out
    assert not Path(where).exists()
    assert main(["byoa", "attach", "pi", "--remove"]) == 0
    assert "there is no file of ours" in capsys.readouterr().out
