"""Simulate: the whole path of a hook offline, and what the host does with the answer."""

import pytest

from agent_connector.connector.load import load
from agent_connector.deploy.simulate import simulate
from agent_connector.errors import DeployError
from agent_connector.hosts import query

TEXT = """
from agent_connector import *
connector = Connector(id="acme", server=stdio("x"))

@connector.hook("PreToolUse", matcher="write|host:Bash")
async def never(event): ...

@connector.hook("PreToolUse", matcher="write")
def guard(event):
    print("noise")
    return deny(f"{event.host} {event.server} {event.tool_name} {event.tool_input}")

@connector.hook("PreToolUse", matcher="broken")
def broken(event):
    raise ValueError("bad day")

@connector.hook("PreToolUse", matcher="ends")
def ends(event):
    import os
    os._exit(3)

@connector.hook("PreToolUse", matcher="host:.*")
def shell(event):
    if event.tool_name == "Bash":
        return ask("really?")

@connector.hook("PostToolUse", matcher="read")
def after(event):
    return replace_output("cut")

@connector.hook("UserPromptSubmit")
def prompt(event):
    return context(event.prompt.upper())

@connector.native_hook("claude-code", "TaskCompleted")
def done(raw):
    return {"seen": raw["task"]}
"""


def hosts(event="PreToolUse"):
    """The hosts whose hooks take `event`."""
    return [host for host in query.hosts() if query.hooks(host) and event in query.hooks(host).EVENTS]


def takes_context(host):
    return query.hooks(host).honours("UserPromptSubmit", "context")[0] != "dropped"


ASKS = ("claude-code", "qwen-code", "copilot-cli")  # hosts that ask a person when a hook says so


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    file = tmp_path_factory.mktemp("author") / "acme.py"
    file.write_text(TEXT)
    return load(str(file), hosts=hosts())


@pytest.mark.parametrize("host", hosts())
def test_a_denial_in_every_host(sample, host):
    result = simulate(sample, host, "PreToolUse", tool="write", given={"input": {"a": 1}})
    assert result.matched[-1] == "guard"
    (said,) = result.decisions
    assert (said.kind, said.verdict) == ("deny", query.hooks(host).honours("PreToolUse", "deny")[0])
    assert said.verdict in ("honoured", "degraded")  # degraded: the run ends too
    assert said.text == f"{host} acme write {{'a': 1}}"
    assert said.text in result.output or said.text in result.stderr


@pytest.mark.parametrize("host", hosts())
def test_the_hosts_own_tools_have_their_canonical_names(sample, host):
    result = simulate(sample, host, "PreToolUse", tool="host:Bash")
    assert "shell" in result.matched and result.decisions[0].kind == "ask"
    assert result.decisions[0].verdict == "honoured" or host not in ASKS


@pytest.mark.parametrize("host", [host for host in hosts("UserPromptSubmit") if takes_context(host)])
def test_a_prompt_gets_its_context(sample, host):
    result = simulate(sample, host, "UserPromptSubmit", given={"prompt": "hello"})
    assert (result.decisions[0].text, "HELLO" in result.output) == ("HELLO", True)


@pytest.mark.parametrize("host", hosts())
def test_every_event_of_a_host_can_be_simulated(sample, host):
    for event in query.hooks(host).EVENTS:
        result = simulate(
            sample, host, event, tool="other/tool" if "Tool" in event or event == "PermissionRequest" else None
        )
        assert result.event == event
        assert result.failures == ()


def test_a_tool_that_no_matcher_catches_asks_nobody(sample):
    result = simulate(sample, "codex", "PreToolUse", tool="nothing")
    assert (result.matched, result.decisions, result.output) == ((), (), "")


def test_a_handler_that_raises_is_said_and_the_reply_is_neutral(sample):
    result = simulate(sample, "cursor", "PreToolUse", tool="broken")
    assert result.failures == ("broken raised: ValueError: bad day",)
    assert (result.output, result.failed) == ("{}", True)


def test_a_handler_that_ends_the_process_is_an_error(sample):
    with pytest.raises(DeployError, match="ended the process"):
        simulate(sample, "codex", "PreToolUse", tool="ends")


def test_what_a_host_drops_is_said_with_the_reason(sample):
    result = simulate(sample, "codex", "PostToolUse", tool="read", given={"output": "long"})
    assert result.decisions[0].kind == "replace_output"
    assert result.decisions[0].why


def test_a_native_hook_gets_the_payload_and_answers_verbatim(sample):
    result = simulate(sample, "claude-code", "TaskCompleted", payload={"task": "t1"})
    assert (result.matched, result.output) == (("done",), '{"seen":"t1"}')


def test_what_cannot_be_simulated_is_said(sample):
    with pytest.raises(DeployError, match="has no event Notification"):
        simulate(sample, "codex", "Notification")
    with pytest.raises(DeployError, match="is about a tool"):
        simulate(sample, "codex", "PreToolUse")
