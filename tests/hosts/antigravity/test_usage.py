"""What the Antigravity app's stores, and a cache of another program, say of its model calls."""

import json

from agent_connector.hosts.antigravity_cli import usage as cli
from agent_connector.hosts.dialects.usage_values import fingerprint

LINE = {
    "type": "usage",
    "sessionId": "c-1",
    "timestamp": 1_796_000_060_000,
    "input": 1232,
    "output": 40,
    "cacheRead": 700,
    "cacheWrite": 0,
    "reasoning": 11,
    "responseId": "r-1",
}


def lines(*entries):
    return "".join(json.dumps(each) + "\n" for each in entries)


def test_the_cache_counts_thinking_beside_the_text(log):
    found = log.read("cache", lines({"type": "session_meta", "modelId": "m-1"}, LINE, {"type": "other"}, 7))
    assert log.total(found) == {"input": 1232, "cache_read": 700, "output": 51, "reasoning": 11, "requests": 1}
    assert (found[0].model, found[0].session) == ("m-1", "c-1")


def test_a_call_has_one_key_in_the_cache_and_in_every_store(log):
    assert log.read("cache", lines(LINE))[0].key == fingerprint("c-1", "r-1")
    assert log.facet.READERS["conversation"] is cli.READERS["conversation"]
    assert log.facet.FAMILY == cli.FAMILY


def test_hostile_lines_are_passed_over(log):
    odd = [LINE | {"sessionId": 7}, LINE | {"input": -1, "output": "x", "cacheRead": [], "reasoning": None}]
    assert log.read("cache", b"\xff\n{\n" + lines(*odd).encode()) == []


def test_where_the_files_lie_and_what_has_to_be_run_first(log):
    folders = [each[:2] for each in log.places()]
    assert folders == [
        ("/home/ada/.config/tokscale/antigravity-cache", "sessions/*.jsonl"),
        ("/home/ada/.gemini/antigravity", "conversations/*.db"),
        ("/home/ada/.gemini/antigravity", "implicit/*.db"),
        ("/home/ada/.gemini/antigravity-ide", "conversations/*.db"),
        ("/home/ada/.gemini/antigravity-ide", "implicit/*.db"),
    ]
    assert "C:\\Users\\ada\\AppData\\Roaming\\tokscale\\antigravity-cache" in [each[0] for each in log.places("win32")]
    assert "`tokscale antigravity sync`" in log.facet.NOTE
