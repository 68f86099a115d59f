"""Checks of an app: what it takes of a turn, and that each turn has one end (section 5 of docs/byoa-wire.md)."""

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.protocol.limits import AWAY_AFTER_HOLD
from agent_connector.testing.byoa.conformance.report import Failed, NotApplicable, Table, expect
from agent_connector.testing.byoa.conformance.stage import Stage

TABLE = Table[Stage]()
DONE = wire.Ended(wire.Outcome.DONE)
BY_THE_APP = "error/session_closed"


@TABLE.check(5, 'the app drops a `seq` that it has and answers `{"next": n}`')
async def a_batch_is_taken_once(stage: Stage) -> str:
    session, turn = stage.live, stage.running
    for seq, event in enumerate((wire.Started(), wire.Delta("Hel"), wire.Delta("lo."))):
        following = await stage.taken(session, turn, seq, event)
        expect(following == seq + 1, f"batch {seq} is answered with next {following}")
        again = await stage.taken(session, turn, seq, event)
        expect(again == seq + 1, f"batch {seq}, sent again, is answered with next {again}")
    stage.seq = 3
    return "next 1, 2, 3; each batch sent twice"


@TABLE.check(5, "A tool is a name and at most a fixed label.")
async def tools_and_empty_batches_are_taken(stage: Stage) -> str:
    session, turn = stage.live, stage.running
    for event in ((wire.ToolStep("search", "Searching"),), (wire.ToolStep("read"),), ()):
        following = await stage.taken(session, turn, stage.seq, *event)
        stage.seq += 1
        expect(following == stage.seq, f"next {following} after batch {stage.seq - 1}")
    return f"next {stage.seq}"


@TABLE.check(0, "A reader ignores fields it does not know")
async def unknown_fields_and_events_are_passed_over(stage: Stage) -> str:
    session, turn = stage.live, stage.running
    text = (
        f'{{"session_id":"{session.id}","turn":"{turn}","seq":{stage.seq},"new":1,'
        '"events":[{"type":"from_the_future"},{"type":"delta","text":"!","new":[]}]}'
    )
    answer = await stage.ask(stage.doors.events, text.encode(), session.token)
    expect(answer.status == 200, f"events answers {answer.status} to an event of a type that it does not know")
    stage.seq += 1
    return "200"


@TABLE.check(5, "`stop` reaches only a turn of the app that sends it.", seconds=400)
async def a_stop_names_its_turn(stage: Stage) -> str:
    session, turn = stage.live, stage.running
    await stage.person.stop(session.info.title or "", turn)
    message = await stage.until(session, wire.Stop)
    expect(isinstance(message, wire.Stop) and message.turn == turn, f"the stop is for {message}")
    return turn


@TABLE.check(5, "what comes later for such a turn is accepted and dropped", seconds=90)
async def after_the_end_all_is_accepted_and_dropped(stage: Stage) -> str:
    session, turn = stage.live, stage.running
    end = wire.Ended(wire.Outcome.INTERRUPTED, wire.Reason.STOPPED)
    await stage.taken(session, turn, stage.seq, end)
    await stage.taken(session, turn, stage.seq + 1, wire.Delta("late"), DONE)
    await stage.register(session.info, session.token)  # holds nothing: would end what is open
    return await _recorded(stage, turn, "interrupted/stopped")


async def _recorded(stage: Stage, turn: str, end: str) -> str:
    """The one end that the app must have; what cannot be seen is not claimed."""
    try:
        ends = await stage.person.ends(turn)
    except NotApplicable as reason:
        return f"accepted ({reason})"
    expect(ends == [end], f"recorded: {', '.join(ends) or 'no end'}; should be: {end}")
    return f"accepted; one end is recorded: {end}"


@TABLE.check(5, "every acknowledged turn that a new `holding` does not name", seconds=400)
async def what_is_held_stays_open_and_what_is_not_ends(stage: Stage) -> str:
    session = stage.live
    kept, lost = await stage.chat(session, "Keep this."), await stage.chat(session, "Lose this.")
    await stage.messages(session)  # acknowledges
    await stage.register(session.info, session.token, (kept,))
    for turn in (kept, lost):
        await stage.taken(session, turn, 0, wire.Started(), DONE)
    await _recorded(stage, kept, "done")
    return await _recorded(stage, lost, BY_THE_APP)


@TABLE.check(5, "every open turn of a session that nobody polled for `poll_hold_seconds + 60`", seconds=60)
async def turns_of_a_session_that_is_away_end(stage: Stage) -> str:
    if not stage.clock.free:
        raise NotApplicable(f"it takes {stage.discovery.hold + AWAY_AFTER_HOLD:.0f} s")
    session = stage.live
    turn = await stage.chat(session, "Wait for me.")
    await stage.clock.sleep(stage.discovery.hold + AWAY_AFTER_HOLD + 5)
    await stage.taken(session, turn, 0, wire.Started(), DONE)
    seen = await _recorded(stage, turn, BY_THE_APP)
    stage.session = await stage.register(session.info, session.token)
    return seen


@TABLE.check(5, "After `end` every turn of that app in this session ends `error`/`session_closed`", seconds=400)
async def an_end_comes_as_a_message(stage: Stage) -> str:
    session = await stage.register(stage.described("ending"), stage.token)
    await stage.person.end(session.info.title or "")
    message = await stage.until(session, wire.End)
    if not isinstance(message, wire.End):
        raise Failed(f"{message} came")
    return message.id
