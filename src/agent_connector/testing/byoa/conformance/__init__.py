"""Does it speak the wire? A pairer that is played against any app, and an app that is played for any pairer.

report = await check_app(parse_origin("https://notes.example"), HttpxPort(), person)
assert report.ok, report.failures

async with pairer() as referee:          # a real port; point your pairer at referee.app.origin
    report = await judge_pairer(referee)

`agent-connector byoa conformance ORIGIN` does the first; docs/byoa-conformance.md shows both.
"""

from agent_connector.testing.byoa.conformance.app import APP_CHECKS, check_app
from agent_connector.testing.byoa.conformance.pairer import PAIRER_CHECKS, judge_pairer, pairer
from agent_connector.testing.byoa.conformance.person import Clock, Person, RealClock
from agent_connector.testing.byoa.conformance.referee import Fault, Hands, Referee, ScaledClock
from agent_connector.testing.byoa.conformance.report import Check, Failed, NotApplicable, Report, Result, Verdict

__all__ = [
    "APP_CHECKS",
    "PAIRER_CHECKS",
    "Check",
    "Clock",
    "Failed",
    "Fault",
    "Hands",
    "NotApplicable",
    "Person",
    "RealClock",
    "Referee",
    "Report",
    "Result",
    "ScaledClock",
    "Verdict",
    "check_app",
    "judge_pairer",
    "pairer",
]
