"""Checks, what came of each, and the report: names, sentences of the wire, pass, fail or not applicable, what was seen."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from agent_connector.byoa.protocol import ProtocolError

W = TypeVar("W")
Run = Callable[[W], Awaitable[str]]


class Verdict(StrEnum):
    PASS = "pass"  # noqa: S105  a word, no secret
    FAIL = "fail"
    NOT_APPLICABLE = "n/a"


class Failed(Exception):
    """The other side did something else than the sentence says. The text tells what was seen."""


class NotApplicable(Exception):
    """The sentence cannot be checked here: nobody to do what it needs, or the app does not offer it."""


@dataclass(frozen=True, slots=True)
class Check(Generic[W]):
    """`run` gives what was seen; `sentence` stands word for word in that section of docs/byoa-wire.md."""

    name: str
    section: int
    sentence: str
    run: Run[W]
    seconds: float


@dataclass(frozen=True, slots=True)
class Result:
    name: str
    section: int
    sentence: str
    verdict: Verdict
    seen: str


class Table(Generic[W]):
    """The checks of one module, in the order in which they run; a check's name is its function's."""

    def __init__(self) -> None:
        self.checks: list[Check[W]] = []

    def check(self, section: int, sentence: str, *, seconds: float = 60) -> Callable[[Run[W]], Run[W]]:
        """`seconds`: real ones, after which the check has failed."""

        def kept(run: Run[W]) -> Run[W]:
            name: str = getattr(run, "__name__", "")
            self.checks.append(Check(name.replace("_", "-"), section, sentence, run, seconds))
            return run

        return kept


@dataclass(frozen=True, slots=True)
class Report:
    """What one run found. `ok`: nothing failed."""

    subject: str
    results: tuple[Result, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        return self.count(Verdict.FAIL) == 0

    def count(self, verdict: Verdict) -> int:
        return sum(result.verdict is verdict for result in self.results)

    def of(self, name: str) -> Result:
        return next(result for result in self.results if result.name == name)

    @property
    def failures(self) -> list[str]:
        return [f"{one.name}: {one.seen}" for one in self.results if one.verdict is Verdict.FAIL]

    def value(self) -> dict[str, object]:
        """For programs."""
        counts = {verdict.value: self.count(verdict) for verdict in Verdict}
        checks = [asdict(result) for result in self.results]
        return {"subject": self.subject, "ok": self.ok, "counts": counts, "checks": checks}


def expect(condition: object, seen: str) -> None:
    if not condition:
        raise Failed(seen)


async def judge(check: Check[W], world: W) -> Result:
    verdict = Verdict.PASS
    try:
        async with asyncio.timeout(check.seconds):
            seen = await check.run(world)
    except NotApplicable as reason:
        verdict, seen = Verdict.NOT_APPLICABLE, str(reason)
    except Failed as failure:
        verdict, seen = Verdict.FAIL, str(failure)
    except ProtocolError as problem:
        verdict, seen = Verdict.FAIL, f"it cannot be understood: {problem}"
    except TimeoutError:
        verdict, seen = Verdict.FAIL, f"it did not come to an end in {check.seconds:.0f} s"
    return Result(check.name, check.section, check.sentence, verdict, seen)


async def run(
    subject: str,
    checks: Iterable[Check[W]],
    world: W,
    *,
    begins: Callable[[str], None] | None = None,
    ended: Callable[[Result], None] | None = None,
) -> Report:
    """One check after the other: each goes on from where the last one left the session."""
    start = time.monotonic()
    results: list[Result] = []
    for check in checks:
        if begins is not None:
            begins(check.name)
        results.append(await judge(check, world))
        if ended is not None:
            ended(results[-1])
    return Report(subject, tuple(results), time.monotonic() - start)
