"""The live log as a stream: what a reader has is not sent again, and nothing between is left out."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from agent_connector.board import page_live, runs, sessions, tasks
from agent_connector.board.store import Store

Run = Callable[..., None]


@pytest.fixture
def run(store: Store, monkeypatch: pytest.MonkeyPatch) -> runs.Run:
    """A run with thirty events that is over; its stream ends as soon as it has told all."""
    monkeypatch.setattr(page_live, "AGAIN", 0.01)
    monkeypatch.setattr(page_live, "QUIET", 0.0)
    monkeypatch.setattr(page_live, "BATCH", 7)
    task = store.write(tasks.add, title="x", by="x")
    run = store.write(runs.create, task.id, connector="lovelace")
    events = [
        {"seq": seq, "ts": "2026-12-01T01:02:03Z", "type": "line", "channel": "stdout", "payload": {"text": f"n{seq}"}}
        for seq in range(0, 60, 2)
    ]
    store.write(runs.append, run.id, events)
    return store.write(runs.change, run.id, status="succeeded", cost=0.5)


def told(text: str) -> list[dict[str, str]]:
    """The events of a stream, by the names of their fields."""
    blocks = text.replace("\r\n", "\n").strip().split("\n\n")
    fields = [[line.partition(":") for line in block.split("\n") if line[:1] not in ("", ":")] for block in blocks]
    return [{name: value.removeprefix(" ") for name, _, value in block} for block in fields if block]


def lines(text: str) -> list[str]:
    return [json.loads(event["data"])["text"] for event in told(text) if event.get("event") == "line"]


def test_the_whole_log_then_its_state_then_the_end(at_page: Run, run: runs.Run) -> None:
    async def work(owner: Any, member: Any) -> None:
        answer = await owner.http.get(f"/runs/{run.id}/events")
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        events = told(answer.text)
        assert [event["id"] for event in events if event["event"] == "line"] == [str(seq) for seq in range(0, 60, 2)]
        assert lines(answer.text) == [f"n{seq}" for seq in range(0, 60, 2)]
        state = next(json.loads(event["data"]) for event in events if event["event"] == "state")
        assert state == {"status": "succeeded", "mark": "good", "cost": "$0.50", "over": True}
        assert events[-1]["event"] == "end"

    at_page(work)


@pytest.mark.parametrize(
    ("address", "headers", "first"),
    [
        ("?after=40", {}, 42),
        ("", {"last-event-id": "40"}, 42),
        ("?after=10", {"last-event-id": "50"}, 52),  # what the browser has counts before where its page began
        ("?after=41", {}, 42),
        ("?after=nonsense", {}, 0),
        ("?after=-1", {}, 0),
    ],
)
def test_it_goes_on_behind_what_the_reader_has(address: str, headers: Any, first: int, at_page: Run, run: runs.Run):
    async def work(owner: Any, member: Any) -> None:
        answer = await owner.http.get(f"/runs/{run.id}/events{address}", headers=headers)
        assert lines(answer.text) == [f"n{seq}" for seq in range(first, 60, 2)]

    at_page(work)


def test_a_run_that_goes_on_ends_its_stream_with_the_session(at_page: Run, run: runs.Run, store: Store) -> None:
    store.write(runs.change, run.id, status="running")

    async def work(owner: Any, member: Any) -> None:
        token = owner.http.cookies["board-session-8700"]
        ended: list[str] = []
        visit = sessions.find

        def once(tx: Any, given: str, kind: str) -> Any:  # as if somebody logged out after the first batch
            ended.append(given)
            return visit(tx, given, kind) if len(ended) < 3 else None

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sessions, "find", once)
            answer = await owner.http.get(f"/runs/{run.id}/events")
        assert set(ended) == {token}
        assert len(lines(answer.text)) == 7 and "end" not in [event["event"] for event in told(answer.text)]

    at_page(work)


def test_no_stream_of_a_run_that_is_not_there(at_page: Run) -> None:
    async def work(owner: Any, member: Any) -> None:
        assert (await owner.http.get("/runs/none/events")).status_code == 404

    at_page(work)
