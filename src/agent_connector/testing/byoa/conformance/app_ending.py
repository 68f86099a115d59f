"""Checks of an app: its MCP endpoint, revocation, and at last the queue of pairings (sections 7 and 3 of docs/byoa-wire.md)."""

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.core.effects import Response
from agent_connector.byoa.protocol.mcp import VERSIONS, RpcError, notification, parse_answer, read_tools, request
from agent_connector.testing.byoa.conformance.report import Failed, NotApplicable, Table, expect
from agent_connector.testing.byoa.conformance.stage import CLIENT, Stage

TABLE = Table[Stage]()
PAGES_MOST = 50
CLIENT_INFO = {"name": "conformance", "version": "1.0"}


def _url(stage: Stage) -> str:
    if stage.doors.mcp is None:
        raise NotApplicable("the app has no MCP endpoint")
    return stage.doors.mcp


async def _opened(stage: Stage, version: str) -> tuple[tuple[str, str], ...]:
    """Initialize; gives the headers of what follows."""
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT_INFO}
    answer = await stage.mcp(_url(stage), request(1, "initialize", params), stage.token)
    expect(answer.status == 200, f"initialize is answered with {answer.status}")
    result = _result(answer, 1)
    spoken = result.text("protocolVersion", 40)
    expect(spoken in VERSIONS, f"initialize with {version} gives version {spoken}, which no pairer speaks")
    headers = (("MCP-Protocol-Version", spoken),)
    if "mcp-session-id" in answer.headers:
        headers = (*headers, ("Mcp-Session-Id", answer.headers["mcp-session-id"]))
    done = await stage.mcp(_url(stage), notification("notifications/initialized"), stage.token, headers)
    expect(200 <= done.status < 300, f"notifications/initialized is answered with {done.status}")
    return headers


def _result(answer: Response, id: int) -> wire.Fields:
    found = parse_answer(answer.body, answer.headers.get("content-type", ""), id)
    if isinstance(found, RpcError):
        raise Failed(f"an error: {found.message or found.code}")
    return found


@TABLE.check(3, "401 at any door means that it has ended")
async def the_mcp_endpoint_wants_the_token(stage: Stage) -> str:
    url = _url(stage)
    body = request(1, "initialize", {"protocolVersion": VERSIONS[0], "capabilities": {}, "clientInfo": CLIENT_INFO})
    for token in (None, "x" * 43):
        answer = await stage.mcp(url, body, token)
        expect(answer.status == 401, f"{'no' if token is None else 'a made-up'} token is answered with {answer.status}")
    return "401"


@TABLE.check(7, "reads JSON and event streams")
async def every_age_of_mcp_is_answered(stage: Stage) -> str:
    seen: list[str] = []
    for version in VERSIONS:
        headers = await _opened(stage, version)
        seen.append(f"{version}: {headers[0][1]}")
        answer = await stage.mcp(_url(stage), request(2, "tools/list", {}), stage.token, headers)
        expect(answer.status == 200, f"tools/list is answered with {answer.status} in {headers[0][1]}")
        read_tools(_result(answer, 2))
    return ", ".join(seen)


@TABLE.check(7, "`tools/list` (all pages)")
async def every_tool_can_be_offered(stage: Stage) -> str:
    headers = await _opened(stage, VERSIONS[0])
    names: list[str] = []
    params: dict[str, object] = {}
    for page in range(PAGES_MOST):
        answer = await stage.mcp(_url(stage), request(page + 2, "tools/list", params), stage.token, headers)
        found = read_tools(_result(answer, page + 2))
        expect(found.refused == 0, f"{found.refused} tools have a name or a schema that cannot be used")
        names += [tool.name for tool in found.tools]
        if found.next is None:
            expect(len(set(names)) == len(names), "two tools have one name")
            return f"{len(names)} tools"
        params = {"cursor": found.next}
    raise Failed(f"more than {PAGES_MOST} pages")


@TABLE.check(7, "A call without an answer in 30 s is a tool error")
async def an_unknown_tool_is_an_answer(stage: Stage) -> str:
    headers = await _opened(stage, VERSIONS[0])
    params: dict[str, object] = {"name": "no_such_tool_here", "arguments": dict[str, object]()}
    answer = await stage.mcp(_url(stage), request(9, "tools/call", params), stage.token, headers)
    expect(answer.status in (200, 400, 404), f"a call of an unknown tool is answered with {answer.status}")
    if answer.status == 200:
        found = parse_answer(answer.body, answer.headers.get("content-type", ""), 9)
        told = isinstance(found, RpcError) or found.values.get("isError") is True
        expect(told, "a call of an unknown tool succeeds")
    return f"{answer.status}, an error"


@TABLE.check(1, "Redirects are not followed.")
async def nothing_redirects(stage: Stage) -> str:
    """What all checks before have seen; a page for people may lead to its sign-in."""
    found = [line for line in stage.redirects if line.startswith("POST") or wire.WELL_KNOWN in line]
    expect(not found, "; ".join(dict.fromkeys(found)))
    return f"none in {stage.requests} requests"


@TABLE.check(3, "`POST revoke` with the token ends the connection.")
async def revocation_closes_every_door(stage: Stage) -> str:
    for token in stage.tokens or [stage.token]:
        answer = await stage.ask(stage.doors.revoke, b"{}", token)
        expect(200 <= answer.status < 300, f"revoke answers {answer.status}")
        found = await stage.statuses(token)
        expect(set(found.values()) == {401}, f"a revoked token gets {found}")
    return f"401 at every door, for {len(stage.tokens)} tokens"


@TABLE.check(3, "`POST revoke` with the token ends the connection.")
async def a_connection_is_revoked_once(stage: Stage) -> str:
    return await stage.refuses(stage.doors.revoke, b"{}", stage.token, 401)


@TABLE.check(3, "guesses are limited per account and address; an address has at most 5 pending grants")
async def an_address_has_five_pending_grants(stage: Stage) -> str:
    """Last of all: it fills the queue of this address."""
    for number in range(6):
        answer = await stage.ask(stage.doors.pair_start, CLIENT.dump())
        if answer.status != 200:
            expect(400 <= answer.status < 500, f"pair_start answers {answer.status}")
            return f"{answer.status} after {number}"
    raise Failed("six grants of one address wait at the same time")
