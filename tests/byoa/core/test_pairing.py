"""The device grant as the pairer runs it (section 3), and `connect` (section 8)."""

import itertools

import pytest

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.core.addresses import parse_address
from agent_connector.byoa.core.effects import Failure, Outcome, Request, Response
from agent_connector.testing.byoa import MemoryFiles, ScriptedApp, World

ORIGIN = "https://notes.example"
CREDENTIAL = "credentials/fake-host/https_notes.example.json"


def start(**options: object) -> tuple[World, int]:
    world = World(ScriptedApp(ORIGIN, **options))  # type: ignore[arg-type]
    command = world.pairer.connect("notes.example")
    world.settle()
    return world, command


def polls(world: World) -> list[float]:
    return [when for when, request in world.sent if request.url.endswith("/pair_poll")]


def gaps(world: World) -> list[float]:
    return [after - before for before, after in itertools.pairwise(polls(world))]


@pytest.mark.parametrize(
    ("typed", "origin"),
    [
        ("workspaces.example", "https://workspaces.example"),
        (" Workspaces.Example:8443 ", "https://workspaces.example:8443"),
        ("https://workspaces.example/", "https://workspaces.example"),
        ("127.0.0.1:4100", "http://127.0.0.1:4100"),
        ("localhost:4100", "http://localhost:4100"),
        ("[::1]:4100", "http://[::1]:4100"),
        ("https://localhost:4100", "https://localhost:4100"),
    ],
)
def test_section_8_what_a_person_types(typed: str, origin: str) -> None:
    assert str(parse_address(typed)) == origin


@pytest.mark.parametrize(
    "typed", ["", "http://notes.example", "notes.example/path", "ada@notes.example", "192.168.0.1:x"]
)
def test_section_8_what_is_no_address_is_said(typed: str) -> None:
    world = World(ScriptedApp(ORIGIN))
    command = world.pairer.connect(typed)
    world.settle()
    assert not world.said[command][-1].ok and world.said[command][-1].done
    assert not world.sent


def test_section_3_the_origin_stands_beside_the_link_and_the_code() -> None:
    world, command = start()
    shown = world.text(command)
    assert shown.startswith(f"Pair with {ORIGIN}\n")
    assert f"{ORIGIN}/pair?code=BCDF" in shown and "BCDF-GHBJ" in shown
    assert not world.said[command][-1].done


def test_section_3_the_first_poll_is_sent_at_once_then_every_interval() -> None:
    world, _ = start()
    assert polls(world) == [world.clock.now]
    world.run(16)
    assert gaps(world) == [5.0] * 3


def test_section_3_approval_gives_a_private_credential_and_is_announced() -> None:
    world, command = start()
    world.app.approve()
    world.run(6)
    assert world.said[command][-1].text == f"paired with Notes ({ORIGIN}) as Ada"
    stored = wire.parse_credential(world.files.texts[CREDENTIAL].encode(), "https_notes.example")
    assert (stored.app.id, stored.account) == ("notes", "Ada")
    assert world.host.toasts == [f"paired with Notes ({ORIGIN})"]
    assert stored.token not in world.text(command)


def test_section_3_slow_down_adds_five_seconds_for_good() -> None:
    world, _ = start()
    world.app.grants[next(iter(world.app.grants))] = wire.Refusal.SLOW_DOWN
    world.run(5)
    world.app.grants[next(iter(world.app.grants))] = wire.Refusal.PENDING
    world.run(40)
    assert gaps(world)[:4] == [5.0, 10.0, 10.0, 10.0]


@pytest.mark.parametrize(
    ("word", "said"), [(wire.Refusal.DENIED, "was refused on the page"), (wire.Refusal.EXPIRED, "ran out of time")]
)
def test_section_3_two_words_end_it(word: wire.Refusal, said: str) -> None:
    world, command = start()
    world.app.grants[next(iter(world.app.grants))] = word
    world.run(6)
    assert said in world.text(command) and world.said[command][-1].done
    count = len(world.sent)
    world.run(60)
    assert len(world.sent) == count


@pytest.mark.parametrize("outcome", [Failure("connection reset"), Response(502)])
def test_section_3_a_network_error_doubles_the_wait_to_at_most_60(outcome: Outcome) -> None:
    world, _ = start()
    world.fault = lambda request: outcome if request.url.endswith("/pair_poll") else None
    world.run(300)
    assert gaps(world)[:7] == [5.0, 10.0, 20.0, 40.0, 60.0, 60.0, 60.0]
    world.fault = lambda request: None
    world.run(130)
    assert gaps(world)[-1] == 5.0


def test_section_3_a_lost_answer_loses_nothing() -> None:
    world, command = start()
    world.app.approve()
    losses = iter([True])
    world.lose_answer = lambda request: request.url.endswith("/pair_poll") and next(losses, False)
    world.run(20)
    assert world.said[command][-1].ok and world.said[command][-1].done


def test_section_3_a_code_dies_after_expires_in() -> None:
    world, command = start()
    world.run(601)
    assert "ran out of time" in world.text(command)


@pytest.mark.parametrize("door", ["/.well-known/byoa", "/pair_start", "/pair_poll"])
@pytest.mark.parametrize("status", [302, 403, 404])
def test_section_1_an_answer_that_is_no_answer_ends_it_and_names_the_origin(door: str, status: int) -> None:
    world = World(ScriptedApp(ORIGIN))
    world.fault = lambda request: Response(status) if request.url.endswith(door) else None
    command = world.pairer.connect("notes.example")
    world.run(6)
    assert world.said[command][-1].done and not world.said[command][-1].ok
    assert ORIGIN in world.said[command][-1].text


def test_section_2_endpoints_of_another_origin_are_refused() -> None:
    world = World(ScriptedApp(ORIGIN))
    body = world.app.discovery.dump().replace(b"https://notes.example/byoa/events", b"https://evil.example/events")
    world.fault = lambda request: Response(200, {}, body) if request.url.endswith("well-known/byoa") else None
    command = world.pairer.connect("notes.example")
    world.run(2)
    assert "endpoints.events" in world.text(command)
    assert len(world.sent) == 1


def test_section_2_an_app_that_takes_the_id_of_another_sees_only_what_all_may_see() -> None:
    evil = "https://evil.example"
    world = World(ScriptedApp(ORIGIN), ScriptedApp(evil))
    world.files.put(wire.POLICY, '{"share": {"notes": ["path"], "*": []}}')
    world.pair(ORIGIN)
    world.pair(evil)
    assert f"{ORIGIN} is paired as notes already" in world.text(max(world.said))
    world.open()
    assert world.apps[ORIGIN].session.info.workspace == wire.Workspace(path="/code/app")
    assert world.apps[evil].session.info.workspace == wire.Workspace()
    world.pair(ORIGIN)  # again: it was first, and stays so
    world.run(30)
    assert world.apps[ORIGIN].session.info.workspace == wire.Workspace(path="/code/app")


def test_a_second_connect_while_one_is_open_is_refused_and_status_tells() -> None:
    world, _ = start()
    again = world.pairer.connect(ORIGIN)
    world.settle()
    assert "in progress" in world.text(again)
    assert f"pairing with {ORIGIN} is in progress" in world.status()


def test_a_credential_that_cannot_be_kept_is_revoked_and_said() -> None:
    files = MemoryFiles()
    files.broken.add(CREDENTIAL)
    world = World(ScriptedApp(ORIGIN), files=files)
    command = world.pairer.connect("notes.example")
    world.settle()
    world.app.approve()
    world.run(6)
    assert "cannot be kept: Permission denied" in world.text(command)
    assert not world.app.tokens


def test_a_reconnect_replaces_a_revoked_pairing() -> None:
    world = World(ScriptedApp(ORIGIN))
    world.pair(ORIGIN)
    world.open()
    world.app.revoke()
    world.run(60)
    assert "revoked" in world.status()
    world.pair(ORIGIN)
    world.run(2)
    assert "connected" in world.status()


def test_no_token_stands_in_the_repr_of_what_is_sent() -> None:
    world = World(ScriptedApp(ORIGIN))
    world.pair(ORIGIN)
    world.open()
    token = wire.parse_credential(world.files.texts[CREDENTIAL].encode(), "https_notes.example").token
    authorized: list[Request] = [request for _, request in world.sent if "Authorization" in dict(request.headers)]
    assert authorized and not any(token in repr(request) for request in authorized)


def test_a_command_before_the_first_tick_or_after_a_long_sleep_has_its_full_time() -> None:
    world = World(ScriptedApp(ORIGIN))
    world.pairer.connect("notes.example")
    effects = world.pairer.effects()
    world.pairer.tick(50_000.0)
    (request,) = [effect for effect in effects if isinstance(effect, Request)]
    after = world.pairer.answered(request.id, Response(200, {}, world.app.discovery.dump()), 50_001.0)
    assert any(isinstance(effect, Request) and effect.url.endswith("/pair_start") for effect in after)
