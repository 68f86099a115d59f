"""What a synced cache says of Trae's model calls."""

import json

import pytest

from agent_connector.hosts.records import UnknownFormat

ENTRY = {
    "model_name": "GPT-5.4", "mode": "Chat", "session_id": "s-1", "usage_time": 1_796_000_000, "dollar_float": 0.5,
    "extra_info": {"input_token": 1000, "output_token": 50, "cache_read_token": 200, "cache_write_token": 100},
}  # fmt: skip


def test_a_session_at_one_moment(log):
    found = log.read("cache", json.dumps([ENTRY]))
    assert log.total(found) == {
        "input": 1000,
        "output": 50,
        "cache_read": 200,
        "cache_write_5m": 100,
        "requests": 1,
        "cost": 0.5,
    }
    assert (found[0].model, found[0].time) == ("GPT-5.4", 1_796_000_000_000)


def test_files_of_several_syncs_overlap_and_the_last_one_holds(log):
    first = log.read("cache", json.dumps([ENTRY, ENTRY | {"usage_time": 1_796_000_001}]), "/c/usage-1.json")
    later = log.read("cache", json.dumps([ENTRY | {"dollar_float": 0.75}]), "/c/usage-2.json")
    assert log.total(first, later)["requests"] == 2 and log.total(first, later)["cost"] == 1.25


@pytest.mark.parametrize(("mode", "model"), [("Auto", "trae-auto"), ("", "trae-unknown"), (None, "trae-unknown")])
def test_a_model_that_trae_chose_itself_is_named_after_the_mode(log, mode, model):
    assert log.read("cache", json.dumps([ENTRY | {"model_name": "", "mode": mode}]))[0].model == model


def test_entries_without_session_or_time_are_no_units(log):
    odd = [7, {}, ENTRY | {"session_id": ""}, ENTRY | {"usage_time": 0}, ENTRY | {"usage_time": 2**63}]
    assert log.read("cache", json.dumps(odd)) == []


@pytest.mark.parametrize("data", ["{}", "", "null"])
def test_what_is_no_list_is_named(log, data):
    with pytest.raises(UnknownFormat):
        log.read("cache", data)


def test_where_the_cache_lies_and_what_has_to_be_run_first(log):
    assert log.places() == [("/home/ada/.config/tokscale/trae-cache", "sessions/usage-*.json", "cache")]
    assert log.places(TOKSCALE_CONFIG_DIR="/t")[0][0] == "/t/trae-cache"
    assert log.places(AGENT_CONNECTOR_TRAE_DIR="/t")[0][:2] == ("/t", "sessions/usage-*.json")
    assert "`tokscale trae sync`" in log.facet.NOTE
