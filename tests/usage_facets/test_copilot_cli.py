"""GitHub Copilot CLI's events: records of requests, or the sums of sessions that have none; never both."""

import pytest

from agent_connector.hosts.copilot_cli import usage as copilot
from agent_connector.hosts.records import Place, UnknownFormat
from agent_connector.hosts.vscode_copilot import usage as vscode
from agent_connector.testing import usage
from agent_connector.testing.host_samples import machine
from agent_connector.testing.usage import Totals

EVENTS = copilot.READERS["events"]
PATH = "/home/user/.copilot/session-state/s-9/events.jsonl"
AT = "2026-11-30T16:17:28.799Z"


def start(session="s-1", **data):
    return {
        "type": "session.start",
        "data": {"sessionId": session, "copilotVersion": "1.0.102", "context": {"cwd": "/code/app"}, **data},
        "timestamp": AT,
    }


def counts(prompt=1000, output=20, read=300, written=7, reasoning=5):
    names = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens")
    return dict(zip(names, (prompt, output, read, written, reasoning), strict=True))


def record(number=1, session="s-1", **more):
    usage = {
        "model": "m-1",
        **counts(),
        "cost": 0.33,
        "apiCallId": f"call-{number}",
        "accounting": {"sourceSessionId": session, "sequence": number, "usageId": f"call-{number}"},
        **more,
    }
    return {"type": "session.usage_record", "data": {"usage": usage}, "timestamp": AT}


def sums(requests=2, kind="session.shutdown", at=AT, **more):
    used = {"requests": {"count": requests, "cost": 0.5}, "usage": counts(prompt=1000 * requests)}
    metrics = {"m-1": used}
    snapshot = {"modelMetrics": metrics, "agentMetrics": {"main": {"modelMetrics": metrics}}}
    where = {"accountingSnapshot": snapshot}
    data = (
        where if kind.endswith("checkpoint") else {**where, "modelMetrics": metrics, "agentMetrics": {"main": snapshot}}
    )
    return {"type": kind, "data": {**data, **more}, "timestamp": at}


ONE = Totals(input=700, cache_read=300, cache_write_5m=7, output=20, reasoning=5, requests=1, credits=0.33)


def test_the_recording_comes_to_what_the_model_reported(golden, truth):
    records = usage.read(EVENTS, golden("copilot-cli", "events.jsonl"), path=PATH)
    assert usage.totals(records) == truth("copilot-cli")
    assert {each.session for each in records} == {"498ff5c8-c4ba-47b2-90c3-70be856c9c44"}
    assert (records[0].model, records[0].project, records[0].time) == (
        "fake-model",
        "/home/user/project",
        1_796_055_448_799,
    )


def test_a_recording_that_is_spoilt_anywhere_is_survived(golden):
    usage.spoilt_is_survived(EVENTS, golden("copilot-cli", "events.jsonl"))


def test_sums_of_a_session_with_records_add_nothing_in_any_order(lines):
    state = {}
    first = usage.read(EVENTS, lines(start(), record()), state)
    then = usage.read(EVENTS, lines(sums(), sums(3)), state)
    assert usage.totals([*first, *then]) == ONE
    marked = sums(usageAccountingWatermarks={"s-1": 2})
    assert usage.totals(usage.read(EVENTS, lines(start(), marked, record()))) == ONE


def test_a_record_that_is_written_again_counts_once(lines):
    assert usage.totals(usage.read(EVENTS, lines(start(), record(), record()))) == ONE
    assert usage.totals(usage.read(EVENTS, lines(start(), record(1), record(2)))).requests == 2


def test_a_fork_repeats_the_records_of_the_session_that_it_came_from(lines):
    own = usage.read(EVENTS, lines(start("s-1"), record(1, "s-1")))
    fork = usage.read(EVENTS, lines(start("s-2"), record(1, "s-1"), record(1, "s-2")))
    assert usage.totals([*own, *fork]).requests == 2
    assert [each.session for each in fork] == ["s-1", "s-2"]


def test_the_last_sums_of_a_session_without_records_count(lines):
    log = lines(start(), sums(1, "session.usage_checkpoint"), sums(1), sums(3, at="2026-12-01T09:00:00Z"))
    records = usage.read(EVENTS, log)
    assert usage.totals(records) == Totals(
        input=2700, cache_read=300, cache_write_5m=7, output=20, reasoning=5, requests=3, credits=0.5
    )
    assert {each.session for each in records} == {"s-1"}


def test_a_session_that_an_update_gave_records_keeps_the_sum_of_before(lines):
    records = usage.read(EVENTS, lines(start(), sums(2), record(3), sums(3)))
    assert usage.totals(records).input == 1700 + 700


def test_a_log_without_its_start_has_the_name_of_its_folder(lines):
    (found,) = usage.read(EVENTS, lines(record(accounting=None)), path=PATH)
    assert found.session == "s-9"


def test_a_record_of_another_shape_is_said_with_the_version(lines):
    strange = {"type": "session.usage_record", "data": {"usage": {"tokens": 7}}, "timestamp": AT}
    with pytest.raises(UnknownFormat) as unknown:
        usage.read(EVENTS, lines(start(), strange))
    assert unknown.value.version == "1.0.102"


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {}, "/home/user/.copilot/session-state"),
        ("darwin", {}, "/Users/user/.copilot/session-state"),
        ("win32", {}, r"C:\Users\user\.copilot\session-state"),
        ("linux", {"COPILOT_HOME": "/c"}, "/c/session-state"),
    ],
)
def test_places(platform, variables, folder):
    assert copilot.logs(machine(platform, variables=variables)) == (Place(folder, "*/events.jsonl", "events"),)


def test_what_editors_write_into_the_same_folder_is_counted_under_one_host():
    assert vscode.logs(machine()) == ()
    assert "copilot-cli" in vscode.NOTE
