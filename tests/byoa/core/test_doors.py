"""The doors of section 5: register, poll, events, and every answer that an app may give."""

import itertools
import json
from collections.abc import Callable

import pytest

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.core.effects import Failure, Outcome, Request, Response
from agent_connector.testing.byoa import AppTurn, FakeHost, FakeSession, ScriptedApp, World

ORIGIN = "https://notes.example"


def paired(**options: float) -> World:
    world = World(ScriptedApp(ORIGIN, **options))
    world.pair(ORIGIN)
    return world


def at(world: World, door: str, since: float = 0.0) -> list[float]:
    """When requests were sent to that door."""
    return [when for when, request in world.sent if request.url.endswith(door) and when >= since]


def always(door: str, outcome: Outcome) -> Callable[[Request], Outcome | None]:
    return lambda request: outcome if request.url.endswith(door) else None


def test_section_5_a_turn_from_message_to_end() -> None:
    world = paired()
    session, handle = world.open()
    turn = world.app.chat("What is new?")
    world.run(1)
    assert session.prompts[0].endswith("\n\nWhat is new?")
    session.begin()
    handle.delta("Noth")
    handle.tool("search", "Searching")
    handle.delta("ing.")
    session.end()
    world.settle()
    recorded = world.app.turns[turn]
    assert (recorded.text, recorded.tools, recorded.end) == ("Nothing.", ["search"], wire.Ended(wire.Outcome.DONE))
    assert isinstance(recorded.events[0], wire.Started)


def test_section_5_register_tells_what_the_session_is() -> None:
    world = paired()
    world.open()
    info = world.app.session.info
    assert info.key == wire.session_key(wire.parse_origin(ORIGIN), "fake-host", "s1")
    assert (info.host, info.host_version, info.title, info.can) == (
        "fake-host",
        "1.0",
        "A session",
        ("abort", "settings"),
    )
    assert info.workspace == wire.Workspace("app", "https://git.example/app")
    assert [setting.id for setting in info.settings] == ["model"]


def test_section_5_nothing_registers_where_the_host_is_not_interactive() -> None:
    world = World(ScriptedApp(ORIGIN), host=FakeHost(is_interactive=False))
    world.pair(ORIGIN)
    world.open()
    world.run(60)
    assert not world.app.sessions


def test_section_5_a_poll_is_held_and_asked_again() -> None:
    world = paired()
    world.open()
    world.run(80)
    times = at(world, "/poll")
    assert [after - before for before, after in itertools.pairwise(times)] == [25.0] * 3


def test_section_2_without_holding_an_app_is_asked_every_interval() -> None:
    world = paired(hold=0)
    world.open()
    world.run(30)
    times = at(world, "/poll")
    assert [after - before for before, after in itertools.pairwise(times)] == [3.0] * 10


def test_section_5_an_app_that_answers_empty_polls_at_once_is_not_asked_in_a_loop() -> None:
    world = paired()
    world.fault = always("/poll", Response(204))
    world.open()
    start = world.clock.now
    world.run(10)
    assert len(at(world, "/poll", start)) <= 11


def test_section_5_the_state_is_told_with_each_poll() -> None:
    world = paired()
    session, _ = world.open()
    for busy, blocked, bypassed, state in [
        (True, False, False, "busy"),
        (True, True, False, "blocked"),
        (False, False, True, "blocked"),
        (False, False, False, "idle"),
    ]:
        session.busy, session.blocked, session.approvals_bypassed = busy, blocked, bypassed
        world.run(30)
        assert world.app.session.state == state


def test_section_5_a_new_conversation_retires_the_session_and_registers_another() -> None:
    world = paired()
    session, _ = world.open()
    first = world.app.session
    running, queued = world.app.chat("one"), world.app.chat("two")
    world.run(1)
    session.begin()
    session.host_session_id = "s2"
    world.run(2)
    closed = wire.Ended(wire.Outcome.ERROR, wire.Reason.SESSION_CLOSED)
    assert [world.app.turns[turn].end for turn in (running, queued)] == [closed, closed]
    assert world.app.session is not first
    assert not session.aborts, "an abort could hit what the person does in the new conversation"


def test_section_5_output_of_a_retired_turn_does_not_leave() -> None:
    world = paired()
    session, handle = world.open()
    turn = world.app.chat("one")
    world.run(1)
    session.begin()
    session.host_session_id = "s2"
    world.run(1)
    handle.delta("private")
    world.run(2)
    assert world.app.turns[turn].text == ""


def test_section_5_a_lost_answer_to_a_poll_gives_its_messages_once() -> None:
    world = paired()
    session, _ = world.open()
    world.app.chat("once")
    losses = iter([True, True])
    world.lose_answer = lambda request: request.url.endswith("/poll") and next(losses, False)
    world.run(20)
    assert len(session.prompts) == 1


def test_section_5_messages_that_come_again_after_a_registration_are_taken_once() -> None:
    world = paired()
    session, _ = world.open()
    gone = iter([Response(410)])
    world.fault = lambda request: next(gone, None) if request.url.endswith("/poll") else None
    turn = world.app.chat("once")
    world.run(5)
    assert world.app.session.registrations == 2
    session.answer("text")
    world.run(5)
    assert not session.prompts and world.app.turns[turn].text == "text"


def test_section_5_a_batch_is_sent_again_unchanged_until_it_is_taken() -> None:
    world = paired()
    session, handle = world.open()
    turn = world.app.chat("hello")
    world.run(1)
    losses = iter([True, True])
    world.lose_answer = lambda request: request.url.endswith("/events") and next(losses, False)
    session.begin()
    handle.delta("a")
    handle.delta("b")
    session.end()
    world.run(20)
    bodies = [request.body for _, request in world.sent if request.url.endswith("/events")]
    assert bodies[0] == bodies[1] == bodies[2]
    assert world.app.turns[turn].text == "ab"
    assert [json.loads(body)["seq"] for body in bodies] == [0, 0, 0, 1]


def test_section_5_deltas_that_wait_are_joined_and_one_batch_is_in_flight() -> None:
    world = paired()
    session, handle = world.open()
    world.app.chat("hello")
    world.run(1)
    world.fault = always("/events", Response(503, {"retry-after": "5"}))
    session.begin()
    for letter in "abc":
        handle.delta(letter)
    world.fault = lambda request: None
    world.run(7)
    events = next(iter(world.app.turns.values())).events
    assert [event for event in events if isinstance(event, wire.Delta)] == [wire.Delta("abc")]


def test_section_5_409_backs_off_in_steps_and_is_told() -> None:
    world = paired()
    world.open()
    world.run(30)
    world.fault = always("/poll", Response(409))
    start = world.clock.now
    world.run(150)
    times = at(world, "/poll", start)
    assert [round(after - before) for before, after in itertools.pairwise(times)][:6] == [1, 2, 4, 8, 16, 30]
    assert "another program polls this session" in world.status()


def test_section_5_410_registers_again() -> None:
    world = paired()
    world.open()
    world.app.sessions.clear()
    world.run(35)
    assert world.app.session.registrations == 1


def test_section_5_410_for_events_registers_again_and_sends_the_batch_again() -> None:
    world = paired()
    session, _ = world.open()
    turn = world.app.chat("hello")
    world.run(1)
    gone = iter([Response(410)])
    world.fault = lambda request: next(gone, None) if request.url.endswith("/events") else None
    session.answer("text")
    world.run(5)
    assert world.app.session.registrations == 2
    assert turn in world.app.session.holding
    assert world.app.turns[turn].text == "text"


@pytest.mark.parametrize("status", [400, 413])
def test_section_5_400_and_413_drop_the_batch_and_end_the_turn(status: int) -> None:
    world = paired()
    session, handle = world.open()
    turn = world.app.chat("hello")
    after = world.app.chat("after")
    world.run(1)
    refusals = iter([Response(status)])
    session.begin()
    world.settle()
    world.fault = lambda request: next(refusals, None) if request.url.endswith("/events") else None
    handle.delta("too much")
    world.run(2)
    assert world.app.turns[turn].end == wire.Ended(wire.Outcome.ERROR, wire.Reason.HOST_ERROR)
    assert world.app.turns[turn].text == ""
    assert isinstance(session, FakeSession) and session.aborts == 1
    session.answer("fine")
    world.run(1)
    assert world.app.turns[after].text == "fine"


@pytest.mark.parametrize("door", ["/register", "/poll", "/events"])
def test_section_3_401_at_any_door_is_revocation(door: str) -> None:
    world = paired()
    session, _ = world.open()
    world.app.chat("hello")
    world.run(1)
    world.fault = always(door, Response(401))
    session.begin()
    session.title = "another"
    world.run(60)
    assert "revoked" in world.status()
    assert isinstance(session, FakeSession) and session.aborts == 1, "the turn of an app without a right went on"
    assert "credentials/fake-host/https_notes.example.json" in world.files.texts
    count = len(world.sent)
    world.run(60)
    assert len(world.sent) == count


def test_section_1_404_reads_discovery_again() -> None:
    world = paired()
    session, _ = world.open()
    world.app.prefix = "/v2"
    turn = world.app.chat("after the deploy")
    world.run(40)
    session.answer("here")
    world.run(1)
    assert world.app.turns[turn].text == "here"


def test_section_2_an_id_that_changes_is_refused() -> None:
    world = paired()
    world.open()
    world.app.app = wire.App("bank", "Notes")
    world.app.prefix = "/v2"
    world.app.chat("hello")
    world.run(40)
    assert "refused; it calls itself bank now, and was paired as notes" in world.status()


@pytest.mark.parametrize("status", [429, 503])
def test_section_5_retry_after_is_obeyed(status: int) -> None:
    world = paired()
    world.open()
    world.run(30)
    world.fault = always("/poll", Response(status, {"retry-after": "40"}))
    start = world.clock.now
    world.run(100)
    times = at(world, "/poll", start)
    assert round(times[1] - times[0]) == 40


@pytest.mark.parametrize("outcome", [Response(500), Failure("connection reset"), Response(200, {}, b"<html>")])
@pytest.mark.parametrize("door", ["/register", "/poll", "/events"])
def test_section_5_troubles_back_off_up_to_30_s_and_pass(door: str, outcome: Outcome) -> None:
    world = paired()
    session, _ = world.open()
    turn = world.app.chat("hello")
    world.run(1)
    start = world.clock.now
    world.fault = always(door, outcome)
    if door == "/register":
        session.host_session_id = "s2"
    elif door == "/events":
        session.begin()
    world.run(300)
    times = at(world, door, start)
    gaps = [after - before for before, after in itertools.pairwise(times)]
    if door == "/poll":
        gaps = gaps[1:]  # the first was held before the trouble
    assert all(gap <= 31 for gap in gaps) and gaps[0] <= 3 and max(gaps) >= 15
    if outcome == Response(500):
        assert f"{ORIGIN} answers 500" in world.status()
    world.fault = lambda request: None
    if door == "/events":
        world.run(31)
        session.end()
        world.run(1)
        assert world.app.turns[turn].end == wire.Ended(wire.Outcome.DONE)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_section_1_no_redirect_is_followed_and_the_origin_is_named(status: int) -> None:
    world = paired()
    world.open()
    world.run(30)
    world.fault = always("/poll", Response(status, {"location": "https://other.example/poll"}))
    world.run(30)
    assert f"{ORIGIN} answers with a redirect" in world.status()
    assert all(request.url.startswith(ORIGIN) for _, request in world.sent)


def test_section_1_an_answer_that_is_too_large_is_refused_even_when_the_driver_let_it_pass() -> None:
    world = paired()
    world.open()
    world.run(30)
    world.fault = always("/poll", Response(200, {}, b" " * (1024 * 1024 + 1)))
    world.run(30)
    assert "larger than" in world.status()


def test_section_5_end_closes_the_session_until_its_key_changes() -> None:
    world = paired()
    session, _ = world.open()
    running, queued = world.app.chat("one"), world.app.chat("two")
    world.run(1)
    session.begin()
    world.app.leave()
    world.run(2)
    closed = wire.Ended(wire.Outcome.ERROR, wire.Reason.SESSION_CLOSED)
    assert [world.app.turns[turn].end for turn in (running, queued)] == [closed, closed]
    assert isinstance(session, FakeSession) and session.aborts == 1
    start = world.clock.now
    world.run(60)
    assert not at(world, "/poll", start) and "ended by the app" in world.status()
    session.host_session_id = "s2"
    world.run(2)
    assert at(world, "/poll", start)


def test_section_5_a_new_process_holds_nothing_and_the_app_ends_what_was_open() -> None:
    world = paired()
    session, _ = world.open()
    turn = world.app.chat("hello")
    world.run(1)
    session.begin()
    world.restart()
    world.open(FakeSession())
    assert world.app.session.holding == ()
    assert world.app.turns[turn].end == wire.Ended(wire.Outcome.ERROR, wire.Reason.SESSION_CLOSED)


def test_section_5_a_turn_whose_end_was_not_taken_is_still_held() -> None:
    world = paired()
    session, _ = world.open()
    turn = world.app.chat("hello")
    world.run(1)
    world.fault = always("/events", Failure("down"))
    session.answer("text")
    session.title = "renamed"
    world.run(30)
    assert world.app.session.holding == (turn,)
    world.fault = lambda request: None
    world.run(31)
    assert world.app.turns[turn].end == wire.Ended(wire.Outcome.DONE)


def test_section_5_a_setting_that_was_offered_is_applied_and_another_is_dropped() -> None:
    world = paired()
    session, _ = world.open()
    assert isinstance(session, FakeSession)
    for setting, value in [("model", "large"), ("model", "huge"), ("permission_mode", "bypass")]:
        world.app.set(setting, value)
    world.run(1)
    assert session.applied == [("model", "large")]
    assert "permission_mode=bypass" in world.status()


def test_section_5_what_changes_permissions_is_never_offered() -> None:
    world = paired()
    looser = wire.Setting("permission_mode", "Mode", ("ask", "bypass"), "ask")
    world.open(FakeSession(choices=(looser, wire.Setting("model", "Model", ("small",)))))
    assert [setting.id for setting in world.app.session.info.settings] == ["model"]


def test_section_5_another_apps_turn_cannot_be_stopped() -> None:
    world = World(ScriptedApp(ORIGIN), ScriptedApp("https://other.example", "other", "Other"))
    world.pair(ORIGIN)
    world.pair("https://other.example")
    session, _ = world.open()
    turn = world.apps[ORIGIN].chat("mine")
    world.run(1)
    session.begin()
    world.apps["https://other.example"].stop(turn)
    world.run(2)
    assert isinstance(session, FakeSession) and session.aborts == 0
    assert world.apps[ORIGIN].turns[turn].end is None


def test_a_request_that_the_driver_loses_hangs_nothing() -> None:
    world = paired()
    world.open()
    world.run(30)
    world.waiting.clear()
    world.app.drop_polls()
    start = world.clock.now
    world.run(60)
    assert len(at(world, "/poll", start)) >= 1


def test_a_session_that_detaches_still_delivers_the_end() -> None:
    world = paired()
    session, handle = world.open()
    turn = world.app.chat("hello")
    world.run(1)
    session.begin()
    losses = iter([Failure("down"), Failure("down")])
    world.fault = lambda request: next(losses, None) if request.url.endswith("/events") else None
    handle.detach()
    world.run(10)
    assert world.app.turns[turn].end == wire.Ended(wire.Outcome.ERROR, wire.Reason.SESSION_CLOSED)


def test_turns_of_two_apps_run_in_arrival_order() -> None:
    other = "https://other.example"
    world = World(ScriptedApp(ORIGIN), ScriptedApp(other, "other", "Other"))
    world.pair(ORIGIN)
    world.pair(other)
    session, _ = world.open()
    session.busy = True
    order = [(ORIGIN, "one"), (other, "two"), (ORIGIN, "three")]
    for origin, text in order:
        world.apps[origin].chat(text)
        world.run(1)
    session.busy = False
    for _, text in order:
        world.run(1)
        assert session.prompts[0].endswith(text)
        session.answer(f"answer to {text}")
    world.run(1)
    assert [turn.text for turn in world.apps[ORIGIN].turns.values()] == ["answer to one", "answer to three"]
    assert isinstance(next(iter(world.apps[other].turns.values())), AppTurn)
