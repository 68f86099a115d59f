"""Pins: one version in one folder, kept in our home."""

import os
import zipfile
from pathlib import Path

import pytest

from agent_connector.deploy import pin
from agent_connector.errors import DeployError
from agent_connector.home import paths
from agent_connector.version import __version__


@pytest.fixture
def shop(home):
    folder = home.folder / "shop"
    folder.mkdir()
    return folder


def test_a_folder_is_pinned_to_the_running_version_without_a_download(home, shop):
    made = pin.pin(home.root, str(home.folder), str(shop), __version__)
    assert (made.folder, made.version, made.there) == (str(shop), __version__, True)
    assert Path(paths.pins(home.root)).read_text() == f"{shop}\t{__version__}\n"
    assert os.listdir(shop) == []


def test_a_second_pin_of_a_folder_replaces_the_first_and_others_stay(home, shop):
    Path(paths.pins(home.root)).write_text(f"/other\t1.0\n{shop}\t9.9\n")
    pin.pin(home.root, str(home.folder), str(shop), __version__)
    assert [(p.folder, p.version, p.there) for p in pin.pins(home.root)] == [
        ("/other", "1.0", False),
        (str(shop), __version__, True),
    ]


def test_a_pin_is_taken_away(home, shop):
    pin.pin(home.root, str(home.folder), str(shop), __version__)
    assert pin.unpin(home.root, str(shop)) is True
    assert pin.unpin(home.root, str(shop)) is False
    assert not os.path.exists(paths.pins(home.root))


def test_another_version_is_fetched_and_made_ready(home, shop, tmp_path, monkeypatch):
    import agent_connector

    index = tmp_path / "index"
    index.mkdir()
    package = Path(agent_connector.__file__).parent
    with zipfile.ZipFile(index / "agent_connector-0.0.9-py3-none-any.whl", "w") as wheel:
        for path in package.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and "data" not in path.parts:
                wheel.write(path, f"agent_connector/{path.relative_to(package)}")
        info = "agent_connector-0.0.9.dist-info"
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: agent-connector\nVersion: 0.0.9\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    for name in ("PIP_NO_INDEX", "UV_NO_INDEX"):
        monkeypatch.setenv(name, "1")
    for name in ("PIP_FIND_LINKS", "UV_FIND_LINKS"):
        monkeypatch.setenv(name, str(index))
    made = pin.pin(home.root, str(home.folder), str(shop), "0.0.9")
    assert made.there
    assert Path(paths.version_package(home.root, "0.0.9"), "runtime", "entry.py").exists()
    assert Path(paths.version_python(home.root, "0.0.9")).exists()
    with pytest.raises(DeployError, match=r"agent-connector 0\.0\.8 cannot be had"):
        pin.pin(home.root, str(home.folder), str(shop), "0.0.8")
    assert [p.version for p in pin.pins(home.root)] == ["0.0.9"]


def test_what_cannot_be_pinned_is_said(home, shop):
    with pytest.raises(DeployError, match="is no version"):
        pin.pin(home.root, str(home.folder), str(shop), "../../etc")
    with pytest.raises(DeployError, match="no such folder"):
        pin.pin(home.root, str(home.folder), str(shop / "nope"), __version__)
