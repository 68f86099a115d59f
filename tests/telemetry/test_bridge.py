"""A remote server as a program: real HTTP servers of both ages of the protocol behind the bridge."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.telemetry.proxy import LIMIT, PACKAGE, PYTHON, eventually, read_rows

SERVER = """
import sys
from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("far", instructions="hello world")

@server.tool()
def echo(text: str) -> str:
    return text * 2

@server.tool()
async def headers(ctx: Context) -> str:
    return repr(sorted(dict(ctx.request_context.request.headers).items()))

server.run(sys.argv[1], host="127.0.0.1", port=int(sys.argv[2]))
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def listening(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module", params=["streamable-http", "sse"])
def url(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """(transport, address) of a running server."""
    port = free_port()
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, request.param, str(port)], stderr=subprocess.DEVNULL
    ) as process:
        assert eventually(lambda: listening(port))
        kind, path = ("http", "mcp") if request.param == "streamable-http" else ("sse", "sse")
        yield kind, f"http://127.0.0.1:{port}/{path}"
        process.terminate()


ONE = pytest.mark.parametrize("url", ["streamable-http"], indirect=True)  # what no transport has a part in


class Bridge:
    """The bridge as a host starts it."""

    def __init__(self, home: Path, *options: str, **variables: str) -> None:
        argv = [*PYTHON, str(PACKAGE / "runtime" / "entry.py"), "serve", "--connector", "acme-db", *options]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("AGENT_CONNECTOR")}
        environment |= {"HOME": str(home), "AGENT_CONNECTOR_DATA_DIR": str(home / "data"), **variables}
        self.process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=home
        )

    def send(self, message: Any) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def call(self, id: Any, method: str, **params: Any) -> Any:
        self.send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        assert self.process.stdout
        answer = json.loads(self.process.stdout.readline())
        assert answer["id"] == id
        return answer

    def end(self) -> tuple[int, bytes, bytes]:
        out, errors = self.process.communicate(timeout=LIMIT)
        return self.process.returncode, out, errors


def counted(home: Path) -> list[dict[str, Any]]:
    """The calls that are counted, once there are any: what is not, three seconds after the end, is lost."""
    assert eventually(lambda: any(row["scope"] == "call" for row in read_rows(home / "data")))
    return [row for row in read_rows(home / "data") if row["scope"] == "call"]


def hello(bridge: Bridge) -> Any:
    answer = bridge.call(
        0,
        "initialize",
        protocolVersion="2025-06-18",
        capabilities={},
        clientInfo={"name": "codex-mcp-client", "version": "1"},
    )
    bridge.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    return answer


def test_a_session_of_the_handshake_age(tmp_path: Path, url: tuple[str, str]) -> None:
    bridge = Bridge(tmp_path, "--transport", url[0], "--url", url[1])
    assert hello(bridge)["result"]["serverInfo"]["name"] == "far"
    assert [tool["name"] for tool in bridge.call("l", "tools/list")["result"]["tools"]] == ["echo", "headers"]
    answer = bridge.call(1, "tools/call", name="echo", arguments={"text": "hello world"}, _meta={"x/y": 1})
    assert answer["result"]["content"][0]["text"] == "hello worldhello world"
    (call,) = counted(tmp_path)
    assert bridge.end()[0] == 0
    rows = read_rows(tmp_path / "data")
    assert {row["tool"] for row in rows if row["scope"] == "tool_defs"} == {"(instructions)", "echo", "headers"}
    assert (call["tool"], call["out"], call["host"], call["source"], call["error"]) == (
        "echo",
        4,
        "codex",
        "tokenizer-exact",
        0,
    )


def test_what_http_wants_beside_a_message_is_added(tmp_path: Path, url: tuple[str, str]) -> None:
    options = ("--transport", url[0], "--url", url[1].replace("127.0.0.1", "${env:FAR_HOST:-127.0.0.1}"))
    secret = ("--header", "X-Key: ${env:FAR_KEY}", "--bearer", "FAR_TOKEN")
    bridge = Bridge(tmp_path, *options, *secret, FAR_KEY="k-1", FAR_TOKEN="t-1")
    hello(bridge)
    text = bridge.call(1, "tools/call", name="headers", arguments={})["result"]["content"][0]["text"]
    assert "('x-key', 'k-1')" in text
    assert "('authorization', 'Bearer t-1')" in text
    if url[0] == "http":
        assert "('mcp-protocol-version', '2025-06-18')" in text
        assert "mcp-session-id" in text
    bridge.end()
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and b"t-1" in path.read_bytes()]


def test_a_session_of_the_stateless_age(tmp_path: Path, url: tuple[str, str]) -> None:
    if url[0] != "http":
        return  # that age knows one HTTP transport
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    bridge = Bridge(tmp_path, "--url", url[1])
    assert "2026-07-28" in bridge.call("d", "server/discover", _meta=meta)["result"]["supportedVersions"]
    assert bridge.call("l", "tools/list", _meta=meta)["result"]["tools"]
    answer = bridge.call(1, "tools/call", name="headers", arguments={}, _meta=meta)
    text = answer["result"]["content"][0]["text"]
    for header in ("('mcp-method', 'tools/call')", "('mcp-name', 'headers')", "('mcp-protocol-version', '2026-07-28')"):
        assert header in text
    assert [(row["host"], row["family"]) for row in counted(tmp_path)] == [("claude-code", "claude")]
    assert bridge.end()[0] == 0


def test_a_server_that_is_not_there_answers_with_an_error(tmp_path: Path) -> None:
    bridge = Bridge(tmp_path, "--url", f"http://127.0.0.1:{free_port()}/mcp?key=${{env:KEY}}", KEY="s3same")
    bridge.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x", "arguments": {}}})
    assert bridge.process.stdout
    answer = json.loads(bridge.process.stdout.readline())
    assert answer["id"] == 1
    assert "agent-connector: 127.0.0.1: " in answer["error"]["message"]
    code, _, errors = bridge.end()
    assert code == 1
    assert errors.startswith(b"agent-connector: 127.0.0.1: ")
    assert b"s3same" not in errors


@ONE
def test_switched_off_it_bridges_and_counts_nothing(tmp_path: Path, url: tuple[str, str]) -> None:
    bridge = Bridge(tmp_path, "--transport", url[0], "--url", url[1], AGENT_CONNECTOR_TELEMETRY="0")
    hello(bridge)
    assert bridge.call(1, "tools/call", name="echo", arguments={"text": "x"})["result"]
    assert bridge.end()[0] == 0
    assert not read_rows(tmp_path / "data")


@ONE
def test_a_report_does_not_call_a_bridged_server_unmeasured(tmp_path: Path, url: tuple[str, str]) -> None:
    folder = tmp_path / "data" / "connectors" / "acme-db"
    folder.mkdir(parents=True)
    manifest = {"server": {"transport": "http", "url": url[1]}, "telemetry": {"model_family": "gemini"}}
    (folder / "connector.json").write_text(json.dumps(manifest))
    from agent_connector.telemetry import report

    assert list(report.make(str(tmp_path / "data")).unmeasured) == ["acme-db"]
    bridge = Bridge(tmp_path, "--transport", url[0], "--url", url[1])
    hello(bridge)
    bridge.call(1, "tools/call", name="echo", arguments={"text": "x"})
    counted(tmp_path)
    bridge.end()
    assert not report.make(str(tmp_path / "data")).unmeasured
