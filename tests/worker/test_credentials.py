"""The worker's credentials: read only when they are private, written so that they are."""

import os
import stat
from pathlib import Path

import pytest

from agent_connector.errors import WorkerError
from agent_connector.worker import credentials
from agent_connector.worker.credentials import Credentials

KEY = "mcp_ab12cd34_" + "k" * 40


def file(tmp_path: Path, text: str, mode: int = 0o600) -> str:
    path = tmp_path / "credentials"
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def test_what_is_saved_is_read_and_only_the_owner_may(tmp_path: Path):
    path = str(tmp_path / "new/worker/credentials")
    before = os.umask(0)
    try:
        credentials.save(path, Credentials("https://board.example", KEY))
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    found = credentials.load(path)
    assert (found.base_url, found.mcp_key) == ("https://board.example", KEY)
    assert "kkkk" not in repr(found)
    assert os.listdir(os.path.dirname(path)) == ["credentials"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o620, 0o610])
def test_looser_is_refused_with_the_command_that_mends_it(tmp_path: Path, mode: int):
    path = file(tmp_path, '{"baseUrl": "https://b.example", "mcpKey": "' + KEY + '"}', mode)
    with pytest.raises(WorkerError, match=f"chmod 600 {path}") as caught:
        credentials.load(path)
    assert "kkkk" not in str(caught.value)
    os.chmod(path, 0o600)
    tmp_path.chmod(0o770)
    with pytest.raises(WorkerError, match=f"chmod 700 {tmp_path}"):
        credentials.load(path)


@pytest.mark.parametrize(
    "text", ["", "[]", "nope " + KEY, '{"baseUrl": 1, "mcpKey": "k"}', '{"baseUrl": "https://a"}', "[" * 9000]
)
def test_damaged_ones_are_said_without_their_content(tmp_path: Path, text: str):
    with pytest.raises(WorkerError, match="agent-connector worker login") as caught:
        credentials.load(file(tmp_path, text))
    assert "kkkk" not in str(caught.value)


def test_what_is_no_file_is_refused_and_does_not_hang(tmp_path: Path):
    os.mkfifo(tmp_path / "credentials", 0o600)
    with pytest.raises(WorkerError, match="no regular file"):
        credentials.load(str(tmp_path / "credentials"))
    with pytest.raises(WorkerError, match="there are no credentials"):
        credentials.load(str(tmp_path / "none"))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://Board.Example/", "https://board.example"),
        (" https://board.example/mcp ", "https://board.example"),
        ("https://board.example:8443/base/mcp/", "https://board.example:8443/base"),
        ("http://127.0.0.1:4200", "http://127.0.0.1:4200"),
        ("http://[::1]:4200/mcp", "http://[::1]:4200"),
        ("http://localhost:1", "http://localhost:1"),
    ],
)
def test_an_address_has_one_spelling(given: str, kept: str):
    assert credentials.base_url(given, False, "here") == kept


@pytest.mark.parametrize(
    "given",
    [
        "http://board.example",
        "http://localhost.example",
        "http://127.0.0.1.nip.example",
        "http://2130706433",
        "http://10.0.0.1",
    ],
)
def test_plain_http_stays_on_this_machine_unless_it_is_allowed(given: str):
    with pytest.raises(WorkerError, match="allowInsecure"):
        credentials.base_url(given, False, "here")
    assert credentials.base_url(given, True, "here") == given


@pytest.mark.parametrize(
    "given",
    ["", "board.example", "ftp://a", "https://", "https://u:p@a", "https://a?x=1", "https://a#f", "https://a:99999", "https://a b", "https://[::1", "https://a\\b", "https://bücher.example"],
)  # fmt: skip
def test_what_is_no_address_is_refused(given: str):
    with pytest.raises(WorkerError, match="not usable"):
        credentials.base_url(given, True, "here")


@pytest.mark.parametrize("given", ["", "short", "with blank inside", "k" * 600, "line\nbreak" + "k" * 9, "ключ" * 5])
def test_a_key_that_fits_into_no_header_is_refused(given: str):
    with pytest.raises(WorkerError) as caught:
        credentials.key(given, "here")
    assert not given or given not in str(caught.value)
