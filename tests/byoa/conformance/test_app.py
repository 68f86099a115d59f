"""The suite against our own app: everything passes, and an app that breaks one sentence fails that check."""

import asyncio
import re
from pathlib import Path

import pytest

from agent_connector.byoa.protocol import parse_origin
from agent_connector.testing.byoa.conformance import APP_CHECKS, Person, Report, Verdict, check_app

ORIGIN = "https://notes.example"
PAGE = Path(__file__).resolve().parents[3] / "docs" / "byoa-wire.md"


def check(ours, app=None, person=None, **options) -> Report:
    async def story() -> Report:
        played = ours(options)
        try:
            wrapped = app(played.byoa) if app else None
            return await check_app(
                parse_origin(ORIGIN),
                played.port(wrapped),
                person or played.person,
                clock=played.clock,
                cookie="person=ada",
            )
        finally:
            await played.byoa.close()

    return asyncio.run(story())


@pytest.mark.parametrize("hold", [25, 0])
def test_our_app_passes(ours, hold):
    report = check(ours, hold=hold)
    assert report.failures == []
    left = [one.name for one in report.results if one.verdict is Verdict.NOT_APPLICABLE]
    assert left == ([] if hold else ["one-of-two-polls-is-superseded"])


def test_without_a_person_nothing_fails_and_what_needs_one_says_so(ours):
    report = check(ours, person=Person())
    assert report.failures == []
    assert report.of("approval-gives-a-token").seen == "nobody is there to approve a pairing"
    assert report.of("a-poll-without-news-is-held-and-empty").verdict is Verdict.NOT_APPLICABLE
    assert report.of("the-first-poll-is-pending").verdict is Verdict.PASS


def test_every_check_rests_on_a_sentence_of_the_page():
    sections = re.split(r"^## (?=\d)", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    for one in APP_CHECKS:
        text = " ".join(sections[one.section].split())
        assert " ".join(one.sentence.split()) in text, f"{one.name}: section {one.section} does not say this"
    assert len({one.name for one in APP_CHECKS}) == len(APP_CHECKS)


def changed(change, *, path="", method="POST"):
    """An app whose answers at `path` go through `change(status, headers, body)` on their way out."""

    def wrap(app):
        async def wrapped(scope, receive, send):
            if path not in scope["path"] or scope["method"] != method:
                await app(scope, receive, send)
                return
            start, body = {}, bytearray()

            async def keep(message):
                start.update(message if message["type"] == "http.response.start" else {})
                body.extend(message.get("body", b""))

            await app(scope, receive, keep)
            status, headers, text = change(start["status"], list(start["headers"]), bytes(body))
            headers = [pair for pair in headers if pair[0] != b"content-length"]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": text})

        return wrapped

    return wrap


def said(old, new):
    return lambda status, headers, body: (status, headers, body.replace(old, new))


def answered(old, new, body=b""):
    return lambda status, headers, text: (new, headers, body) if status == old else (status, headers, text)


def without(name):
    return lambda status, headers, body: (status, [pair for pair in headers if pair[0] != name], body)


FAULTS = {
    "foreign endpoint": (
        changed(
            said(b"https://notes.example/byoa/revoke", b"https://evil.example/r"), path="/.well-known", method="GET"
        ),
        "discovery-is-there-and-strict",
    ),
    "redirect": (changed(answered(400, 307), path="/pair/poll"), "the-first-poll-is-pending"),
    "redirect is told": (changed(answered(400, 307), path="/pair/poll"), "nothing-redirects"),
    "long life": (changed(said(b'"expires_in":600', b'"expires_in":901'), path="/pair/start"), "start-gives-a-grant"),
    "framed": (changed(without(b"content-security-policy"), path="/pair", method="GET"), "the-page-cannot-be-framed"),
    "no 401": (changed(answered(401, 403), path="/sessions"), "no-token-opens-no-door"),
    "no 410": (changed(answered(410, 404), path="/sessions"), "a-session-that-was-never-given-is-gone"),
    "no 400": (changed(answered(400, 200, b'{"next":1}'), path="/events"), "a-turn-that-was-never-given-is-refused"),
    "no 409": (changed(answered(409, 204), path="/poll"), "one-of-two-polls-is-superseded"),
    "wrong next": (changed(said(b'"next":2', b'"next":1'), path="/events"), "a-batch-is-taken-once"),
    "cursor that stands": (
        changed(said(b'"cursor":"1"', b'"cursor":"0"'), path="/poll"),
        "a-message-comes-until-it-is-acknowledged",
    ),
    "tools without a name": (changed(said(b'"name":"search"', b'"name":""'), path="/mcp"), "every-tool-can-be-offered"),
    "revoked in vain": (changed(answered(401, 200, b"{}"), path="/mcp"), "revocation-closes-every-door"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_app_that_breaks_a_sentence_fails_its_check(ours, fault):
    change, name = FAULTS[fault]
    report = check(ours, change)
    assert report.of(name).verdict is Verdict.FAIL, report.of(name)


def test_a_report_for_programs_names_everything(ours):
    value = check(ours).value()
    assert value["ok"] is True and value["counts"]["fail"] == 0
    assert {"name", "section", "sentence", "verdict", "seen"} == set(value["checks"][0])
