"""Copilot CLI without a person: its command line and its stream."""

from agent_connector.drive.events import Called, Finished, Job, Noticed, Returned, Said, Spent, Started, Usage
from agent_connector.hosts.copilot_cli import headless


def test_a_plain_job():
    assert headless.argv(Job("-x is a flag?", "/p")) == [
        *("copilot", "--output-format", "json", "--no-color", "--prompt=-x is a flag?")
    ]
    assert headless.environment(Job("x", "/p")) == {"COPILOT_AUTO_UPDATE": "false"}


def test_a_job_against_a_stand_in_model():
    job = Job("x", "/p", endpoint="http://127.0.0.1:9", approvals="all", trust=True, resume="s", extra=("-s",))
    assert headless.argv(job)[4:] == ["--allow-all-tools", "--resume=s", "-s", "--prompt=x"]
    told = headless.environment(job)
    assert (told["COPILOT_PROVIDER_BASE_URL"], told["COPILOT_PROVIDER_API_KEY"]) == (
        "http://127.0.0.1:9/v1",
        "stand-in",
    )
    assert (told["COPILOT_OFFLINE"], told["COPILOT_MODEL"]) == ("true", "stand-in")


def test_a_folder_is_trusted_by_flag_in_a_new_session_and_by_variables_in_any():
    trusted, resumed = Job("x", "/p", trust=True), Job("x", "/p", trust=True, resume="s")
    assert "--trust-folder" in headless.argv(trusted) and "--trust-folder" not in headless.argv(resumed)
    assert headless.environment(resumed)["GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS"] == "true"


def test_approvals():
    job = Job("x", "/p", approvals="edits", approved_servers=("a", "b-c"), model="gpt-5")
    assert headless.argv(job)[4:-1] == ["--allow-tool=write", "--allow-tool=a", "--allow-tool=b-c", "--model", "gpt-5"]


def test_a_recorded_run(stream):
    events = [event for line in stream for event in headless.read(line)]
    assert events == [
        Noticed("servers", "lab: connected"),
        Said("Calling."),
        Called("call_lab_1_0", "lab-echo", {"text": "hello-lab"}, "lab", "echo"),
        Returned("call_lab_1_0", "ECHO:hello-lab"),
        Said("FINAL-TEXT"),
        Finished(True, "exit code 0", session="498ff5c8-0000"),
    ]


def test_records_that_this_recording_does_not_have():
    """As its schema describes them; the counts mean what those of the session's log were seen to mean."""
    start = '{"type":"session.start","data":{"sessionId":"s","selectedModel":"m","context":{"cwd":"/p"}}}'
    assert headless.read(start) == (Started("s", "m", "/p"),)
    usage = '{"type":"assistant.usage","data":{"inputTokens":1000,"outputTokens":20,"cacheReadTokens":300,'
    usage += '"cacheWriteTokens":0,"reasoningTokens":5,"cost":1}}'
    assert headless.read(usage) == (Spent(Usage(input=700, cache_read=300, output=20, reasoning=5)),)
    failed = '{"type":"tool.execution_complete","data":{"toolCallId":"c","success":false,"error":{"message":"no"}}}'
    assert headless.read(failed) == (Returned("c", "no", True),)
    assert headless.read('{"type":"session.error","data":{"message":"m"}}') == (Noticed("session.error", "m"),)


def test_errors_and_noise():
    [finished] = headless.read('{"type":"result","sessionId":"s","exitCode":1}')
    assert (finished.ok, finished.session) == (False, "s")
    for noise in ("", "text", "[]", "{}", '{"type":"assistant.message","data":{"content":""}}', '{"type":"new"}'):
        assert headless.read(noise) == ()
