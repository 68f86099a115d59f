"""Tasks of Cline, Roo Code and Kilo in editors: rows that are filled in, what a prompt's count holds, files beside."""

import json

import pytest

from agent_connector.hosts.cline import usage as cline
from agent_connector.hosts.dialects import usage_places
from agent_connector.hosts.kilo import usage as kilo
from agent_connector.hosts.records import Place, UnknownFormat
from agent_connector.hosts.roo_code import usage as roo
from agent_connector.testing import usage
from agent_connector.testing.host_samples import machine
from agent_connector.testing.usage import PLANTED, Totals

T0 = 1_770_000_000_000  # 2026-02-02, after Roo Code and Kilo began to count whole prompts
EARLY = 1_750_000_000_000  # before
PATH = "/home/user/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/t-1/ui_messages.json"


def row(ts=T0, say="api_req_started", prompt=1000, output=20, read=300, written=40, cost=0.5, used=None, **more):
    """A row of a request; `used` are further members of its text."""
    text = {"request": PLANTED, "tokensIn": prompt, "tokensOut": output, "cacheReads": read, "cacheWrites": written}
    return {"ts": ts, "type": "say", "say": say, "text": json.dumps({**text, "cost": cost, **(used or {})}), **more}


def told(ts, model, folder="/code/app"):
    details = f"<environment_details>\n# Current Workspace Directory ({folder}) Files\n<slug>code</slug>\n<model>{model}</model>"
    return {"role": "user", "ts": ts, "content": [{"type": "text", "text": PLANTED}, {"type": "text", "text": details}]}


def read(facet, document, *rows, **beside):
    files = {f"{name}.json": document(value) for name, value in beside.items()}
    return usage.read(facet.READERS["task"], document(list(rows)), path=PATH, beside=files)


WHOLE = Totals(input=660, cache_read=300, cache_write_5m=40, output=20, requests=1, cost=0.5)


def test_rows_of_requests_count_and_nothing_else(document):
    rows = [
        {"ts": T0, "type": "say", "say": "text", "text": PLANTED},
        {"ts": T0, "type": "ask", "ask": "tool", "text": PLANTED},
        {"ts": T0 + 1, "type": "say", "say": "api_req_started", "text": json.dumps({"request": PLANTED})},
        row(T0 + 2),
        row(T0 + 3, partial=True),
        {"ts": T0 + 4, "type": "say", "say": "api_req_started", "text": "not filled in"},
        {"ts": T0 + 5, "type": "say", "say": "api_req_started"},
    ]
    history = {"id": "t-1", "tokensIn": 1000, "tokensOut": 20, "totalCost": 0.5, "workspace": "/code/app"}
    records = read(roo, document, *rows, history_item=history)
    assert usage.totals(records) == WHOLE
    assert (records[0].session, records[0].project, records[0].time) == ("t-1", "/code/app", T0 + 2)


@pytest.mark.parametrize(
    ("facet", "ts", "protocol", "prompt", "fresh"),
    [
        (roo, T0, "openai", 1000, 660),
        (roo, T0, "anthropic", 1000, 660),
        (roo, EARLY, "openai", 1000, 660),
        (roo, EARLY, "anthropic", 1000, 1000),
        (roo, EARLY, None, 1000, 660),
        (roo, T0, "openai", 12, 12),  # less than what was cached: it cannot be within
        (kilo, T0, "anthropic", 1000, 660),
        (kilo, roo.TOTAL_SINCE, "anthropic", 1000, 1000),
        (roo, roo.TOTAL_SINCE, "anthropic", 1000, 660),
        (cline, T0, None, 1000, 1000),
    ],
)
def test_what_the_count_of_a_prompt_holds(document, facet, ts, protocol, prompt, fresh):
    (record,) = read(facet, document, row(ts, prompt=prompt, used={"apiProtocol": protocol} if protocol else {}))
    assert (record.input, record.cache_read, record.cache_write_5m) == (fresh, 300, 40)


@pytest.mark.parametrize(
    ("provider", "fresh"), [("anthropic", 1000), ("openrouter", 1000), ("openai", 660), ("litellm", 660)]
)
def test_clines_providers_differ(document, provider, fresh):
    (record,) = read(cline, document, row(modelInfo={"providerId": provider, "modelId": "m-1", "mode": "act"}))
    assert (record.input, record.model, record.provider) == (fresh, "m-1", provider)
    changes = {"model_usage": [{"ts": T0 - 5, "model_id": "m-2", "model_provider_id": provider}]}
    (record,) = read(cline, document, row(), task_metadata=changes)
    assert (record.input, record.model, record.provider) == (fresh, "m-2", provider)


def test_the_model_is_the_one_that_the_prompt_told_last(document):
    talk = [told(T0 + 1, "m-1"), {"role": "assistant", "content": PLANTED}, told(T0 + 61, "m-2")]
    records = read(roo, document, row(T0), row(T0 + 30), row(T0 + 60), api_conversation_history=talk)
    assert [record.model for record in records] == ["m-1", "m-1", "m-2"]
    assert {record.project for record in records} == {"/code/app"}


def test_rows_of_one_time_are_two_and_the_same_at_the_next_read(document):
    first = read(roo, document, row(T0, output=1), row(T0, output=2))
    again = read(roo, document, row(T0, output=1), row(T0, output=2), row(T0 + 9))
    assert usage.totals(first).requests == 2
    assert [record.key for record in again][:2] == [record.key for record in first]


def test_a_condensed_context_has_a_cost_of_its_own(document):
    said = {
        "ts": T0 + 1,
        "type": "say",
        "say": "condense_context",
        "contextCondense": {"summary": PLANTED, "cost": 0.25},
    }
    assert usage.totals(read(roo, document, row(), said)).cost == 0.75


def test_a_subtask_is_a_task_of_its_own(document):
    (record,) = read(roo, document, row(), history_item={"parentTaskId": "t-0", "mode": "debug"})
    assert (record.session, record.parent, record.agent) == ("t-1", "t-0", "debug")


def test_sums_of_deleted_requests_and_of_subagents_count_but_are_no_requests(document):
    records = read(cline, document, row(say="deleted_api_reqs"), row(T0 + 1, say="subagent_usage"))
    assert (usage.totals(records).output, usage.totals(records).requests) == (40, 0)
    assert [record.agent for record in records] == ["", "subagent"]


def test_what_is_no_list_is_said(document):
    with pytest.raises(UnknownFormat, match="no list"):
        usage.read(roo.READERS["task"], b'{"messages": []}', path=PATH)


def test_a_task_that_is_spoilt_anywhere_is_survived(document):
    rows = document(
        [row(modelInfo={"providerId": "openai", "modelId": "m-1"}), row(T0 + 1, used={"apiProtocol": "openai"})]
    )
    beside = {
        "history_item.json": document({"workspace": "/code/app"}),
        "api_conversation_history.json": document([told(T0, "m")]),
    }
    usage.spoilt_is_survived(roo.READERS["task"], rows, beside=beside)
    usage.spoilt_is_survived(cline.READERS["task"], rows, beside=beside)


# ---- Cline's sessions

SESSION = "/home/user/.cline/data/sessions/1796055539439_isst1/1796055539439_isst1.messages.json"


def test_the_recording_comes_to_what_the_model_reported(golden, truth):
    manifest = {"1796055539439_isst1.json": golden("cline", "1796055539439_isst1.json")}
    log = golden("cline", "1796055539439_isst1.messages.json")
    records = usage.read(cline.READERS["session"], log, path=SESSION, beside=manifest)
    assert usage.totals(records) == truth("cline")
    first = records[0]
    assert (first.session, first.project, first.time) == (
        "1796055539439_isst1",
        "/home/user/project",
        1_796_055_542_364,
    )
    assert (first.model, first.provider, first.agent) == ("fake-model", "openai-compatible", "")


def test_a_recording_that_is_spoilt_anywhere_is_survived(golden):
    usage.spoilt_is_survived(cline.READERS["session"], golden("cline", "1796055539439_isst1.messages.json"))


def answer(id="msg_1", **used):
    used = used or {
        "inputTokens": 1042,
        "outputTokens": 92,
        "cacheReadTokens": 700,
        "cacheWriteTokens": 30,
        "cost": 0.5,
    }
    return {"id": id, "role": "assistant", "content": [{"text": PLANTED}], "ts": T0, "metrics": used}


def test_a_subagent_has_a_file_in_the_same_folder(document):
    path = SESSION.replace("1796055539439_isst1.messages", "agent_7.messages")
    (record,) = usage.read(cline.READERS["session"], document({"messages": [answer()]}), path=path)
    assert (record.session, record.agent) == ("1796055539439_isst1", "agent_7")
    assert usage.totals([record]) == Totals(
        input=312, cache_read=700, cache_write_5m=30, output=92, requests=1, cost=0.5
    )


def test_a_copied_session_counts_once(document):
    log = document([answer(), answer("msg_2")])  # an older form is the list alone
    copies = [usage.read(cline.READERS["session"], log, path=f"/s/{name}/{name}.messages.json") for name in ("a", "b")]
    assert usage.totals([*copies[0], *copies[1]]).requests == 2


def test_metrics_of_other_names_are_said(document):
    with pytest.raises(UnknownFormat, match="other names"):
        usage.read(cline.READERS["session"], document({"messages": [answer(prompt=7)]}), path=SESSION)
    with pytest.raises(UnknownFormat, match="list of messages") as unknown:
        usage.read(cline.READERS["session"], document({"version": 2, "turns": []}), path=SESSION)
    assert unknown.value.version == "2"


# ---- places

EDITORS = {
    "linux": "/home/user/.config/{}/User/globalStorage/{}",
    "darwin": "/Users/user/Library/Application Support/{}/User/globalStorage/{}",
    "win32": r"C:\Users\user\AppData\Roaming\{}\User\globalStorage\{}",
}


@pytest.mark.parametrize("facet", [cline, roo, kilo], ids=lambda facet: facet.EXTENSION)
@pytest.mark.parametrize("platform", EDITORS)
def test_every_editor_has_a_storage_of_its_own(facet, platform):
    folders = [place.folder for place in facet.logs(machine(platform)) if place.pattern == "tasks/*/ui_messages.json"]
    for editor in ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"):
        assert EDITORS[platform].format(editor, facet.EXTENSION) in folders
    assert any(".vscode-server" in folder for folder in folders)


def test_variables_move_the_storage():
    folders = list(usage_places.editor_folders(machine(variables={"XDG_CONFIG_HOME": "/c", "VSCODE_PORTABLE": "/p"})))
    assert "/c/Code/User" in folders and "/p/user-data/User" in folders
    assert r"D:\r\Code\User" in usage_places.editor_folders(machine("win32", variables={"APPDATA": r"D:\r"}))


@pytest.mark.parametrize(
    ("facet", "setting"), [(roo, "roo-cline.customStoragePath"), (kilo, "kilo-code.customStoragePath")]
)
def test_a_setting_moves_the_tasks(facet, setting):
    here = machine()
    assert Place("/home/user/.config/Code/User", "settings.json", "settings") in facet.logs(here)
    named = facet.LISTS["settings"](b'{ // mine\n "a": 1, "%s" : "/big/disk",\n}' % setting.encode(), here)
    assert named == [Place("/big/disk", "tasks/*/ui_messages.json", "task")]
    escaped = b'{"%s": "D:\\\\big"}' % setting.encode()
    assert facet.LISTS["settings"](escaped, machine("win32"))[0].folder == r"D:\big"
    assert facet.LISTS["settings"](b'{"%s": "relative", "other": 7}' % setting.encode(), here) == []
    assert facet.LISTS["settings"](b'{"%s": 7, "%s": "' % (setting.encode(), setting.encode()), here) == []
    assert usage.read(facet.READERS["settings"], escaped) == []


@pytest.mark.parametrize(
    ("platform", "variables", "sessions", "tasks"),
    [
        ("linux", {}, "/home/user/.cline/data/sessions", "/home/user/.cline/data"),
        ("darwin", {}, "/Users/user/.cline/data/sessions", "/Users/user/.cline/data"),
        ("win32", {}, r"C:\Users\user\.cline\data\sessions", r"C:\Users\user\.cline\data"),
        ("linux", {"CLINE_DIR": "/c"}, "/c/data/sessions", "/c/data"),
        ("linux", {"CLINE_DIR": "/c", "CLINE_DATA_DIR": "/d"}, "/d/sessions", "/d"),
        ("linux", {"CLINE_SESSION_DATA_DIR": "/s"}, "/s", "/home/user/.cline/data"),
    ],
)
def test_places_of_cline(platform, variables, sessions, tasks):
    found = cline.logs(machine(platform, variables=variables))
    assert Place(sessions, "*/*.messages.json", "session") in found
    assert Place(tasks, "tasks/*/ui_messages.json", "task") in found
