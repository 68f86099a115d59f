"""Kimi: records of requests and what repeats them, forks, subagents, aliases; the older product's growing statuses."""

import pytest

from agent_connector.hosts.kimi import usage as kimi
from agent_connector.hosts.records import Place, UnknownFormat
from agent_connector.testing import usage
from agent_connector.testing.host_samples import machine
from agent_connector.testing.usage import PLANTED, Totals

WIRE, OLD = kimi.READERS["wire"], kimi.READERS["old wire"]
SESSION = "session_cfa2d2af-349b-4ee8-8746-01e3bcf3b7f1"
PATH = f"/home/user/.kimi-code/sessions/wd_work-kimi_c350a7bd38c7/{SESSION}/agents/main/wire.jsonl"
USED = {"inputOther": 328, "output": 78, "inputCacheRead": 700, "inputCacheCreation": 4}
T0 = 1_796_055_309_067


def record(time=T0, agent="main", used=USED, model="kimi-code/k3"):
    return {"type": "usage.record", "agentId": agent, "model": model, "usage": used, "usageScope": "turn", "time": time}


def ended(time=T0):
    event = {"type": "step.end", "uuid": "u", "usage": USED, "messageId": "chatcmpl-1"}
    return {"type": "context.append_loop_event", "agentId": "main", "event": event, "time": time}


def appended(time=T0):
    said = {"message": {"role": "assistant", "content": [{"text": PLANTED}]}, "meta": {"usage": USED}}
    return {"type": "agent.message.appended", "message": said, "time": time}


ONE = Totals(input=328, cache_read=700, cache_write_5m=4, output=78, requests=1)


def test_the_recording_comes_to_what_the_model_reported(golden, truth):
    index = {"../../../../../session_index.jsonl": golden("kimi", "session_index.jsonl")}
    records = usage.read(WIRE, golden("kimi", "wire.jsonl"), path=PATH, beside=index)
    assert usage.totals(records, kimi.MERGE) == truth("kimi")
    first = records[0]
    assert (first.session, first.project, first.time) == (SESSION, "/home/user/project", T0)
    assert (first.model, first.provider, first.agent) == ("fake-model", "openai", "")


def test_a_recording_that_is_spoilt_anywhere_is_survived(golden):
    usage.spoilt_is_survived(WIRE, golden("kimi", "wire.jsonl"))


def test_what_repeats_a_record_adds_nothing(lines):
    named = {"type": "hooks.changed", "names": ["usage.record"], "usage": USED, "time": T0 + 1}
    assert usage.totals(usage.read(WIRE, lines(record(), ended(), appended(), named), path=PATH), "max") == ONE


def test_a_fork_and_an_import_repeat_older_records(lines):
    own = usage.read(WIRE, lines(record()), path=PATH)
    other = PATH.replace(SESSION, "session_fork")
    fork = usage.read(
        WIRE, lines(record(), record(T0 + 5)), path=other, beside={"../../state.json": b'{"forkedFrom":"s0"}'}
    )
    assert usage.totals([*own, *fork], kimi.MERGE).requests == 2
    assert (fork[1].session, fork[1].parent) == ("session_fork", "s0")


def test_subagents_have_files_of_their_own_and_count(lines):
    main = usage.read(WIRE, lines(record()), path=PATH)
    sub = usage.read(WIRE, lines(record(agent="agent-0")), path=PATH.replace("main", "agent-0"))
    assert usage.totals([*main, *sub], kimi.MERGE).requests == 2
    assert (sub[0].session, sub[0].agent) == (SESSION, "agent-0")


def test_an_alias_is_kept_where_no_request_tells_the_model(lines):
    state = {}
    (before,) = usage.read(WIRE, lines(record()), state, path=PATH)
    asked = {"type": "llm.request", "provider": "kimi", "model": "kimi-k3", "modelAlias": "kimi-code/k3", "time": T0}
    (after,) = usage.read(WIRE, lines(asked, record(T0 + 1)), state, path=PATH)
    assert (before.model, before.provider) == ("kimi-code/k3", "")
    assert (after.model, after.provider) == ("kimi-k3", "kimi")


def test_the_folders_own_name_tells_the_project_where_nothing_else_does(lines):
    assert usage.read(WIRE, lines(record()), path=PATH)[0].project == "c350a7bd38c7/work-kimi"


def test_a_record_of_other_counts_is_said(lines):
    with pytest.raises(UnknownFormat, match=r"usage\.record"):
        usage.read(WIRE, lines(record(used={"prompt": 7})), path=PATH)


# ---- kimi-cli


def status(used, message="m-1", at=1_784_000_000.5):
    payload = {"token_usage": used, "message_id": message, "context_usage": 0.2}
    return {"timestamp": at, "message": {"type": "StatusUpdate", "payload": payload}}


def spent(output, fresh=300):
    return {"input_other": fresh, "output": output, "input_cache_read": 700, "input_cache_creation": 0}


def test_the_largest_status_of_a_message_counts(lines):
    path = "/home/user/.kimi/sessions/0af3/s-1/wire.jsonl"
    log = lines(
        {"type": "metadata", "protocol_version": "1"}, status(spent(5)), status(spent(60)), status(spent(7), "m-2")
    )
    records = usage.read(OLD, log, path=path)
    assert usage.totals(records, kimi.MERGE) == Totals(input=600, cache_read=1400, output=67, requests=2)
    assert (records[0].session, records[0].time, records[0].provider) == ("s-1", 1_784_000_000_500, "moonshot")
    late = usage.read(OLD, lines(status(spent(60)), status(spent(5))), path=path)
    assert usage.totals(late, kimi.MERGE).output == 60


def test_a_subagent_is_mirrored_in_its_parent_and_counted_from_its_own_file(lines):
    nested = {"type": "SubagentEvent", "payload": {"agent_id": "a", "event": status(spent(9), "m-9")["message"]}}
    assert usage.read(OLD, lines({"timestamp": 1, "message": nested}), path="/x/s-1/wire.jsonl") == []
    (own,) = usage.read(OLD, lines(status(spent(9), "m-9")), path="/x/s-1/subagents/a/wire.jsonl")
    assert (own.session, own.agent) == ("s-1", "subagent")


@pytest.mark.parametrize(
    ("platform", "variables", "new", "old"),
    [
        ("linux", {}, "/home/user/.kimi-code/sessions", "/home/user/.kimi/sessions"),
        ("darwin", {}, "/Users/user/.kimi-code/sessions", "/Users/user/.kimi/sessions"),
        ("win32", {}, r"C:\Users\user\.kimi-code\sessions", r"C:\Users\user\.kimi\sessions"),
        ("linux", {"KIMI_CODE_HOME": "/n", "KIMI_SHARE_DIR": "/o"}, "/n/sessions", "/o/sessions"),
    ],
)
def test_places(platform, variables, new, old):
    assert kimi.logs(machine(platform, variables=variables)) == (
        Place(new, "*/*/agents/*/wire.jsonl", "wire"),
        Place(old, "*/*/wire.jsonl", "old wire"),
        Place(old, "*/*/subagents/*/wire.jsonl", "old wire"),
    )
