"""Turns beside a person (section 6), rule by rule; the interleavings are in `test_turns_model`."""

import pytest

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.core.turns import MOVES, After, Input, Phase
from agent_connector.testing.byoa import FakeSession, ScriptedApp, World
from agent_connector.testing.byoa.fakes import PlainSession

ORIGIN = "https://notes.example"
DONE = wire.Ended(wire.Outcome.DONE)
STOPPED = wire.Ended(wire.Outcome.INTERRUPTED, wire.Reason.STOPPED)
TAKEN_OVER = wire.Ended(wire.Outcome.INTERRUPTED, wire.Reason.TAKEN_OVER)
REJECTED = wire.Ended(wire.Outcome.ERROR, wire.Reason.REJECTED)


def opened(session: PlainSession | None = None) -> tuple[World, PlainSession]:
    world = World(ScriptedApp(ORIGIN))
    world.pair(ORIGIN)
    return world, world.open(session)[0]


def running(session: PlainSession | None = None) -> tuple[World, PlainSession, str]:
    world, live = opened(session)
    turn = world.app.chat("hello")
    world.run(1)
    assert live.begin()
    return world, live, turn


def end_of(world: World, turn: str) -> wire.Ended | None:
    world.run(2)
    return world.app.turns[turn].end


@pytest.mark.parametrize("hindrance", ["busy", "blocked"])
def test_section_6_a_turn_starts_only_when_the_host_is_neither_busy_nor_blocked(hindrance: str) -> None:
    world, session = opened()
    setattr(session, hindrance, True)
    world.app.chat("hello")
    world.run(5)
    assert not session.prompts
    setattr(session, hindrance, False)
    world.run(1)
    assert len(session.prompts) == 1


def test_section_6_one_at_a_time() -> None:
    world, session, _ = running()
    world.app.chat("second")
    world.run(5)
    assert not session.prompts
    session.end()
    world.run(1)
    assert session.prompts[0].endswith("second")


def test_section_6_what_the_person_does_alone_never_leaves() -> None:
    world, session = opened()
    assert session.begin("a prompt of the person") is False
    session.reports.delta("private")
    session.reports.tool("Read")
    session.end()
    turn = world.app.chat("hello")
    world.run(1)
    session.reports.delta("between")
    session.begin("another prompt of the person")
    session.reports.delta("private")
    session.end()
    session.answer("public")
    world.run(1)
    assert (world.app.turns[turn].text, world.app.turns[turn].tools) == ("public", [])


def test_section_6_the_match_is_consumed_once() -> None:
    world, session = opened()
    turn = world.app.chat("hello")
    world.run(1)
    prompt = session.prompts[0]
    assert session.reports.is_ours(prompt)
    assert session.begin()
    assert not session.reports.is_ours(prompt)
    assert session.begin(prompt) is False, "the person sent a copy of the running prompt"
    session.reports.delta("private")
    assert (end_of(world, turn), world.app.turns[turn].text) == (TAKEN_OVER, "")


def test_section_6_a_copy_of_an_old_prompt_is_foreign() -> None:
    world, session = opened()
    world.app.chat("hello")
    world.run(1)
    prompt = session.prompts[0]
    assert session.reports.is_ours(prompt)
    session.answer("text")
    turn = world.app.chat("again")
    world.run(1)
    assert not session.reports.is_ours(prompt)
    assert session.begin(prompt) is False
    session.reports.delta("private")
    assert world.app.turns[turn].text == ""


def test_section_6_output_waits_when_the_person_announces_a_prompt_and_leaves_when_ours_ends_first() -> None:
    world, session, turn = running()
    session.reports.delta("before ")
    session.reports.foreign_prompt()
    session.reports.delta("after")
    world.run(2)
    assert world.app.turns[turn].text == "before "
    session.end()
    assert end_of(world, turn) == DONE
    assert world.app.turns[turn].text == "before after"


def test_section_6_output_that_waited_is_dropped_when_the_person_takes_over() -> None:
    world, session, turn = running()
    session.reports.delta("before")
    session.reports.foreign_prompt()
    session.reports.delta(" mixed")
    session.reports.taken_over()
    session.reports.delta(" private")
    session.end()
    assert end_of(world, turn) == TAKEN_OVER
    assert world.app.turns[turn].text == "before"
    following = world.app.chat("next")
    world.run(1)
    session.begin()
    session.reports.foreign_prompt()
    session.reports.delta("own")
    session.end()
    assert end_of(world, following) == DONE
    assert world.app.turns[following].text == "own"


def test_section_6_stop_of_a_queued_turn_ends_it_unrun() -> None:
    world, session, _ = running()
    queued = world.app.chat("second")
    world.run(1)
    world.app.stop(queued)
    assert end_of(world, queued) == STOPPED
    session.end()
    world.run(2)
    assert not session.prompts


def test_section_6_stop_of_the_running_turn_aborts_it() -> None:
    world, session, turn = running()
    world.app.stop(turn)
    assert end_of(world, turn) == STOPPED
    assert isinstance(session, FakeSession) and session.aborts == 1


def test_section_6_stop_before_the_host_begins_never_aborts_the_person() -> None:
    world, session = opened()
    turn = world.app.chat("hello")
    world.run(1)
    session.begin("the person was faster")
    world.app.stop(turn)
    assert end_of(world, turn) == STOPPED
    assert isinstance(session, FakeSession) and session.aborts == 0
    session.end()
    assert session.begin() is False
    world.settle()
    assert session.aborts == 1, "the stopped prompt began later and ran on"


def test_section_6_stop_where_the_host_cannot_abort_drops_the_output_and_waits_until_it_is_idle() -> None:
    world, session, turn = running(PlainSession())
    assert world.app.session.info.can == ()
    world.app.stop(turn)
    assert end_of(world, turn) == STOPPED
    session.reports.delta("late")
    world.app.chat("second")
    world.run(30)
    assert not session.prompts and world.app.session.state == "busy"
    session.end()
    world.run(1)
    assert session.prompts and world.app.turns[turn].text == ""


def test_section_6_a_turn_that_the_host_does_not_begin_in_60_idle_seconds_is_rejected() -> None:
    world, session = opened()
    turn = world.app.chat("hello")
    world.run(50)
    session.busy = True
    world.run(100)
    session.busy, session.blocked = False, True
    world.run(100)
    assert world.app.turns[turn].end is None
    session.blocked = False
    world.run(15)
    assert world.app.turns[turn].end == REJECTED


def test_section_6_a_rejected_turn_that_begins_later_is_aborted_and_its_output_dropped() -> None:
    world, session = opened()
    turn = world.app.chat("hello")
    world.run(65)
    assert session.begin() is False
    session.reports.delta("late")
    world.settle()
    assert isinstance(session, FakeSession) and session.aborts == 1
    assert world.app.turns[turn].text == ""


def test_section_6_a_machine_that_slept_was_not_an_idle_host() -> None:
    world, session = opened()
    turn = world.app.chat("hello")
    world.run(1)
    world.clock.advance(3600)
    world.run(2)
    assert world.app.turns[turn].end is None
    session.answer("text")
    assert end_of(world, turn) == DONE


def test_a_host_that_refuses_the_prompt_rejects_the_turn() -> None:
    world, session = opened()
    turn = world.app.chat("hello")
    world.run(1)
    session.prompts.clear()
    session.reports.refused()
    assert end_of(world, turn) == REJECTED


@pytest.mark.parametrize(
    ("outcome", "end"),
    [("done", DONE), ("error", wire.Ended(wire.Outcome.ERROR, wire.Reason.HOST_ERROR)), ("interrupted", STOPPED)],
)
def test_section_5_outcomes_of_the_host(outcome: str, end: wire.Ended) -> None:
    world, session, turn = running()
    session.end(outcome)
    assert end_of(world, turn) == end


def test_more_turns_than_a_session_queues_are_rejected() -> None:
    world, session = opened()
    session.busy = True
    turns = [world.app.chat(f"text {number}") for number in range(103)]
    world.run(2)
    assert [world.app.turns[turn].end for turn in turns[99:]] == [None, REJECTED, REJECTED, REJECTED]


def test_the_band_names_app_and_person_while_a_turn_runs() -> None:
    world, session, _ = running()
    world.settle()
    assert world.host.band == f"Notes ({ORIGIN}) is at work here for Ada"
    session.end()
    world.settle()
    assert world.host.band == ""


def test_the_table_of_moves_is_complete_and_a_turn_ends_exactly_where_it_says() -> None:
    with_turn = {Phase.AWAITING, Phase.RUNNING, Phase.HELD}
    for (phase, _), (following, after) in MOVES.items():
        ends = phase in with_turn and following not in with_turn
        assert ends == (after is After.ENDS), (phase, following)
        assert (after is After.BEGINS) == ((phase, following) == (Phase.AWAITING, Phase.RUNNING))
    for phase in with_turn:
        assert (phase, Input.CLOSED) in MOVES, "a stop must end it"
    for phase in set(Phase) - {Phase.IDLE}:
        assert any(start is phase and end[0] is Phase.IDLE for (start, _), end in MOVES.items()), "no way back"
