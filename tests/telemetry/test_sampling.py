"""Calibration by samples: the flag and the key are both needed, few texts are sent, and what is learned is used."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.telemetry.proxy import Proxied, script

from agent_connector.cli.main import main
from agent_connector.telemetry import calibration, report, sampling, vendor

TEXT = "The quick brown fox jumps over the lazy dog. " * 40
SERVER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message: continue
    result = {"content": [{"type": "text", "text": %r}]}
    if message["method"] == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


class Vendor:
    """Counts a token for each three characters and seven for the frame of a message."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.status = 200
        vendor = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                vendor.asked.append(body)
                vendor.keys.append(self.headers["x-api-key"])
                text = body["messages"][0]["content"]
                data = json.dumps({"input_tokens": 7 + (1 if text == "a" else len(text) // 3)}).encode()
                self.send_response(vendor.status)
                if vendor.status == 302:
                    self.send_header("location", f"http://127.0.0.1:{vendor.port}/elsewhere")
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture
def anthropic() -> Iterator[Vendor]:
    made = Vendor()
    yield made
    made.server.shutdown()
    made.server.server_close()


def session(home: Path, calls: int, **variables: str) -> None:
    """A host's session with some calls, through the real proxy and its measuring process."""
    hello = {"clientInfo": {"name": "claude-code", "version": "1"}, "capabilities": {}, "protocolVersion": "2025-06-18"}
    proxied = Proxied(home, script(SERVER % TEXT), "--host", "claude-code", **variables)
    proxied.call({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello})
    for number in range(1, calls + 1):
        proxied.call({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "fox"}})
    assert proxied.end()[0] == 0


def test_one_text_is_sent_and_its_count_is_learned(
    home: Path, anthropic: Vendor, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = str(home / "data")
    sampling.turn(root, sampling.Setting(per_hour=1))
    monkeypatch.setattr("time.time", lambda: 1_000_000.0)
    session(home, 5, ANTHROPIC_API_KEY="sk-k", ANTHROPIC_BASE_URL=anthropic.base)
    report.live.settle(root, 20)
    wait_for(lambda: sampling.learned(root).samples == 1)
    assert [one["messages"][0]["content"] for one in anthropic.asked] == ["a", TEXT]
    assert set(anthropic.keys) == {"sk-k"}
    learned = sampling.learned(root)
    assert learned.theirs == len(TEXT) // 3 and learned.frame == 7
    assert calibration.read(root) == {"claude": round(learned.theirs / learned.ours, 4)}
    session(home, 1)
    sources = set(report.make(root).lines[0].sources)
    assert sources == {"tokenizer-approx", "tokenizer-calibrated"}
    kept = b"".join(file.read_bytes() for file in Path(root, "telemetry").rglob("*") if file.is_file())
    assert b"quick brown" not in kept and b"sk-k" not in kept


def wait_for(what: Any) -> None:
    done = threading.Event()
    for _ in range(400):
        if what():
            return
        done.wait(0.05)
    raise AssertionError("it never came to be")


@pytest.mark.parametrize("flag", [True, False])
def test_nothing_is_sent_without_flag_or_key(home: Path, anthropic: Vendor, flag: bool) -> None:
    if flag:
        sampling.turn(str(home / "data"), sampling.Setting(per_hour=60))
    key = {} if flag else {"ANTHROPIC_API_KEY": "sk-k"}
    session(home, 2, ANTHROPIC_BASE_URL=anthropic.base, **key)
    report.live.settle(str(home / "data"), 20)
    assert anthropic.asked == []


def test_several_processes_together_keep_to_the_rate(home: Path) -> None:
    asked: list[str] = []
    now = [3600.0 * 1000]

    def ask(text: str) -> int:
        asked.append(text)
        return 8 if text == "a" else 500

    made = [sampling.Sampler(str(home / "data"), sampling.Setting(per_hour=4), ask, lambda: now[0]) for _ in range(5)]
    for step in (0, 0, 900, 900, 1800):
        now[0] = 3600.0 * 1000 + step
        for one in made:
            one.heard("claude", TEXT, 400)
            one.wait(5)
    assert asked.count(TEXT) == 3


def test_other_families_and_short_texts_are_not_sent(home: Path) -> None:
    made = sampling.Sampler(str(home / "data"), sampling.Setting(per_hour=60), lambda text: pytest.fail("sent"))
    made.heard("gemini", TEXT, 400)
    made.heard("claude", "short", 1)
    made.heard("claude", "x" * 50_000, 9000)
    made.wait(5)
    assert sampling.learned(str(home / "data")) == sampling.Learned()


@pytest.mark.parametrize("status", [302, 401, 500])
def test_a_vendor_that_refuses_teaches_nothing(home: Path, anthropic: Vendor, status: int) -> None:
    anthropic.status = status
    address = anthropic.base + "/v1/messages/count_tokens"
    made = sampling.Sampler(
        str(home / "data"), sampling.Setting(60), lambda text: vendor.count(address, "sk-k", "m", text)
    )
    made.sample(TEXT, 400)
    assert len(anthropic.asked) == 1
    assert sampling.learned(str(home / "data")).samples == 0 and calibration.read(str(home / "data")) == {}


def test_a_key_goes_over_https_only() -> None:
    with pytest.raises(ValueError, match="https"):
        vendor.count("http://models.example/v1", "sk-k", "m", TEXT)


def test_turning_it_on_takes_the_flag(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["telemetry", "sampling", "on"]) == 2
    assert "sends arguments and results" in capsys.readouterr().err
    assert main(["telemetry", "sampling", "on", "--i-know-it-sends-content", "--per-hour", "2"]) == 0
    assert "at most 2 texts an hour" in capsys.readouterr().out
    assert main(["telemetry", "sampling", "off", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["on"] is False
