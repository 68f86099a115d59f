"""Checks of an app: discovery, transport, and pairing up to the token (sections 1 to 3 of docs/byoa-wire.md)."""

import re
from urllib.parse import parse_qsl, unquote, urlsplit

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.core.effects import Failure, Response
from agent_connector.byoa.protocol.limits import PAIRING_BODY, PAIRING_LIFE
from agent_connector.testing.byoa.conformance.report import Failed, NotApplicable, Table, expect
from agent_connector.testing.byoa.conformance.stage import CLIENT, ENDINGS, Pairing, Stage, link

TABLE = Table[Stage]()
DEVICE_LETTERS = 22  # of base64: 128 bits
TOKEN_LETTERS = 43  # of base64: 256 bits


async def page_of(stage: Stage, url: str, cookie: str = "") -> Response:
    """A page as a browser asks for it."""
    headers = (("Accept", "text/html"), *((("Cookie", cookie),) if cookie else ()))
    outcome = await stage.send("GET", url, headers=headers)
    if isinstance(outcome, Failure):
        raise Failed(f"no answer from {url}: {outcome.what}")
    return outcome


@TABLE.check(2, "`app.id` is 1 to 64 of `[a-z0-9._-]`, `app.name` 1 to 80 printable characters.")
async def discovery_is_there_and_strict(stage: Stage) -> str:
    url = f"{stage.origin}{wire.WELL_KNOWN}"
    outcome = await stage.send("GET", url, limit=PAIRING_BODY)
    if isinstance(outcome, Failure):
        raise Failed(f"no answer from {url}: {outcome.what}")
    expect(outcome.status == 200, f"{url} answers {outcome.status}")
    stage.found = wire.parse_discovery(outcome.body, stage.origin)
    return f"{stage.found.app.name} ({stage.found.app.id}), version {stage.found.version}, hold {stage.found.hold} s"


@TABLE.check(1, "Every URL an app gives is a path, or a URL at its own origin.")
async def endpoints_are_at_the_own_origin(stage: Stage) -> str:
    found = [url for url in stage.doors.value().values() if isinstance(url, str)]
    expect(all(url.startswith(f"{stage.origin}/") for url in found), f"another origin among {found}")
    return f"{len(found)} endpoints"


@TABLE.check(2, "Any version `0.x` is accepted.")
async def another_minor_version_is_accepted(stage: Stage) -> str:
    url = f"{stage.origin}{wire.WELL_KNOWN}"
    for version in ("0.1", "0.9"):
        outcome = await stage.send("GET", url, headers=(("BYOA-Version", version),), limit=PAIRING_BODY)
        status = outcome.status if isinstance(outcome, Response) else 0
        expect(status == 200, f"answers {status} to BYOA-Version: {version}")
    return "200 to 0.1 and 0.9"


@TABLE.check(3, "`interval` is 5 when absent, `expires_in` at most 900, both links are at the app's origin.")
async def start_gives_a_grant(stage: Stage) -> str:
    stage.first = await stage.start()
    grant = stage.first.grant
    expect(grant.expires_in <= PAIRING_LIFE, f"expires_in is {grant.expires_in}")
    return f"interval {grant.interval} s, expires in {grant.expires_in} s"


def _first(stage: Stage) -> Pairing:
    if stage.first is None:
        raise NotApplicable("no pairing could be started")
    return stage.first


@TABLE.check(3, "Device codes have 128 bits or more, tokens 256")
async def device_codes_cannot_be_guessed(stage: Stage) -> str:
    code = _first(stage).grant.device_code
    hex_only = re.fullmatch(r"[0-9a-fA-F]+", code.replace("-", "")) is not None
    least = 32 if hex_only else DEVICE_LETTERS
    expect(len(code) >= least, f"a device code of {len(code)} letters")
    return f"{len(code)} letters"


@TABLE.check(3, "the complete link carries the first four")
async def the_link_carries_the_first_four_only(stage: Stage) -> str:
    grant = _first(stage).grant
    if grant.verification_uri_complete is None:
        raise NotApplicable("there is no complete link")
    plain = re.sub(r"[-\s]", "", unquote(grant.verification_uri_complete)).upper()
    values = [value for _, value in parse_qsl(urlsplit(grant.verification_uri_complete).query)]
    last = grant.user_code[-4:]
    expect(grant.user_code.replace("-", "") not in plain, "the whole code stands in the link")
    expect(not any(last in value.upper() for value in values), "the last four stand in the link")
    expect(any(grant.user_code[:4] in value.upper() for value in values), "the first four do not stand in the link")
    return "the first four letters"


@TABLE.check(3, "The pairer shows the **origin**, the link and the code, and polls at once, then every `interval`")
async def the_first_poll_is_pending(stage: Stage) -> str:
    word = await stage.polled(_first(stage), early=True)
    expect(word is wire.Refusal.PENDING, f"the first poll is told {word}")
    return "authorization_pending"


@TABLE.check(3, "adds 5 seconds to the interval, for good")
async def a_poll_too_soon_is_slowed_down(stage: Stage) -> str:
    stage.second = await stage.start()
    await stage.polled(stage.second, early=True)
    word = await stage.polled(stage.second, early=True)
    if word is wire.Refusal.PENDING:
        raise NotApplicable("the app does not slow down who asks too often")
    expect(word is wire.Refusal.SLOW_DOWN, f"a poll too soon is told {word}")
    return "slow_down"


@TABLE.check(3, "It gets 400 and a word, or 200 and a token")
async def an_unknown_code_is_refused(stage: Stage) -> str:
    answer = await stage.ask(stage.doors.pair_poll, wire.PairPoll("A" * 43).dump())
    expect(answer.status == 400, f"pair_poll answers {answer.status} to a code that it never gave")
    word = wire.parse_refusal(answer.body)
    expect(word in ENDINGS, f"a code that was never given is told {word}, for which a pairer would ask again")
    return str(word)


@TABLE.check(0, "is strict about those it needs")
async def what_is_no_client_starts_nothing(stage: Stage) -> str:
    bad = (b"", b"[]", b"{", b"\xff\xfe", b'{"client":{}}', b'{"client":1}', b'{"client":' + b"[" * 50_000)
    seen = [await stage.refuses(stage.doors.pair_start, body, None, 400, 413, 415, 422) for body in bad]
    named = CLIENT.dump().replace(CLIENT.machine_name.encode(), "a\u202eb".encode())
    seen.append(await stage.refuses(stage.doors.pair_start, named, None, 400, 422))
    return f"{len(seen)} bodies refused with {', '.join(sorted(set(seen)))}"


@TABLE.check(1, "What is larger is refused before it is read.")
async def large_bodies_of_pairing_are_refused(stage: Stage) -> str:
    seen = [await stage.refuses_size(url, PAIRING_BODY) for url in (stage.doors.pair_start, stage.doors.pair_poll)]
    return ", ".join(seen)


@TABLE.check(3, "it wants a signed-in person")
async def the_page_shows_nothing_to_strangers(stage: Stage) -> str:
    page = await page_of(stage, link(_first(stage).grant))
    text = page.body.decode("utf-8", "replace")
    expect(CLIENT.machine_name not in text, "the machine's name is shown to somebody who is not signed in")
    return f"{page.status}"


@TABLE.check(3, "it has a CSRF token and cannot be framed")
async def the_page_cannot_be_framed(stage: Stage) -> str:
    page = await page_of(stage, link(_first(stage).grant), stage.cookie)
    if 300 <= page.status < 400:
        raise NotApplicable("it leads to a sign-in page; --cookie would show the page")
    policy = page.headers.get("content-security-policy", "")
    expect(re.search(r"frame-ancestors\s+'none'", policy), f"no frame-ancestors 'none' in {policy!r}")
    return "frame-ancestors 'none'"


@TABLE.check(3, "its page shows host, machine, network address and time of the request, and never the code")
async def the_page_shows_who_asks_and_never_the_code(stage: Stage) -> str:
    grant = _first(stage).grant
    if not stage.cookie:
        raise NotApplicable("without --cookie nobody is signed in")
    page = await page_of(stage, link(grant), stage.cookie)
    text = page.body.decode("utf-8", "replace")
    expect(page.status == 200, f"the page answers {page.status}")
    missing = [shown for shown in (CLIENT.host, CLIENT.machine_name) if shown not in text]
    expect(not missing, f"the page does not show {', '.join(missing)}")
    expect(grant.user_code[-4:] not in text.upper(), "the page shows the last four letters of the code")
    return "host and machine, not the code"


@TABLE.check(3, "Device codes have 128 bits or more, tokens 256", seconds=900)
async def approval_gives_a_token(stage: Stage) -> str:
    paired = await stage.approved(_first(stage))
    expect(len(paired.token) >= TOKEN_LETTERS, f"a token of {len(paired.token)} letters")
    app = stage.discovery.app
    expect(paired.app.id == app.id, f"it names itself {paired.app.id} here and {app.id} in discovery")
    stage.tokens.append(paired.token)
    return f"as {paired.account}, a token of {len(paired.token)} letters"


@TABLE.check(3, "asking again with the same device code makes a new token and voids the one before")
async def asking_again_makes_a_new_token(stage: Stage) -> str:
    void = stage.token
    again = await stage.answered(_first(stage))
    if not isinstance(again, wire.Paired):
        raise Failed(f"asking again before the token was used is told {again}")
    expect(again.token != void, "the same token is given again")
    stage.tokens[0] = again.token
    body = wire.Register(stage.described("main")).dump()
    seen = await stage.refuses(stage.doors.register, body, void, 401)
    stage.session = await stage.register(stage.described("main"), again.token)
    return f"a new one, and {seen} to the one before"


@TABLE.check(3, "a code works once")
async def a_used_code_gives_nothing_more(stage: Stage) -> str:
    if stage.session is None:
        raise NotApplicable("no token was used")
    word = await stage.answered(_first(stage))
    expect(word in ENDINGS, "a code whose token was used gives another token")
    return str(word)


@TABLE.check(3, "an explicit click", seconds=900)
async def refusal_is_told(stage: Stage) -> str:
    pairing = stage.second or await stage.start()
    await stage.person.deny(link(pairing.grant), pairing.grant.user_code)
    word = await stage.decided(pairing)
    expect(word is wire.Refusal.DENIED, f"a pairing that was refused is told {word}")
    return "access_denied"


@TABLE.check(3, "`expires_in` at most 900")
async def a_code_dies(stage: Stage) -> str:
    if not stage.clock.free:
        raise NotApplicable("it would take as long as a code lives")
    pairing = await stage.start()
    await stage.clock.sleep(pairing.grant.expires_in + 1)
    word = await stage.polled(pairing)
    expect(word in ENDINGS, f"a code that has run out is told {word}")
    return str(word)
