"""What authors' handlers do, and what becomes of it: one answer, and never harm to the host."""

import json
import sys
import textwrap

import pytest

REASON = "permissionDecisionReason"
HEAD = """
import os, subprocess, sys, threading, time
from agent_connector import Connector, allow, ask, context, deny, modify, replace_output
connector = Connector(id="acme")
hook = connector.hook
"""


def declared(body: str) -> str:
    return HEAD + textwrap.dedent(body)


def handlers(*bodies: str, options: str = "") -> str:
    """One PreToolUse handler for each body."""
    return HEAD + "".join(
        f'\n@hook("PreToolUse"{options})\ndef handler_{number}(event):\n{textwrap.indent(textwrap.dedent(body), "    ")}\n'
        for number, body in enumerate(bodies)
    )


# ---- one answer out of many


def test_the_first_denial_ends_it(home, tmp_path):
    marker = tmp_path / "asked"
    home.connector(
        handlers(
            "return modify({'a': 1})",
            "return deny('no')",
            f"open({str(marker)!r}, 'w').close(); return deny('never')",
        )
    )
    assert home.hook().said == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "no",
    }
    assert not marker.exists()


def test_a_question_outweighs_all_but_a_denial_and_questions_are_put_together(home):
    home.connector(handlers("return allow()", "return ask('one')", "return modify({'a': 1})", "return ask('two')"))
    said = home.hook().said
    assert said == {"hookEventName": "PreToolUse", "permissionDecision": "ask", REASON: "one\ntwo"}
    home.connector(handlers("return ask('one')", "return deny('no')"))
    assert home.hook().said["permissionDecision"] == "deny"


def test_changes_chain_and_go_out_together_with_contexts_and_a_grant(home):
    home.connector(
        handlers(
            "return modify({**event.tool_input, 'one': 1})",
            "return context('first')",
            "return modify({**event.tool_input, 'two': 2})",
            "return context('second')",
            "return allow()",
        )
    )
    assert home.hook().said == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow",
        "updatedInput": {"text": "hello", "one": 1, "two": 2},
        "additionalContext": "first\n\nsecond",
    }


def test_a_later_handler_sees_the_output_that_an_earlier_one_put_in_its_place(home, call):
    home.connector(
        declared("""
        @hook("PostToolUse")
        def first(event): return replace_output("masked")

        @hook("PostToolUse")
        def second(event): return replace_output(event.tool_output + " twice")
        """)
    )
    ended = home.hook(call(hook_event_name="PostToolUse", tool_response="secret"), event="PostToolUse")
    assert b"masked twice" in ended.out and b"secret" not in ended.out


def test_a_handler_that_spoils_its_event_is_answered_all_the_same(home):
    home.connector(handlers("event.name = event.host = None; event.host_event = object(); return deny('no')"))
    assert home.hook().said == {"hookEventName": "PreToolUse", "permissionDecision": "deny", REASON: "no"}


def test_a_handler_that_says_nothing_grants_nothing(home):
    home.connector(handlers("return None"))
    assert home.hook().out == b""


# ---- handlers that misbehave

BROKEN = {
    "raises": "raise ValueError('broken')",
    "exits": "sys.exit(2)",
    "exits with a text": "sys.exit('so long')",
    "is interrupted": "raise KeyboardInterrupt",
    "recurses": "def f(): return f()\nreturn f()",
    "answers a bool": "return True",
    "answers a text": "return 'deny'",
    "answers a dict": "return {'permissionDecision': 'deny'}",
    "answers a type": "return deny",
    "answers an unknown decision": "from agent_connector import Decision; return Decision('destroy')",
    "denies with no text": "return deny(7)",
    "changes nothing to something else": "return modify([1])",
    "changes to what is no JSON": "return modify({'a': object()})",
    "changes to itself": "event.tool_input['me'] = event.tool_input; return modify(event.tool_input)",
    "answers something awaitable that fails": "async def f(): raise OSError('late')\nreturn f()",
    "takes its streams away": "os.close(0); os.close(1); os.close(2); raise ValueError",
    "has an error that fails": "class E(Exception):\n    def __str__(self): raise E\nraise E",
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_handler_is_nothing_to_say_and_is_logged(home, body):
    home.connector(handlers(body))
    ended = home.hook()
    assert (ended.code, ended.err) == (0, b"")
    assert ended.out == b""
    assert len(home.logged()) == 1


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_guard_denies(home, body):
    home.connector(handlers(body, options=', on_error="deny"'))
    ended = home.hook()
    assert ended.code == 0 and ended.said["permissionDecision"] == "deny"
    assert ended.err == b""


def test_one_broken_handler_does_not_silence_the_others(home):
    home.connector(handlers("raise ValueError", "return 7", "return deny('the third')"))
    assert home.hook().said[REASON] == "the third"
    assert [line["handler"] for line in home.logged()] == ["handler_0", "handler_1"]
    assert home.rows()[0]["error"] == 1


def test_the_log_says_where_it_broke_and_keeps_no_answer(home):
    home.connector(handlers("raise ValueError('broken')", "return 'a secret'"))
    home.hook()
    raised, answered = home.logged()
    assert raised["error"] == "ValueError: broken" and "acme.py" in raised["trace"] and "handler_0" in raised["trace"]
    assert "a str" in answered["what"] and "secret" not in json.dumps(answered)


PRINTING = {
    "print": 'print(\'{"decision": "block"}\', flush=True)',
    "stderr": "print('oops', file=sys.stderr, flush=True)",
    "descriptor": "os.write(1, b'raw'); os.write(2, b'raw')",
    "a program": "subprocess.run(['sh', '-c', 'echo out; echo err >&2'], check=True)",
    "a program that goes on": "subprocess.Popen(['sleep', '100'])",
    "the old stdout": "sys.__stdout__.write('old'); sys.__stdout__.flush()",
    "a warning": "import warnings; warnings.warn('careful')",
    "a thread that fails": "t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()",
    "reading": "assert sys.stdin.read() == ''",
}


@pytest.mark.parametrize("body", PRINTING.values(), ids=PRINTING.keys())
def test_what_a_handler_prints_does_not_reach_the_host(home, body):
    home.connector(handlers(f"{body}\nreturn deny('no')"))
    ended = home.hook()  # would take 100 s if a program that it has left kept the streams
    assert (ended.code, ended.err) == (0, b"")
    assert ended.said[REASON] == "no"
    assert home.logged() == []


def test_printing_while_the_declaration_is_imported_does_not_reach_the_host(home):
    home.connector("import sys; print('hello'); print('you', file=sys.stderr)\n" + handlers("return deny('no')"))
    ended = home.hook()
    assert ended.said[REASON] == "no" and ended.err == b""


def test_a_handler_that_forks_answers_once(home):
    home.connector(
        handlers(
            "pid = os.fork()\nif pid:\n    os.waitpid(pid, 0)\n    return deny('parent')\nreturn deny('child')",
            "return context('both')",
        )
    )
    assert home.hook().said[REASON] == "parent"
    assert len(home.rows()) == 1
    home.connector(handlers("pid = os.fork()\nif not pid: raise ValueError('child')\nos.waitpid(pid, 0)"))
    assert home.hook().out == b"" and home.logged() == []


HANGING = {
    "sleeps": "time.sleep(100)",
    "spins": "while True: pass",
    "catches everything": "while True:\n    try: time.sleep(100)\n    except BaseException: pass",
    "waits for a lock": "lock = threading.Lock(); lock.acquire(); lock.acquire()",
    "waits for a program": "subprocess.run(['sleep', '100'])",
    "reads a pipe": "os.read(os.pipe()[0], 1)",
    "is a coroutine": "async def f():\n    import asyncio; await asyncio.sleep(100)\nreturn f()",
}


@pytest.mark.parametrize("body", HANGING.values(), ids=HANGING.keys())
def test_a_handler_that_hangs_is_answered_for(home, body):
    home.connector(handlers("return context('before')", body, options=", timeout=1"))
    assert home.hook().said["additionalContext"] == "before"
    (line,) = home.logged()
    assert line["handler"] == "handler_1" and "in time" in line["what"]


@pytest.mark.parametrize("body", HANGING.values(), ids=HANGING.keys())
def test_a_guard_that_hangs_denies(home, body):
    home.connector(handlers("return context('before')", body, options=', timeout=1, on_error="deny"'))
    assert home.hook().said["permissionDecision"] == "deny"


def test_a_guard_behind_a_handler_that_hangs_denies_too(home):
    home.connector(
        declared("""
        @hook("PreToolUse", timeout=1)
        def hangs(event): time.sleep(100)

        @hook("PreToolUse", timeout=1, on_error="deny")
        def guard(event): pass
        """)
    )
    assert "the guard guard" in home.hook().said[REASON]


def test_what_goes_on_after_the_reply_has_the_rest_of_the_time(home, tmp_path):
    marks = [str(tmp_path / name) for name in ("thread", "exit")]
    home.connector(
        handlers(
            f"""
            import atexit
            atexit.register(lambda: open({marks[1]!r}, "w").close())
            def late():
                time.sleep(0.2)
                open({marks[0]!r}, "w").close()
            threading.Thread(target=late).start()
            return deny("no")
            """
        )
    )
    assert home.hook().said[REASON] == "no"
    assert all((tmp_path / name).exists() for name in ("thread", "exit"))
    home.connector(
        handlers("threading.Thread(target=time.sleep, args=(100,)).start()\nreturn deny('no')", options=", timeout=1")
    )
    assert home.hook().said[REASON] == "no"
    home.connector(handlers("import atexit; atexit.register(sys.exit, 3)\nreturn deny('no')"))
    ended = home.hook()
    assert ended.code == 0 and ended.said[REASON] == "no"


# ---- declarations

BREAKING = {
    "raises": "raise RuntimeError('no')",
    "has an error of syntax": "def broken(:",
    "exits": "import sys; sys.exit(1)",
    "lacks its connector": "x = 1",
    "lacks its handler": "from agent_connector import Connector\nconnector = Connector(id='acme')",
    "has another thing there": "connector = 7",
    "imports what is not there": "import no_such_module_anywhere",
}


@pytest.mark.parametrize("source", BREAKING.values(), ids=BREAKING.keys())
@pytest.mark.parametrize("on_error", ["allow", "deny"])
def test_a_declaration_that_cannot_be_loaded(home, source, on_error):
    home.connector(handlers("return None", options=f', on_error="{on_error}"'))
    home.break_declaration(source)
    ended = home.hook()
    assert (ended.code, ended.err) == (0, b"")
    assert (ended.out == b"") if on_error == "allow" else ended.said["permissionDecision"] == "deny"
    assert len(home.logged()) == 1


def test_a_declaration_that_is_gone_or_hangs(home):
    home.connector(handlers("return None", options=", timeout=1"))
    home.break_declaration("import time; time.sleep(100)")
    assert home.hook().out == b""
    assert "in time" in home.logged()[0]["what"]


def test_a_package_is_a_declaration_and_its_modules_see_each_other(home, tmp_path):
    package = tmp_path / "source" / "acme_hooks"
    (package / "rules").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "rules" / "__init__.py").write_text("from ..words import WORD\n")
    (package / "words.py").write_text("WORD = 'from words'\n")
    (package / "connector.py").write_text(
        "from agent_connector import Connector, deny\nfrom .rules import WORD\nconnector = Connector(id='acme')\n"
        "@connector.hook('PreToolUse')\ndef f(event): return deny(WORD)\n"
    )
    home.install(str(package / "connector.py"))
    assert home.hook().said[REASON] == "from words"


def test_the_built_environment_is_seen_by_handlers_alone(home, tmp_path):
    home.connector(handlers("import only_there; return deny(only_there.WORD)"))
    packages = tmp_path / ".agent-connector/connectors/acme/env/lib"
    site = packages / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    site.mkdir(parents=True)
    (site / "only_there.py").write_text("WORD = 'there'\n")
    (site / "json.py").write_text("raise ImportError('the standard library goes first')\n")
    assert home.hook().said[REASON] == "there"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (site / "only_there.py").rename(elsewhere / "only_there.py")
    (site / "more.pth").write_text(f"{elsewhere}\n")
    assert home.hook().said[REASON] == "there"


def test_a_regex_beyond_names_and_prefixes_matches_too(home, call):
    home.connector(
        declared("""
        @hook("PreToolUse", matcher=r"host:(?i)ba(sh|t)")
        def found(event): return deny(event.tool_name)
        """)
    )
    assert home.hook(call(tool_name="Bash", mcp_server=None)).said[REASON] == "Bash"
    assert home.hook(call(tool_name="Read", mcp_server=None)).out == b""


# ---- native handlers


def test_a_native_handler_that_fails_is_nothing_to_say(home):
    home.connector(
        declared("""
        @connector.native_hook("claude-code", "TaskCompleted")
        def broken(raw): raise ValueError

        @connector.native_hook("claude-code", "Setup", timeout=1)
        def hangs(raw): time.sleep(100)

        @connector.native_hook("claude-code", "ConfigChange")
        def no_json(raw): return {"a": object()}
        """)
    )
    for event in ("TaskCompleted", "Setup", "ConfigChange"):
        ended = home.hook({}, event=event)
        assert (ended.code, ended.out, ended.err) == (0, b"", b"")
    assert len(home.logged()) == 3


def test_the_first_native_handler_that_answers_counts(home):
    home.connector(
        declared("""
        @connector.native_hook("claude-code", "Setup")
        def broken(raw): raise ValueError

        @connector.native_hook("claude-code", "Setup")
        def silent(raw): pass

        @connector.native_hook("claude-code", "Setup")
        def first(raw): return {"n": 1}

        @connector.native_hook("claude-code", "Setup")
        def second(raw): return {"n": 2}
        """)
    )
    assert home.hook({}, event="Setup").json == {"n": 1}


def test_a_denial_outweighs_a_native_answer_and_nothing_else_does(home, call):
    both = """
        @connector.native_hook("claude-code", "PreToolUse")
        def native(raw): return {"native": raw["tool_name"]}

        @hook("PreToolUse", matcher="host:Bash")
        def guard(event): return deny("no")

        @hook("PreToolUse", matcher="host:Read")
        def question(event): return ask("sure?")
        """
    home.connector(declared(both))
    assert home.hook(call(tool_name="Bash", mcp_server=None)).said[REASON] == "no"
    assert home.hook(call(tool_name="Read", mcp_server=None)).json == {"native": "Read"}
    assert home.hook(call(tool_name="Write", mcp_server=None)).json == {"native": "Write"}
