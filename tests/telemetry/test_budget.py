"""`telemetry budget`: against a real server, with its limit as an author's continuous integration would use it."""

import json
import os
import sys
import tempfile
from pathlib import Path

import pytest

from agent_connector.cli.main import main
from agent_connector.errors import TelemetryError
from agent_connector.telemetry import budget, listed, tokenizer

SERVER = """
from typing import Annotated, Literal
from pydantic import Field
from mcp.server.mcpserver import MCPServer

server = MCPServer("shop", instructions="Use find before buy.")

@server.tool()
def find(query: Annotated[str, Field(description="What to look for")], limit: int | None = None) -> str:
    "Find goods of all shops in this town by their name, their maker, their colour or whatever else a person may say of them, in any language."
    return ""

@server.tool()
def buy(item: str, order: Literal["now", "later"] = "now") -> str:
    "Buy."
    return ""

server.run()
"""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("AGENT_CONNECTOR_DATA_DIR", str(tmp_path / "data"))
    file = tmp_path / "server.py"
    file.write_text(SERVER)
    return [sys.executable, str(file)]


def test_the_limit_decides_the_exit_code(server: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["telemetry", "budget", "--json", "--", *server]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [tool["tool"] for tool in told["tools"]] == ["find", "buy"]
    assert told["tokens"] == told["instructions"] + sum(tool["tokens"] for tool in told["tools"])
    assert told["tools"][0]["parts"][0]["path"] == "description"
    exact = str(told["tokens"])
    assert main(["telemetry", "budget", "--max-definition-tokens", exact, "--", *server]) == 0
    capsys.readouterr()
    assert main(["telemetry", "budget", "--max-definition-tokens", str(told["tokens"] - 1), "--", *server]) == 1
    out = capsys.readouterr().out
    assert f"above the limit of {told['tokens'] - 1}" in " ".join(out.split())
    assert "find: description" in out


def test_the_shorter_schema_costs_what_is_said(server: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["telemetry", "budget", "--json", "--", *server])
    told = json.loads(capsys.readouterr().out)
    find = told["tools"][0]
    assert find["tokens_shorter"] < find["tokens"]
    assert find["shorter_schema"]["properties"]["limit"] == {"type": ["integer", "null"]}
    tool = {"name": "find", "description": "", "inputSchema": find["shorter_schema"]}
    again = budget.definition(tokenizer.load(), "gpt", tool)
    assert again.schema is None and again.shorter == again.tokens


def test_a_command_that_is_no_server_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    talks = [sys.executable, "-c", "import sys; sys.exit('no licence found')"]
    assert main(["telemetry", "budget", "--", *talks]) == 1
    assert "no licence found" in capsys.readouterr().err
    assert main(["telemetry", "budget", "--", str(tmp_path / "gone")]) == 1
    assert "there is no such program" in capsys.readouterr().err
    assert main(["telemetry", "budget"]) == 2


ENDLESS = """
import json, sys
if sys.argv[1] == "flood":
    while True:
        sys.stderr.write("x" * 99_999 + "\\nno end\\n")
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "initialize":
        result = {"protocolVersion": asked["params"]["protocolVersion"], "capabilities": {"tools": {}},
                  "serverInfo": {"name": "s", "version": "1"}}
    else:
        result = {"tools": [{"name": "t", "inputSchema": {"type": "object"}}], "nextCursor": "again"}
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


@pytest.mark.parametrize(
    ("how", "told"), [("flood", r"no answer within 3 s \(.*(x|no end)"), ("pages", "its list of tools has no end")]
)
def test_a_server_without_end_is_given_up(tmp_path, monkeypatch, how, told):
    """Neither what it complains with nor its pages are kept without end, in memory or in a file."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    with pytest.raises(TelemetryError, match=told):
        listed.ask([sys.executable, "-c", ENDLESS, how], os.environ, 3.0)
    assert not list(tmp_path.iterdir())


def test_a_definition_with_thousands_of_properties_is_counted_too():
    names = {f"p{n}": {"type": "string", "description": "word " * 20} for n in range(3000)}
    dear = {"dear": {"type": "string", "description": "many more words than any other " * 9}}
    tool = {"name": "t", "inputSchema": {"type": "object", "properties": {**names, **dear}}}
    assert budget.definition(tokenizer.load(), "gpt", tool).parts[0].path == "inputSchema.properties.dear"
