"""What holds for all tests: failures are told when they happen, our package is copied once, nobody waits for a disk."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agent_connector.deploy import launcher, versions

LINES = 25  # of a traceback, from its end
COPY = versions._copy


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """In the process that reports: workers hand their results over to it."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Told(terminal))


class _Told:
    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self.terminal = terminal

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            told = str(report.longrepr).splitlines()[-LINES:]
            self.terminal.write_line("")
            self.terminal.write_line(f"FAILED {report.nodeid} ({report.when}, {report.duration:.1f} s)")
            self.terminal.write_line("\n".join(f"    {line}" for line in told))
        elif report.outcome == "rerun":  # nobody should have to look for what needed a second go
            self.terminal.write_line(f"\nAGAIN {report.nodeid}: {str(report.longrepr).splitlines()[-1]}")
            if "AGAIN" in os.environ:
                with open(os.environ["AGAIN"], "a", encoding="utf-8") as file:
                    file.write(f"{report.nodeid}\n")


@pytest.fixture(scope="session", autouse=True)
def lent_copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home gets a link to one copy of our package: hundreds of homes would be gigabytes of the same files.

    Only for a first copy of this very package. Tests that break theirs ask for `whole_copies`.
    """
    place = tmp_path_factory.mktemp("lent") / "version" / "agent_connector"
    made: list[list[tuple[str, int, int]]] = []

    def lend(version: versions.Version, target: str) -> None:
        is_ours = (version.package, version.python) == (launcher._PACKAGE, launcher.this_version().python)
        if not is_ours or os.path.lexists(target):
            return COPY(version, target)
        if not made:
            place.parent.mkdir()
            COPY(version, str(place))
            made.append(versions._listed(str(place)))
        if made[0] != versions._listed(version.package):  # edited while the tests run
            return COPY(version, target)
        os.symlink(place, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(versions, "_copy", lend)
        yield
    if made:
        assert made[0] == versions._listed(str(place)), "a test has changed the copy that all share: `whole_copies`"
        shutil.rmtree(place.parent)


@pytest.fixture(scope="session", autouse=True)
def quick_disk() -> Iterator[None]:
    """No test cuts the power, and waiting for a disk that many write to at once takes most of the time of a run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture
def whole_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Homes get copies of our package of their own."""
    monkeypatch.setattr(versions, "_copy", COPY)


@pytest.fixture
def own_copy() -> Callable[[Path], None]:
    """Puts a copy in the place of a package that was lent, so that it can be broken."""

    def copied(package: Path) -> None:
        real = package.resolve()
        package.unlink()
        shutil.copytree(real, package)

    return copied
