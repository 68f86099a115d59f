"""Pins: one version in one folder, kept in our home."""

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

import agent_connector
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


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A folder of packages in the place of an index; gives a function that puts a wheel there."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name in ("PIP_NO_INDEX", "UV_NO_INDEX"):
        monkeypatch.setenv(name, "1")
    for name in ("PIP_FIND_LINKS", "UV_FIND_LINKS"):
        monkeypatch.setenv(name, str(folder))

    def put(files, version="0.0.9"):
        info = f"agent_connector-{version}.dist-info"
        about = {
            "METADATA": f"Metadata-Version: 2.1\nName: agent-connector\nVersion: {version}\n",
            "WHEEL": "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            "RECORD": "",
        }
        with zipfile.ZipFile(folder / f"agent_connector-{version}-py3-none-any.whl", "w") as wheel:
            for name, text in {**files, **{f"{info}/{name}": text for name, text in about.items()}}.items():
                wheel.writestr(name, text)
        return folder

    return put


@pytest.fixture
def ours():
    """The files of this package, as version 0.0.9."""
    package = Path(agent_connector.__file__).parent
    files = {
        f"agent_connector/{path.relative_to(package)}": path.read_bytes()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and "data" not in path.parts
    }
    return {**files, "agent_connector/version.py": b'__version__ = "0.0.9"\n'}


def test_another_version_is_fetched_and_made_ready(home, shop, index, ours):
    index(ours)
    assert pin.pin(home.root, str(home.folder), str(shop), "0.0.9").there
    assert Path(paths.version_package(home.root, "0.0.9"), "runtime", "entry.py").exists()
    assert Path(paths.version_python(home.root, "0.0.9")).exists()
    with pytest.raises(DeployError, match=r"agent-connector 0\.0\.8 cannot be had"):
        pin.pin(home.root, str(home.folder), str(shop), "0.0.8")
    assert [p.version for p in pin.pins(home.root)] == ["0.0.9"]


RUN = "import pathlib; pathlib.Path({!r}).write_text('run')\n"
THEIRS = {
    "another program of that name": ("agent_connector/__init__.py", "agent_connector/runtime/pack.py"),
    "one that has the same layout": (
        "agent_connector/__init__.py", "agent_connector/runtime/pack.py", "agent_connector/runtime/entry.py",
    ),
}  # fmt: skip


@pytest.mark.parametrize("files", THEIRS.values(), ids=THEIRS)
def test_what_is_not_ours_is_said_and_never_run(home, shop, index, tmp_path, files):
    index(dict.fromkeys(files, RUN.format(str(tmp_path / "was-run"))))
    with pytest.raises(DeployError, match="is not this program"):
        pin.pin(home.root, str(home.folder), str(shop), "0.0.9")
    assert not (tmp_path / "was-run").exists()
    assert not os.path.exists(paths.version_folder(home.root, "0.0.9")) and pin.pins(home.root) == ()


def test_nothing_is_built_from_source(home, shop, index, tmp_path):
    folder = index({}, version="0.0.1")
    with tarfile.open(folder / "agent_connector-0.0.9.tar.gz", "w:gz") as source:
        for name, text in {
            "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "theirs"\nbackend-path = ["."]\n',
            "theirs.py": RUN.format(str(tmp_path / "was-run")),
            "PKG-INFO": "Metadata-Version: 2.1\nName: agent-connector\nVersion: 0.0.9\n",
        }.items():
            member = tarfile.TarInfo(f"agent_connector-0.0.9/{name}")
            member.size = len(text)
            source.addfile(member, io.BytesIO(text.encode()))
    with pytest.raises(DeployError, match="cannot be had"):
        pin.pin(home.root, str(home.folder), str(shop), "0.0.9")
    assert not (tmp_path / "was-run").exists()


def test_what_cannot_be_pinned_is_said(home, shop):
    with pytest.raises(DeployError, match="is no version"):
        pin.pin(home.root, str(home.folder), str(shop), "../../etc")
    with pytest.raises(DeployError, match="no such folder"):
        pin.pin(home.root, str(home.folder), str(shop / "nope"), __version__)
