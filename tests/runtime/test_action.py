"""An action as a person starts it: it shows what it does, and it fails loud."""

HEAD = "import os, sys\nfrom agent_connector import Connector\nconnector = Connector(id='acme')\n"


def done(home, body, *words, host="claude-code", action="reindex", options="label='Rebuild'", stdin=b""):
    home.connector(f"{HEAD}\n@connector.action('reindex', {options})\ndef reindex(ctx):\n    {body}\n")
    return home.run(["action", host, action, "--connector", "acme", *words], stdin)


def test_it_is_told_where_it_runs_and_what_else_was_said(home):
    ended = done(home, "return f'{ctx.host} {ctx.id} {ctx.cwd} {ctx.arguments}'", "all", "--now")
    assert ended.out.decode() == f"claude-code reindex {home.folder} ('all', '--now')\n"
    assert (ended.code, ended.err) == (0, b"")


def test_what_was_typed_behind_a_command_comes_by_a_variable(home):
    """From hosts whose command a shell reads; what the function starts does not see it."""
    home.variables["AGENT_CONNECTOR_ARGUMENTS"] = " all;  $HOME "
    ended = done(home, "return f'{ctx.arguments} {os.environ.get(\"AGENT_CONNECTOR_ARGUMENTS\")}'")
    assert ended.out.decode() == "('all;', '$HOME') None\n"


def test_what_it_prints_is_seen(home):
    ended = done(home, "print('one'); print('two', file=sys.stderr); os.system('echo three')")
    assert sorted(ended.out.split()) == [b"one", b"three"] and ended.err == b"two\n" and ended.code == 0


def test_it_fails_loud(home):
    ended = done(home, "raise ValueError('no index')")
    assert ended.code == 1
    assert b"ValueError: no index" in ended.err and b"acme.py" in ended.err and b"Rebuild failed" in ended.err
    assert done(home, "sys.exit(7)").code == 7


def test_a_coroutine_is_waited_for(home):
    assert done(home, "async def f(): return 'done'\n    return f()").out == b"done\n"


def test_a_host_can_have_a_way_of_its_own(home):
    more = "return 'general'\n\n@connector.action('reindex', label='Rebuild', host='codex')\ndef own(ctx): return 'own'"
    assert done(home, more).out == b"general\n"
    assert done(home, more, host="codex").out == b"own\n"


def test_it_is_not_asked_twice_where_no_terminal_is(home):
    ended = done(home, "return 'done'", options="label='Rebuild', confirm='Really?'", stdin=b"n\n")
    assert (ended.code, ended.out) == (0, b"done\n")


def test_what_is_not_there_is_said(home):
    ended = done(home, "pass", action="other")
    assert ended.code == 2 and b"acme has no action 'other'; it has: reindex" in ended.err
    ended = home.run(["action", "claude-code", "reindex", "--connector", "gone"])
    assert ended.code == 2 and b"gone is not installed" in ended.err
    assert home.run(["action", "claude-code"]).code == 2
    home.break_declaration("raise RuntimeError('broken file')")
    ended = home.run(["action", "claude-code", "reindex", "--connector", "acme"])
    assert ended.code == 1 and b"broken file" in ended.err
