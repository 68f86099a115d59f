"""The grammar against the corpus, wrapped and quoted in every known way, and against a real bash' reading of words."""

import os
import shlex
import shutil
import string
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.worker.guard.conftest import RULES, corpus

from agent_connector.worker.guard import grammar
from agent_connector.worker.guard.names import RULES as NAMES
from agent_connector.worker.guard.values import No, Rules
from agent_connector.worker.guard.words import Word

SCALE = int(os.environ.get("SOAK", "1"))
CASES = list(corpus())
DENIED = [command for rule, command in CASES if rule != "allowed"]
HONEST = [command for rule, command in CASES if rule == "allowed"]


def test_the_corpus_is_judged_as_its_table_says():
    wrong = [
        f"{command!r}: {verdict.rule} instead of {rule} ({verdict.reason})"
        for rule, command in CASES
        if (verdict := grammar.judge(command, RULES)).rule != rule or verdict.allowed != (rule == "allowed")
    ]
    assert wrong == []


def test_the_corpus_is_large_and_has_every_rule_of_commands():
    assert len(DENIED) >= 300
    assert len(HONEST) >= 100
    of_tools = {"unknown-tool", "unknown-server", "guard"}
    assert {rule for rule, _ in CASES} - {"allowed"} == set(NAMES) - of_tools


WRAPPERS = {
    "after": "ls; {}",
    "before": "{}\nls",
    "and": "true && {}",
    "or": "false || {}",
    "background": "{} &\nwait",
    "subshell": "( {}\n)",
    "group": "{{ {}\n}}",
    "condition": "if true; then {}\nfi",
    "loop": "for i in 1 2; do {}\ndone",
    "case": "case a in a) {}\n;; esac",
    "substitution": "echo $( {}\n)",
    "quoted substitution": 'echo "$( {}\n)"',
    "assignment": "x=$( {}\n)",
    "process": "cat <( {}\n)",
    "test": '[ -n "$( {}\n)" ]',
    "negated": "! true; {}",
    "comment": "# nothing\n{}",
}
QUOTED = ["bash -c {}", "sh -c {}", "env sh -c {}", "bash -lc {}", "eval {}", "nohup sh -c {}", "timeout 9 bash -c {}",
          "ssh host {}", "xargs sh -c {}", "python3 -c {}", "parallel {}", "su -c {}", "echo {} | sh", "bash <<< {}"]  # fmt: skip
LOOKED_THROUGH = ["env {}", "nohup {}", "time {}", "timeout 5 {}", "nice -n 3 {}", "command {}", "exec {}", "setsid {}",
                  "CI=1 {}", "stdbuf -oL {}", "builtin {}", "env CI=1 nohup {}"]  # fmt: skip
# What stands alone or begins a list in a word, so that words can be put in front of it.
PLAIN = [c for c in DENIED if c.strip() == c and c[:1].isalpha() and "=" not in c.split()[0] and not set("\n;&|(){}#") & set(c)
         and c.split()[0] not in ("for", "if", "while", "until", "case", "select", "function", "time", "alias", "read", "export",
                                  "declare", "typeset", "readonly", "unset")]  # fmt: skip


@given(st.sampled_from(DENIED), st.sampled_from(sorted(WRAPPERS)), st.sampled_from(sorted(WRAPPERS)))
@settings(max_examples=100 * SCALE, deadline=None)
def test_what_is_denied_stays_denied_in_a_larger_command(command, outer, inner):
    wrapped = WRAPPERS[outer].format(WRAPPERS[inner].format(command))
    assert not grammar.judge(wrapped, RULES).allowed, wrapped


@given(st.sampled_from(DENIED), st.sampled_from(QUOTED))
@settings(max_examples=60 * SCALE, deadline=None)
def test_what_is_denied_stays_denied_as_the_text_of_another_program(command, wrapper):
    wrapped = wrapper.format(shlex.quote(command))
    assert not grammar.judge(wrapped, RULES).allowed, wrapped


@given(st.sampled_from(PLAIN), st.lists(st.sampled_from(LOOKED_THROUGH), min_size=1, max_size=3))
@settings(max_examples=80 * SCALE, deadline=None)
def test_what_is_denied_stays_denied_behind_programs_that_run_others(command, wrappers):
    for wrapper in wrappers:
        command = wrapper.format(command)
    assert not grammar.judge(command, RULES).allowed, command


@st.composite
def respelled(draw, word):
    """The same word in other quotes."""
    out = ""
    for letter in word:
        how = draw(st.sampled_from(["{}", "'{}'", '"{}"', "\\{}", "$'\\x{:02x}'", "$'\\{:03o}'", "''{}", '{}""']))
        out += how.format(ord(letter) if "x" in how or "o}" in how else letter)
    return out


@given(respelled("git"), respelled("push"))
@settings(max_examples=60 * SCALE, deadline=None)
def test_a_push_is_seen_however_its_letters_are_quoted(git, push):
    assert grammar.judge(f"{git} {push} origin", RULES).rule in ("git-push", "syntax")


FRAGMENTS = st.sampled_from(
    [
        "$",
        "${",
        "$(",
        "$((",
        "`",
        "",
        "'",
        '"',
        "\\",
        "\n",
        "\t",
        ";",
        ";;",
        "&",
        "&&",
        "|",
        "||",
        "(",
        ")",
        "{",
        "}",
        "[",
        "[[",
        "]]",
        "]]",
        "<",
        "<<",
        "<<-",
        "<<<",
        ">",
        ">>",
        ">&",
        "<(",
        ">(",
        "#",
        "!",
        "~",
        "*",
        "?",
        "=",
        "+=",
        "@",
        "if",
        "then",
        "fi",
        "for",
        "do",
        "done",
        "case",
        "esac",
        "in",
        "while",
        "function",
        "EOF",
        "git",
        "push",
        "ls",
        "x",
        "á",
        "\xa0",
        "�",
        "\x00",
        "$'",
    ]
)


@given(
    st.one_of(
        st.text(max_size=80),
        st.lists(FRAGMENTS, max_size=30).map(" ".join),
        st.lists(FRAGMENTS, max_size=30).map("".join),
    )
)
@settings(max_examples=150 * SCALE, deadline=None)
def test_no_text_makes_the_judge_raise(text):
    verdict = grammar.judge(text, RULES)
    assert verdict.allowed or (verdict.rule in NAMES and verdict.reason)


@pytest.mark.parametrize(
    "command",
    [
        "ls " + "x" * 70_000,
        "ls; " * 5_000,
        "(" * 400 + "ls" + ")" * 400,
        "echo " + "$(echo " * 200 + ")" * 200,
        "echo " + "{a,b}" * 40,
        "for a in {1..60}; do for b in {1..60}; do ls; done; done",
        '"' * 5_001,
        "<<" * 3_000,
        "`" * 9_001,
    ],
    ids=["long", "many", "deep", "substitutions", "braces", "loops", "quotes", "documents", "backquotes"],
)
def test_what_would_take_long_is_denied(command):
    assert grammar.judge(command, RULES).rule in ("too-long", "syntax")


class _Listening(grammar.Judge):
    """Keeps the words of each command."""

    def __init__(self) -> None:
        super().__init__(Rules("/work/project"))
        self.seen: list[list[Word]] = []

    def command(self, words, piped=False):
        self.seen.append(list(words))


_LETTERS = "".join(sorted(set(string.ascii_letters + string.digits + "-_./:,=+%@^") - {"~"}))
PARTS = st.one_of(
    st.text(_LETTERS, min_size=1, max_size=4),
    st.text(_LETTERS + ' $`\\"*?{}#;&|()<>~!\n', max_size=4).map(lambda t: f"'{t}'"),
    st.text(_LETTERS + " '*?{}#;&|()<>~", max_size=4).map(lambda t: f'"{t}"'),
    st.sampled_from(["\\", "\\$", "\\`", '\\"', "\\a", "\\n"]).map(lambda t: f'"{t}x"'),
    st.sampled_from(" $`\"'\\*?{}#;&|()<>~!").map(lambda t: f"\\{t}"),
    st.sampled_from(["\\n", "\\t", "\\x41", "\\101", "\\u00e9", "\\\\", "\\'", '\\"', "\\e", "a b"]).map(
        lambda t: f"$'{t}'"
    ),
    st.sampled_from(["{a,b}", "{1..3}", "{,x}", "{a,{b,c}}", "{}", "{x}", "a{b", "c}d"]),
)


@given(st.lists(st.lists(PARTS, min_size=1, max_size=4).map("".join), min_size=1, max_size=4))
@settings(max_examples=60 * SCALE, deadline=None)
def test_words_are_read_as_a_real_bash_reads_them(words):
    bash = shutil.which("bash")
    assert bash
    command = "printf '%s\\0' " + " ".join(words)
    judge = _Listening()
    try:
        judge.text(command)
    except No:
        return  # denied: no harm in reading it otherwise
    shell = subprocess.run(
        [bash, "--norc", "--noprofile", "-c", command],
        capture_output=True,
        timeout=60,
        check=False,
        cwd="/",
        env={"LC_ALL": "C.UTF-8"},
    )
    read = [word.text for word in judge.seen[0][2:]]
    if not any(word.glob for word in judge.seen[0][2:]):
        assert shell.stdout.decode().split("\0")[:-1] == read


def test_a_folder_that_is_entered_counts_for_what_follows():
    assert grammar.judge("cd src && cat ../README.md", RULES).allowed
    assert grammar.judge("(cd src); cat ../README.md", RULES).rule == "outside-read"
    assert grammar.judge("cd src; cat ../README.md", RULES).rule == "outside-read"  # where `cd` fails
    assert grammar.judge("cd src && ls > ../out.txt", RULES).allowed
    assert grammar.judge("cd .git && ls > config", RULES).rule == "write-git"


def test_links_are_followed_where_they_lead_out():
    links = {
        "/work/project/key": "/work/home/.ssh/id_rsa",
        "/work/project/out": "/etc",
        "/work/project/in": "/work/project/src",
    }

    def real(path: str) -> str:
        for link, target in links.items():
            if path == link or path.startswith(link + "/"):
                return target + path[len(link) :]
        return path

    rules = Rules("/work/project", "/work/home", real=real)
    assert grammar.judge("cat key", rules).rule == "credential-read"
    assert grammar.judge("echo x > out/passwd", rules).rule == "outside-write"
    assert grammar.judge("cat in/app.py", rules).allowed


def test_a_shell_script_is_judged_by_its_text():
    texts = {
        "/work/project/good.sh": "#!/bin/sh\nset -e\npytest -q\n",
        "/work/project/bad.sh": "#!/usr/bin/env bash\necho hi\ngit push\n",
        "/work/project/loop.sh": "sh loop.sh",
        "/work/project/tool.py": "#!/usr/bin/env python3\nprint(1)\n",
        "/work/project/plain": "git push\n",
    }
    rules = Rules("/work/project", text=texts.get)
    assert grammar.judge("bash good.sh && ./good.sh", rules).allowed
    assert grammar.judge("./tool.py", rules).allowed
    for command in ("bash bad.sh", "./bad.sh", "sh bad.sh", "./plain", "timeout 5 ./bad.sh"):
        verdict = grammar.judge(command, rules)
        assert verdict.rule == "git-push", command
        assert ".sh" in verdict.reason or "plain" in verdict.reason
    assert grammar.judge("sh loop.sh", rules).rule == "too-long"
    assert grammar.judge("echo ls > good.sh && sh good.sh", rules).rule == "script"


def test_a_person_can_allow_more_but_never_a_push():
    rules = Rules(
        "/work/project",
        allow=[("terraform", "plan"), ("./deploy.sh", "*"), ("git", "push", "*"), ("git", "merge", "*")],
    )
    assert grammar.judge("terraform plan", rules).allowed
    assert grammar.judge("./deploy.sh staging", rules).allowed
    assert grammar.judge("git merge main", rules).allowed
    assert not grammar.judge("terraform plan -out=x", rules).allowed
    assert not grammar.judge("terraform apply", rules).allowed
    assert not grammar.judge("./deploy.sh $x", rules).allowed
    assert grammar.judge("git push origin", rules).rule == "git-push"
