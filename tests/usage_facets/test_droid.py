"""Droid's session settings: sums that replace each other, children's sums beside, the transcript for the rest."""

import pytest

from agent_connector.hosts.droid import usage as droid
from agent_connector.hosts.records import Place, UnknownFormat
from agent_connector.testing import usage
from agent_connector.testing.host_samples import machine
from agent_connector.testing.usage import NOW, PLANTED, Totals

SESSION = droid.READERS["session"]
PATH = "/home/user/.factory/sessions/-code-app/s-1.settings.json"
SEEN = {
    "inputTokens": 1458,
    "outputTokens": 258,
    "cacheCreationTokens": 12,
    "cacheReadTokens": 2800,
    "thinkingTokens": 0,
}


def settings(used=SEEN, **more):
    return {
        "assistantActiveTimeMs": 4000,
        "model": "custom:Fake-0",
        "autonomyMode": "auto-high",
        "providerLock": "openai",
        "providerLockTimestamp": "2026-11-30T16:11:14.000Z",
        "tokenUsage": used,
        "inclusiveTokenUsage": {name: 9 * count for name, count in used.items()},
        "childInclusiveTokenUsageBySessionId": {"child": used},
        "lastCallTokenUsage": used,
        **more,
    }


def transcript(lines):
    rows = [{"type": "session_start", "id": "s-1", "title": PLANTED, "cwd": "/code/app"}]
    for number, role in enumerate(("user", "assistant", "user", "assistant")):
        said = {"role": role, "content": [{"type": "text", "text": PLANTED}]}
        rows.append(
            {"type": "message", "id": str(number), "timestamp": f"2026-11-30T17:00:0{number}Z", "message": said}
        )
    return lines(*rows)


def test_only_the_sessions_own_sum_counts(document, lines):
    (record,) = usage.read(SESSION, document(settings()), path=PATH, beside={"s-1.jsonl": transcript(lines)})
    assert usage.totals([record]) == Totals(input=1458, cache_read=2800, cache_write_5m=12, output=258, requests=2)
    assert (record.key, record.session, record.model, record.provider) == ("s-1", "s-1", "Fake", "openai")
    assert (record.project, record.time) == ("/code/app", 1_796_055_074_000)


def test_what_a_session_comes_to_takes_the_place_of_what_it_came_to(document):
    grown = {**SEEN, "inputTokens": 2000}
    records = [usage.read(SESSION, document(settings(used)), path=PATH)[0] for used in (SEEN, grown)]
    assert usage.totals(records, droid.MERGE).input == 2000


def test_thinking_is_output_beside_it(document):
    (record,) = usage.read(SESSION, document(settings({**SEEN, "thinkingTokens": 42})), path=PATH)
    assert (record.output, record.reasoning) == (300, 42)


@pytest.mark.parametrize(
    ("said", "model"),
    [
        ("custom:Fake-0", "Fake"),
        ("custom:GPT-5-[OpenAI]-12", "GPT-5"),
        ("custom:odd", "odd"),
        ("claude-opus-4-8", "claude-opus-4-8"),
        (None, ""),
    ],
)
def test_the_name_of_a_model_of_ones_own_is_cleaned(document, said, model):
    (record,) = usage.read(SESSION, document(settings(model=said)), path=PATH)
    assert record.model == model


def test_without_a_time_of_its_own_the_transcript_or_the_file_tells(document, lines):
    unlocked = document(settings(providerLockTimestamp=None))
    (record,) = usage.read(SESSION, unlocked, path=PATH, beside={"s-1.jsonl": transcript(lines)})
    assert record.time == 1_796_058_003_000
    assert usage.read(SESSION, unlocked, path=PATH)[0].time == NOW


def test_a_session_that_used_nothing_is_no_unit(document):
    assert usage.read(SESSION, document(settings(dict.fromkeys(SEEN, 0))), path=PATH) == []
    assert usage.read(SESSION, document({"model": "m"}), path=PATH) == []


def test_counts_of_other_names_are_said(document):
    with pytest.raises(UnknownFormat, match="inputTokens"):
        usage.read(SESSION, document(settings({"prompt": 7})), path=PATH)


def test_settings_that_are_spoilt_anywhere_are_survived(document, lines):
    usage.spoilt_is_survived(SESSION, document(settings()), beside={"session.jsonl": transcript(lines)})


@pytest.mark.parametrize(
    ("platform", "folder"),
    [
        ("linux", "/home/user/.factory/sessions"),
        ("darwin", "/Users/user/.factory/sessions"),
        ("win32", r"C:\Users\user\.factory\sessions"),
    ],
)
def test_places_leave_the_backups_out(platform, folder):
    assert droid.logs(machine(platform)) == (Place(folder, "**/*.settings.json", "session"),)
