"""The status line as a host runs it: what the author drew, or nothing at all."""

import json

import pytest

HEAD = "import os, sys, time\nfrom agent_connector import Connector\nconnector = Connector(id='acme')\n"
STATUS = {
    "session_id": "s",
    "cwd": "/home/ada/shop",
    "model": {"id": "claude-opus-5-5", "display_name": "Opus 5.5"},
    "cost": {"total_cost_usd": 0.0069},
}


def drawn(home, body, payload=STATUS, host="claude-code", more=""):
    home.connector(f"{HEAD}\n@connector.statusline\ndef line(ctx):\n    {body}\n{more}")
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    ended = home.run(["statusline", host, "--connector", "acme"], data)
    assert (ended.code, ended.err) == (0, b"")
    return ended.out.decode()


def test_the_author_draws_with_the_same_words_for_every_host(home):
    assert drawn(home, "return f'{ctx.model.display_name} ${ctx.cost.total_usd:.2f}'") == "Opus 5.5 $0.01"
    assert drawn(home, "return ctx.model.display_name", host="cursor") == "Opus 5.5"
    assert drawn(home, "return str(ctx.raw['cwd'])") == "/home/ada/shop"


def test_what_the_host_does_not_tell_is_none_and_never_a_missing_object(home):
    body = (
        "return repr([ctx.cost.total_usd, ctx.workspace.branch, ctx.session.name, ctx.context.used_percent, ctx.no.x])"
    )
    assert drawn(home, body, {}) == "[None, None, None, None, None]"


def test_lines_are_text_or_a_list_of_texts_and_no_more_than_the_host_shows(home):
    assert drawn(home, "return ['one', 'two']") == "one\ntwo"
    assert drawn(home, "return '\\n'.join('abcdefgh')") == "a\nb\nc"
    assert drawn(home, "return None") == "" and drawn(home, "return []") == ""
    assert home.logged() == []


def test_a_host_can_have_a_rendering_of_its_own(home):
    more = "\n@connector.statusline(host='cursor')\ndef short(ctx):\n    return 'short'\n"
    assert drawn(home, "return 'long'", more=more) == "long"
    assert drawn(home, "return 'long'", host="cursor", more=more) == "short"


def test_a_coroutine_may_draw(home):
    assert drawn(home, "async def f(): return 'later'\n    return f()") == "later"


@pytest.mark.parametrize(
    "body",
    ["raise ValueError", "sys.exit(3)", "return 7", "return [7]", "return ctx.model", "time.sleep(100)"],
)
def test_a_broken_drawing_is_no_drawing(home, body):
    assert drawn(home, body) == ""
    (line,) = home.logged()
    assert (line["verb"], line["connector"], line["host"]) == ("statusline", "acme", "claude-code")


def test_what_is_printed_while_drawing_is_not_shown(home):
    assert drawn(home, "print('x', flush=True); os.system('echo y'); return 'z'") == "z"


@pytest.mark.parametrize("payload", [b"", b"hello", b"[]", b"\xff", b'{"model": 7}'])
def test_a_payload_that_cannot_be_read_draws_nothing(home, payload):
    assert drawn(home, "return ctx.model.display_name", payload) == ""


def test_what_is_not_there_draws_nothing(home):
    drawn(home, "return 'x'")
    for words in (["claude-code"], ["gemini-cli", "--connector", "acme"], ["claude-code", "--connector", "gone"], []):
        ended = home.run(["statusline", *words], b"{}")
        assert (ended.code, ended.out, ended.err) == (0, b"", b"")
    home.connector("from agent_connector import Connector\nconnector = Connector(id='acme', server={'transport': "
                   "'stdio', 'command': 'true'})")  # fmt: skip
    assert home.run(["statusline", "claude-code", "--connector", "acme"], b"{}").out == b""
