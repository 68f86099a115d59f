"""How hosts are guarded over ACP: what has them ask, and who answers."""

import os
import tomllib

import pytest

from agent_connector.drive.acp import argv
from agent_connector.drive.events import Called, Job
from agent_connector.drive.hosts import FACETS
from agent_connector.errors import GuardError
from agent_connector.worker.guard import arm, policy
from agent_connector.worker.guard.talks import TALKS, UNGUARDED
from agent_connector.worker.guard.ways import WAYS


@pytest.fixture
def armed(tmp_path):
    """A host over ACP, and what of it was denied."""
    folders = [str(tmp_path / name) for name in ("work", "home", "guard")]
    for folder in folders:
        os.mkdir(folder, 0o700)
    work, home, guard = folders
    heard: list[tuple[str, str, str]] = []

    def make(host: str) -> tuple[arm.Armed, list[tuple[str, str, str]]]:
        rules = policy.rules(work, home, temporary=[str(tmp_path)])  # all of it may be written, but for the guard's own
        channel = str(tmp_path / "socket" / "denials")
        made = arm.arm_over_acp(host, guard, home, rules, channel, lambda no, *more: heard.append((no.rule, *more)))
        return made, heard

    return make


def command(text: str) -> Called:
    return Called("1", "Bash", {"command": text}, kind="execute")


def test_every_host_that_speaks_acp_is_guarded_or_it_is_said_why_not():
    talking = {host for host, facet in FACETS().items() if facet.ACP}
    assert talking == {*TALKS, *UNGUARDED} and not TALKS.keys() & UNGUARDED.keys()
    assert all(host in WAYS for host, talk in TALKS.items() if talk.by == "hooks")


@pytest.mark.parametrize("host", ["claude-code", "gemini-cli", "cline", "omp"])
def test_what_is_asked_for_is_answered_by_the_judge_and_a_no_is_told(armed, host: str):
    made, heard = armed(host)
    assert made.permit is not None
    assert made.permit(command("git status")) and heard == []
    assert not made.permit(command("git push origin"))
    assert heard == [("git-push", "Bash", "git push origin")]
    guard = made.readable[0]
    assert made.permit(Called("2", "edit", {"path": f"{guard}/../other.json"}, kind="edit"))
    for path in (f"{guard}/policy.json", f"{guard}/../socket/denials"):
        assert not made.permit(Called("3", "edit", {"path": path}, kind="edit")), path


def test_scripts_are_looked_into_and_no_pipe_is_waited_for(armed, tmp_path):
    made, _ = armed("cline")
    (tmp_path / "work/good.sh").write_text("echo hello\n")
    (tmp_path / "work/bad.sh").write_text("git push\n")
    os.mkfifo(tmp_path / "work/pipe.sh")
    os.symlink("/etc", tmp_path / "work/there")
    assert made.permit(command("sh good.sh"))
    for denied in ("sh bad.sh", "sh pipe.sh", "cat there/shadow", "echo x > there/x"):
        assert not made.permit(command(denied)), denied


def test_hooks_stand_in_front_where_they_do_and_rules_have_gemini_ask(armed):
    made, _ = armed("claude-code")
    assert made.argv[0] == "--settings" and made.host == "claude-code"  # what turns hooks off is looked for
    made, _ = armed("gemini-cli")
    assert made.locked == () and made.host == ""
    line = argv(FACETS()["gemini-cli"], Job("x", "/", extra=made.argv))
    path = line[line.index("--admin-policy") + 1]
    assert os.path.dirname(path) == made.readable[0] and line[-2:] == ["--approval-mode", "default"]
    with open(path, "rb") as file:
        rules = tomllib.load(file)["rule"]
    assert [rule["decision"] for rule in rules if rule["toolName"] == "*"] == ["ask_user"]


def test_a_host_that_does_not_ask_cannot_be_guarded(armed):
    with pytest.raises(GuardError, match=r"Codex CLI cannot be guarded over ACP: .*without asking"):
        armed("codex")
