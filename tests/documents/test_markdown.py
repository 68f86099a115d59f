"""Managed blocks: written, updated in place, recovered, and left alone where a person changed them."""

import hashlib

import pytest

from agent_connector.documents import markdown
from agent_connector.documents.markdown_marks import NOTE
from agent_connector.errors import DocumentError

NAME = "acme-db/guide"


def block(body: str, name: str = NAME) -> str:
    digest = hashlib.sha256(body.strip().encode()).hexdigest()[:12]
    inner = f"{body.strip()}\n" if body.strip() else ""
    return f"<!-- agent-connector:begin {name} hash={digest} -->\n{NOTE}\n{inner}<!-- agent-connector:end {name} -->\n"


def test_a_block_goes_behind_a_blank_line_at_the_end() -> None:
    assert (
        markdown.put_block("# Title\n", NAME, "\n Use acme.\n\n")
        == f"# Title\n\n{block(' Use acme.').replace('Use', ' Use')}"
    )
    assert markdown.put_block("", NAME, "Use acme.") == block("Use acme.")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\ufeff",
        "\n",
        "# T",
        "# T\n",
        "# T\n\n\n",
        "\ufeff# T\r\ntext\r\n",
        "a\r",
        "a\nb\r",
        "x\r\ny\r",
        "```\nopen",
        "~~~\n",
    ],
)
def test_a_file_comes_back_byte_for_byte(text: str) -> None:
    after = markdown.put_block(text, NAME, "Use acme.\n\n- one\n- two")
    found = markdown.find(after, NAME)
    assert found
    assert (found.text, found.edited) == ("Use acme.\n\n- one\n- two", False)
    assert markdown.put_block(after, NAME, "Use acme.\r\n\r\n- one\r\n- two\r\n") == after
    assert markdown.drop_block(after, NAME) == text


def test_crlf_files_get_crlf_blocks_with_the_same_hash() -> None:
    after = markdown.put_block("# T\r\n", NAME, "a\nb")
    assert "\n" not in after.replace("\r\n", "")
    assert after.replace("\r\n", "\n") == "# T\n\n" + block("a\nb")


def test_an_update_happens_in_place() -> None:
    text = f"# T\n\n{block('old')}\ntail\n"
    assert markdown.put_block(text, NAME, "new") == f"# T\n\n{block('new')}\ntail\n"
    assert markdown.drop_block(text, NAME) == "# T\n\ntail\n"


def test_several_blocks_live_side_by_side() -> None:
    text = markdown.put_block(markdown.put_block("# T\n", NAME, "a"), "other/x", "b")
    assert [b.name for b in markdown.blocks(text)] == [NAME, "other/x"]
    assert markdown.drop_block(text, NAME) == f"# T\n\n{block('b', 'other/x')}"
    assert markdown.find(text, "acme-db/guid") is None


def test_a_block_that_a_person_changed_is_left_unless_forced() -> None:
    text = f"# T\n\n{block('mine').replace('mine', 'mine and more')}"
    found = markdown.find(text, NAME)
    assert found
    assert found.edited
    assert found.text == "mine and more"
    assert markdown.put_block(text, NAME, "new") == text
    assert markdown.drop_block(text, NAME) == text
    assert markdown.put_block(text, NAME, "new", force=True) == f"# T\n\n{block('new')}"
    assert markdown.drop_block(text, NAME, force=True) == "# T\n"


def test_line_ends_blanks_around_and_a_missing_note_are_no_change() -> None:
    text = block("a\nb").replace("\n", "\r\n").replace("a\r\n", "\r\na\r\n").replace(f"{NOTE}\r\n", "")
    found = markdown.find(text, NAME)
    assert found
    assert not found.edited
    reworded = block("a").replace(NOTE, f"{NOTE.partition('. ')[0]}. Words of another version. -->")
    assert [b.text for b in markdown.blocks(reworded) if not b.edited] == ["a"]


def test_duplicates_become_one() -> None:
    text = f"{block('a')}\nbetween\n\n{block('b')}\nend\n"
    assert markdown.put_block(text, NAME, "c") == f"{block('c')}\nbetween\n\nend\n"
    assert markdown.put_block(text, NAME, "a") == f"{block('a')}\nbetween\n\nend\n"
    assert markdown.drop_block(text, NAME) == "between\n\nend\n"
    changed = text.replace("b\n", "b changed\n", 1)
    assert "b changed" in markdown.put_block(changed, NAME, "c")


def test_a_begin_marker_that_lost_its_end_is_recovered_with_its_text() -> None:
    begin, note, *rest = block("one\n\n  two").splitlines()
    text = "\n".join(["# T", "", begin, note, *rest[:-1], "a person's line", ""])
    assert markdown.put_block(text, NAME, "new") == f"# T\n\n{block('new')}a person's line\n"
    assert markdown.drop_block(text, NAME) == "# T\na person's line\n"


def test_a_begin_marker_whose_text_is_unknown_goes_alone() -> None:
    begin, note, *_ = block("one").splitlines()
    text = f"# T\n\n{begin}\n{note}\nsomething else\n"
    assert markdown.put_block(text, NAME, "new") == f"# T\n\n{block('new')}something else\n"
    assert markdown.drop_block(text, NAME) == "# T\nsomething else\n"


def test_a_lone_begin_marker_does_not_reach_into_the_next_block() -> None:
    begin, *_ = block("one").splitlines()
    text = f"{begin}\nx\n\n{block('b', 'other/x')}"
    assert [(b.name, b.lone) for b in markdown.blocks(text)] == [(NAME, True), ("other/x", False)]
    assert markdown.drop_block(text, NAME) == f"x\n\n{block('b', 'other/x')}"


def test_an_end_marker_that_lost_its_begin_goes() -> None:
    text = f"# T\n<!-- agent-connector:end {NAME} -->\ntail\n"
    assert markdown.put_block(text, NAME, "new") == f"# T\n{block('new')}tail\n"
    assert markdown.drop_block(text, NAME) == "# T\ntail\n"
    whole = f"{block('a')}\n<!-- agent-connector:end {NAME} -->\ntail\n"
    assert markdown.put_block(whole, NAME, "b") == f"{block('b')}tail\n"


@pytest.mark.parametrize("fence", ["```", "~~~~", "```md", "   ```"])
def test_a_marker_in_a_fence_is_text(fence: str) -> None:
    mark = fence.strip().replace("md", "")
    text = f"{fence}\n{block('shown')}{mark}\n"
    assert markdown.blocks(text) == []
    assert markdown.drop_block(text, NAME) == text
    assert markdown.put_block(text, NAME, "x") == f"{text}\n{block('x')}"


def test_what_looks_like_a_fence_and_is_none_hides_nothing() -> None:
    for line in ("    ```", "``", "```a`b", "text ```"):
        assert [b.name for b in markdown.blocks(f"{line}\n{block('x')}")] == [NAME]
    shown = f"````\n```\n{block('x')}````\n"
    assert markdown.blocks(shown) == []


def test_a_fence_that_never_closes_comes_after_the_block() -> None:
    text = "# T\n```\ncode\n"
    after = markdown.put_block(text, NAME, "x")
    assert after == f"# T\n\n{block('x')}```\ncode\n"
    assert markdown.drop_block(after, NAME) == text


def test_a_fence_that_a_person_opened_in_a_block_does_not_hide_its_end() -> None:
    text = block("x").replace("x\n", "x\n```\n") + "\ntail\n"
    found = markdown.find(text, NAME)
    assert found
    assert found.edited
    assert markdown.drop_block(text, NAME, force=True) == "tail\n"


def test_a_body_may_show_fences() -> None:
    body = "Run:\n\n```sh\nacme\n```"
    assert markdown.find(markdown.put_block("", NAME, body), NAME) == markdown.blocks(block(body))[0]


def test_a_body_that_would_break_its_block_is_refused() -> None:
    with pytest.raises(DocumentError, match="is a marker"):
        markdown.put_block("", NAME, f"a\n<!-- agent-connector:end {NAME} -->\nb")
    with pytest.raises(DocumentError, match="code fence"):
        markdown.put_block("", NAME, "```\nopen")
    for name in ("acme", "acme/", "a b/c", "acme/x --> y"):
        with pytest.raises(DocumentError, match="no name of a block"):
            markdown.put_block("", name, "x")


def test_a_large_file_of_lone_markers_ends() -> None:
    begin = block("x").splitlines()[0]
    text = f"{begin}\ntext\n" * 20_000
    assert len(markdown.blocks(text)) == 20_000
    assert markdown.blocks(f"{begin}\n" + "line\n" * 100_000)[0].lone
