"""How sure each fact of a facet is, said in one line: sure(proven="run resume", documented="keys")."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_connector.hosts.contract import Sure


def sure(*, proven: str = "", documented: str = "", uncertain: str = "") -> "Mapping[str, Sure]":
    """`proven`: seen on the real program; `documented`: its pages or its code say so; `uncertain`: neither."""
    marks: tuple[tuple[Sure, str], ...] = (("uncertain", uncertain), ("documented", documented), ("proven", proven))
    return {fact: mark for mark, facts in marks for fact in facts.split()}
