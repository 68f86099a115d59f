"""Every package of ours has rules about what it may import."""

import configparser
from pathlib import Path

ROOT = Path(__file__).parents[2]
FREE = {"cli", "testing"}  # may import anything: the one puts all together, the other is made for tests


def test_every_package_is_in_a_rule_of_its_own():
    rules = configparser.ConfigParser()
    rules.read(ROOT / ".importlinter", "utf-8")
    named = " ".join(
        rules[section].get("source_modules", "") + " " + rules[section].get("modules", "")
        for section in rules.sections()
        if section != "importlinter:contract:testing"  # says of two packages only that they leave `testing` alone
    ).split()
    governed = {name.split(".")[1] for name in named if "." in name}
    packages = {place.parent.name for place in (ROOT / "src" / "agent_connector").glob("*/__init__.py")}
    assert packages - governed - FREE == set()
