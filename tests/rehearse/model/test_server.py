"""The stand-in model answers over HTTP as each API does, and remembers what it was asked."""

import json

import httpx2
import pytest

from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.script import parse

ARGUMENTS = {"sql": "select 'ä'"}
SCRIPT = parse(
    {
        "usage": {"input": 700, "cache_read": 200, "cache_write": 100, "output": 40, "reasoning": 15},
        "steps": [{"say": "Looking.", "call": {"tool": "acme_query", "arguments": ARGUMENTS}}, {"say": "Done."}],
    }
)
SCHEMA = {"type": "object", "properties": {"sql": {"type": "string"}}}


def ask(url: str, path: str, body: dict) -> httpx2.Response:
    with httpx2.Client(trust_env=False) as client:
        return client.post(url + path, json=body, headers={"authorization": "Bearer stand-in"})


def events(response: httpx2.Response) -> list[dict]:
    """The data of the server-sent events, the closing `[DONE]` left out."""
    lines = [line.removeprefix("data: ") for line in response.text.splitlines() if line.startswith("data: ")]
    return [json.loads(line) for line in lines if line != "[DONE]"]


def anthropic(result: str | None = None, **more: object) -> dict:
    messages: list[dict] = [{"role": "user", "content": "the question"}]
    if result is not None:
        use = {"type": "tool_use", "id": "t1", "name": "mcp__acme-db__acme_query", "input": ARGUMENTS}
        back = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": result}]}
        messages += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [back]}]
    tools = [{"name": "mcp__acme-db__acme_query", "input_schema": SCHEMA}]
    return {
        "model": "m",
        "system": [{"type": "text", "text": "the rules"}],
        "messages": messages,
        "tools": tools,
    } | more


def chat(result: str | None = None, **more: object) -> dict:
    messages: list[dict] = [{"role": "system", "content": "the rules"}, {"role": "user", "content": "the question"}]
    if result is not None:
        call = {"id": "t1", "type": "function", "function": {"name": "acme-db_acme_query", "arguments": "{}"}}
        messages += [{"role": "assistant", "tool_calls": [call]}]
        messages += [{"role": "tool", "tool_call_id": "t1", "content": result}]
    tools = [{"type": "function", "function": {"name": "acme-db_acme_query", "parameters": SCHEMA}}]
    return {"model": "m", "messages": messages, "tools": tools} | more


def responses(result: str | None = None, **more: object) -> dict:
    content = [{"type": "input_text", "text": "the question"}]
    items: list[dict] = [{"type": "message", "role": "user", "content": content}]
    if result is not None:
        items += [{"type": "function_call", "call_id": "t1", "name": "acme_query", "arguments": "{}"}]
        items += [{"type": "function_call_output", "call_id": "t1", "output": result}]
    inner = [{"type": "function", "name": "acme_query", "parameters": SCHEMA}]
    tools = [{"type": "namespace", "name": "mcp__acme_db", "description": "the server says", "tools": inner}]
    return {"model": "m", "instructions": "the rules", "input": items, "tools": tools} | more


def gemini(result: str | None = None) -> dict:
    contents: list[dict] = [{"role": "user", "parts": [{"text": "the question"}]}]
    if result is not None:
        back = {"name": "mcp_acme-db_acme_query", "response": {"output": result}}
        contents += [{"role": "user", "parts": [{"functionResponse": back}]}]
    tools = [{"functionDeclarations": [{"name": "mcp_acme-db_acme_query", "parametersJsonSchema": SCHEMA}]}]
    return {"systemInstruction": {"parts": [{"text": "the rules"}]}, "contents": contents, "tools": tools}


def test_anthropic_whole_message_calls_the_tool_by_the_hosts_name() -> None:
    with StandIn(SCRIPT, "acme-db") as model:
        message = ask(model.url, "/v1/messages", anthropic()).json()

    assert [block["type"] for block in message["content"]] == ["text", "tool_use"]
    assert message["content"][1]["name"] == "mcp__acme-db__acme_query"
    assert message["content"][1]["input"] == ARGUMENTS
    assert message["stop_reason"] == "tool_use"
    assert message["usage"] == {
        "input_tokens": 700,
        "cache_read_input_tokens": 200,
        "cache_creation_input_tokens": 100,
        "output_tokens": 40,
    }


def test_anthropic_stream_adds_up_to_the_same_message() -> None:
    with StandIn(SCRIPT, "acme-db") as model:
        stream = events(ask(model.url, "/v1/messages?beta=true", anthropic(stream=True)))

    assert [event["type"] for event in stream] == [
        "message_start",
        *["content_block_start", "content_block_delta", "content_block_stop"] * 2,
        "message_delta",
        "message_stop",
    ]
    assert stream[2]["delta"]["text"] == "Looking."
    assert json.loads(stream[5]["delta"]["partial_json"]) == ARGUMENTS
    assert stream[-2]["delta"]["stop_reason"] == "tool_use"
    assert stream[-2]["usage"]["output_tokens"] == 40


def test_chat_whole_completion_calls_the_tool_by_the_hosts_name() -> None:
    with StandIn(SCRIPT, "acme-db") as model:
        completion = ask(model.url, "/v1/chat/completions", chat()).json()

    choice = completion["choices"][0]
    function = choice["message"]["tool_calls"][0]["function"]
    assert (function["name"], json.loads(function["arguments"])) == ("acme-db_acme_query", ARGUMENTS)
    assert choice["finish_reason"] == "tool_calls"
    assert completion["usage"]["prompt_tokens"] == 1000
    assert completion["usage"]["prompt_tokens_details"]["cached_tokens"] == 200
    assert completion["usage"]["completion_tokens"] == 40
    assert completion["usage"]["completion_tokens_details"]["reasoning_tokens"] == 15


def test_chat_stream_adds_up_to_the_same_completion_and_ends_with_done() -> None:
    with StandIn(SCRIPT, "acme-db") as model:
        response = ask(model.url, "/v1/chat/completions", chat(stream=True))

    stream = events(response)
    deltas = [chunk["choices"][0]["delta"] for chunk in stream if chunk["choices"]]
    calls = [call for delta in deltas for call in delta.get("tool_calls", [])]
    assert "".join(delta.get("content", "") for delta in deltas) == "Looking."
    assert [json.loads(call["function"]["arguments"]) for call in calls] == [ARGUMENTS]
    assert stream[-1]["usage"]["total_tokens"] == 1040
    assert response.text.endswith("data: [DONE]\n\n")


def test_responses_stream_calls_the_tool_in_its_namespace() -> None:
    with StandIn(SCRIPT, "acme-db") as model:
        stream = events(ask(model.url, "/v1/responses", responses(stream=True)))

    done = [event["item"] for event in stream if event["type"] == "response.output_item.done"]
    assert [item["type"] for item in done] == ["message", "function_call"]
    assert (done[1]["namespace"], done[1]["name"]) == ("mcp__acme_db", "acme_query")
    assert json.loads(done[1]["arguments"]) == ARGUMENTS
    completed = stream[-1]["response"]
    assert (stream[-1]["type"], completed["output"]) == ("response.completed", done)
    assert completed["usage"]["input_tokens"] == 1000
    assert completed["usage"]["input_tokens_details"]["cached_tokens"] == 200
    assert completed["usage"]["output_tokens_details"]["reasoning_tokens"] == 15


def test_responses_whole_answer_is_the_completed_response() -> None:
    with StandIn(SCRIPT, "acme-db") as model:
        response = ask(model.url, "/v1/responses", responses()).json()

    assert (response["status"], response["output"][0]["content"][0]["text"]) == ("completed", "Looking.")


def test_responses_calls_from_code_where_the_host_wants_a_program() -> None:
    executor = {"type": "custom", "name": "exec", "description": "`ALL_TOOLS`: metadata of the tools"}
    wrapped = {"type": "additional_tools", "tools": [{"type": "namespace", "name": "functions", "tools": [executor]}]}
    body = {"model": "m", "stream": True, "input": [wrapped, {"role": "user", "content": "the question"}]}
    with StandIn(SCRIPT, "acme-db") as model:
        stream = events(ask(model.url, "/v1/responses", body))

    call = stream[-1]["response"]["output"][1]
    assert (call["type"], call["name"], call["namespace"]) == ("custom_tool_call", "exec", "functions")
    assert '"acmedbacmequery"' in call["input"]
    assert json.dumps(ARGUMENTS) in call["input"]


def test_a_program_that_finds_no_tool_counts_as_not_offered() -> None:
    executor = {"type": "custom", "name": "exec", "description": "ALL_TOOLS"}
    first = {"model": "m", "input": "the question", "tools": [executor]}
    with StandIn(SCRIPT, "acme-db") as model:
        call = ask(model.url, "/v1/responses", first).json()["output"][1]
        back = {"type": "custom_tool_call_output", "call_id": call["call_id"], "output": "no such tool"}
        missing = {"type": "custom_tool_call_output", "call_id": call["call_id"]}
        ask(model.url, "/v1/responses", first | {"input": [back]})
        assert model.actor.not_offered == []
        ask(model.url, "/v1/responses", first | {"input": [missing | {"output": "The rehearsal found no such tool."}]})
        assert model.actor.not_offered == ["acme_query"]


def test_gemini_stream_calls_the_tool_and_ends_with_usage() -> None:
    with StandIn(SCRIPT, "acme-db") as model:
        stream = events(ask(model.url, "/v1beta/models/gemini-x:streamGenerateContent?alt=sse", gemini()))

    parts = [part for chunk in stream for part in chunk["candidates"][0]["content"]["parts"]]
    assert parts[0]["text"] == "Looking."
    assert (parts[1]["functionCall"]["name"], parts[1]["functionCall"]["args"]) == (
        "mcp_acme-db_acme_query",
        ARGUMENTS,
    )
    assert [chunk["candidates"][0].get("finishReason") for chunk in stream] == [None, "STOP"]
    assert stream[-1]["usageMetadata"] == {
        "promptTokenCount": 1000,
        "cachedContentTokenCount": 200,
        "candidatesTokenCount": 25,
        "thoughtsTokenCount": 15,
        "totalTokenCount": 1040,
    }


def test_gemini_whole_answer_holds_text_and_call() -> None:
    with StandIn(SCRIPT, "acme-db") as model:
        answer = ask(model.url, "/v1beta/models/gemini-x:generateContent", gemini()).json()

    assert [sorted(part) for part in answer["candidates"][0]["content"]["parts"]] == [["text"], ["functionCall"]]
    assert answer["modelVersion"] == "gemini-x"


ROUNDS = (
    pytest.param("/v1/messages", anthropic, id="anthropic"),
    pytest.param("/v1/chat/completions", chat, id="chat"),
    pytest.param("/v1/responses", responses, id="responses"),
    pytest.param("/v1beta/models/gemini-x:generateContent", gemini, id="gemini"),
)


@pytest.mark.parametrize(("path", "body"), ROUNDS)
def test_every_request_is_remembered_with_what_stood_in_it(path: str, body) -> None:
    with StandIn(SCRIPT, "acme-db") as model:
        ask(model.url, path, body())
        ask(model.url, path, body("one row"))
        first, second = model.requests

    assert first.has("the rules", "system")
    assert first.has("the question", "user")
    assert not first.has("the question", "system")
    assert first.offers[0].name.endswith("acme_query")
    assert first.offers[0].schema == SCHEMA
    assert first.keys == ("stand-in",)
    assert first.results == ()
    assert [(result.name.endswith("acme_query"), result.text) for result in second.results] == [(True, "one row")]
    assert second.has("one row", "tool")


@pytest.mark.parametrize(("path", "body"), ROUNDS)
def test_a_request_without_tools_gets_a_harmless_answer_and_uses_up_no_step(path: str, body) -> None:
    with StandIn(SCRIPT, "acme-db") as model:
        side = ask(model.url, path, body() | {"tools": []})
        assert "Rehearsal" in side.text
        assert "Looking." in ask(model.url, path, body()).text
        assert [request.side for request in model.requests] == [True, False]


@pytest.mark.parametrize(("path", "body"), ROUNDS)
def test_a_script_that_is_over_says_so(path: str, body) -> None:
    with StandIn(SCRIPT, "acme-db") as model:
        texts = [ask(model.url, path, body()).text for _ in range(3)]
        assert model.actor.left == ()

    assert "Done." in texts[1]
    assert "The script has ended." in texts[2]


def test_counting_routes_answer() -> None:
    with StandIn(SCRIPT, "acme-db") as model:
        assert ask(model.url, "/v1/messages/count_tokens", anthropic()).json()["input_tokens"] > 0
        assert ask(model.url, "/v1beta/models/g:countTokens", gemini()).json()["totalTokens"] > 0
        assert model.requests == ()


def test_what_no_model_api_has_is_refused_and_noted() -> None:
    with StandIn(SCRIPT, "acme-db") as model, httpx2.Client(trust_env=False) as client:
        assert client.get(model.url + "/npm/some-package").status_code == 404
        assert client.post(model.url + "/v1/messages", content=b"\xff not json").status_code == 400
        assert client.post(model.url + "/v1/messages", content=b"[]").status_code == 400
        assert model.strays == ["GET /npm/some-package"]
        assert model.requests == ()


def test_it_listens_on_the_loopback_interface_only_and_stops() -> None:
    with StandIn(SCRIPT, "acme-db") as model:
        url = model.url
        assert url.startswith("http://127.0.0.1:")
        with StandIn(SCRIPT, "acme-db") as other:
            assert other.url != url

    with pytest.raises(httpx2.ConnectError), httpx2.Client(trust_env=False) as client:
        client.get(url)


def test_steps_for_a_subagent_are_kept_for_conversations_without_the_prompt() -> None:
    script = parse(
        {"prompt": "the question", "steps": [{"say": "from below", "subagent": True}, {"say": "one"}, {"say": "two"}]}
    )
    below = anthropic() | {"messages": [{"role": "user", "content": "a small task"}]}
    with StandIn(script, "acme-db") as model:
        said = [ask(model.url, "/v1/messages", body).json() for body in (anthropic(), below, anthropic(), below)]
    assert [answer["content"][0]["text"] for answer in said] == ["one", "from below", "two", "The script has ended."]
