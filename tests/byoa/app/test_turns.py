"""Chat, deltas, stop, take-over, settings, session change: the app's API on one side, the real pairer on the other."""

import asyncio
from contextlib import aclosing

import pytest

from agent_connector.byoa.app import Account, AppError, Delta, Ended, Outcome, Reason, Started, Tool
from agent_connector.byoa.core.effects import Failure
from agent_connector.testing.byoa.fakes import PlainSession

ADA, BOB = Account("1", "Ada"), Account("2", "Bob")
CLOSED = (Outcome.ERROR, Reason.SESSION_CLOSED)
DONE = (Outcome.DONE, None)


async def end_of(turn):
    """How a turn ended: there is one end, and it is the last event."""
    events = [event async for event in turn]
    assert [event for event in events if isinstance(event, Ended)] == events[-1:]
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    return events[-1].outcome, events[-1].reason


async def ask(scene, host, session, text="What is new?"):
    """A turn that the host has begun."""
    turn = await session.chat(text)
    await scene.world.until(lambda: host.prompts)
    host.begin()
    await scene.world.settled()
    return turn


def test_a_turn_from_prompt_to_end(play):
    async def story(scene):
        host, session = await scene.live()
        turn = await session.chat("What is new?")
        await scene.world.until(lambda: host.prompts)
        assert host.prompts[0].endswith("\n\nWhat is new?") and "on behalf of Ada" in host.prompts[0]
        host.begin()
        host.reports.delta("Noth")
        host.reports.tool("search", "Searching")
        host.reports.delta("ing.")
        host.end()
        await scene.world.settled()
        assert [event async for event in turn] == [
            Started(1),
            Delta(2, "Noth"),
            Tool(3, "search", "Searching"),
            Delta(4, "ing."),
            Ended(5, Outcome.DONE),
        ]
        assert await turn.answer() == "Nothing."

    play(story)


def test_deltas_reach_a_reader_while_the_host_still_works(play):
    async def story(scene):
        host, session = await scene.live()
        seen = []

        async def read():
            async for event in session.chat("Go", sender="Eve of Acme"):
                seen.append(event)

        reading = asyncio.create_task(read())
        await scene.world.until(lambda: host.prompts)
        assert "on behalf of Eve of Acme" in host.prompts[0]
        host.begin()
        host.reports.delta("one")
        await scene.world.until(lambda: len(seen) == 2)
        host.reports.delta("two")
        await scene.world.until(lambda: len(seen) == 3)
        assert seen == [Started(1), Delta(2, "one"), Delta(3, "two")]
        host.end()
        await scene.world.until(reading.done)

    play(story)


def test_turns_run_in_the_order_they_were_asked(play):
    async def story(scene):
        host, session = await scene.live()
        asked = [await session.chat(f"number {number}") for number in range(3)]
        for number in range(3):
            await scene.world.until(lambda: host.prompts)
            assert host.prompts[0].endswith(f"number {number}") and len(host.prompts) == 1
            host.answer(f"answer {number}")
        await scene.world.settled()
        assert [await turn.answer() for turn in asked] == ["answer 0", "answer 1", "answer 2"]
        (same,) = await scene.byoa.sessions_of(ADA)
        assert [turn.text for turn in await same.turns()] == ["number 0", "number 1", "number 2"]

    play(story)


def test_stop_ends_the_running_turn_and_the_queued_one(play):
    async def story(scene):
        host, session = await scene.live()
        running = await ask(scene, host, session)
        queued = await session.chat("later")
        await scene.world.settled()
        assert session.can_stop
        await session.stop()
        await scene.world.until(lambda: host.aborts)
        await scene.world.settled()
        assert await end_of(running) == await end_of(queued) == (Outcome.INTERRUPTED, Reason.STOPPED)
        await running.stop()  # nothing is sent any more
        assert await scene.store.run(lambda tx: tx.row("SELECT COUNT(*) FROM byoa_messages")) == (0,)
        await scene.world.go(3)
        assert host.aborts == 1 and host.prompts == []

    play(story)


def test_the_person_takes_over(play):
    async def story(scene):
        host, session = await scene.live()
        turn = await ask(scene, host, session)
        host.reports.delta("before")
        await scene.world.settled()
        host.reports.foreign_prompt()
        host.reports.delta("never seen")
        host.reports.taken_over()
        await scene.world.settled()
        assert await end_of(turn) == (Outcome.INTERRUPTED, Reason.TAKEN_OVER)
        assert await turn.answer() == "before"

    play(story)


def test_settings_are_chosen_among_what_is_offered(play):
    async def story(scene):
        host, session = await scene.live()
        with pytest.raises(AppError, match="not offered"):
            await session.set("model", "huge")
        with pytest.raises(AppError, match="not offered"):
            await session.set("permission_mode", "small")
        await session.set("model", "large")
        await scene.world.until(lambda: host.applied)
        assert host.applied == [("model", "large")]

    play(story)


def test_state_and_names_follow_the_host(play):
    async def story(scene):
        host, session = await scene.live()
        assert (session.state, session.title, session.machine, session.host) == (
            "idle",
            "A session",
            "test machine",
            "fake-host",
        )
        assert (session.workspace.folder_name, session.workspace.path) == ("app", None)
        host.blocked, host.title = True, "Another title"
        await scene.world.go(60)
        (session,) = await scene.byoa.sessions_of(ADA)
        assert (session.state, session.title) == ("blocked", "Another title")

    play(story)


def test_a_new_conversation_is_a_new_session_and_the_old_one_goes_away(play):
    async def story(scene):
        host, old = await scene.live()
        host.host_session_id = "s2"
        await scene.world.go(3)
        new, still = await scene.byoa.sessions_of(ADA)
        assert (still.id, new.state) == (old.id, "idle") and new.id != old.id
        turn = await old.chat("is anybody there?")
        await scene.world.go(100)
        assert await end_of(turn) == CLOSED
        assert [session.state for session in await scene.byoa.sessions_of(ADA)] == ["idle", "away"]
        assert host.prompts == []

    play(story)


def test_end_closes_the_turns_and_the_session_is_listed_no_more(play):
    async def story(scene):
        host, session = await scene.live()
        running = await ask(scene, host, session)
        queued = await session.chat("later")
        await scene.world.settled()
        await session.end()
        await scene.world.go(5)
        assert await end_of(running) == await end_of(queued) == CLOSED
        assert await scene.byoa.sessions_of(ADA) == []
        assert await end_of(await session.chat("too late")) == CLOSED
        polls = len(scene.world.sent)
        await scene.world.go(60)
        assert len(scene.world.sent) == polls

    play(story)


def test_a_session_that_the_app_has_ended_stays_so_until_there_is_a_new_conversation(play):
    async def story(scene):
        host, session = await scene.live()
        await session.end()
        for _ in range(2):
            scene.world.restart()
            host, _ = await scene.world.attach(type(host)())
            await scene.world.go(5)
            assert await scene.byoa.sessions_of(ADA) == []
        host.host_session_id = "s2"
        await scene.world.go(3)
        (new,) = await scene.byoa.sessions_of(ADA)
        assert new.id != session.id

    play(story)


def test_a_session_that_nobody_polls_is_away_and_its_turns_end_once(play):
    async def story(scene):
        host, session = await scene.live()
        turn = await ask(scene, host, session)
        scene.world.fault = lambda request: Failure("no route")
        reading = asyncio.create_task(end_of(turn))
        await scene.world.go(84)
        assert not reading.done()
        await scene.world.go(30)
        assert await reading == CLOSED
        (away,) = await scene.byoa.sessions_of(ADA)
        assert away.state == "away"
        assert await end_of(await away.chat("hello?")) == CLOSED
        host.reports.delta("late")
        host.end()
        scene.world.fault = lambda request: None
        await scene.world.go(60)
        assert await end_of(turn) == CLOSED and await turn.answer() == ""
        (back,) = await scene.byoa.sessions_of(ADA)
        assert back.state == "idle" and host.prompts == []

    play(story)


def test_a_turn_of_a_session_that_was_away_stays_ended_when_nobody_looked_meanwhile(play):
    async def story(scene):
        host, session = await scene.live()
        turn = await ask(scene, host, session)
        scene.world.fault = lambda request: Failure("no route")
        await scene.world.go(120)
        host.reports.delta("too late")
        host.end()
        scene.world.fault = lambda request: None
        await scene.world.go(60)
        assert await end_of(turn) == CLOSED and await turn.answer() == ""

    play(story)


def test_a_turn_is_read_again_from_where_it_was_left(play):
    async def story(scene):
        host, session = await scene.live()
        turn = await ask(scene, host, session)
        host.reports.delta("one")
        await scene.world.settled()

        async def first_two():
            async with aclosing(turn.events()) as events:
                return [await anext(events), await anext(events)]

        assert (await first_two())[-1] == Delta(2, "one")
        assert await turn.so_far() == [Started(1), Delta(2, "one")] and await turn.so_far(after=2) == []
        lost = asyncio.create_task(turn.answer())
        await scene.world.settled()
        lost.cancel()
        await asyncio.gather(lost, return_exceptions=True)
        host.reports.delta("two")
        host.end()
        await scene.world.settled()
        again = await scene.byoa.turn(ADA, turn.id)
        assert [event async for event in again.events(after=2)] == [Delta(3, "two"), Ended(4, Outcome.DONE)]
        assert (again.text, again.outcome) == ("What is new?", Outcome.DONE)
        assert await scene.byoa.turn(BOB, turn.id) is None
        assert await scene.byoa.session(BOB, session.id) is None and await scene.byoa.sessions_of(BOB) == []

    play(story)


def test_lost_answers_change_nothing(play):
    async def story(scene):
        host, session = await scene.live()
        lost = {"poll": 0, "events": 0, "sessions": 0}

        def lose(request):
            """The first three answers of every door."""
            door = request.url.rsplit("/", 1)[-1]
            lost[door] = lost.get(door, 0) + 1
            return door in ("poll", "events", "sessions") and lost[door] <= 3

        scene.world.lose_answer = lose
        host.title = "Told again"
        turns = [await session.chat(f"number {number}") for number in range(3)]
        for number in range(3):
            await scene.world.until(lambda: host.prompts)
            host.begin()
            for part in range(3):
                host.reports.delta(f"{number}.{part} ")
                await scene.world.settled()
            host.end()
        await scene.world.go(40)
        assert min(lost[door] for door in ("poll", "events", "sessions")) > 3
        assert [await turn.answer() for turn in turns] == [f"{n}.0 {n}.1 {n}.2 " for n in range(3)]
        assert {await end_of(turn) for turn in turns} == {DONE}

    play(story)


def test_the_app_is_restarted_in_the_middle_of_a_turn(play):
    async def story(scene):
        host, session = await scene.live()
        turn = await ask(scene, host, session)
        host.reports.delta("before ")
        await scene.world.settled()
        other = scene.app()
        scene.world.move_to(other)
        host.reports.delta("after")
        host.end()
        await scene.world.go(10)
        again = await other.turn(ADA, turn.id)
        assert await again.answer() == "before after" and await end_of(again) == DONE
        await other.close()

    play(story)


def test_the_host_is_restarted_and_its_turns_end_but_what_waits_still_runs(play):
    async def story(scene):
        host, session = await scene.live()
        turn = await ask(scene, host, session)
        scene.world.restart()
        waiting = await session.chat("after the restart")
        fresh = type(host)()
        await scene.world.go(1)
        await scene.world.attach(fresh)
        assert await end_of(turn) == CLOSED
        await scene.world.until(lambda: fresh.prompts)
        fresh.answer("here I am")
        await scene.world.settled()
        assert await waiting.answer() == "here I am"
        (same,) = await scene.byoa.sessions_of(ADA)
        assert same.id == session.id

    play(story)


def test_registering_again_keeps_what_the_pairer_holds(play):
    async def story(scene):
        host, session = await scene.live()
        turn = await ask(scene, host, session)
        host.title = "Makes it register again"
        await scene.world.go(60)
        assert (await scene.byoa.turn(ADA, turn.id)).outcome is None
        host.end()
        await scene.world.settled()
        assert await end_of(turn) == DONE

    play(story)


def test_revoking_ends_turns_and_polls_at_once(play):
    async def story(scene):
        host, session = await scene.live()
        turn = await ask(scene, host, session)
        assert not await scene.byoa.revoke(BOB, session.connection_id)
        assert await scene.byoa.revoke(ADA, session.connection_id)
        await scene.world.until(lambda: "has revoked this pairing" in " ".join(scene.world.host.toasts), 2)
        assert await end_of(turn) == CLOSED
        assert await scene.byoa.sessions_of(ADA) == [] and await scene.byoa.connections_of(ADA) == []
        assert "revoked" in await scene.world.status_text()

    play(story)


def test_a_poll_that_is_held_hears_of_its_revocation(play):
    async def story(scene):
        _, session = await scene.live()
        await scene.byoa.revoke(ADA, session.connection_id)
        await scene.world.until(lambda: "has revoked this pairing" in " ".join(scene.world.host.toasts), 2)

    play(story)


def test_disconnect_in_the_terminal_ends_the_connection(play):
    async def story(scene):
        await scene.live()
        command = scene.world.pairer.disconnect("notes")
        await scene.world.until(lambda: scene.world.said.get(command))
        assert scene.world.said[command][-1].ok, scene.world.text(command)
        assert await scene.byoa.connections_of(ADA) == []

    play(story)


def test_a_host_without_abort_and_settings(play):
    async def story(scene):
        host, session = await scene.live(PlainSession())
        assert (session.can_stop, list(session.settings)) == (False, [])
        turn = await ask(scene, host, session)
        await turn.stop()
        await scene.world.go(2)
        assert await end_of(turn) == (Outcome.INTERRUPTED, Reason.STOPPED)

    play(story)


def test_more_than_a_poll_may_hold_comes_in_parts(play):
    async def story(scene):
        host, session = await scene.live()
        size = 200 * 1024
        turns = [await session.chat(f"{number} " + "\n" * size) for number in range(6)]
        for number in range(6):
            await scene.world.until(lambda: host.prompts)
            assert f"\n{number} " in host.prompts[0] and len(host.prompts[0]) > size
            host.answer("read")
        await scene.world.settled()
        assert {await end_of(turn) for turn in turns} == {DONE}

    play(story)


@pytest.mark.parametrize(
    ("text", "sender"),
    [
        ("x" * 262_145, "Ada"),
        ("\x01" * 200_000, "Ada"),
        ("half \ud800", "Ada"),
        ("a\0b", "Ada"),
        ("hi", ""),
        ("hi", "a\nb"),
    ],
)
def test_what_cannot_be_sent_is_refused_here(play, text, sender):
    async def story(scene):
        _, session = await scene.live()
        with pytest.raises(AppError):
            await session.chat(text, sender)
        assert await session.turns() == []

    play(story)


def test_short_polling(play):
    async def story(scene):
        host, session = await scene.live()
        turn = await session.chat("hello")
        await scene.world.until(lambda: host.prompts, 5)
        host.answer("hello too")
        await scene.world.settled()
        assert await turn.answer() == "hello too"

    play(story, hold=0, interval=2)


def test_what_is_old_is_forgotten_only_when_the_app_asks(play):
    async def story(scene):
        host, session = await scene.live()
        old = await ask(scene, host, session)
        host.end()
        await scene.world.go(1000)
        young = await ask(scene, host, session)
        host.end()
        await scene.world.settled()
        assert await end_of(old) == DONE
        await scene.byoa.prune(500)
        assert await scene.byoa.turn(ADA, old.id) is None and await end_of(young) == DONE
        assert [turn.id for turn in await session.turns()] == [young.id]
        await scene.byoa.revoke(ADA, session.connection_id)
        await scene.world.go(1000)
        await scene.byoa.prune(500)
        tables = ("turns", "events", "messages", "sessions", "connections")
        assert await scene.store.run(
            lambda tx: [tx.row(f"SELECT COUNT(*) FROM byoa_{table}")[0] for table in tables]  # noqa: S608
        ) == [0] * len(tables)

    play(story)
