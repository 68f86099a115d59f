"""Checks of an app: register and poll, whose a session is, and what the cursor promises (section 5 of docs/byoa-wire.md)."""

import asyncio

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.core.effects import Response
from agent_connector.byoa.protocol.limits import DOOR_BODY, POLL_MESSAGES
from agent_connector.testing.byoa.conformance.report import NotApplicable, Table, expect
from agent_connector.testing.byoa.conformance.stage import Stage

TABLE = Table[Stage]()
LATE = 5.0  # what a network may add to the time that a poll is held
LARGE = 200 * 1024


@TABLE.check(3, "401 at any door means that it has ended")
async def no_token_opens_no_door(stage: Stage) -> str:
    for token in (None, "x" * 43, "a.b-c~d"):
        found = await stage.statuses(token)
        expect(set(found.values()) == {401}, f"{'no' if token is None else 'a made-up'} token gets {found}")
    return "401 everywhere"


@TABLE.check(5, "Registering it again gives the same session and the last acknowledged cursor.")
async def the_same_key_is_the_same_session(stage: Stage) -> str:
    session = stage.live
    again = await stage.register(session.info, session.token)
    expect(again.id == session.id, "another session for the same key")
    expect(again.cursor == session.cursor, f"cursor {again.cursor!r} after {session.cursor!r}")
    return f"{again.id}, cursor {again.cursor!r}"


@TABLE.check(5, "A new conversation is a new key.")
async def another_key_is_another_session(stage: Stage) -> str:
    other = await stage.register(stage.described("other"), stage.token)
    expect(other.id != stage.live.id, "one session for two keys")
    return f"{other.id} and {stage.live.id}"


@TABLE.check(5, "Every door checks that the session is the token's and the turn the session's: 410")
async def a_session_that_was_never_given_is_gone(stage: Stage) -> str:
    token = stage.token
    poll = await stage.refuses(stage.doors.poll, wire.Poll("s_none", "", "idle").dump(), token, 410)
    batch = wire.Batch("s_none", "m_none", 0, (wire.Started(),)).dump()
    return f"{poll}, {await stage.refuses(stage.doors.events, batch, token, 410)}"


@TABLE.check(5, "410 for a session of somebody else, 400 for a turn", seconds=900)
async def a_session_of_another_connection_is_gone(stage: Stage) -> str:
    session = stage.live
    pairing = await stage.start()
    paired = await stage.approved(pairing)
    stage.tokens.append(paired.token)
    body = wire.Poll(session.id, session.cursor, "idle").dump()
    seen = await stage.refuses(stage.doors.poll, body, paired.token, 410)
    batch = wire.Batch(session.id, "m_none", 0, (wire.Started(),)).dump()
    await stage.refuses(stage.doors.events, batch, paired.token, 410)
    theirs = await stage.register(stage.described("main", "conformance of another"), paired.token)
    expect(theirs.id != session.id, "the key of another connection's session gives that session")
    return f"{seen}, and a session of its own for the same key"


@TABLE.check(5, "410 for a session of somebody else, 400 for a turn")
async def a_turn_that_was_never_given_is_refused(stage: Stage) -> str:
    session = stage.live
    answer = await stage.tell(session, "m_none", 0, wire.Started())
    expect(answer.status == 400, f"events of a turn that the app never sent get {answer.status}")
    return "400"


@TABLE.check(0, "is strict about those it needs")
async def what_is_no_request_is_refused(stage: Stage) -> str:
    doors = (stage.doors.register, stage.doors.poll, stage.doors.events)
    bad = (b"", b"[]", b"{}", b"\xff", b'{"session":NaN}', b'{"a":1,"a":2}', b"[" * 100_000)
    seen = [await stage.refuses(door, body, stage.token, 400, 413, 422) for door in doors for body in bad]
    return f"{len(seen)} bodies refused with {', '.join(sorted(set(seen)))}"


@TABLE.check(1, "A body is at most 64 KiB for discovery and pairing, 1 MiB at the doors, 8 MiB at the MCP endpoint.")
async def large_bodies_at_doors_are_refused(stage: Stage) -> str:
    doors = (stage.doors.register, stage.doors.poll, stage.doors.events)
    return ", ".join([await stage.refuses_size(door, DOOR_BODY, stage.token) for door in doors])


@TABLE.check(5, "**poll** acknowledges with its cursor and is held up to `poll_hold_seconds`.", seconds=90)
async def a_poll_without_news_is_held_and_empty(stage: Stage) -> str:
    session, hold = stage.live, stage.discovery.hold
    start = stage.clock.now()
    answer = await stage.poll(session)
    took = stage.clock.now() - start
    expect(answer.status == 204, f"a poll without news answers {answer.status}")
    expect(took <= hold + LATE, f"it was held {took:.1f} s of {hold}")
    return f"204 after {took:.1f} s of {hold}"


@TABLE.check(5, "another pairer polls: 1, 2, 4 ... 30 s, and `status` says so", seconds=90)
async def one_of_two_polls_is_superseded(stage: Stage) -> str:
    session = stage.live
    if not stage.discovery.hold:
        raise NotApplicable("this app holds no poll")
    one = asyncio.ensure_future(stage.poll(session))
    await stage.clock.sleep(0.3)  # one is held when the other comes
    other = asyncio.ensure_future(stage.poll(session))
    answers: list[Response] = list(await asyncio.gather(one, other))
    found = sorted(answer.status for answer in answers)
    expect(found == [204, 409], f"two polls of one session get {found}")
    return f"{answers[0].status} to the first, {answers[1].status} to the second"


@TABLE.check(5, "A cursor is a string or an integer; it means nothing to the pairer", seconds=400)
async def a_message_comes_until_it_is_acknowledged(stage: Stage) -> str:
    session = stage.live
    before = session.cursor
    stage.turn = await stage.chat(session, "Say hello.")
    expect(session.cursor != before, "the cursor does not move with a message")
    again = await stage.messages(session, before)
    lost = again is None or stage.turn not in [message.id for message in again.messages]
    expect(not lost, "a message that was not acknowledged does not come again")
    return f"{stage.turn}, twice"


@TABLE.check(5, "Registering it again gives the same session and the last acknowledged cursor.", seconds=90)
async def the_cursor_acknowledges(stage: Stage) -> str:
    turn, session = stage.running, stage.live
    found = await stage.messages(session)
    came = [] if found is None else [message.id for message in found.messages]
    expect(turn not in came, "an acknowledged message comes again")
    again = await stage.register(session.info, session.token, (turn,))
    expect(
        again.cursor == session.cursor, f"register gives cursor {again.cursor!r}, acknowledged was {session.cursor!r}"
    )
    return f"cursor {again.cursor!r}"


@TABLE.check(1, "A poll gives at most 512 KiB of messages, the rest with the next one.", seconds=120)
async def large_messages_come_in_parts(stage: Stage) -> str:
    if stage.person.patience > 60:
        raise NotApplicable("nobody types that much")
    session = await stage.register(stage.described("large"), stage.token)
    texts = [letter * LARGE for letter in "abc"]
    for text in texts:
        await stage.person.chat(session.info.title or "", text)
    came: list[str] = []
    largest = 0
    for _ in range(10):
        if len(came) == len(texts):
            break
        answer = await stage.poll(session)
        expect(answer.status == 200, f"poll answers {answer.status} with messages left")
        largest = max(largest, len(answer.body))
        found = wire.parse_messages(answer.body)
        session.cursor = found.cursor
        came += [message.text for message in found.messages if isinstance(message, wire.Chat)]
    expect(came == texts, f"{len(came)} of 3 messages came, or in another order")
    expect(largest <= POLL_MESSAGES + 4096, f"a poll gave {largest} bytes")
    return f"at most {largest} bytes at once"
