"""Every decision that a host's page calls honoured is given to the real program, and must show in what it does."""

import pytest
from tests.real.conftest import DRIVEN, NOT_DRIVEN
from tests.real.runs import HOSTS, UNSEEN, driven, honoured, runs, undriven

from agent_connector.rehearse.findings import Finding

pytestmark = pytest.mark.real

DRIVABLE = [
    (host, name, event, kind)
    for host in HOSTS
    for event, kind in driven(host)
    for name, run in list(runs(host).items())
    if (event, kind) in run.covers
]


@pytest.mark.parametrize(("host", "name", "event", "kind"), DRIVABLE, ids=lambda value: str(value))
def test_what_a_page_calls_honoured_the_program_honours(rehearsed, host: str, name: str, event: str, kind: str) -> None:
    findings = rehearsed(host, name).findings
    given = [finding for finding in findings if finding.check.split(" on ")[0] == f"{event} {kind}"]
    seen = [finding.detail for finding in given if finding.state == "ok"]
    assert seen, report(findings)
    assert "failed" not in [finding.state for finding in given], report(findings)
    DRIVEN[host][f"{event} {kind}"] = seen[0]


@pytest.mark.parametrize("host", HOSTS)
def test_nothing_failed_in_the_run_with_the_tools(rehearsed, host: str) -> None:
    rehearsal = rehearsed(host, "tools")
    states = {finding.check: finding for finding in rehearsal.findings}
    assert [finding for finding in rehearsal.findings if finding.state == "failed"] == [], report(rehearsal.findings)
    for check in ("server started", "tools listed", "memory memory", "skill acme-schema", "tokens"):
        if reason := UNSEEN.get(f"{host} {check}"):
            NOT_DRIVEN[host][check] = reason
            continue
        assert states[check].state == "ok", report(rehearsal.findings)
        DRIVEN[host][check] = states[check].detail


@pytest.mark.parametrize("host", HOSTS)
def test_a_decision_that_is_not_driven_has_a_reason(host: str) -> None:
    covered = {pair for run in runs(host).values() for pair in run.covers}
    for event, kind in honoured(host):
        if reason := undriven(host, event):
            NOT_DRIVEN[host][event] = reason
        else:
            assert (event, kind) in covered, f"{event} {kind} is in no run"


def report(findings: tuple[Finding, ...]) -> str:
    return "\n" + "\n".join(f"{finding.state:7} {finding.check}: {finding.detail}" for finding in findings)
