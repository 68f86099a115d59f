"""Hosts over ACP: recorded agents played by a process, and agents that misbehave."""

import json
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from agent_connector.drive import acp
from agent_connector.drive.events import Called, Finished, Job, Returned, Said, Spent, Started, Usage
from agent_connector.errors import HostError
from agent_connector.hosts import query

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden"
AGENT = str(HERE / "acp_agent.py")

ECHO = ("mcp__lab__echo", "lab", "echo", "hello-acp")
# What the stand-in had answered, twice: 2100 tokens of input, 630 of them cached and 84 written to the cache where a
# host knows that; 41 of output, 11 of them reasoning. The others: 1000, 700 cached, and 50 of output a request.
PLAYED = {
    "claude-code": ([ECHO], Usage(1386, 630, 84, 0, 41), 0.00691),
    "codex": ([ECHO], None, None),
    "gemini-cli": ([ECHO], None, None),
    "qwen-code": ([ECHO], Usage(1470, 630, 0, 0, 41, 11), None),
    "copilot-cli": ([("lab-echo", None, None, "hello-acp")], Usage(1470, 630, 0, 0, 41, 11), None),
    "opencode": ([("acplab_echo", None, None, "from-acp"), ("bash", None, None, "echo acp-bash")], None, 0.001545),
    "kilo-cli": ([("acplab_echo", None, None, "from-acp"), ("bash", None, None, "echo acp-bash")], None, 0.001671),
    "kimi": ([("mcp__acplab__echo", "acplab", "echo", "from-acp"), ("Bash", None, None, "echo acp-bash")], None, None),
    "droid": (
        [
            ("ToolSearch", None, None, "select:"),
            ("acplab___echo", None, None, "from-acp"),
            ("execute", None, None, "echo acp"),
        ],
        None,
        None,
    ),
    "cline": ([("labmcp__echo", None, None, "from-acp"), ("run_commands", None, None, "echo acp-bash")], None, None),
    "hermes": (
        [("mcp__acplab__echo", "acplab", "echo", "from-acp"), ("terminal", None, None, None)],
        Usage(1284, 2100, 0, 0, 534, 21),
        None,
    ),
    "omp": (
        [("execute", None, None, "from-acp"), ("execute", None, None, "echo acp-bash")],
        Usage(975, 2100, 0, 0, 225),
        0.001635,
    ),
    "openclaw": (
        [
            ("tool_call", None, None, "from-acp"),
            ("labmcp__echo", None, None, "from-acp"),
            ("exec", None, None, "echo acp"),
        ],
        None,
        None,
    ),
    "pi": ([("execute", None, None, None)], None, None),
}


def run(host: str, tmp_path, *argv: str, job: dict | None = None, **options):
    """A host whose ACP agent is the scripted one; what that was asked is in `notes`."""
    headless = query.headless(host)
    facet = SimpleNamespace(**{name: getattr(headless, name) for name in dir(headless) if not name.startswith("__")})
    facet.ACP = (sys.executable, AGENT, *argv, str(tmp_path / "notes"))
    facet.acp_argv = lambda job: list(facet.ACP)
    return acp.run(facet, Job("Say hi.", cwd=str(tmp_path), **(job or {})), {"PATH": "/usr/bin:/bin"}, **options)


def notes(tmp_path) -> list[dict]:
    return [json.loads(line) for line in (tmp_path / "notes").read_text().splitlines()]


def answers(tmp_path) -> list[dict]:
    return [note["result"]["outcome"] for note in notes(tmp_path) if "outcome" in note.get("result", {})]


@pytest.mark.parametrize("host", PLAYED)
def test_a_recorded_turn(tmp_path, host: str) -> None:
    calls, usage, cost = PLAYED[host]
    outcome = run(host, tmp_path, "play", str(GOLDEN / host / "acp.jsonl"), permit=lambda call: True)
    assert (outcome.why, outcome.ok, outcome.error) == ("exited", True, None)
    assert outcome.said[-1].strip() in ("FINAL-TEXT", "FAKE-FINAL")
    assert not any("pi v1" in text for text in outcome.said), "a banner is no word of the model"
    assert [(call.tool, call.server, call.name) for call in outcome.called] == [call[:3] for call in calls]
    for called, (*_, within) in zip(outcome.called, calls, strict=True):
        assert called.arguments is None if within is None else within in json.dumps(called.arguments)
    assert sorted(one.call_id for one in outcome.returned) == sorted(call.call_id for call in outcome.called)
    assert not any(one.failed for one in outcome.returned)
    assert outcome.usage == usage
    assert outcome.cost_usd == (None if cost is None else pytest.approx(cost))
    assert outcome.started.session == outcome.finished.session == outcome.session
    assert all(one["outcome"] == "selected" for one in answers(tmp_path))


@pytest.mark.parametrize(("host", "allow", "refuse"), [
    ("claude-code", "allow-once", "reject"),
    ("gemini-cli", "proceed_once", "cancel"),
    ("droid", "proceed_once", "cancel"),
    ("qwen-code", "proceed_once", "cancel"),
    ("omp", "allow_once", "reject_once"),
    ("kimi", "approve_once", "reject"),
])  # fmt: skip
def test_a_permission_is_answered_by_its_kind_once_where_there_is_the_choice(tmp_path, host, allow, refuse) -> None:
    seen: list[Called] = []
    play = ("play", str(GOLDEN / host / "acp.jsonl"))
    run(host, tmp_path, *play, permit=lambda call: seen.append(call) or True)
    assert {one["optionId"] for one in answers(tmp_path)} == {allow}
    assert seen and all(call.arguments for call in seen if call.tool != "echo")
    (tmp_path / "notes").unlink()
    outcome = run(host, tmp_path, *play, permit=lambda call: False)
    assert {one["optionId"] for one in answers(tmp_path)} == {refuse}
    assert outcome.finished.denied == tuple(call.tool for call in seen)


def test_a_call_tells_its_files_and_whether_its_name_is_a_guess(tmp_path) -> None:
    outcome = run("gemini-cli", tmp_path, "edits", permit=lambda call: True)
    [called] = outcome.called
    assert (called.kind, called.title, called.arguments) == ("edit", "Todo", None)
    assert called.paths == ("/w/a.py", "/w/b.py") and called.guessed
    assert [call.guessed for call in run("claude-code", tmp_path, *named("claude-code")).called] == [False]
    assert [call.guessed for call in run("droid", tmp_path, *named("droid")).called] == [True, True, True]


def named(host: str) -> tuple[str, str]:
    return "play", str(GOLDEN / host / "acp.jsonl")


def test_settings_and_a_budget_of_claude_code_go_with_the_session(tmp_path) -> None:
    told = {"extra": ("--debug", "--settings", "/g/settings.json"), "budget_usd": 1.5, "system": "Be brief."}
    run("claude-code", tmp_path, "old", job=told)
    [opened] = [note["params"] for note in notes(tmp_path) if note.get("method") == "session/new"]
    assert opened["_meta"] == {
        "claudeCode": {"options": {"settings": "/g/settings.json", "maxBudgetUsd": 1.5}},
        "systemPrompt": {"append": "Be brief."},
    }
    assert acp.argv(query.headless("claude-code"), Job("x", "/", **told)) == ["claude-agent-acp", "--debug"]


def test_the_call_is_out_before_anybody_is_asked(tmp_path) -> None:
    order: list[object] = []
    run(
        "droid",
        tmp_path,
        *("play", str(GOLDEN / "droid" / "acp.jsonl")),
        permit=lambda call: order.append(("asked", call.call_id)) or True,
        on_event=lambda event: order.append(("told", event.call_id)) if isinstance(event, Called) else None,
    )
    assert order == [("told", "call_lab97"), *[(what, f"call_lab{n}") for n in (98, 99) for what in ("told", "asked")]]


@pytest.mark.parametrize(("job", "chosen"), [
    ({}, "cancel"),
    ({"approvals": "all"}, "proceed_once"),
    ({"approved_servers": ("lab",)}, "proceed_once"),
    ({"approved_servers": ("other",)}, "cancel"),
])  # fmt: skip
def test_without_somebody_to_ask_the_approvals_of_the_job_answer(tmp_path, job: dict, chosen: str) -> None:
    run("gemini-cli", tmp_path, "play", str(GOLDEN / "gemini-cli" / "acp.jsonl"), job=job)
    assert [one["optionId"] for one in answers(tmp_path)] == [chosen]


def test_where_a_model_would_judge_the_mode_is_changed(tmp_path) -> None:
    for host, changed in (("claude-code", ["default"]), ("qwen-code", ["default"]), ("codex", [])):
        run(host, tmp_path, "play", str(GOLDEN / host / "acp.jsonl"))
        asked = [note["params"]["modeId"] for note in notes(tmp_path) if note.get("method") == "session/set_mode"]
        assert asked == changed, host
        (tmp_path / "notes").unlink()


def test_servers_system_text_and_model_are_told(tmp_path) -> None:
    server = acp.Server("acme", "/bin/acme", ("--x",), (("TOKEN", "t"),))
    job = {"system": "Be brief.", "model": "small"}
    run("opencode", tmp_path, "plain", job=job, servers=[server])
    by_method = {note.get("method"): note.get("params") for note in notes(tmp_path)}
    assert by_method["session/new"]["mcpServers"] == [
        {"name": "acme", "command": "/bin/acme", "args": ["--x"], "env": [{"name": "TOKEN", "value": "t"}]}
    ]
    assert by_method["session/set_config_option"] == {"sessionId": "s-1", "configId": "m", "value": "small"}
    assert by_method["session/prompt"]["prompt"][0]["text"] == "Be brief.\n\nSay hi."
    (tmp_path / "notes").unlink()
    run("claude-code", tmp_path, "plain", job=job)
    by_method = {note.get("method"): note.get("params") for note in notes(tmp_path)}
    assert by_method["session/new"]["_meta"] == {"systemPrompt": {"append": "Be brief."}}
    assert by_method["session/prompt"]["prompt"][0]["text"] == "Say hi."


def test_a_session_is_gone_on_with_and_its_past_is_not_told_again(tmp_path) -> None:
    outcome = run("hermes", tmp_path, "hermes", job={"resume": "s-1"})
    [load] = [note["params"] for note in notes(tmp_path) if note.get("method") == "session/load"]
    assert load["sessionId"] == "s-1"
    assert outcome.said == ("On it.",)
    assert outcome.usage == Usage(70, 30, output=7, reasoning=2)
    assert outcome.cost_usd == pytest.approx(0.5), "what was told before the prompt is of the past"
    assert run("hermes", tmp_path, "forgetful", job={"resume": "s-1"}).cost_usd is None
    assert run("hermes", tmp_path, "forgetful").cost_usd == 2.5


def test_what_is_spent_is_told_as_it_grows(tmp_path) -> None:
    stop, spent = threading.Event(), list[Spent]()

    def hear(event: object) -> None:
        if isinstance(event, Spent):
            spent.append(event)
            if event.cost_usd == 0.75:
                stop.set()

    outcome = run("opencode", tmp_path, "costly", stop=stop, on_event=hear)
    assert spent == [Spent(Usage(), 0.25), Spent(Usage(), 0.75)]
    assert (outcome.why, outcome.cost_usd, outcome.usage) == ("stopped", 1.0, None)
    calls = run("qwen-code", tmp_path, *named("qwen-code"), on_event=hear)
    assert sum((one.usage for one in spent[2:]), Usage()) == calls.usage == PLAYED["qwen-code"][1]


def test_an_agent_that_cannot_go_on_says_so(tmp_path) -> None:
    outcome = run("kimi", tmp_path, "old", job={"resume": "s-1"})
    assert (outcome.ok, outcome.error) == (False, "the agent cannot go on with a session")


def test_a_refusal_is_the_end_and_its_reason(tmp_path) -> None:
    outcome = run("cline", tmp_path, "locked")
    assert outcome.events == (Finished(False, "Authentication required (log in)"),)
    assert (outcome.why, outcome.ok, outcome.error) == ("exited", False, "Authentication required (log in)")


def test_an_agent_that_dies_in_its_turn(tmp_path) -> None:
    outcome = run("kimi", tmp_path, "dies")
    assert (outcome.why, outcome.exit_code, outcome.ok) == ("exited", 7, False)
    assert outcome.events[-2:] == (
        Said("On it."),
        Finished(False, "the agent ended before its turn did", session="s-1"),
    )
    assert outcome.stderr == "out of luck"


def test_a_stop_cancels_the_turn_before_anything_is_ended(tmp_path) -> None:
    stop = threading.Event()
    outcome = run(
        "kimi",
        tmp_path,
        "patient",
        stop=stop,
        on_event=lambda event: threading.Timer(0.1, stop.set).start() if isinstance(event, Started) else None,
    )
    assert [note["method"] for note in notes(tmp_path)][-1] == "session/cancel"
    assert (outcome.why, outcome.finished.reason, outcome.ok) == ("stopped", "cancelled", False)
    assert outcome.said == ("On it.",)


def test_an_agent_that_does_not_let_go_is_ended(tmp_path) -> None:
    outcome = run("kimi", tmp_path, "deaf", stall=0.8, grace=0.3)
    assert (outcome.why, outcome.exit_code, outcome.ended) == ("stall", None, True)
    assert outcome.finished == Finished(False, "the agent ended before its turn did", session="s-1")


def test_silence_before_the_turn_is_not_waited_out(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(acp, "BEGIN", 0.5)
    assert run("kimi", tmp_path, "mute", seconds=600, grace=0.3).why == "stall"


def test_noise_and_requests_of_the_agents_own(tmp_path) -> None:
    lines: list[tuple[str, str]] = []
    outcome = run("kimi", tmp_path, "noisy", on_line=lambda *line: lines.append(line))
    assert lines == [("stdout", "a line of a library")]
    [refused] = [note["error"] for note in notes(tmp_path) if "error" in note]
    assert refused["code"] == -32601
    assert outcome.ok
    assert outcome.silent["_own/notice"] == 1


def test_a_host_without_acp_and_a_starter_that_gives_no_input(tmp_path) -> None:
    with pytest.raises(HostError, match="does not speak"):
        acp.argv(query.headless("crush"), Job("x", "/p"))
    from agent_connector.drive import process

    with pytest.raises(HostError, match="no input"):
        run("kimi", tmp_path, "plain", start=process.start)


def test_returned_of_a_failed_call_is_failed() -> None:
    from agent_connector.drive.acp_calls import Calls

    calls = Calls()
    calls.heard({"sessionUpdate": "tool_call", "toolCallId": "1", "title": "Bash", "rawInput": {"command": "x"}})
    late = {"toolCallId": "1", "status": "failed", "content": [{"type": "content", "content": {"text": "no"}}]}
    assert calls.heard(late) == [Returned("1", "no", True)]
    assert calls.heard(late) == ()
