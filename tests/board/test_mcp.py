"""The tools as programs of others meet them: both ages of the protocol, schemas, refusals that can be read."""

import asyncio
import json
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from sqlalchemy.exc import OperationalError
from tests.board.site import Site, site_of

from agent_connector.board import rules, runs, tools
from agent_connector.board.store import Store
from agent_connector.errors import BoardUnreachable
from agent_connector.testing.board_checks import event
from agent_connector.testing.board_stage import ADDRESS, minted

Run = Callable[..., None]


@pytest.mark.parametrize(("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
def test_both_ages_of_the_protocol_are_spoken(mode: str, version: str, store: Store, key: str):
    async def work() -> None:
        async with site_of(store) as site:
            headers = {"x-api-key": key}
            http = httpx2.AsyncClient(transport=httpx2.ASGITransport(site.app), headers=headers)
            transport = streamable_http_client(f"{ADDRESS}/mcp", http_client=http)
            async with http, Client(transport, mode=mode) as client:
                assert client.protocol_version == version
                listed = (await client.list_tools()).tools
                assert {tool.name for tool in listed} == set(rules.TOOLS)
                answer = await client.call_tool("ping", {})
                assert answer.structured_content["ok"] is True
                assert json.loads(answer.content[0].text) == answer.structured_content
                with pytest.raises(MCPError) as caught:
                    await client.call_tool("drop_tables", {})
                assert caught.value.data == {"code": "unknown_tool"}

    asyncio.run(work())


def test_the_tools_take_what_the_contract_says():
    for tool in tools.ALL:
        assert rules.TOOLS[tool.name] <= set(tool.takes)
        assert set(tool.needs) <= set(tool.takes)


async def refusal(site: Site, key: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    result = (await site.tool(key, name, arguments)).json()["result"]
    assert result["isError"] is True
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    return result["structuredContent"]["error"]


def test_a_refusal_names_its_code_and_the_field(key: str, at_site: Run):
    async def work(site: Site) -> None:
        for name, arguments, code, field in (
            ("tasks_task_get", {"id": "none"}, "not_found", "taskId"),
            ("tasks_task_get", {}, "invalid", "id"),
            ("tasks_task_get", {"id": 5}, "invalid", "id"),
            ("tasks_task_get", {"id": "x", "more": 1}, "invalid", "more"),
            ("tasks_tasks_list", {"limit": 201}, "invalid", "limit"),
            ("tasks_tasks_list", {"cursor": "nonsense"}, "invalid", "cursor"),
            ("tasks_tasks_list", {"cursor": "YTpi"}, "invalid", "cursor"),
            ("tasks_tasks_list", {"status": [f"s{number}" for number in range(21)]}, "invalid", "status"),
            ("agentops_run_update", {"id": "x", "status": "odd"}, "invalid", "status"),
            ("tasks_tasks_list", {"status": 5}, "invalid", "status"),
            ("agentops_run_update", {"id": "x", "status": "failed", "cost": -1}, "invalid", "cost"),
            ("agentops_task_claim", {"taskId": "x", "connectorId": "c", "instanceId": "i", "leaseSeconds": 10**9},
             "invalid", "leaseSeconds"),
        ):  # fmt: skip
            error = await refusal(site, key, name, arguments)
            assert (error["code"], error.get("field")) == (code, field), (name, arguments, error)
        error = await refusal(site, key, "tasks_tasks_list", {"limit": 201})
        assert error["message"] == "not at most 200"

    at_site(work)


def test_absent_and_null_are_the_same(key: str, at_site: Run):
    async def work(site: Site) -> None:
        answer = await site.tool(key, "tasks_tasks_list", {"board": None, "cursor": None})
        assert answer.json()["result"]["structuredContent"] == {"tasks": []}

    at_site(work)


def test_a_list_is_read_page_by_page_to_its_end(store: Store, key: str, at_site: Run):
    from agent_connector.board import tasks

    made = [store.write(tasks.add, title=f"t{number}", by="x").id for number in range(5)]
    long = [store.write(tasks.add, title="t", by="x", description="x" * 60_000).id for _ in range(80)]

    async def work(site: Site) -> None:
        got, cursor, pages = [], None, 0
        while cursor is not None or not pages:
            asked = {"limit": 2} if pages < 3 else {"limit": 200}
            page = (await site.tool(key, "tasks_tasks_list", {**asked, "cursor": cursor})).json()["result"]
            got += [task["id"] for task in page["structuredContent"]["tasks"]]
            cursor, pages = page["structuredContent"].get("nextCursor"), pages + 1
        assert got == made + long
        assert pages == 5, "three of two, and what is long on two more"

    at_site(work)


def test_a_batch_has_bounds(store: Store, key: str, at_site: Run):
    from agent_connector.board import tasks

    task = store.write(tasks.add, title="t", by="x")
    run = store.write(runs.create, task.id, connector="c")

    async def work(site: Site) -> None:
        async def append(events: list[Any]) -> dict[str, Any]:
            return await refusal(site, key, "agentops_run_log_append", {"runId": run.id, "events": events})

        assert (await append([event(n) for n in range(201)]))["code"] == "invalid"
        assert (await append([event(n, "x" * 100_000) for n in range(3)]))["code"] == "invalid"
        assert (await append([event(0), {"seq": 1}]))["field"] == "events[1].payload"
        assert (await append([{**event(0), "ts": 5}]))["field"] == "events[0].ts"
        assert (await append([event(2**53)]))["field"] == "events[0].seq"

    at_site(work)
    assert store.read(runs.get, run.id).next_seq == 0


def test_a_database_that_is_away_is_said_so(key: str, at_site: Run):
    async def work(site: Site) -> None:
        with patch.object(tools.tasks, "get", side_effect=BoardUnreachable("gone", retry_after=7)):
            error = await refusal(site, key, "tasks_task_get", {"id": "x"})
            assert (error["code"], error["retryAfter"]) == ("unavailable", 7)
        broken = OperationalError("SELECT secret", {}, Exception("secret"))
        with patch.object(tools.tasks, "get", side_effect=broken):
            error = await refusal(site, key, "tasks_task_get", {"id": "x"})
            assert "secret" not in str(error)

    at_site(work)


def test_a_key_s_name_is_the_author(store: Store, at_site: Run):
    from agent_connector.board import tasks

    task = store.write(tasks.add, title="t", by="x")
    keyed = {"ada@example.com": minted(store, "ada@example.com"), "shed": minted(store, "eve@example.com", "shed")}

    async def work(site: Site) -> None:
        for author, key in keyed.items():
            said = await site.tool(key, "tasks_comment_add", {"taskId": task.id, "body": "x"})
            assert said.json()["result"]["structuredContent"]["comment"]["author"] == author
            moved = await site.tool(key, "tasks_task_set_status", {"taskId": task.id, "status": "x"})
            assert moved.json()["result"]["structuredContent"]["task"]["statusBy"] == author

    at_site(work)


def test_a_request_is_one_person_s(store: Store, key: str, at_site: Run):
    from agent_connector.board import tasks

    task = store.write(tasks.add, title="t", by="x")
    other = minted(store, "eve@example.com")
    asked = {"taskId": task.id, "body": "x", "requestId": "r"}

    async def work(site: Site) -> None:
        answers = [(await site.tool(one, "tasks_comment_add", asked)).json() for one in (key, other, key)]
        ids = [answer["result"]["structuredContent"]["comment"]["id"] for answer in answers]
        assert ids[0] == ids[2] != ids[1]

    at_site(work)
