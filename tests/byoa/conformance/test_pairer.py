"""The referee against the real pairer: in memory with time that costs nothing, and once over a real port."""

import asyncio
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from agent_connector.byoa.core import exchange, link, live_session, mcp_client, outbox, pairing, provenance, turns
from agent_connector.byoa.core.pairer import Pairer
from agent_connector.byoa.driver import loop
from agent_connector.byoa.driver.http import HttpxPort
from agent_connector.testing.byoa import AppClock, AppWorld, FakeHost, FakeSession, MemoryFiles
from agent_connector.testing.byoa.conformance import (
    PAIRER_CHECKS,
    Hands,
    Referee,
    Verdict,
    judge_pairer,
    pairer,
)

ORIGIN = "https://referee.example"
PAGE = Path(__file__).resolve().parents[3] / "docs" / "byoa-wire.md"
ROUNDS = 40


class World(AppWorld):
    """Time goes on while the referee waits on purpose."""

    async def settled(self) -> None:
        for _ in range(ROUNDS):
            self.carry_out(self.pairer.effects())
            await asyncio.sleep(0)


class Host(FakeSession):
    """A host that works: it says a word a second, three for a short question, on and on for a long one."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []
        self.left = 0
        self.is_deaf = False

    def submit(self, prompt: str) -> None:
        super().submit(prompt)
        self.given.append(prompt)

    def work(self) -> None:
        if self.busy:
            self.reports.delta(f"word {self.left} ")
            self.left -= 1
            if self.left <= 0:
                self.end()
        elif self.prompts and not self.is_deaf:
            self.left = 2000 if "Count from" in self.prompts[0] else 3
            self.begin()


class AllHands(Hands):
    def __init__(self, host: Host) -> None:
        self.host = host

    async def prompts(self) -> list[str]:
        return self.host.given

    async def deaf(self, deaf: bool) -> None:
        self.host.is_deaf = deaf
        if not deaf:
            self.host.prompts.clear()

    async def own_turn(self, secret: str) -> None:
        self.host.begin("my own question")
        for _ in range(3):
            self.host.reports.delta(secret)
        self.host.end()

    async def joins(self) -> None:
        self.host.reports.foreign_prompt()
        self.host.reports.taken_over()
        self.host.end()

    async def bypass(self, bypassed: bool) -> None:
        self.host.approvals_bypassed = bypassed

    async def applied(self) -> list[str]:
        return ["=".join(each) for each in self.host.applied]

    async def new_conversation(self) -> None:
        self.host.host_session_id = "s2"


def judged(change=None, hands=AllHands):
    """`change(world, host)` breaks something of the pairer first."""

    async def story():
        clock, host = AppClock(), Host()
        referee = Referee(ORIGIN, clock=clock, hands=hands(host) if hands is AllHands else hands())
        world = World(referee, ORIGIN, clock)
        world.pairer.connect(ORIGIN)
        host.handle = world.pairer.attach(host)
        if change is not None:
            change(world, host)
        report = asyncio.ensure_future(judge_pairer(referee))
        while not report.done():
            host.work()
            await world.go(1)
        await world.close()
        return report.result()

    return asyncio.run(story())


def test_our_pairer_passes():
    report = judged()
    assert report.failures == []
    assert [one.name for one in report.results if one.verdict is Verdict.NOT_APPLICABLE] == []


def test_without_hands_at_the_host_the_rest_is_checked():
    report = judged(hands=Hands)
    assert report.failures == []
    left = {one.name for one in report.results if one.verdict is Verdict.NOT_APPLICABLE}
    assert "a-person-takes-over" in left and "turns-run-one-by-one-in-order" not in left


def test_every_check_rests_on_a_sentence_of_the_page():
    sections = re.split(r"^## (?=\d)", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    for one in PAIRER_CHECKS:
        text = " ".join(sections[one.section].split())
        assert " ".join(one.sentence.split()) in text, f"{one.name}: section {one.section} does not say this"
    assert len({one.name for one in PAIRER_CHECKS}) == len(PAIRER_CHECKS)


def anew(self, session_id):
    """A batch that is made again each time it is sent."""
    self._flying = (*(self._flying or ()), *self._next()) or None
    return outbox.Batch(session_id, self.turn, self._seq, self._flying or ())


REGISTER, READ_TOOLS = link.Register, mcp_client.read_tools
BREAKS = {
    "slow-down-counts-for-good": (pairing, "SLOWER", 0.0),
    "trouble-doubles-the-wait-and-loses-nothing": (pairing, "LONGEST_WAIT", 11.0),
    "conflicts-back-off-in-steps": (exchange.Backoff, "after", lambda self, random=None: 1.0),
    "retry-after-is-obeyed": (exchange, "retry_after", lambda headers: None),
    "a-session-that-is-gone-registers-again": (
        exchange,
        "VERDICTS",
        {**exchange.VERDICTS, 410: exchange.Verdict.LATER},
    ),
    "messages-are-acknowledged-and-run-once": (link.Link, "_is_new", lambda self, id: True),
    "a-batch-is-sent-again-unchanged": (outbox.Outbox, "batch", anew),
    "a-batch-survives-a-lost-session": (link, "Register", lambda session, holding: REGISTER(session)),
    "a-prompt-says-where-it-comes-from": (provenance, "_claims", lambda line: False),
    "settings-that-widen-are-dropped": (
        live_session.LiveSession,
        "_change",
        lambda self, message: self.session.apply_setting(message.setting, message.chosen),
    ),
    "a-turn-that-never-begins-is-rejected": (turns, "BEGIN_WITHIN", 20.0),
    "headers-are-right": (exchange, "carried", lambda token, accept: ()),
    "a-revoked-token-is-not-used-again": (exchange, "VERDICTS", {**exchange.VERDICTS, 401: exchange.Verdict.FAILED}),
    "the-apps-tools-are-read": (mcp_client, "read_tools", lambda result: replace(READ_TOOLS(result), next=None)),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_pairer_that_breaks_a_sentence_fails_its_check(name, monkeypatch):
    monkeypatch.setattr(*BREAKS[name])
    report = judged()
    assert report.of(name).verdict is Verdict.FAIL, report.of(name)


def test_over_a_real_port_with_the_real_driver(monkeypatch):
    """Twenty times as fast as the world on both sides."""
    times = 20
    monkeypatch.setattr(loop, "TICK", 1.0 / times)

    async def story():
        host, http = Host(), HttpxPort()
        async with pairer(hold=5, times=times) as referee:
            made = Pairer(FakeHost(), MemoryFiles(), loop.SystemClock(), loop.SystemRandom(), version="1.0")
            driver = loop.Driver(made, FakeHost(), http, now=lambda: time.monotonic() * times)
            host.handle = made.attach(host)
            running = asyncio.ensure_future(driver.run())
            pairing = asyncio.ensure_future(anext(driver.connect(referee.app.origin)))
            report = asyncio.ensure_future(judge_pairer(referee))
            while not report.done():
                host.work()
                driver.wake()
                await asyncio.sleep(0.5 / times)
            pairing.cancel()
            running.cancel()
            await asyncio.gather(running, pairing, return_exceptions=True)
            await http.close()
            return report.result()

    report = asyncio.run(story())
    assert report.failures == []
