"""The host's figure where it has one, else an estimate that says so, else nothing."""

import pytest

from agent_connector.drive.cost import cost
from agent_connector.drive.events import Called, Finished, Started, Usage
from agent_connector.drive.outcome import Outcome

MILLION = Usage(input=1_000_000)
REQUESTS = Finished(True, usage=MILLION, turns=10)


@pytest.fixture(autouse=True)
def own_prices(tmp_path, monkeypatch) -> None:
    """Three dollars for a million tokens of one model, a dollar for those of another."""
    monkeypatch.setenv("AGENT_CONNECTOR_DATA_DIR", str(tmp_path))
    big = '[[price]]\nmodel = "acme-big"\ninput = 3.0\n[[price.above]]\ncontext = 200_000\ninput = 9.0\n'
    path = tmp_path / "prices.toml"
    path.write_text(big + '[[price]]\nmodel = "acme-small"\ninput = 1.0\n')
    path.chmod(0o600)


def outcome(*events, **fields) -> Outcome:
    return Outcome(events, 0, "exited", 1.0, "", "", **fields)


def test_the_host_s_own_figure_comes_first() -> None:
    assert cost(outcome(usage=MILLION, cost_usd=0.5), "acme-big") == (0.5, "host-reported")
    assert cost(outcome(usage=Usage(), cost_usd=0.0), "acme-big") == (0.0, "host-reported")


def test_tokens_are_priced_where_the_host_says_nothing_or_that_they_were_free() -> None:
    for told in (None, 0.0):
        assert cost(outcome(REQUESTS, usage=MILLION, cost_usd=told), "acme-big") == (3.0, "estimated")


def test_a_sum_of_many_requests_is_not_priced_like_one_long_one() -> None:
    assert cost(outcome(REQUESTS, usage=MILLION), "acme-big").usd == 3.0
    calls = [Called(str(number), "Bash") for number in range(9)]
    assert cost(outcome(*calls, usage=MILLION), "acme-big").usd == 3.0
    assert cost(outcome(usage=MILLION), "acme-big").usd == 9.0


def test_the_model_that_the_host_names_counts() -> None:
    assert cost(outcome(Started("s", "acme-small"), usage=MILLION), "acme-big") == (1.0, "estimated")
    by_model = {"acme-small": MILLION, "acme-big": MILLION}
    both = Finished(True, usage=MILLION, by_model=by_model, turns=10)
    assert cost(outcome(both, usage=MILLION)) == (4.0, "estimated")


def test_what_nobody_knows_is_left_out() -> None:
    assert cost(outcome(usage=None), "acme-big") == (None, None)
    assert cost(outcome(usage=MILLION), "no-such-model-at-all") == (None, None)
    assert cost(outcome(usage=MILLION, cost_usd=0.0)) == (None, None)
    by_model = {"acme-small": MILLION, "no-such-model-at-all": MILLION}
    assert cost(outcome(Finished(True, usage=MILLION, by_model=by_model), usage=MILLION)) == (None, None)
