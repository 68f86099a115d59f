"""What several tests of telemetry need."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agent_connector.telemetry import tokenizer


@pytest.fixture(scope="session")
def counter() -> tokenizer.Counter:
    """The tokenizer, loaded once."""
    return tokenizer.load()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A scratch home, and nothing of this machine's settings."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AGENT_CONNECTOR_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("AGENT_CONNECTOR_TELEMETRY", raising=False)
    monkeypatch.delenv("AGENT_CONNECTOR_SERVED", raising=False)
    monkeypatch.chdir(tmp_path)
    yield tmp_path


Maker = Callable[..., object]
