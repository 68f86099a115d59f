"""Continue: counts in a session's messages and not its sum, Anthropic's and OpenAI's prompts, the extensions' log."""

import pytest

from agent_connector.hosts.records import Place, UnknownFormat
from agent_connector.testing import usage
from agent_connector.testing.host_samples import machine
from agent_connector.testing.usage import NOW, PLANTED, Totals

facet = usage.facet("continue")
SESSION, REQUESTS = facet.READERS["session"], facet.READERS["requests"]
PATH = "/home/user/.continue/sessions/3f6c.json"
OPENAI = {"cached_tokens": 700}
ANTHROPIC = {"cached_tokens": 700, "cache_read_tokens": 700, "cache_write_tokens": 40}


def answer(prompt=1057, output=107, details=OPENAI, **more):
    used = {
        "prompt_tokens": prompt,
        "completion_tokens": output,
        "total_tokens": prompt + output,
        "prompt_tokens_details": details,
        "completion_tokens_details": {"reasoning_tokens": 7},
        "model": "m-1",
        "cost_cents": 0,
        **more,
    }
    return {"message": {"role": "assistant", "content": PLANTED, "usage": used}, "contextItems": []}


def session(*history, **more):
    total = {
        "totalCost": 0.01,
        "promptTokens": 2115,
        "completionTokens": 215,
        "promptTokensDetails": {"cachedTokens": 0},
    }
    asked = {"message": {"role": "user", "content": PLANTED}}
    where = {"sessionId": "3f6c", "title": PLANTED, "workspaceDirectory": "file:///code/app"}
    return {**where, "history": [asked, *history], "usage": total, **more}


def test_the_messages_count_and_the_sum_does_not(document):
    log = document(session(answer(1057, 107), answer(1058, 108)))
    records = usage.read(SESSION, log, path=PATH)
    assert usage.totals(records) == Totals(input=715, cache_read=1400, output=215, reasoning=14, requests=2)
    assert (records[0].session, records[0].model, records[0].project) == ("3f6c", "m-1", "/code/app")


def test_what_has_only_a_sum_is_an_editors_chat_and_counted_from_the_other_log(document):
    assert (
        usage.read(SESSION, document(session({"message": {"role": "assistant", "content": PLANTED}})), path=PATH) == []
    )


def test_anthropics_prompt_leaves_the_cache_out(document):
    (record,) = usage.read(SESSION, document(session(answer(details=ANTHROPIC))), path=PATH)
    assert (record.input, record.cache_read, record.cache_write_5m) == (1057, 700, 40)


def test_a_cost_that_was_rounded_away_is_none(document):
    records = usage.read(SESSION, document(session(answer(), answer(cost_cents=3))), path=PATH)
    assert [record.cost for record in records] == [None, 0.03]


def test_the_time_is_the_sessions(document):
    index = {"sessions.json": document([{"sessionId": "3f6c", "dateCreated": "1796055074000"}])}
    (record,) = usage.read(SESSION, document(session(answer())), path=PATH, beside=index)
    assert record.time == 1_796_055_074_000
    assert usage.read(SESSION, document(session(answer())), path=PATH)[0].time == NOW


def test_a_session_that_is_written_anew_gives_the_same_keys(document):
    short = usage.read(SESSION, document(session(answer())), path=PATH)
    long = usage.read(SESSION, document(session(answer(), answer())), path=PATH)
    assert usage.totals([*short, *long]).requests == 2


def test_the_list_of_sessions_is_none(document):
    assert (
        usage.read(SESSION, document([{"sessionId": "3f6c"}]), path="/home/user/.continue/sessions/sessions.json") == []
    )


def test_other_shapes_are_said(document):
    with pytest.raises(UnknownFormat, match="history"):
        usage.read(SESSION, document({"messages": []}), path=PATH)
    with pytest.raises(UnknownFormat, match="prompt_tokens"):
        usage.read(SESSION, document(session({"message": {"usage": {"input": 7}}})), path=PATH)


def test_a_session_that_is_spoilt_anywhere_is_survived(document):
    usage.spoilt_is_survived(SESSION, document(session(answer(details=ANTHROPIC))))


def request(at="2026-06-01T10:00:00.000Z", prompt=900, output=30):
    names = {"model": "m-1", "provider": "ollama", "eventName": "tokensGenerated", "userAgent": "vscode/1 (Continue/1)"}
    return {"timestamp": at, "schema": "0.2.0", **names, "promptTokens": prompt, "generatedTokens": output}


def test_the_extensions_log_counts_each_request_once(lines):
    log = lines(request(), request(), request(at="2026-06-01T10:00:01.000Z"), request(prompt=0, output=0))
    records = usage.read(REQUESTS, log)
    assert usage.totals(records) == Totals(input=1800, output=60, requests=2)
    assert (records[0].provider, records[0].time) == ("ollama", 1_780_308_000_000)
    usage.spoilt_is_survived(REQUESTS, log)


@pytest.mark.parametrize(
    ("platform", "variables", "home", "slash"),
    [
        ("linux", {}, "/home/user/.continue", "/"),
        ("darwin", {}, "/Users/user/.continue", "/"),
        ("win32", {}, r"C:\Users\user\.continue", "\\"),
        ("linux", {"CONTINUE_GLOBAL_DIR": "/c"}, "/c", "/"),
    ],
)
def test_places(platform, variables, home, slash):
    assert facet.logs(machine(platform, variables=variables)) == (
        Place(f"{home}{slash}sessions", "*.json", "session"),
        Place(f"{home}{slash}dev_data", "*/tokensGenerated.jsonl", "requests"),
    )
