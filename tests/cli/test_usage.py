"""What a mistyped command line is told, and what it exits with."""

from pathlib import Path

import pytest

from agent_connector.hosts import query

ACME = str(Path(__file__).parents[2] / "examples" / "acme" / "connector.py")


@pytest.fixture
def later(monkeypatch):
    """A host that can be named and is not described yet."""
    monkeypatch.setattr(query, "LATER", ("hereafter",))


@pytest.mark.parametrize("verb", ["install", "explain"])
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--name", "everything"], "neither a command nor an address"),
        (["--url", "https://x/mcp"], "without a name"),
        (["--name", "x", "--url", "https://x/mcp", "--", "npx"], "both a command and an address"),
        (["-c", ACME, "-t", "claud-code"], "Did you mean claude-code?"),
        (["-c", ACME, "-t", "codex,hereafter"], "hereafter is not described yet"),
    ],
)
def test_what_cannot_be_meant_is_wrong_usage(home, run, verb, words, said, later):
    code, out, err = run(verb, *words)
    assert (code, out) == (2, "") and said in " ".join(err.split())


@pytest.mark.parametrize("words", [["simulate", "Stop"], ["rehearse"]])
def test_an_unknown_host_is_wrong_usage_in_every_verb(home, run, words):
    code, _, err = run(*words, "-c", ACME, "--host", "vim")
    assert code == 2 and "there is no host 'vim'. One of claude-code, codex" in err


@pytest.mark.parametrize(
    ("event", "meant"),
    [("PreToolUs", "PreToolUse"), ("pretooluse", "PreToolUse"), ("beforeShelExecution", "beforeShellExecution")],
)
def test_a_mistyped_event_is_told_the_nearest_and_all(home, run, event, meant):
    code, out, err = run("simulate", event, "-c", ACME)
    assert (code, out) == (2, "") and f"Did you mean {meant}?" in err
    assert "Known: " in err and "PreToolUse, " in err and "UserPromptSubmit" in err


def test_no_host_to_rehearse_in_is_no_wrong_usage(home, run, run_json, monkeypatch):
    monkeypatch.setenv("PATH", str(home))
    code, _, err = run("rehearse", "-c", ACME)
    assert code == 1 and "no host that runs without a person is on this machine" in err and "codex" in err
    code, document = run_json("rehearse", "-c", ACME)
    assert code == 1 and "on the PATH" in document["error"]["remedy"]


def declared(home, targets):
    file = home / "project" / "connector.py"
    file.write_text(
        f"from agent_connector import *\nconnector = Connector(id='a', server=stdio('x'), targets={targets})\n"
    )


def test_a_target_that_is_not_described_yet_is_said(home, run, run_json, later):
    declared(home, ["hereafter"])
    code, out, _ = run("explain")
    assert code == 0 and out.splitlines()[1:] == [
        "note: hereafter: named among its targets and not described yet, so nothing is written there"
    ]
    document = run_json("explain")[1]
    assert (document["hosts"], document["not_described"]) == ([], ["hereafter"])
    declared(home, ["hereafter", "codex"])
    out = run("explain")[1]
    assert "codex  native" in out and "note: hereafter:" in out


def test_hosts_that_a_connector_is_not_for_are_said(home, run):
    declared(home, ["codex"])
    assert "it is meant for codex, and for none of cursor" in run("explain", "-t", "cursor")[1]


def test_an_unknown_target_of_a_declaration_is_told_the_nearest_host_alone(home, run, later):
    declared(home, ["codx", "vim"])
    err = run("explain")[2]
    assert "targets[0]: found 'codx'; allowed: did you mean 'codex'?\n" in err
    assert (
        "targets[1]: found 'vim'; allowed: the id of a host, such as claude-code, codex" in err
        and "hereafter" not in err
    )
