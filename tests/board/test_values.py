"""What a foreign board may send, and what it may not."""

import pytest

from agent_connector.board.values import Bundle, Claim, Connected, Task
from agent_connector.errors import BoardWrong

SMALLEST = {"id": "1", "title": "t", "status": "todo", "updatedAt": "2026-01-01T00:00:00Z"}


def test_a_board_may_say_more_and_less_than_we_know():
    task = Task.read({**SMALLEST, "colour": "red", "role": None})
    assert (task.board, task.description, task.priority, task.role, task.comments) == ("", "", 0, None, ())
    assert Bundle.read({"name": "default", "version": 3, "files": []}).version == "3"
    assert Connected.read({}) == Connected(None, ())
    assert Claim.read({"claimed": False}) == Claim(False)


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        ({**SMALLEST, "title": 7}, "task.title"),
        ({**SMALLEST, "priority": "high"}, "task.priority"),
        ({**SMALLEST, "priority": True}, "task.priority"),
        ({**SMALLEST, "comments": "none"}, "task.comments"),
        (
            {**SMALLEST, "comments": [{"id": "c", "author": None, "body": "secret", "createdAt": ""}]},
            "task.comments[0].author",
        ),
        ([], "task"),
    ],
)
def test_a_wrong_type_names_its_field_and_shows_no_value(raw, where):
    with pytest.raises(BoardWrong) as caught:
        Task.read(raw)
    assert caught.value.where == where
    assert "secret" not in str(caught.value)


def test_values_come_back_as_they_went():
    task = Task.read({**SMALLEST, "comments": [{"id": "c", "author": "a", "body": "b", "createdAt": "x"}]})
    assert Task.read(task.wire(comments=True)) == task
