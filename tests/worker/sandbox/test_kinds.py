"""What each kind makes of a policy, as values: on any system, whether the kind works there or not."""

import json
import os
from pathlib import Path

import pytest

from agent_connector.errors import SandboxError
from agent_connector.worker.sandbox import bubblewrap, choose, container, landlock, none, seatbelt, srt
from agent_connector.worker.sandbox.policy import Kind, Policy, Probe

ENVIRONMENT = {"PATH": "/usr/bin", "HOME": "/run-home", "TOKEN": "value-of-the-token"}


@pytest.fixture
def policy(tmp_path: Path) -> Policy:
    for name in ("work space", "home", "readable", "work space/hidden"):
        (tmp_path / name).mkdir()
    (tmp_path / "work space" / "key").write_text("")
    hidden = (str(tmp_path / "work space" / "hidden"), str(tmp_path / "work space" / "key"))
    folders = (str(tmp_path / "work space"), str(tmp_path / "home"), (str(tmp_path / "readable"),))
    return Policy(*folders, hidden=hidden, network="model", socket=str(tmp_path / "e.sock"), port=4141)


def without(policy: Policy, **changed: object) -> Policy:
    fields = {name: getattr(policy, name) for name in Policy.__slots__}
    return Policy(**{**fields, **changed})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", choose.KINDS)
def test_every_kind_keeps_the_contract(name: str) -> None:
    kind = choose.kind(name)
    assert isinstance(kind, Kind) and name == kind.NAME
    probe = kind.probe()
    assert isinstance(probe, Probe) and (probe.ok or probe.why)


def test_bubblewrap_mounts_outer_before_inner_and_cuts_out_last(policy: Policy) -> None:
    line = list(bubblewrap.wrap(["agent", "--flag"], policy, ENVIRONMENT).argv)
    workspace = os.path.realpath(policy.workspace)
    assert line.index(workspace) < line.index(os.path.realpath(policy.hidden[0])) and "--unshare-net" in line
    assert line[line.index("/dev/null", line.index(workspace)) + 1] == os.path.realpath(policy.hidden[1])
    assert line[-3:] == ["--", "agent", "--flag"] and ENVIRONMENT["TOKEN"] not in " ".join(line)
    assert "--unshare-net" not in bubblewrap.wrap(["agent"], without(policy, network="open"), ENVIRONMENT).argv
    alone = bubblewrap.wrap(["agent"], without(policy, socket=None, port=None), ENVIRONMENT).argv
    assert not any("forward.py" in word for word in alone) and "--unshare-net" in alone


def test_landlock_says_that_it_cannot_hide(policy: Policy) -> None:
    with pytest.raises(SandboxError, match="cannot hide"):
        landlock.wrap(["agent"], policy, ENVIRONMENT)
    rules = landlock.rules(without(policy, hidden=()))
    assert rules["port"] == 4141 and os.path.realpath(policy.readable[0]) not in rules["write"]  # type: ignore[operator]
    assert landlock.rules(without(policy, hidden=(), network="open"))["port"] is None


def test_seatbelt_denies_by_default_and_a_name_cannot_break_out_of_its_rule(policy: Policy, tmp_path: Path) -> None:
    evil = tmp_path / 'a") (allow default) ("\\'
    text = seatbelt.profile(without(policy, readable=(str(evil),)))
    assert "(deny default)" in text and "(allow default)" not in text.replace('\\") (allow default) (\\"', "")
    assert '(allow network-outbound (remote ip "localhost:4141"))' in text and "network*" not in text
    assert text.rindex("(deny file-read* file-write*") > text.rindex("(allow")
    assert "(allow network*" in seatbelt.profile(without(policy, network="open"))
    assert "remote ip" not in seatbelt.profile(without(policy, network="none", port=None))
    assert text.count("(") == text.count(")")  # the evil name's own are balanced


def test_srt_is_told_to_deny_all_but_the_list(policy: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = srt.settings(policy)
    files = told["filesystem"]
    assert isinstance(files, dict) and files["denyRead"][0] == "/"
    assert files["allowWrite"] == [os.path.realpath(policy.workspace), os.path.realpath(policy.home)]
    assert told["network"]["allowedDomains"] == []  # type: ignore[index]
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    wrapped = srt.wrap(["agent"], without(policy, network="none", port=None), ENVIRONMENT)
    settings = wrapped.argv[wrapped.argv.index("--settings") + 1]
    assert json.loads(Path(settings).read_text())["filesystem"] == srt.settings(policy)["filesystem"]
    assert wrapped.after == ("rm", "-f", settings)
    for network in ("hosts", "open"):
        with pytest.raises(SandboxError, match=network):
            srt.wrap(["agent"], without(policy, network=network), ENVIRONMENT)


def test_a_container_has_no_rights_no_network_and_a_name_to_end_it_by(policy: Policy) -> None:
    wrapped = container.command("/usr/bin/docker", "image", ["agent", "-p"], policy, ENVIRONMENT)
    line = list(wrapped.argv)
    assert {"--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--network=none", "--rm"} <= set(line)
    assert ENVIRONMENT["TOKEN"] not in " ".join(line) and "--env=TOKEN" in line and wrapped.environment["TOKEN"]
    name = next(word.removeprefix("--name=") for word in line if word.startswith("--name="))
    assert wrapped.after == ("/usr/bin/docker", "rm", "--force", name)
    assert line[line.index("image") + 1 :][-3:] == ["--", "agent", "-p"] and "--entrypoint=python3" in line
    opened = container.command("podman", "image", ["agent", "-p"], without(policy, network="open"), ENVIRONMENT).argv
    assert "--network=bridge" in opened and opened[-2:] == ("image", "-p") and "--entrypoint=agent" in opened
    with pytest.raises(SandboxError, match="comma"):
        container.command("docker", "image", ["agent"], without(policy, readable=("/a,source=/",)), ENVIRONMENT)


def test_auto_takes_the_first_that_works_and_never_none(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = [bubblewrap, landlock, seatbelt, srt]
    for module in modules:
        monkeypatch.setattr(module, "probe", lambda why=module.NAME: Probe(False, f"{why} is broken"))
    with pytest.raises(SandboxError) as raised:
        choose.choose("auto")
    assert all(f"  - {module.NAME}: {module.NAME} is broken" in str(raised.value) for module in modules)
    monkeypatch.setattr(seatbelt, "probe", lambda: Probe(True))
    assert choose.choose("auto") is seatbelt
    with pytest.raises(SandboxError, match="landlock is broken"):
        choose.choose("landlock")
    assert choose.choose("none") is none
    with pytest.raises(SandboxError, match="auto, bubblewrap"):
        choose.choose("chroot")


def test_a_trial_believes_what_it_sees_not_that_something_ran(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program of the right name that shuts nothing in is no sandbox."""
    from agent_connector.worker.sandbox import trial

    assert trial.tried(none.wrap) == Probe(False, "a file outside could be read from inside")
    broken = lambda argv, policy, environment: none.wrap(
        ["sh", "-c", "echo no namespace >&2; exit 1"], policy, environment
    )
    assert trial.tried(broken) == Probe(False, "no namespace")
    assert not trial.tried(lambda argv, policy, environment: none.wrap(["/nonexistent"], policy, environment)).ok
