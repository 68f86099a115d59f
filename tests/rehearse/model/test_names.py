"""The stand-in finds the host's spelling of a tool, in every way hosts are known to spell it."""

import pytest

from agent_connector.rehearse.model.names import spelled
from agent_connector.rehearse.model.turns import Offer

OTHERS = (Offer("Bash"), Offer("mcp__other__acme_query"), Offer("mcp__acme-db__acme_query_all"))


@pytest.mark.parametrize(
    "offer",
    [
        Offer("mcp__acme-db__acme_query"),
        Offer("mcp__acme_db__acme_query"),
        Offer("mcp_acme-db_acme_query"),
        Offer("acme-db_acme_query"),
        Offer("acme-db-acme_query"),
        Offer("acme-db___acme_query"),
        Offer("acme_query", "mcp__acme_db"),
        Offer("acme_query"),
    ],
    ids=lambda offer: f"{offer.namespace or ''} {offer.name}",
)
def test_a_bare_name_is_found_however_the_host_composes_it(offer: Offer) -> None:
    assert spelled("acme_query", "acme-db", [*OTHERS, offer], {}) == offer


def test_a_name_whose_middle_was_cut_out_is_found() -> None:
    tool = "list_every_table_of_the_database_with_its_columns_and_indexes"
    whole = f"mcp_acme-db_{tool}"
    cut = Offer(f"{whole[:30]}...{whole[-30:]}")
    assert spelled(tool, "acme-db", [*OTHERS, cut], {}) == cut


def test_the_servers_own_tool_goes_before_a_tool_of_the_host_with_the_same_name() -> None:
    assert spelled("read", "acme", [Offer("read"), Offer("acme_read")], {}) == Offer("acme_read")


def test_a_tool_that_is_not_offered_is_not_guessed() -> None:
    assert spelled("acme_query", "acme-db", OTHERS, {}) is None


def test_where_tools_are_deferred_the_composed_name_is_called() -> None:
    offers = [*OTHERS, Offer("ToolSearch")]
    assert spelled("acme_query", "acme-db", offers, {}) == Offer("mcp__acme-db__acme_query")


def test_a_tool_of_the_host_is_found_by_its_canonical_name() -> None:
    aliases = {"Bash": ("run_shell_command", "exec_command")}
    assert spelled("host:Bash", "acme", [Offer("exec_command")], aliases) == Offer("exec_command")
    assert spelled("host:Bash", "acme", [Offer("Bash")], {}) == Offer("Bash")
    assert spelled("host:Bash", "acme", [Offer("acme_Bash"), Offer("ToolSearch")], {}) is None
