"""Codebuff: credits alone, counts in several places and spellings, a history that repeats itself."""

import pytest

from agent_connector.hosts.codebuff import usage as codebuff
from agent_connector.hosts.records import Place, UnknownFormat
from agent_connector.testing import usage
from agent_connector.testing.host_samples import machine
from agent_connector.testing.usage import PLANTED, Totals

CHAT = codebuff.READERS["chat"]
PATH = "/home/user/.config/manicode/projects/app/chats/2026-11-30T16-11-14.000Z/chat-messages.json"
CAMEL = {"inputTokens": 700, "outputTokens": 20, "cacheReadInputTokens": 300, "cacheCreationInputTokens": 40}
SNAKE = {"input_tokens": 700, "output_tokens": 20, "cache_read_input_tokens": 300, "cache_creation_input_tokens": 40}
PROMPT = {"prompt_tokens": 1000, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 300}}


def answer(id="m-1", metadata=None, credits=None, **more):
    return {"id": id, "variant": "ai", "content": PLANTED, "metadata": metadata or {}, "credits": credits, **more}


def history(*usages):
    messages = [{"role": "assistant", "content": PLANTED, "providerOptions": used} for used in usages]
    return {"runState": {"sessionState": {"mainAgentState": {"messageHistory": messages}}}}


def read(document, *rows, run=None):
    return usage.read(CHAT, document(list(rows)), path=PATH, beside={"run-state.json": document(run)} if run else {})


@pytest.mark.parametrize(
    ("metadata", "written"),
    [
        ({"usage": CAMEL}, 40),
        ({"usage": SNAKE}, 40),
        ({"codebuff": {"usage": CAMEL}}, 40),
        (history({"usage": CAMEL}), 40),
        (history({"codebuff": {"usage": SNAKE}}), 40),
        ({"usage": PROMPT}, 0),
        ({"usage": CAMEL, **history({"usage": SNAKE})}, 40),
    ],
)
def test_counts_are_found_wherever_and_however_they_stand(document, metadata, written):
    (record,) = read(document, answer(metadata=metadata))
    assert (record.input, record.cache_read, record.cache_write_5m, record.output) == (700, 300, written, 20)


def test_a_history_holds_the_earlier_answers_again(document):
    first = {"codebuff": {"usage": CAMEL, "model": "m-0"}}
    last = {"codebuff": {"usage": {**CAMEL, "inputTokens": 900}, "model": "m-1"}}
    records = read(document, answer("a", history(first)), answer("b", history(first, last)))
    assert [record.input for record in records] == [700, 900]
    assert [record.model for record in records] == ["m-0", "m-1"]


def test_credits_alone_are_a_unit_and_no_dollars(document):
    records = read(document, answer(credits=12), answer("m-2", credits=0), {"id": "u", "variant": "user", "credits": 9})
    assert usage.totals(records) == Totals(requests=1, credits=12)


def test_an_answer_is_one_by_its_id_wherever_it_stands(document):
    again = [*read(document, answer(credits=3)), *read(document, answer(credits=3), answer("m-2", credits=4))]
    assert usage.totals(again).credits == 7
    assert usage.totals(read(document, answer(None, credits=3), answer(None, credits=3))).requests == 2


def test_names_and_times(document):
    row = answer(credits=3, variant="agent", agent={"agentName": "File Picker"})
    (record,) = read(document, row, run={"sessionState": {"fileContext": {"projectRoot": "/code/app"}}})
    assert (record.session, record.time) == ("2026-11-30T16-11-14.000Z", 1_796_055_074_000)
    assert (record.project, record.agent) == ("/code/app", "File Picker")
    assert read(document, answer(credits=3))[0].project == "app"


def test_what_is_no_list_is_said():
    with pytest.raises(UnknownFormat, match="no list"):
        usage.read(CHAT, b'{"messages": []}', path=PATH)


def test_a_chat_that_is_spoilt_anywhere_is_survived(document):
    rows = [answer(metadata={"usage": PROMPT}, credits=1), answer("b", history({"codebuff": {"usage": CAMEL}}))]
    usage.spoilt_is_survived(CHAT, document(rows), beside={"run-state.json": document({"cwd": "/code/app"})})


@pytest.mark.parametrize(
    ("platform", "folder"),
    [
        ("linux", "/home/user/.config/manicode"),
        ("darwin", "/Users/user/.config/manicode"),
        ("win32", r"C:\Users\user\.config\manicode"),
    ],
)
def test_places(platform, folder):
    pattern = "projects/*/chats/*/chat-messages.json"
    places = [Place(f"{folder}{kind}", pattern, "chat") for kind in ("", "-dev", "-staging")]
    assert list(codebuff.logs(machine(platform))) == places
