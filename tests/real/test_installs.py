"""The install as the real programs take it: in project scope, and with the trust that `--trust` gives."""

import pytest
from tests.real.conftest import DRIVEN, LIMIT
from tests.real.runs import HOSTS, NO_PROJECT, OVER, call, request
from tests.real.test_decisions import report

from agent_connector.rehearse.run import rehearse
from agent_connector.rehearse.script import parse

pytestmark = pytest.mark.real

SCRIPT = parse({"prompt": "Try it here.", "steps": [call("probe", "nothing"), call("probe", "deny"), *OVER]})
SEEN = ("server started", "tools listed", "hook PreToolUse", "PreToolUse deny on probe", "tokens")


@pytest.mark.parametrize("host", [host for host in HOSTS if host not in NO_PROJECT])
def test_a_project_install_is_alive_in_its_project(host: str) -> None:
    rehearsal = rehearse(request(host, SCRIPT, scope="project", seconds=LIMIT))
    states = {finding.check: finding.state for finding in rehearsal.findings}
    assert {check: states.get(check) for check in (*SEEN, "memory memory")} == dict.fromkeys(
        (*SEEN, "memory memory"), "ok"
    ), report(rehearsal.findings)
    DRIVEN[host]["project scope"] = "server, hooks and memory are read from the project"


def test_codex_runs_hooks_that_trust_was_given_to_and_no_others() -> None:
    trusted = rehearse(request("codex", SCRIPT, trust=True, seconds=LIMIT))
    states = {finding.check: finding.state for finding in trusted.findings}
    assert {check: states.get(check) for check in SEEN} == dict.fromkeys(SEEN, "ok"), report(trusted.findings)
    DRIVEN["codex"]["install --trust"] = "the hooks run without a flag"


def test_codex_with_a_model_that_it_does_not_know_offers_tools_by_name() -> None:
    """For its own models it offers MCP tools inside a tool that runs programs; all other runs here go that way."""
    plain = rehearse(request("codex", SCRIPT, model="stand-in", seconds=LIMIT))
    states = {finding.check: finding.state for finding in plain.findings}
    assert {check: states.get(check) for check in SEEN} == dict.fromkeys(SEEN, "ok"), report(plain.findings)
    DRIVEN["codex"]["tools offered by name"] = "with a model that it does not know"


@pytest.mark.parametrize("host", HOSTS)
def test_keys_and_proxies_of_the_person_stay_out(host: str, rehearsed) -> None:
    checks = {finding.check: finding for finding in rehearsed(host, "tools").findings}
    assert checks["keys"].state == "ok", checks["keys"].detail
    DRIVEN[host]["keys"] = checks["keys"].detail
