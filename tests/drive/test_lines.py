"""Lines out of a pipe: nothing is lost and nothing grows, however the bytes come."""

from hypothesis import given
from hypothesis import strategies as st

from agent_connector.drive.lines import CUT, Part, lines, pieces

WHOLE = 40
texts = st.text(alphabet="ab é\U0001f600\n\r", max_size=200)


@given(texts, st.lists(st.integers(1, 60), min_size=1), st.sampled_from([7, WHOLE, 1000]))
def test_joined_again_they_are_what_was_written(text: str, sizes: list[int], whole: int) -> None:
    data = text.encode()

    def read() -> bytes:
        nonlocal data
        sizes.append(sizes.pop(0))
        taken, data = data[: sizes[-1]], data[sizes[-1] :]
        return taken

    joined, held = "", 0
    for line, part in lines(read, whole):
        joined += line if part is Part.MORE else line + "\n"
        held = max(held, len(line.encode()))
    expected = text.split("\n")
    expected = expected if expected[-1] else expected[:-1]
    assert [line.rstrip("\r") for line in joined.split("\n")[:-1]] == [line.rstrip("\r") for line in expected]
    assert held <= whole + 60 + 4


@given(texts, st.sampled_from(Part))
def test_pieces_are_small_and_say_where_a_line_goes_on(text: str, part: Part) -> None:
    text = text.replace("\n", "")
    cut = list(pieces(text, part, size=16))
    assert all(len(piece) <= 16 + len(CUT) for piece in cut)
    assert [piece.endswith(CUT) for piece in cut] == [True] * (len(cut) - 1) + [part is Part.MORE]
    assert "".join(piece.removesuffix(CUT) for piece in cut) == text


def test_a_line_is_cut_behind_a_blank_where_there_is_one() -> None:
    assert list(pieces("one two three-is-long", size=9)) == [f"one two {CUT}", f"three-is-{CUT}", "long"]
