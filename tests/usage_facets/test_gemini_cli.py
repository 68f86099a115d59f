"""Gemini CLI's chats: lines that repeat a message, patches, the older form, rewinds, subagents."""

import pytest

from agent_connector.hosts.gemini_cli import usage as gemini
from agent_connector.hosts.records import Place, UnknownFormat
from agent_connector.testing import usage
from agent_connector.testing.host_samples import machine
from agent_connector.testing.usage import PLANTED, Totals

CHAT, OLD = gemini.READERS["chat"], gemini.READERS["old chat"]
PATH = "/home/user/.gemini/tmp/app/chats/session-2026-11-30T16-11-148b0ae8.jsonl"
RECORDED = "session-2026-11-30T16-11-148b0ae8.jsonl"
ID = "fc14484c-ed82-4db5-b0b6-29bb4445a640"


def first(session="s-1", **more):
    return {"sessionId": session, "projectHash": "a4f9", "startTime": "2026-11-30T16:11:46Z", "kind": "main", **more}


def answer(id=ID, prompt=1000, cached=300, output=15, thoughts=5, tool=0, **more):
    return {
        "id": id,
        "timestamp": "2026-11-30T16:11:49.087Z",
        "type": "gemini",
        "content": PLANTED,
        "thoughts": [{"subject": PLANTED}],
        "tokens": {
            "input": prompt,
            "output": output,
            "cached": cached,
            "thoughts": thoughts,
            "tool": tool,
            "total": prompt + output + thoughts + tool,
        },
        "model": "gemini-2.5-flash",
        **more,
    }


ONE = Totals(input=700, cache_read=300, output=20, reasoning=5, requests=1)


def test_the_recording_comes_to_what_the_model_reported(golden, truth):
    records = usage.read(CHAT, golden("gemini-cli", RECORDED), path=PATH)
    assert usage.totals(records) == truth("gemini-cli")
    assert len(records) == 3  # one stands there twice
    assert {record.session for record in records} == {"148b0ae8-3582-4b4d-b046-46a33a9a6a66"}
    assert (records[0].model, records[0].provider) == ("gemini-2.5-flash", "google")
    assert records[0].time == 1_796_055_109_087


def test_a_recording_that_is_spoilt_anywhere_is_survived(golden):
    usage.spoilt_is_survived(CHAT, golden("gemini-cli", RECORDED))


def test_the_last_line_of_a_message_counts(lines):
    log = lines(first(), answer(output=3), answer(toolCalls=[{"result": PLANTED}]))
    assert usage.totals(usage.read(CHAT, log)) == ONE


def test_lines_are_read_as_they_come(lines):
    state = {}
    assert usage.read(CHAT, lines(first()), state) == []
    (record,) = usage.read(CHAT, lines(answer()), state)
    assert record.session == "s-1"


def test_tools_of_the_prompt_are_input_beside_it(lines):
    assert usage.totals(usage.read(CHAT, lines(first(), answer(tool=40)))).input == 740


def test_a_file_and_what_a_resume_turned_it_into_are_counted_once(lines, document):
    old = usage.read(OLD, document({**first(), "messages": [answer()]}), path=PATH.removesuffix("l"))
    new = usage.read(CHAT, lines(first(), {"$set": {"messages": [answer()]}}), path=PATH)
    assert usage.totals(old) == ONE
    assert usage.totals([*old, *new]) == ONE
    usage.spoilt_is_survived(OLD, document({**first(), "messages": [answer()]}))


def test_what_was_rewound_was_used_all_the_same(lines):
    other = answer(id="57cb8968-e0a8-4491-91aa-547987fa861d", prompt=1100)
    log = lines(first(), answer(), {"$rewindTo": "29c9ed14"}, other)
    assert usage.totals(usage.read(CHAT, log)).requests == 2


def test_a_copied_session_counts_once_but_short_ids_belong_to_theirs(lines):
    copies = [*usage.read(CHAT, lines(first("s-1"), answer())), *usage.read(CHAT, lines(first("s-2"), answer()))]
    assert usage.totals(copies) == ONE
    short = [usage.read(CHAT, lines(first(each), answer(id="7")))[0] for each in ("s-1", "s-2")]
    assert usage.totals(short).requests == 2


def test_a_subagent_belongs_to_the_session_whose_folder_it_lies_in(lines):
    path = "/home/user/.gemini/tmp/app/chats/parent-1/child-1.jsonl"
    (record,) = usage.read(CHAT, lines(first("child-1", kind="subagent"), answer()), path=path)
    assert (record.session, record.parent, record.agent) == ("child-1", "parent-1", "subagent")


def test_the_project_is_in_the_first_line_or_in_a_file_above_or_has_the_name_that_its_folder_got(lines):
    told, log = lines(first(directories=["/code/app"]), answer()), lines(first(), answer())
    assert usage.read(CHAT, told, path=PATH)[0].project == "/code/app"
    assert usage.read(CHAT, log, path=PATH, beside={"../.project_root": b"/code/other\n"})[0].project == "/code/other"
    nested = PATH.replace("chats/", "chats/parent-1/")
    assert (
        usage.read(CHAT, log, path=nested, beside={"../../.project_root": b"/code/other"})[0].project == "/code/other"
    )
    assert [usage.read(CHAT, log, path=each)[0].project for each in (PATH, nested)] == ["app", "app"]


def test_counts_of_other_names_are_said(lines):
    with pytest.raises(UnknownFormat, match="other names"):
        usage.read(CHAT, lines(first(), answer(tokens={"promptTokens": 7})))
    with pytest.raises(UnknownFormat, match="list of messages"):
        usage.read(OLD, b'{"history": []}')


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {}, "/home/user/.gemini/tmp"),
        ("darwin", {}, "/Users/user/.gemini/tmp"),
        ("win32", {}, r"C:\Users\user\.gemini\tmp"),
        ("linux", {"GEMINI_CLI_HOME": "/other"}, "/other/.gemini/tmp"),
    ],
)
def test_places(platform, variables, folder):
    assert gemini.logs(machine(platform, variables=variables)) == (
        Place(folder, "*/chats/**/*.jsonl", "chat"),
        Place(folder, "*/chats/**/*.json", "old chat"),
    )
