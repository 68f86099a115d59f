"""What a table of Cursor's dashboard says of its model calls."""

import pytest

from agent_connector.hosts.records import UnknownFormat

HEAD = (
    "Date,Kind,Model,Max Mode,Input (w/ Cache Write),Input (w/o Cache Write),Cache Read,Output Tokens,Total Tokens,Cost"
)
ROW = '"2025-11-13T18:36:05.846Z","Included","auto","No","28342","775","105891","21282","156290","0.19"'
NEXT = '"2025-11-13T13:35:04.658Z","On-Demand","gpt-5-codex","No","0","8263","66964","1612","76839","$1,000.03"'


def test_the_total_tells_that_the_two_inputs_are_apart(log):
    found = log.read("table", f"{HEAD}\n{ROW}\n{NEXT}\n")
    assert log.total(found[:1]) == {
        "input": 775,
        "cache_write_5m": 28342,
        "cache_read": 105891,
        "output": 21282,
        "requests": 1,
        "cost": 0.19,
    }
    assert sum(log.total(found[:1])[each] for each in ("input", "cache_write_5m", "cache_read", "output")) == 156290
    assert (found[1].model, found[1].cost, found[1].time) == ("gpt-5-codex", 1000.03, 1_763_040_904_658)


def test_where_the_total_holds_them_once_the_first_input_holds_the_second(log):
    found = log.read("table", f"{HEAD}\n2025-11-13,x,m,No,100,40,7,5,112,Included\n")
    assert log.total(found) == {"input": 40, "cache_write_5m": 60, "cache_read": 7, "output": 5, "requests": 1}
    assert found[0].cost == 0


def test_columns_are_found_by_name_in_every_version(log):
    old = "Date,Model,Input (w/ Cache Write),Input (w/o Cache Write),Cache Read,Output Tokens,Total Tokens,Cost,Cost to you\n2025-02-01,gpt-4o,10,5,0,15,30,$0.10,$0.10\n"
    new = (
        HEAD.replace("Date,", "Date,Cloud Agent ID,Automation ID,").replace("Total Tokens", "Total")
        + "\n"
        + ROW.replace(',"Included"', ',"a","b","Included"')
    )
    assert log.total(log.read("table", old)) == {
        "input": 5,
        "cache_write_5m": 10,
        "output": 15,
        "requests": 1,
        "cost": 0.1,
    }
    assert log.total(log.read("table", new))["input"] == 775


def test_a_later_table_of_the_same_account_repeats_its_rows(log):
    first = log.read("table", f"{HEAD}\n{ROW}\n", "/c/usage.csv")
    later = log.read("table", f"{HEAD}\n{NEXT}\n{ROW}\n", "/c/usage.work.csv")
    assert log.total(first, later)["requests"] == 2


def test_two_equal_rows_of_one_table_are_two_calls(log):
    assert log.total(log.read("table", f"{HEAD}\n{ROW}\n{ROW}\n"))["requests"] == 2


def test_rows_that_are_no_rows_are_passed_over(log):
    assert log.read("table", f'{HEAD}\n\nnonsense\n"2025-11-13T18:36:05Z"\n,,,,,\n') == []


@pytest.mark.parametrize("data", ["", "Date,Model\n", "{}", "\x00\x00"])
def test_a_table_of_other_columns_is_named(log, data):
    with pytest.raises(UnknownFormat, match="a table of usage without"):
        log.read("table", data)


def test_where_the_tables_lie_and_what_has_to_be_run_first(log):
    assert log.places() == [("/home/ada/.config/tokscale/cursor-cache", "usage*.csv", "table")]
    assert "`tokscale cursor sync`" in log.facet.NOTE
