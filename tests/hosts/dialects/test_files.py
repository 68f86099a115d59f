"""Files with a YAML head, skills, and the choice among memory files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from agent_connector.connector.model import Skill
from agent_connector.hosts.dialects import agents_md, front_matter, skill_md
from agent_connector.testing.host_samples import machine

TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ["yes", "null", "1.5", "- a", "a: b", "#x", "a #b", "[x]", "true ", "'q'", '"', "a\nb", "2026-11-30", "~", "é x"]
)


def read(document):
    _, head, body = document.split("---\n", 2)
    return YAML(typ="safe").load(head), body


@given(TEXTS, st.lists(TEXTS, max_size=3), st.booleans())
def test_any_value_is_read_back_as_it_was(text, items, flag):
    head, body = read(front_matter.document({"a": text, "b": items, "c": flag, "d": None}, "Body"))
    assert head == {"a": text, "b": items, "c": flag}
    assert body == "\nBody\n"


def test_what_needs_no_quotes_has_none():
    assert front_matter.document({"a": "Reviews SQL (old)", "b": "npx -y x/y@1.2"}, "x\n\n") == (
        "---\na: Reviews SQL (old)\nb: npx -y x/y@1.2\n---\n\nx\n"
    )


def test_a_head_with_nothing_in_it_is_left_out():
    assert front_matter.document({"a": None}, "\nx") == "x\n"


@pytest.mark.parametrize(
    ("folder", "path"),
    [("/a/b", "/a/b/c/d"), ("/a/b/", "/a/b/c/d"), ("C:\\a\\b\\", "C:\\a\\b\\c\\d"), ("C:/a", "C:/a/c/d")],
)
def test_paths_keep_their_systems_style(folder, path):
    assert front_matter.join(folder, "c/d") == path
    assert front_matter.join(folder, "c", "d") == path


def test_a_skill_is_the_same_text_in_every_host():
    nodes = skill_md.skill(Skill("s", "d: e", "Body", {"a/b.md": "more"}), "C:\\s")
    assert [(node.file, node.text) for node in nodes] == [
        ("C:\\s\\s\\SKILL.md", '---\nname: s\ndescription: "d: e"\n---\n\nBody\n'),
        ("C:\\s\\s\\a\\b.md", "more"),
    ]


def test_the_first_of_several_memory_files():
    there = {"/p/B.md", "/p/C.md"}
    assert agents_md.first_existing(machine(exists=there.__contains__), "/p", ("A.md", "B.md", "C.md")) == "/p/B.md"
    assert agents_md.first_existing(machine(), "/p", ("A.md",)) is None
