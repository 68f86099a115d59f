"""The files under `~/.byoa` (section 4), `disconnect` and `status` (section 8)."""

import pytest

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.core.effects import Failure, Outcome, Response
from agent_connector.byoa.core.sharing import plain_remote
from agent_connector.testing.byoa import ScriptedApp, World
from agent_connector.testing.byoa.scripted_mcp import ScriptedMcp

ORIGIN = "https://notes.example"
NAME = "fake-host/https_notes.example.json"
CREDENTIAL = f"credentials/{NAME}"
TOOLS = f"tools/{NAME}"


def paired() -> World:
    world = World(ScriptedApp(ORIGIN, mcp=ScriptedMcp({"search": lambda arguments: "found"})))
    world.pair(ORIGIN)
    world.run(1)
    return world


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644, 0o777])
@pytest.mark.parametrize("place", [CREDENTIAL, "credentials/fake-host"])
def test_section_4_a_credential_that_others_could_read_is_refused_and_named(mode: int, place: str) -> None:
    world = paired()
    world.files.modes[place] = mode
    world.restart()
    world.open()
    assert CREDENTIAL in world.status() and f"{mode:04o}" in world.status()
    assert not world.app.sessions


def test_section_4_a_credential_of_somebody_else_is_refused() -> None:
    world = paired()
    world.files.foreign.add(CREDENTIAL)
    world.restart()
    world.open()
    assert "belongs to somebody else" in world.status() and not world.app.sessions


def test_section_4_the_origin_inside_must_match_the_name_of_the_file() -> None:
    world = paired()
    copied = CREDENTIAL.replace("notes.example", "evil.example")
    world.files.put(copied, world.files.texts[CREDENTIAL])
    assert f"{copied}: origin: is not the origin that the file is named after" in world.status()


def test_section_4_a_damaged_credential_is_named_and_the_others_work() -> None:
    world = paired()
    world.files.put("credentials/fake-host/https_broken.example.json", "{")
    world.open()
    assert "https_broken.example.json: not JSON" in world.status() and world.app.sessions


def test_section_4_a_pairing_of_another_process_is_found_within_30_s() -> None:
    world = paired()
    text = world.files.texts.pop(CREDENTIAL)
    world.run(31)
    assert world.status() == "no app is paired"
    world.files.put(CREDENTIAL, text)
    world.run(31)
    assert "Notes" in world.status()


@pytest.mark.parametrize(
    ("text", "mode", "seen"),
    [
        (None, 0o600, wire.Workspace("app", "https://git.example/app")),
        ('{"share": {"notes": ["branch", "path"]}}', 0o644, wire.Workspace(branch="main", path="/code/app")),
        ('{"share": {"*": ["folder_name"]}}', 0o600, wire.Workspace("app")),
        ('{"share": {"notes": ["everything"]}}', 0o600, wire.Workspace()),
        ('{"share": {"notes": ["path"]}}', 0o666, wire.Workspace()),
        ('{"share": {"notes": ["path"]}}', 0o620, wire.Workspace()),
        ('{"share": ', 0o600, wire.Workspace()),
    ],
)
def test_section_4_the_policy(text: str | None, mode: int, seen: wire.Workspace) -> None:
    world = paired()
    if text is not None:
        world.files.put(wire.POLICY, text, mode)
    world.restart()
    world.open()
    assert world.app.session.info.workspace == seen
    assert ("nothing is shared" in world.status()) == (mode in (0o666, 0o620) or text == '{"share": ')


def test_section_4_a_policy_that_changes_is_read_again_and_told() -> None:
    world = paired()
    world.open()
    world.files.put(wire.POLICY, '{"share": {"*": []}}')
    world.run(60)
    assert world.app.session.info.workspace == wire.Workspace()


@pytest.mark.parametrize(
    ("remote", "told"),
    [
        ("https://ada:secret@github.com/ada/app.git?token=x#y", "https://github.com/ada/app.git"),
        ("https://github.com:8443/ada/app.git", "https://github.com:8443/ada/app.git"),
        ("git@github.com:ada/app.git", "github.com:ada/app.git"),
        ("ssh://git@github.com/ada/app.git", "ssh://github.com/ada/app.git"),
        ("https://github.com/ghp_0123456789abcdefghij/app.git", None),
        ("/home/ada/app.git", None),
        ("file:///home/ada/app.git", None),
        ("C:\\Users\\ada\\app", None),
        ("https://[bad/app", None),
        ("", None),
    ],
)
def test_section_5_a_remote_loses_user_and_tokens(remote: str, told: str | None) -> None:
    assert plain_remote(remote) == told


def test_section_8_disconnect_revokes_and_removes_the_files() -> None:
    world = paired()
    session, _ = world.open()
    world.app.chat("hello")
    world.run(1)
    session.begin()
    command = world.pairer.disconnect("notes")
    world.run(2)
    assert world.text(command) == f"disconnected from Notes ({ORIGIN})"
    assert not world.app.tokens and not world.files.texts
    assert world.status() == "no app is paired"
    assert not session.busy, "its turn was aborted"


@pytest.mark.parametrize("which", ["notes", "NOTES", ORIGIN, "notes.example"])
def test_section_8_disconnect_by_id_name_or_origin(which: str) -> None:
    world = paired()
    command = world.pairer.disconnect(which)
    world.run(1)
    assert world.said[command][-1].ok


def test_section_8_disconnect_asks_when_two_are_meant() -> None:
    world = World(ScriptedApp(ORIGIN), ScriptedApp("https://evil.example"))
    world.pair(ORIGIN)
    world.pair("https://evil.example")
    command = world.pairer.disconnect("notes")
    world.run(1)
    assert ORIGIN in world.text(command) and "https://evil.example" in world.text(command)
    assert len(world.files.list("credentials/fake-host")) == 2


@pytest.mark.parametrize("outcome", [Failure("no route"), Response(500), Response(302)])
def test_section_8_when_the_app_cannot_be_reached_the_token_stays(outcome: Outcome) -> None:
    world = paired()
    world.open()
    world.fault = lambda request: outcome if request.url.endswith("/revoke") else None
    command = world.pairer.disconnect("notes")
    world.run(1)
    assert "the token stays" in world.text(command) and CREDENTIAL in world.files.texts
    count = len(world.sent)
    world.run(90)
    assert len(world.sent) == count, "the link did not stop"
    world.fault = lambda request: None
    again = world.pairer.disconnect("notes")
    world.run(1)
    assert world.said[again][-1].ok and CREDENTIAL not in world.files.texts


def test_section_8_disconnect_of_a_revoked_app_removes_its_files() -> None:
    world = paired()
    world.open()
    world.app.revoke()
    world.run(60)
    assert TOOLS not in world.files.texts and CREDENTIAL in world.files.texts
    world.pairer.disconnect("notes")
    world.run(1)
    assert not world.files.texts


def test_section_5_status_says_that_approvals_are_bypassed_and_no_turn_starts() -> None:
    world = paired()
    session, _ = world.open()
    session.approvals_bypassed = True
    world.app.chat("hello")
    world.run(3)
    assert not session.prompts and "approvals are bypassed" in world.status()
    session.approvals_bypassed = False
    world.run(1)
    assert session.prompts
