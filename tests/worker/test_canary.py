"""What the canary makes of what was seen, and which proofs hold. The real hosts are in tests/real/guard."""

import json
import os
import threading
from types import SimpleNamespace

import pytest

from agent_connector.drive import process
from agent_connector.drive.events import Called
from agent_connector.drive.outcome import Outcome
from agent_connector.worker import canary
from agent_connector.worker.guard.arm import Armed
from agent_connector.worker.guard.values import Verdict

PUSH = (Verdict(False, "git-push", "no"), f"touch /w/{canary.FORBIDDEN} && git push canary")
ENDED = Outcome((), 0, "exited", 1.0, "", "")
BROKEN = (Verdict(False, "guard", "its policy is gone"), f"touch /w/{canary.ALLOWED}")


@pytest.mark.parametrize(
    ("files", "heard", "called", "word"),
    [
        ((canary.ALLOWED,), [PUSH], True, "denied the canary's push"),
        ((canary.ALLOWED, canary.FORBIDDEN), [PUSH], True, "ran a forbidden command"),
        ((canary.ALLOWED,), [], True, "no denial of the guard was heard"),
        ((), [], False, "never got to the canary's call"),
        ((), [PUSH, BROKEN], True, "denies what is allowed too: its policy is gone"),
        ((canary.ALLOWED,), [(Verdict(False, "git-push", "no"), "git push")], True, "no denial of the guard was heard"),
    ],
)
def test_only_a_heard_denial_without_its_effect_is_a_proof(files, heard, called, word, tmp_path):
    for name in files:
        (tmp_path / name).touch()
    stand_in = SimpleNamespace(actor=SimpleNamespace(calls=["call"] if called else []), requests=())
    verdict = canary.judged("Host", str(tmp_path), heard, stand_in, ENDED)
    assert word in verdict.reason
    assert verdict.allowed == (word == "denied the canary's push")
    assert (verdict.rule == canary.UNTRIED) == (not called)


@pytest.mark.parametrize("heard", [[], [PUSH]])
def test_a_host_that_was_ended_has_not_been_tried(heard, tmp_path):
    stand_in = SimpleNamespace(actor=SimpleNamespace(calls=["call"]), requests=())
    outcome = Outcome((), None, "timeout", 1.0, "", "")
    assert canary.judged("Host", str(tmp_path), heard, stand_in, outcome).rule == canary.UNTRIED
    (tmp_path / canary.FORBIDDEN).touch()
    assert canary.judged("Host", str(tmp_path), heard, stand_in, outcome).rule == "canary"


def test_over_acp_what_is_allowed_comes_first_since_a_refusal_may_end_the_turn():
    first, second, last = canary.script("/w").steps
    assert canary._allowed_first(canary.script("/w")).steps == (second, first, last)
    assert canary.ALLOWED in second.calls[0].arguments["command"]


def test_where_hooks_stand_in_front_it_is_they_that_have_to_deny():
    """The agent asks, the answer is yes: a hook that does not fire is found out."""
    armed = Armed(permit=lambda call: False)
    forbidden = Called("1", "Bash", {"command": PUSH[1]}, kind="execute")
    by_title = Called("2", "execute", None, kind="execute", title=PUSH[1])
    other = Called("3", "Bash", {"command": "git push"}, kind="execute")
    by_hooks, asked = (canary._permit(armed, by_hooks=one) for one in (True, False))
    assert by_hooks is not None and asked is armed.permit
    assert [by_hooks(call) for call in (forbidden, by_title, other)] == [True, True, False]


@pytest.fixture
def host(tmp_path):
    """A program, and an empty home."""

    def make(text: str) -> tuple[str, str]:
        program, home = tmp_path / "host", tmp_path / "home"
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
        home.mkdir()
        return str(program), str(home)

    return make


def test_a_version_is_asked_where_nothing_lies(host):
    """Some programs run what settings of the folder that they are started in say."""
    program, home = host("pwd")
    assert os.path.realpath(canary.version_of(program, home, os.environ)) == os.path.realpath(home)


def test_a_stop_ends_the_question_for_a_version(host):
    program, home = host("sleep 50 & wait")
    stop = threading.Event()
    stop.set()
    with pytest.raises(canary.NotProven) as caught:
        canary.version_of(program, home, os.environ, stop)
    assert not caught.value.tried
    assert process.marked([f"HOME={home}"]) == []


def test_a_program_that_is_not_there_was_not_tried(tmp_path):
    with pytest.raises(canary.NotProven) as caught:
        canary.version_of(str(tmp_path / "gone"), str(tmp_path), os.environ)
    assert not caught.value.tried


def test_old_folders_of_proofs_are_removed_and_no_others(tmp_path):
    for name in ("canary-old", "canary-new", "task"):
        (tmp_path / name / "home").mkdir(parents=True)
    for name in ("canary-old", "task"):
        os.utime(tmp_path / name, (1, 1))
    canary.prune(str(tmp_path))
    assert sorted(os.listdir(tmp_path)) == ["canary-new", "task"]
    canary.prune(str(tmp_path / "gone"))


def test_proofs_are_kept_one_a_host_and_a_damaged_file_is_none(tmp_path):
    proofs = canary.Proofs(str(tmp_path))
    proofs.keep("a", "codex", Verdict(True, "canary", "it denied"))
    proofs.keep("b", "claude-code", Verdict(True, "canary", "it denied"))
    proofs.keep("c", "codex", Verdict(True, "canary", "it denied again"))
    proofs.keep("d", "pi", Verdict(False, "canary", "it ran"))
    assert proofs.holds("a") is None
    assert proofs.holds("d") is None
    assert proofs.holds("c") == Verdict(True, "canary", "it denied again")
    assert proofs.holds("b")
    path = tmp_path / canary.KEPT
    assert path.stat().st_mode & 0o077 == 0
    for damage in (b"{", b"[]", b'"x"', json.dumps({"c": "yes"}).encode()):
        path.write_bytes(damage)
        assert proofs.holds("c") is None, damage


def test_another_program_needs_another_proof(tmp_path):
    program = tmp_path / "host"
    program.write_text("#!/bin/sh\n")
    link = tmp_path / "link"
    os.symlink(program, link)
    keys = {"sandbox": "none", "config": "{}"}
    first = canary.key("codex", str(link), "1.0", **keys)
    assert canary.key("codex", str(program), "1.0", **keys) == first
    program.write_text("#!/bin/sh\n# newer\n")
    assert canary.key("codex", str(link), "1.0", **keys) != first
