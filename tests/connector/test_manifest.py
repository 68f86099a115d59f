"""The manifest: all that the hook path asks for, and nothing that needs the author's code."""

import json

from inline_snapshot import snapshot

from agent_connector import Connector, stdio
from agent_connector.connector.freeze import freeze
from agent_connector.connector.manifest import build
from agent_connector.connector.model import Source
from agent_connector.runtime.decide import entries
from agent_connector.version import __version__


def manifest():
    connector = Connector(id="acme", server=stdio("acme-mcp", "${env:DSN}", env={"P": "${env:P:-1}"}), version="1.0")
    connector.hook("PreToolUse", matcher="q|w")(guard)
    connector.hook("PreToolUse", host="codex")(codex_guard)
    connector.native_hook("claude-code", "TaskCompleted")(guard)
    connector.statusline(line)
    connector.action("go", label="Go", confirm="Sure?")(guard)
    connector.platform("codex", server={"timeout": 5})
    connector.platform("cursor", hooks=False)
    return build(freeze(connector, Source("file", "/home/me/acme.py", "acme")))


def guard(event): ...


async def codex_guard(event): ...


def line(ctx): ...


def test_the_whole_of_it_is_plain_json():
    content = manifest()
    assert json.loads(json.dumps(content)) == content
    assert {**content, "framework": ""} == snapshot(
        {
            "manifest": 1,
            "id": "acme",
            "version": "1.0",
            "description": "",
            "framework": "",
            "server_name": "acme",
            "declaration": {"kind": "file", "path": "acme.py", "module": "acme", "attribute": "connector"},
            "hooks": {
                "*": {
                    "PreToolUse": [
                        {
                            "handler": 0,
                            "name": "guard",
                            "matcher": {"side": "own", "names": ["q", "w"]},
                            "timeout": 10.0,
                            "on_error": "allow",
                            "async": False,
                        }
                    ]
                },
                "codex": {
                    "PreToolUse": [
                        {
                            "handler": 1,
                            "name": "codex_guard",
                            "matcher": {"side": "any"},
                            "timeout": 10.0,
                            "on_error": "allow",
                            "async": True,
                        }
                    ]
                },
            },
            "native_hooks": {
                "claude-code": {
                    "TaskCompleted": [
                        {"handler": 0, "name": "guard", "timeout": 10.0, "on_error": "allow", "async": False}
                    ]
                }
            },
            "statusline": {"*": {"handler": 0, "name": "line", "options": {}}},
            "actions": {
                "go": {"*": {"handler": 0, "name": "guard", "label": "Go", "confirm": "Sure?", "async": False}}
            },
            "server": {
                "transport": "stdio",
                "command": "acme-mcp",
                "args": ["${env:DSN}"],
                "env": {"P": "${env:P:-1}"},
                "enabled": True,
            },
            "servers": {
                "codex": {
                    "transport": "stdio",
                    "command": "acme-mcp",
                    "args": ["${env:DSN}"],
                    "env": {"P": "${env:P:-1}"},
                    "timeout": 5.0,
                    "enabled": True,
                }
            },
            "env": [["DSN", None], ["P", "1"]],
            "telemetry": {
                "enabled": True,
                "model_family": None,
                "measure_definitions": True,
                "store": "home",
                "keep_days": 90,
            },
            "shares_hooks": [],
        }
    )
    assert content["framework"] == __version__


def test_the_handlers_of_a_host_and_an_event():
    content = manifest()
    assert [e["name"] for e in entries(content, "codex", "PreToolUse")] == ["codex_guard"]
    assert [e["name"] for e in entries(content, "cursor", "PreToolUse")] == ["guard"]
    assert not entries(content, "cursor", "Stop")
    assert [e["name"] for e in content["native_hooks"]["claude-code"]["TaskCompleted"]] == ["guard"]
