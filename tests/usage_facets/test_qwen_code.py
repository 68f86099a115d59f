"""Qwen Code's chats: each response twice, subagents once, forks, requests on the side, lines that ran together."""

import pytest

from agent_connector.hosts.qwen_code import usage as qwen
from agent_connector.hosts.records import Place, UnknownFormat
from agent_connector.testing import usage
from agent_connector.testing.host_samples import machine
from agent_connector.testing.usage import PLANTED, Totals

CHAT = qwen.READERS["chat"]
RECORDED = "6dd6fcb9-8ae4-4efe-87e3-b5defd1b4fd0.jsonl"


def message(uuid="u-1", prompt=1000, output=20, cached=300, thoughts=5, total=1020, **more):
    return {
        "uuid": uuid,
        "sessionId": "s-1",
        "timestamp": "2026-11-30T16:18:48.215Z",
        "type": "assistant",
        "cwd": "/code/app",
        "version": "0.24.4",
        "model": "m-1",
        "message": {"role": "model", "parts": [{"text": PLANTED}]},
        "usageMetadata": {
            "promptTokenCount": prompt,
            "candidatesTokenCount": output,
            "thoughtsTokenCount": thoughts,
            "totalTokenCount": total,
            "cachedContentTokenCount": cached,
        },
        **more,
    }


def telemetry(response="r-1", prompt=1000, output=20, cached=300, thoughts=5, total=1020, **more):
    event = {
        "event.name": "qwen-code.api_response",
        "event.timestamp": "2026-11-30T16:18:48.210Z",
        "response_id": response,
        "model": "m-1",
        "input_token_count": prompt,
        "output_token_count": output,
        "cached_content_token_count": cached,
        "thoughts_token_count": thoughts,
        "total_token_count": total,
        "response_text": PLANTED,
        **more,
    }
    line = {"uuid": f"t-{response}", "sessionId": "s-1", "timestamp": "2026-11-30T16:18:48.212Z", "cwd": "/code/app"}
    return {**line, "type": "system", "subtype": "ui_telemetry", "systemPayload": {"uiEvent": event}}


ONE = Totals(input=700, cache_read=300, output=20, reasoning=5, requests=1)


def test_the_recording_comes_to_what_the_model_reported(golden, truth):
    records = usage.read(CHAT, golden("qwen-code", RECORDED))
    assert usage.totals(records) == truth("qwen-code")
    assert (records[0].key, records[0].session) == ("a61d6d6a-d2af-4418-b979-529c943ab7ae", RECORDED[:-6])
    assert (records[0].model, records[0].project, records[0].time) == (
        "fake-model",
        "/home/user/project",
        1_796_055_528_215,
    )


def test_the_monthly_file_says_the_same_and_is_not_read(golden):
    assert usage.read(CHAT, golden("qwen-code", "token-usage-2026-11.jsonl")) == []
    assert all("usage" not in place.folder + place.pattern for place in qwen.logs(machine()))


def test_a_recording_that_is_spoilt_anywhere_is_survived(golden):
    usage.spoilt_is_survived(CHAT, golden("qwen-code", RECORDED))


def test_a_response_that_stands_there_twice_counts_once_wherever_the_read_stops(lines):
    whole = lines(telemetry(), message())
    assert usage.totals(usage.read(CHAT, whole)) == ONE
    state = {}
    records = [record for line in whole.splitlines(keepends=True) for record in usage.read(CHAT, line, state)]
    assert usage.totals(records) == ONE


def test_chats_of_versions_without_telemetry_count(lines):
    assert usage.totals(usage.read(CHAT, lines(message("a"), message("b")))).requests == 2


def test_a_subagents_requests_count_though_their_answers_stand_elsewhere(lines):
    records = usage.read(
        CHAT, lines(telemetry("r-2", prompt=50, cached=0, subagent_name="explore"), telemetry(), message())
    )
    assert usage.totals(records).input == 750
    assert [record.agent for record in records] == ["explore", ""]


def test_a_subagents_request_counts_at_once_and_is_never_taken_for_an_answers_twin(lines):
    assert usage.totals(usage.read(CHAT, lines(telemetry("r-2", subagent_name="explore")))) == ONE
    records = usage.read(CHAT, lines(telemetry("r-2", subagent_name="explore"), message()))
    assert usage.totals(records).requests == 2


def test_a_request_on_the_side_counts_when_the_next_answer_shows_that_it_had_none(lines):
    side = telemetry("r-2", prompt=400, cached=0, output=30, total=430)
    state = {}
    assert usage.read(CHAT, lines(side), state) == []
    assert usage.totals(usage.read(CHAT, lines(telemetry(), message()), state)).input == 1100


def test_requests_that_never_get_an_answer_are_not_kept_for_ever(lines):
    many = [telemetry(f"r-{number}", prompt=number) for number in range(200)]
    state = {}
    assert len(usage.read(CHAT, lines(*many), state)) == 200 - qwen.WAITING
    assert len(state["waiting"]) == qwen.WAITING


def test_a_fork_copies_messages_and_adds_nothing(lines):
    own = usage.read(CHAT, lines(telemetry(), message()))
    fork = usage.read(CHAT, lines(message(sessionId="s-2", timestamp="2026-11-30T18:00:00Z")))
    assert usage.totals([*own, *fork]) == ONE


def test_a_session_knows_the_one_that_it_works_for(lines):
    parent = {"type": "system", "subtype": "parent_session", "systemPayload": {"parentSessionId": "s-0"}}
    (record,) = usage.read(CHAT, lines(parent, message()))
    assert record.parent == "s-0"


def test_the_total_tells_whether_the_thoughts_are_within_the_output(lines):
    (within,) = usage.read(CHAT, lines(message(output=20, thoughts=5, total=1020)))
    (beside,) = usage.read(CHAT, lines(message(output=20, thoughts=5, total=1025)))
    assert (within.output, within.reasoning) == (20, 5)
    assert (beside.output, beside.reasoning) == (25, 5)


def test_lines_that_ran_together_are_all_read(lines):
    log = lines(message("a"), message("b")).replace(b"}\n{", b"}{")
    assert usage.totals(usage.read(CHAT, log)).requests == 2


def test_counts_of_other_names_are_said_with_the_version(lines):
    with pytest.raises(UnknownFormat) as unknown:
        usage.read(CHAT, lines(message(usageMetadata={"prompt": 7})))
    assert unknown.value.version == "0.24.4"


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {}, "/home/user/.qwen/projects"),
        ("darwin", {}, "/Users/user/.qwen/projects"),
        ("win32", {}, r"C:\Users\user\.qwen\projects"),
        ("linux", {"QWEN_HOME": "/q"}, "/q/projects"),
        ("linux", {"QWEN_HOME": "/q", "QWEN_RUNTIME_DIR": "/r"}, "/r/projects"),
    ],
)
def test_places(platform, variables, folder):
    assert qwen.logs(machine(platform, variables=variables)) == (Place(folder, "*/chats/**/*.jsonl", "chat"),)
