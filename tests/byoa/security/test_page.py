"""docs/byoa-threats.md: every test that it names is there, and every attack that is tested stands in it."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
PAGE = TESTS.parents[1] / "docs" / "byoa-threats.md"
NAMED = re.compile(r"`([a-z]+/test_\w+\.py)::(\w+)`")


def defined(file: Path) -> set[str]:
    tree = ast.parse(file.read_text("utf-8"))
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return names | {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def test_the_page_and_the_attacks_name_each_other():
    named = NAMED.findall(PAGE.read_text("utf-8"))
    assert len(named) > 40
    missing = [f"{file}::{name}" for file, name in named if name not in defined(TESTS / file)]
    assert missing == [], "the page names tests that are not there"
    attacks = {
        name for file in TESTS.glob("security/test_*.py") for name in defined(file) if name.startswith("test_attack_")
    }
    assert attacks - {name for _, name in named} == set(), "attacks that the page does not tell of"
