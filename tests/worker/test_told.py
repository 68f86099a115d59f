"""What people are told of a run and its model: that it begins, what is wrong meanwhile, by addresses that mean something, once."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.worker.egress.conftest import site
from tests.worker.stage import Runner, Stage
from tests.worker.test_run_acp import Scene, scene  # noqa: F401 - a fixture

from agent_connector.drive.events import Finished, Noticed
from agent_connector.drive.outcome import Outcome
from agent_connector.worker import settle, upstream_words, verdict
from agent_connector.worker.config import Config, Ergonomics, Hitl
from agent_connector.worker.egress import upstream
from agent_connector.worker.values import Result

ASK = b"POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\nx-api-key: %s\r\n\r\n"
CONFIG = Config("/w", "/w/s", Ergonomics("/w/k"), failed_status="failed")


def failed(reason: str, summary: str) -> Result:
    return Result("failed", summary, reason, host="claude-code", cost_usd=0.5)


@pytest.mark.parametrize(
    ("source", "told"), [(None, "$0.50"), ("host-reported", "$0.50"), ("estimated", "$0.50 (estimated)")]
)
def test_a_cost_says_where_it_comes_from_if_that_is_known(source: Any, told: str):
    result = Result("succeeded", "done", cost_usd=0.5, cost_source=source)
    assert settle.comment(result, CONFIG).endswith(told)


def test_a_host_s_last_word_stands_in_the_comment_once():
    text = "API Error: 529 overloaded. " * 3
    assert settle.comment(failed(text, text), CONFIG).count("overloaded") == 3
    long = "API Error: overloaded. " * 400
    found = verdict.of(
        Outcome((Finished(ok=False, reason="x", text=long),), 1, "exited", 1.0, "", ""), [], Hitl(), None
    )
    assert settle.comment(failed(found.reason or "", found.summary), CONFIG).count("overloaded") == 400
    done = Result("succeeded", "It is done.", "It is done.")
    assert "It is done." in settle.comment(done, CONFIG), "the head of this one gives no reason"
    assert "I changed two files." in settle.comment(failed("exit code 1", "I changed two files."), CONFIG)


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (
            "Unable to connect to http://127.0.0.1:41414/v1/messages",
            "Unable to connect to https://api.example/v1/messages",
        ),
        ("connect ECONNREFUSED 127.0.0.1:41414", "connect ECONNREFUSED https://api.example"),
        ("http://localhost:41414 is away", "https://api.example is away"),
        ("127.0.0.1:414140, 1127.0.0.1:41414, 127.0.0.1:80", "127.0.0.1:414140, 1127.0.0.1:41414, 127.0.0.1:80"),
    ],
)
def test_the_model_is_named_by_its_own_address(said: str, named: str):
    assert upstream_words.named("http://127.0.0.1:41414", "https://api.example")(said) == named
    assert upstream_words.named(None, None)(said) == said


def test_a_verdict_names_the_model_wherever_it_speaks():
    events = (Noticed("error", "fetch failed: 127.0.0.1:41414"),)
    found = verdict.of(Outcome(events, 1, "exited", 1.0, "", ""), [], Hitl(), None)
    told = upstream_words.of_verdict(found, upstream_words.named("http://127.0.0.1:41414", "https://api.example"))
    assert (told.reason, told.summary) == ("fetch failed: https://api.example",) * 2


@pytest.mark.parametrize("code", [401, 429, 500, 529])
def test_an_answer_that_is_none_is_told_once_and_is_no_line_of_the_proxy(code: int):
    async def go() -> None:
        async def refuse(reader: Any, writer: Any) -> None:
            writer.write(f"HTTP/1.1 {code} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())

        async with site(refuse) as here:
            heard: list[str] = []
            here.door.on_trouble = heard.append
            for _ in range(3):
                assert f" {code} " in await here.ask(ASK % here.door.token.encode())
            assert heard == [f"the model at 127.0.0.1 answers {code}"]
            assert here.said == [], "what passes decides nothing about how a run came out"

    asyncio.run(asyncio.wait_for(go(), 60))


def test_a_model_that_is_silent_is_told_while_it_is(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(upstream, "PATIENCE", 0.05)

    async def go() -> None:
        told = asyncio.Event()
        heard: list[str] = []

        async def silent(reader: Any, writer: Any) -> None:
            await told.wait()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")

        async with site(silent) as here:
            here.door.on_trouble = lambda text: (heard.append(text), told.set())
            assert (await here.ask(ASK % here.door.token.encode())).endswith("ok")
        assert len(heard) == 1
        assert "has not answered for" in heard[0]

    asyncio.run(asyncio.wait_for(go(), 60))


def test_a_model_that_is_away_is_told():
    async def go() -> None:
        async with site() as here:
            heard: list[str] = []
            here.door.on_trouble = heard.append
            here.egress.add("run", "http://127.0.0.1:9", "k", "x-api-key")
            assert " 502 " in await here.ask(ASK % here.door.token.encode())
            assert heard == ["the model at 127.0.0.1 cannot be reached: ConnectError"]
            assert here.said == [f"egress: {heard[0]}"]

    asyncio.run(asyncio.wait_for(go(), 60))


def test_a_run_says_that_it_begins_with_what_and_where(scene: Scene):  # noqa: F811
    assert scene.run("plain").status == "succeeded"
    begun = [payload["text"] for what, channel, payload in scene.said if (what, channel) == ("status", "worker")]
    assert len(begun) == 1
    assert begun[0].startswith("the run begins: acp:cline with a model of its own choice")


def test_what_the_worker_says_of_a_run_is_said_in_its_log_and_to_people(tmp_path: Path):
    async def runner(given: Any, emit: Any, stop: Any) -> Result:
        emit("status", "worker", {"text": "the run begins: x"})
        emit("said", "host", {"text": "hello"})
        return Result("succeeded", "done")

    stage = Stage(tmp_path)
    task = stage.board.add("Mend the gate")
    stage.rounds(Runner(runner))
    assert f"task {task.id}: the run begins: x" in stage.said
    assert not any("hello" in line for line in stage.said)
    [run] = stage.board.runs()
    assert [event["payload"]["text"] for event in stage.board.log(run.id) if event["type"] == "status"] == [
        "the run begins: x"
    ]
