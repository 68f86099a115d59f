"""The real OpenClaw connects to servers elsewhere by the entries that are written for it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.real.conftest import DRIVEN, LIMIT
from tests.real.runs import PROGRAMS, SECRETS

from agent_connector.hosts.openclaw import register
from agent_connector.rehearse.scratch import scratch
from agent_connector.testing.hosts import server_use

pytestmark = pytest.mark.real

SERVER = """
import socket, sys, uvicorn
from mcp.server.mcpserver import MCPServer

server = MCPServer("far")

@server.tool()
def echo(text: str) -> str:
    return text

app = {"http": server.streamable_http_app, "sse": server.sse_app}[sys.argv[1]]()

async def guarded(scope, receive, send):
    if scope["type"] == "http" and (b"authorization", b"Bearer t-1") not in scope["headers"]:
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": b""})
    else:
        await app(scope, receive, send)

with socket.socket() as at:
    at.bind(("127.0.0.1", 0))
    at.listen()
    print(at.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(guarded, log_level="error")).run([at])
"""


def test_servers_over_http_and_sse_are_connected_to_with_their_key() -> None:
    variables = {**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}", **SECRETS}
    servers = {
        kind: subprocess.Popen([sys.executable, "-c", SERVER, kind], stdout=subprocess.PIPE, text=True)
        for kind in ("http", "sse")
    }
    try:
        with scratch(variables, {"ACME_TOKEN": "t-1"}) as place:
            config = Path(place.home, ".openclaw", "openclaw.json")
            config.parent.mkdir()
            told = {}
            for kind, path in (("http", "mcp"), ("sse", "sse")):
                address = f"http://127.0.0.1:{int(servers[kind].stdout.readline())}/{path}"
                told[f"far-{kind}"] = register.entry(server_use(transport=kind, url=address, bearer="ACME_TOKEN"))
            config.write_text(json.dumps({"mcp": {"servers": told}}), encoding="utf-8")
            done = subprocess.run(
                [str(PROGRAMS / "openclaw"), "mcp", "probe"],
                cwd=place.project,
                env=dict(place.environment),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=LIMIT,
                check=False,
            )
        assert "far-http: 1 tool" in done.stdout and "far-sse: 1 tool" in done.stdout, done.stdout + done.stderr
    finally:
        for server in servers.values():
            server.kill()
            server.communicate()
    DRIVEN["openclaw"]["http and sse"] = "mcp probe connected to both, with the key of the entry"
