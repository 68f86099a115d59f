"""What a rehearsal changes of a connector, and what of the person's surroundings reaches it."""

import dataclasses
import os
import subprocess
import sys

from agent_connector.connector.load import from_command, from_url
from agent_connector.connector.model import Server
from agent_connector.drive.environment import environment
from agent_connector.rehearse import witness
from agent_connector.rehearse.install import dummies, watched_server
from agent_connector.rehearse.scratch import remove, scratch

PERSON = {
    "PATH": "/usr/bin",
    "LANG": "de_DE.UTF-8",
    "HOME": "/home/ada",
    "XDG_CONFIG_HOME": "/home/ada/.cfg",
    "CLAUDE_CONFIG_DIR": "/home/ada/.claude2",
    "ANTHROPIC_API_KEY": "sk-real",
    "HTTPS_PROXY": "http://proxy",
    "CLAUDECODE": "1",
    "NODE_OPTIONS": "--require x",
}


def test_nothing_of_the_person_but_path_and_language_reaches_the_host(tmp_path) -> None:
    given = environment(PERSON, "/scratch/home", "/scratch/tmp", {})
    assert {name: given[name] for name in ("PATH", "LANG", "HOME", "TMPDIR")} == {
        "PATH": "/usr/bin",
        "LANG": "de_DE.UTF-8",
        "HOME": "/scratch/home",
        "TMPDIR": "/scratch/tmp",
    }
    assert not set(given) & (set(PERSON) - {"PATH", "LANG", "HOME"})


def test_what_is_handed_over_reaches_the_host() -> None:
    with scratch(PERSON, {"ACME_DSN": "db", "HOME": "/home/ada"}) as place:
        assert place.environment["ACME_DSN"] == "db"
        assert place.environment["HOME"] == place.home
        assert place.marks == (f"HOME={place.home}",)


def test_a_server_that_uv_or_npx_starts_finds_the_packages_that_were_fetched_before(tmp_path) -> None:
    (tmp_path / ".cache" / "uv").mkdir(parents=True)
    with scratch({**PERSON, "HOME": str(tmp_path), "SSL_CERT_FILE": "/etc/own.pem"}, {}) as place:
        assert place.environment["UV_CACHE_DIR"] == str(tmp_path / ".cache" / "uv")
        assert place.environment["SSL_CERT_FILE"] == "/etc/own.pem"
        assert "npm_config_cache" not in place.environment, "there is none"
    with scratch({**PERSON, "HOME": str(tmp_path), "UV_CACHE_DIR": "/srv/uv"}, {}) as place:
        assert place.environment["UV_CACHE_DIR"] == "/srv/uv"


def test_a_scratch_home_goes_at_the_end_whatever_is_in_it() -> None:
    with scratch(PERSON, {}) as place:
        sealed = os.path.join(place.home, "cache")
        os.mkdir(sealed)
        open(os.path.join(sealed, "file"), "w").close()
        os.symlink("/usr", os.path.join(place.home, "link"))
        os.chmod(sealed, 0o500)
    assert not os.path.exists(place.folder)
    with scratch(PERSON, {}, keep=True) as place:
        pass
    assert os.path.isdir(place.home)
    remove(place.folder)


def test_whatever_knows_a_scratch_home_ends_with_it() -> None:
    with scratch(PERSON, {}) as place:
        child = subprocess.Popen(["sleep", "600"], env=dict(place.environment), start_new_session=True)
    assert child.wait(10) == -9


def test_the_witness_stands_in_front_of_a_server_that_is_a_program() -> None:
    model = from_command("acme", ["acme-mcp", "--db", "${env:DSN}"]).model
    with scratch(PERSON, {}) as place:
        watched, notes = watched_server(model, place)
    assert watched.server
    assert watched.server.command == sys.executable
    assert watched.server.args[1] == witness.__file__
    assert watched.server.args[3:] == ("--", "acme-mcp", "--db", "${env:DSN}")
    assert notes == []


def test_a_server_elsewhere_is_left_out_and_one_on_this_machine_is_said_to_be_unseen() -> None:
    with scratch(PERSON, {}) as place:
        watched, notes = watched_server(from_url("acme", "https://mcp.acme.example/mcp").model, place)
        assert watched.server is None
        assert "https://mcp.acme.example/mcp" in notes[0][1]
        watched, notes = watched_server(from_url("acme", "http://127.0.0.1:9/mcp").model, place)
        assert watched.server
        assert "cannot be seen" in notes[0][1]


def test_only_variables_that_nobody_gives_are_made_up() -> None:
    server = Server("stdio", "acme", env={"A": "${env:A}", "B": "${env:B:-b}", "C": "${env:C}"})
    assert dummies(server, {"C": "given"}) == {"A": "rehearsal"}
    assert dummies(None, {}) == {}
    assert dummies(dataclasses.replace(server, env={}), {}) == {}
