"""What an author's file sees, and what it costs to import."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import agent_connector
from agent_connector import Connector, Decision, Event, StatusContext, ask, http, modify, stdio

PACKAGE = Path(agent_connector.__file__).parent


def test_every_public_name_is_there_and_in_the_stub():
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text())
    named = next(n.value for n in stub.body if isinstance(n, ast.Assign) and n.targets[0].id == "__all__")
    assert set(agent_connector.__all__) <= set(ast.literal_eval(named))
    for name in ast.literal_eval(named):
        assert getattr(agent_connector, name) is not None


def test_a_typed_event_is_an_event_at_run_time_and_a_typo_is_an_error():
    from agent_connector import PreToolUseEvent

    assert PreToolUseEvent is Event
    with pytest.raises(AttributeError):
        _ = agent_connector.PreToolUsedEvent
    with pytest.raises(AttributeError, match="Conector"):
        _ = agent_connector.Conector


def test_the_authors_file_imports_only_light_things():
    code = (
        "import sys; from agent_connector import Connector, stdio, ask\n"
        "connector = Connector(id='a', server=stdio('x'))\n"
        "@connector.hook('PreToolUse', matcher='a|b')\n"
        "def guard(event): return ask('sure?')\n"
        "connector.memory('m'); connector.skill('s', description='d', body='b')\n"
        "heavy = {'dataclasses', 'typing', 're', 'enum', 'json', 'pathlib', 'logging', 'asyncio', 'functools'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    child = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r})\n{code}"]
    assert subprocess.run(child, capture_output=True, text=True, timeout=60, check=True).stdout.strip() == "[]"


def test_decorators_give_the_function_back_and_remember_it():
    connector = Connector("acme")

    @connector.hook("PreToolUse", matcher="x")
    def first(event): ...

    @connector.statusline
    def line(ctx): ...

    @connector.statusline(host="codex")
    def other(ctx): ...

    assert connector.handler("hook", 0) is first
    assert connector.handler("statusline", 0) is line
    assert connector.handler("statusline", 1) is other


def test_decisions_compare_by_what_they_say():
    assert ask("a") == ask("a") != ask("b")
    assert modify({"x": 1}) == Decision("modify", updated_input={"x": 1})


def test_an_event_takes_only_its_fields_and_the_rest_is_none():
    event = Event("Stop", "codex", "Stop", {}, cwd="/p")
    assert (event.cwd, event.tool_name) == ("/p", None)
    with pytest.raises(TypeError, match="nonsense"):
        Event("Stop", "codex", "Stop", {}, nonsense=1)


def test_a_status_line_reads_what_is_missing_as_none():
    ctx = StatusContext({"model": {"display_name": "Opus"}, "cost": {}}, {"x": 1})
    assert ctx.model.display_name == "Opus"
    assert (ctx.cost.total_usd, ctx.workspace.folder, ctx.raw["x"]) == (None, None, 1)


def test_a_server_helper_refuses_what_it_does_not_know():
    assert stdio("npx", "-y", "p", env={"A": "1"})["args"] == ["-y", "p"]
    with pytest.raises(TypeError, match="header"):
        http("https://x", header={})
