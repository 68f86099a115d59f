"""Getting hold of a connector; one that requires packages is imported with them."""

import os
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import pytest

from agent_connector.deploy import record
from agent_connector.deploy.health import check
from agent_connector.deploy.install import install
from agent_connector.deploy.simulate import simulate
from agent_connector.deploy.sources import Wanted, obtain, obtain_any
from agent_connector.errors import ConnectorError
from agent_connector.home import paths, progress

NEEDY = """
# /// script
# dependencies = ["acme-words==1.0"]
# ///
import acme_words
from agent_connector import *
connector = Connector(id="acme", server=stdio("x"))
@connector.hook("UserPromptSubmit")
def greet(event):
    return context(acme_words.HELLO)
"""


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A folder of packages in the place of a registry."""
    folder = tmp_path / "index"
    folder.mkdir()
    with zipfile.ZipFile(folder / "acme_words-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("acme_words.py", "HELLO = 'good morning'\n")
        wheel.writestr("acme_words-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: acme-words\nVersion: 1.0\n")
        wheel.writestr(
            "acme_words-1.0.dist-info/WHEEL",
            "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        wheel.writestr("acme_words-1.0.dist-info/RECORD", "")
    if uv := shutil.which("uv", path=os.path.dirname(sys.executable)):  # an environment in a tenth of the time
        (tmp_path / "tools").mkdir()
        os.symlink(uv, tmp_path / "tools" / "uv")
        monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
        monkeypatch.setenv("UV_OFFLINE", "1")  # older ones do not know UV_NO_INDEX
    for name in ("PIP", "UV"):
        monkeypatch.setenv(f"{name}_NO_INDEX", "1")
        monkeypatch.setenv(f"{name}_FIND_LINKS", str(folder))


def test_a_declaration_that_requires_packages_gets_an_environment(lived_in, index, tmp_path):
    file = tmp_path / "acme.py"
    file.write_text(NEEDY)
    before = set(os.listdir(lived_in.root))
    obtain(Wanted(str(file)), lived_in.root, dry=True)
    assert set(os.listdir(lived_in.root)) == before | {"environments"}
    loaded = obtain(Wanted(str(file)), lived_in.root)
    install(loaded, machine=lived_in.machine(), root=lived_in.root, hosts=["codex"])
    packages = paths.connector_packages(lived_in.root, "acme")
    assert "acme_words.py" in os.listdir(packages)
    result = simulate(loaded, "codex", "UserPromptSubmit", given={"prompt": "x"}, root=lived_in.root)
    assert result.decisions[0].text == "good morning"


def test_an_environment_is_built_once_for_all_who_look(lived_in, index, tmp_path):
    file = tmp_path / "acme.py"
    file.write_text(NEEDY)
    said: list[str] = []
    with progress.heard(said.append), patch.object(progress, "SOON", 0):
        loaded = obtain(Wanted(str(file)), lived_in.root, dry=True)
        for host in ("codex", "cursor"):
            assert not simulate(loaded, host, "UserPromptSubmit", root=lived_in.root).failed
        file.write_text(NEEDY + "connector.memory('x')\n")
        obtain(Wanted(str(file)), lived_in.root, dry=True)
    assert said.count("building an environment with acme-words==1.0") == 1


def test_an_installed_connector_lends_its_own_environment(lived_in, index, tmp_path):
    file = tmp_path / "acme.py"
    file.write_text(NEEDY)
    install(obtain(Wanted(str(file)), lived_in.root), machine=lived_in.machine(), root=lived_in.root, hosts=["codex"])
    loaded = obtain_any(Wanted("acme"), lived_in.root)
    assert not simulate(loaded, "codex", "UserPromptSubmit", root=lived_in.root).failed
    assert not os.path.exists(paths.environments_folder(lived_in.root))


def test_a_requirement_that_cannot_be_had_is_said(lived_in, index, tmp_path):
    file = tmp_path / "acme.py"
    file.write_text(NEEDY.replace("acme-words==1.0", "acme-words==2.0"))
    with pytest.raises(Exception, match="could not be built"):
        obtain(Wanted(str(file)), lived_in.root)
    assert not os.path.exists(paths.connector_environment(lived_in.root, "acme"))


def test_an_id_that_is_computed_cannot_require_packages(lived_in, index, tmp_path):
    file = tmp_path / "acme.py"
    file.write_text(NEEDY.replace('id="acme"', 'id="ac" + "me"'))
    with pytest.raises(ConnectorError, match="id in plain sight"):
        obtain(Wanted(str(file)), lived_in.root)


def test_an_installed_connector_is_known_by_its_id(lived_in, acme):
    install(acme, machine=lived_in.machine(), root=lived_in.root, hosts=["codex"])
    assert obtain_any(Wanted("acme-db"), lived_in.root).model == acme.model


def test_the_example_of_the_documentation_is_a_valid_declaration(lived_in, tmp_path):
    file = tmp_path / "acme.py"
    file.write_text(
        "from agent_connector import Connector, stdio\n"
        'connector = Connector(id="acme-db", server=stdio("/usr/bin/npx", "-y", "@acme/db-mcp", env={"A": "${env:A}"}))\n'
        'connector.platform("nemoclaw", hooks=False)\n'
    )
    loaded = obtain(Wanted(str(file)), lived_in.root)
    outcome = install(loaded, machine=lived_in.machine(), root=lived_in.root, hosts=["codex"])
    assert outcome.warnings == ()


def test_two_installers_at_once_both_end_right(lived_in):
    """Separate processes, one connector each, into the same files."""
    environment = {**os.environ, "HOME": str(lived_in.folder)}
    environment.pop("AGENT_CONNECTOR_DATA_DIR", None)

    def run(name):
        words = ["install", "--name", name, "-t", "claude-code,codex,cursor", "--", "prog", name]
        return subprocess.run(
            [sys.executable, "-m", "agent_connector", *words],
            env=environment,
            capture_output=True,
            timeout=120,
            check=False,
        ).returncode

    with ThreadPoolExecutor() as pool:
        assert list(pool.map(run, ["one", "two", "three"])) == [0, 0, 0]
    for name in ("one", "two", "three"):
        findings, _ = check(record.load(lived_in.root, name), lived_in.machine(), lived_in.root)
        assert {finding.word for finding in findings} == {"ok"}
    assert Path(lived_in.folder, ".claude.json").read_text().count("serve") == 3
