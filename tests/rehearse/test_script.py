"""Scripts: what may stand in one, and that a wrong one says where and why."""

import pytest

from agent_connector.errors import RehearseError
from agent_connector.rehearse.model.turns import Usage
from agent_connector.rehearse.script import PROMPT, Script, Step, ToolCall, parse, read

YAML = """
prompt: Which tables are there?
usage: {input: 900, cache_read: 100, output: 40}
steps:
  - call: {tool: acme_query, arguments: {sql: "select 1"}}
    usage: {output: 7}
  - call:
      - {tool: acme_query}
      - {tool: "host:Bash", arguments: {command: ls}}
  - say: There is one.
"""


def test_a_yaml_script_is_read(tmp_path) -> None:
    path = tmp_path / "s.yml"
    path.write_text(YAML)
    assert read(str(path)) == Script(
        prompt="Which tables are there?",
        usage=Usage(input=900, cache_read=100, output=40),
        steps=(
            Step(calls=(ToolCall("acme_query", {"sql": "select 1"}),), usage=Usage(output=7)),
            Step(calls=(ToolCall("acme_query"), ToolCall("host:Bash", {"command": "ls"}))),
            Step(say="There is one."),
        ),
    )


def test_prompt_and_usage_may_be_left_out() -> None:
    script = parse({"steps": [{"say": "Hello."}]})
    assert (script.prompt, script.usage) == (PROMPT, Usage())


@pytest.mark.parametrize(
    ("script", "where"),
    [
        (None, "script"),
        ({}, "script.steps"),
        ({"steps": []}, "script.steps"),
        ({"steps": [{}]}, "script.steps[0]"),
        ({"steps": [{"say": 3}]}, "script.steps[0].say"),
        ({"steps": [{"shout": "x"}]}, "script.steps[0].shout"),
        ({"steps": [{"call": "acme_query"}]}, "script.steps[0].call"),
        ({"steps": [{"call": {"arguments": {}}}]}, "script.steps[0].call.tool"),
        ({"steps": [{"call": {"tool": "x", "arguments": []}}]}, "script.steps[0].call.arguments"),
        ({"steps": [{"say": "x"}], "usage": {"output": -1}}, "script.usage.output"),
        ({"steps": [{"say": "x"}], "usage": {"tokens": 1}}, "script.usage.tokens"),
    ],
)
def test_a_wrong_script_says_where(script: object, where: str) -> None:
    with pytest.raises(RehearseError) as caught:
        parse(script)
    assert caught.value.where == where
    assert caught.value.remedy


def test_a_file_that_is_missing_or_not_yaml_is_named(tmp_path) -> None:
    path = tmp_path / "s.yml"
    with pytest.raises(RehearseError, match="cannot be read"):
        read(str(path))
    path.write_text("steps: [")
    with pytest.raises(RehearseError, match="not YAML"):
        read(str(path))
