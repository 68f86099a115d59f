"""References mean the same at install and where the proxy fills in what a host could not."""

from hypothesis import given
from hypothesis import strategies as st

from agent_connector.connector import interpolation
from agent_connector.runtime.serve import fill

PIECES = st.sampled_from(["${env:", "}", ":-", "X", "LONG_1", "1X", "é", "\\", "$", "{", " ", "a"])
VARIABLES = {"X": "ex", "LONG_1": "${env:X}"}


@given(st.lists(PIECES, max_size=12).map("".join))
def test_the_proxy_fills_in_what_install_would_have(text):
    assert fill(text, VARIABLES, []) == interpolation.resolve(text, VARIABLES)


def test_a_missing_one_without_a_default_is_named():
    missing: list[str] = []
    assert fill("${env:NO}/${env:NO:-x}/${env:1X}", {}, missing) == "/x/${env:1X}"
    assert missing == ["NO"]
