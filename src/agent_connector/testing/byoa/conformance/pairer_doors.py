"""Checks of a pairer: how it pairs, asks and backs off (sections 1 to 5 of docs/byoa-wire.md)."""

import itertools

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.core.effects import Response
from agent_connector.byoa.protocol.limits import DOOR_BODY
from agent_connector.testing.byoa.conformance.referee import Fault, Referee, Seen
from agent_connector.testing.byoa.conformance.report import Failed, NotApplicable, Table, expect

TABLE = Table[Referee]()
EARLY = 0.5  # what clocks may differ by
TICK = 3.0  # a pairer that looks at its clock now and then is a little late
LONG = 900.0
ALLOWED = ("model", "reasoning_effort", "output_style")


def gaps(found: list[Seen]) -> list[float]:
    """From each answer to the next request."""
    return [later.at - (earlier.ended or earlier.at) for earlier, later in itertools.pairwise(found)]


def told(seconds: list[float]) -> str:
    return ", ".join(f"{each:.1f}" for each in seconds) + " s"


async def polling(referee: Referee) -> None:
    """The pairer polls, or there is nothing to check."""
    if not referee.app.sessions:
        raise NotApplicable("no session has registered")
    await referee.until(lambda: referee.session.held or not referee.hold, 2 * referee.hold + 60, "no poll is held")


async def provoked(referee: Referee, *answers: Response, door: str = "poll") -> list[Seen]:
    """Let the next polls have these answers; gives these polls and the one after them."""
    await polling(referee)
    before = len(referee.seen)
    referee.faults[door].extend(Fault(answer) for answer in answers)

    def found() -> list[Seen]:
        mine = [seen for seen in referee.of(door, before) if seen.provoked]
        rest = [seen for seen in referee.of(door, before) if not seen.provoked and mine and seen.at >= mine[-1].at]
        return [*mine, rest[0]] if len(mine) == len(answers) and rest else []

    return await referee.until(found, referee.hold + 200, f"no {len(answers) + 1} requests at {door}")


@TABLE.check(2, "read when the pairer starts and again after a 404 at a door", seconds=LONG)
async def discovery_is_read_first(referee: Referee) -> str:
    await referee.until(lambda: referee.seen, referee.join, "nobody came")
    first = referee.seen[0]
    expect(first.door == "discovery" and first.request.method == "GET", f"the first request is at {first.request.url}")
    expect(not first.header("Authorization"), "it carries a token before it has one")
    return first.request.url


@TABLE.check(1, "always `BYOA-Version: 0.1`", seconds=LONG)
async def a_pairing_is_started(referee: Referee) -> str:
    found = await referee.until(lambda: referee.of("pair_start"), referee.join, "no pairing was started")
    expect(not referee.violations, "; ".join(referee.violations))
    client = wire.parse_pair_start(found[0].request.body)
    return f"{client.connector} for {client.host} {client.host_version}"


@TABLE.check(3, "polls at once, then every `interval`", seconds=LONG)
async def the_first_poll_comes_at_once(referee: Referee) -> str:
    found = await referee.until(lambda: referee.of("pair_poll"), 30, "no poll")
    start = referee.of("pair_start")[-1]
    late = found[0].at - (start.ended or start.at)
    expect(late <= TICK, f"the first poll came after {late:.1f} s")
    return f"after {late:.1f} s"


@TABLE.check(3, "asks again after `interval`", seconds=LONG)
async def the_interval_is_kept(referee: Referee) -> str:
    found = await referee.until(lambda: referee.of("pair_poll")[1:2] and referee.of("pair_poll"), 60, "no second poll")
    gap = gaps(found)[0]
    expect(gap >= 5 - EARLY, f"the second poll came after {gap:.1f} of 5 s")
    return told([gap])


@TABLE.check(3, "adds 5 seconds to the interval, for good", seconds=LONG)
async def slow_down_counts_for_good(referee: Referee) -> str:
    word = Response(400, {}, wire.dump_refusal(wire.Refusal.SLOW_DOWN))
    referee.faults["pair_poll"].append(Fault(word))
    found = gaps(await referee.after("pair_poll", 3, 120))
    expect(min(found) >= 10 - EARLY, f"after slow_down the next polls came after {told(found)}, not 10")
    return told(found)


@TABLE.check(3, "When the network fails or the app answers 5xx, the wait doubles, to at most 60.", seconds=LONG)
async def trouble_doubles_the_wait_and_loses_nothing(referee: Referee) -> str:
    """The answer that gets lost is the one with the token."""
    before = len(referee.seen)
    referee.app.approve()
    referee.faults["pair_poll"].append(Fault(Response(502), lost=True))

    def asked() -> list[Seen]:
        found = referee.of("pair_poll", before)
        lost = next((number for number, seen in enumerate(found) if seen.provoked), None)
        return found[lost : lost + 2] if lost is not None and len(found) > lost + 1 else []

    found = await referee.until(asked, 200, "after a lost answer nobody asked again")
    gap = gaps(found)[0]
    expect(gap >= 20 - EARLY, f"after 502 it asked again in {gap:.1f} s, not 20")
    return f"{told([gap])}, and asked again for the token"


@TABLE.check(5, "`settings` come from an allow-list (`model`, `reasoning_effort`, `output_style`).", seconds=LONG)
async def a_session_registers_with_the_last_token(referee: Referee) -> str:
    found = await referee.until(lambda: referee.of("register"), referee.join, "no session was registered")
    given = next(seen.answer for seen in reversed(referee.of("pair_poll")) if seen.answer and seen.answer.status == 200)
    token = wire.parse_paired(given.body).token
    expect(found[0].header("Authorization") == f"Bearer {token}", "it does not carry the token that was given last")
    info = wire.parse_register(found[0].request.body).session
    foreign = [setting.id for setting in info.settings if setting.id not in ALLOWED]
    expect(not foreign, f"it offers {', '.join(foreign)}")
    return f"{info.host}: {info.title}; offers {', '.join(setting.id for setting in info.settings) or 'nothing'}"


@TABLE.check(5, "and comes back exactly as it was given", seconds=LONG)
async def polls_follow_each_other(referee: Referee) -> str:
    found = list(await referee.after("poll", 2, 3 * referee.hold + 60))
    cursors = {wire.parse_poll(seen.request.body).cursor for seen in found}
    expect(len(cursors) == 1, f"without messages the cursor changes: {cursors}")
    expect(not referee.violations, "; ".join(referee.violations))
    return f"two polls, cursor {cursors.pop()!r}"


@TABLE.check(5, "another pairer polls: 1, 2, 4 ... 30 s, and `status` says so", seconds=LONG)
async def conflicts_back_off_in_steps(referee: Referee) -> str:
    found = gaps(await provoked(referee, *[Response(409)] * 3))
    early = [gap < step - EARLY for gap, step in zip(found, (1, 2, 4), strict=True)]
    expect(not any(early), f"after three times 409 it waited {told(found)}, not 1, 2, 4")
    return told(found)


@TABLE.check(5, "| 410 | register again |", seconds=LONG)
async def a_session_that_is_gone_registers_again(referee: Referee) -> str:
    before, key = len(referee.seen), referee.session.info.key
    await provoked(referee, Response(410))
    found = referee.of("register", before)
    expect(found, "it polled again without registering")
    again = wire.parse_register(found[0].request.body).session.key
    expect(again == key, "it registered another key")
    return "the same key"


@TABLE.check(5, "| 429, 503 with `Retry-After` | wait as long as it says | the same |", seconds=LONG)
async def retry_after_is_obeyed(referee: Referee) -> str:
    later = (Response(429, {"retry-after": "7"}), Response(503, {"retry-after": "4"}))
    found = gaps(await provoked(referee, *later))
    expect(found[0] >= 7 - EARLY and found[1] >= 4 - EARLY, f"it waited {told(found)} of 7 and 4")
    return told(found)


@TABLE.check(5, "back off 1 ... 30 s, with jitter", seconds=LONG)
async def trouble_backs_off(referee: Referee) -> str:
    answers = (Response(500), Response(502), Response(500), Response(500))
    found = gaps(await provoked(referee, *answers))
    expect(min(found) >= 1 - EARLY, f"after a 5xx it asked again in {told(found)}")
    expect(sum(found) >= 6, f"four times 5xx: {told(found)}; the wait does not grow")
    return told(found)


@TABLE.check(1, "Redirects are not followed.", seconds=LONG)
async def no_redirect_is_followed(referee: Referee) -> str:
    target = f"{referee.app.origin}/trap"
    before = len(referee.seen)
    await provoked(referee, *[Response(status, {"location": target}) for status in (302, 307, 308)])
    expect(not referee.of("trap", before), "it went where the redirect leads")
    return "302, 307 and 308 are not followed"


@TABLE.check(0, "is strict about those it needs", seconds=LONG)
async def what_cannot_be_understood_is_not_obeyed(referee: Referee) -> str:
    """Every answer carries a cursor that the pairer must not take."""
    bad = (
        b'{"cursor":"bad","messages":{}}',
        b'{"cursor":"bad","messages":[{"id":"m","type":"chat","text":"x","from":{"name":"a\\u202eb"}}]}',
        b'{"cursor":"bad","cursor":"bad","messages":[]}',
        b'{"cursor":"bad","messages":' + b"[" * 100_000,
        b'{"cursor":"bad\xff","messages":[]}',
        b'{"cursor":"bad","messages":[],"x":"' + b"a" * DOOR_BODY + b'"}',
    )
    found = await provoked(referee, *(Response(200, {"content-type": "application/json"}, body) for body in bad))
    cursors = {wire.parse_poll(seen.request.body).cursor for seen in found}
    expect("bad" not in cursors, "it took the cursor of an answer that is none")
    return f"{len(bad)} answers dropped, {told(gaps(found))}"


@TABLE.check(5, "| 404 | read discovery again, back off | the same |", seconds=LONG)
async def a_door_that_moved_is_found(referee: Referee) -> str:
    await polling(referee)
    before = len(referee.seen)
    referee.app.prefix = "/moved"
    place = f"{referee.app.origin}/moved/poll"
    where = await referee.until(
        lambda: [seen for seen in referee.of("poll", before) if seen.request.url == place],
        referee.hold + 120,
        "no poll at the new place",
    )
    expect(referee.of("discovery", before), "discovery was not read again")
    return where[0].request.url


@TABLE.check(7, "`tools/list` (all pages)", seconds=LONG)
async def the_apps_tools_are_read(referee: Referee) -> str:
    found = referee.of("mcp")
    if not found:
        raise NotApplicable("this pairer does not read tools")
    methods = [_method(seen) for seen in found]
    for method in ("initialize", "notifications/initialized", "tools/list"):
        expect(method in methods, f"no {method} among {', '.join(methods)}")
    expect(methods.count("tools/list") >= 2, "it read the first of two pages")
    accepts = {seen.header("Accept") for seen in found}
    expect(all("json" in each and "event-stream" in each for each in accepts), f"it accepts {accepts}")
    return ", ".join(methods)


def _method(seen: Seen) -> str:
    import json

    return str(json.loads(seen.request.body).get("method"))


@TABLE.check(1, "After pairing, requests carry `Authorization: Bearer ...`; always `BYOA-Version: 0.1`.", seconds=LONG)
async def headers_are_right(referee: Referee) -> str:
    for seen in referee.seen:
        if not seen.header("BYOA-Version").startswith("0."):
            raise Failed(f"{seen.request.url}: BYOA-Version {seen.header('BYOA-Version')!r}")
        if seen.door in ("register", "poll", "events") and not seen.header("Authorization").startswith("Bearer "):
            raise Failed(f"{seen.request.url}: no token")
        if "application/json" not in seen.header("Accept"):
            raise Failed(f"{seen.request.url}: accepts {seen.header('Accept')!r}")
    return f"{len(referee.seen)} requests"
