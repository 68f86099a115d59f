"""A client of an app's MCP endpoint: initialize, list, call, as JSON-RPC over requests that others carry (section 7)."""

from collections.abc import Callable, Mapping

from agent_connector.byoa.core.effects import Failure, Outcome, Response
from agent_connector.byoa.core.exchange import Exchange, told
from agent_connector.byoa.core.provenance import CONNECTOR
from agent_connector.byoa.protocol import JSON_OR_STREAM, Fields, ProtocolError
from agent_connector.byoa.protocol.fields import visible_ascii
from agent_connector.byoa.protocol.limits import MCP_BODY, TOOLS_READ
from agent_connector.byoa.protocol.mcp import VERSIONS, RpcError, Tool, notification, parse_answer, read_tools, request

Result = Callable[[Fields | str], None]  # a string says what went wrong
SESSION_ID_MOST = 512
PAGES_MOST = 50


class McpClient:
    """One MCP session with one app, opened at the first request and once again when the app lost it."""

    def __init__(self, exchange: Exchange, origin: str, url: str, token: str, version: str) -> None:
        self._exchange = exchange
        self._origin = origin
        self._url = url
        self._token = token
        self._version = version
        self._count = 0
        self._session: str | None = None
        self._spoken: str | None = None  # the protocol version, once initialized
        self._opening: list[Callable[[str | None], None]] = []

    def list_tools(self, then: Callable[[tuple[Tool, ...] | str, int], None]) -> None:
        """All pages; `then` gets the tools, or what went wrong, and how many could not be used."""
        tools: list[Tool] = []
        refused = pages = 0

        def page(result: Fields | str) -> None:
            nonlocal refused, pages
            if isinstance(result, str):
                return then(result, 0)
            try:
                found = read_tools(result)
            except ProtocolError as problem:
                return then(f"{self._origin} cannot be understood: {problem}", 0)
            tools.extend(found.tools)
            refused += found.refused
            pages += 1
            if found.next is None or pages >= PAGES_MOST or len(tools) >= TOOLS_READ:
                return then(tuple(tools), refused)
            return self._ask("tools/list", {"cursor": found.next}, page)

        self._ask("tools/list", {}, page)

    def call(self, tool: str, arguments: Mapping[str, object], then: Result) -> None:
        self._ask("tools/call", {"name": tool, "arguments": dict(arguments)}, then)

    def _ask(self, method: str, params: Mapping[str, object], then: Result, again: bool = True) -> None:
        def opened(problem: str | None) -> None:
            if problem is not None:
                then(problem)
            else:
                self._post(method, params, answered)

        def answered(outcome: Outcome, id: int) -> None:
            lost = isinstance(outcome, Response) and outcome.status == 404 and self._session is not None
            if lost and again:
                # The app does not know the session, so it has not carried the request out.
                self._session = self._spoken = None
                self._ask(method, params, then, again=False)
            else:
                then(self._result(outcome, id))

        self._open(opened)

    def _result(self, outcome: Outcome, id: int) -> Fields | str:
        if isinstance(outcome, Failure) or outcome.status != 200:
            return told(outcome, self._origin)
        try:
            answer = parse_answer(outcome.body, outcome.headers.get("content-type", ""), id)
        except ProtocolError as problem:
            return f"{self._origin} cannot be understood: {problem}"
        return f"{self._origin} refuses: {answer.message or answer.code}" if isinstance(answer, RpcError) else answer

    def _open(self, then: Callable[[str | None], None]) -> None:
        if self._spoken is not None:
            return then(None)
        self._opening.append(then)
        if len(self._opening) > 1:
            return None
        client = {"name": CONNECTOR, "version": self._version}
        params = {"protocolVersion": VERSIONS[0], "capabilities": {}, "clientInfo": client}
        return self._post("initialize", params, self._initialized)

    def _initialized(self, outcome: Outcome, id: int) -> None:
        result = self._result(outcome, id)
        if isinstance(result, Fields):
            spoken = result.values.get("protocolVersion")
            if not isinstance(spoken, str) or spoken not in VERSIONS:
                return self._opened(f"{self._origin} speaks a version of MCP that is not known here")
            session = outcome.headers.get("mcp-session-id") if isinstance(outcome, Response) else None
            if session is not None and (len(session) > SESSION_ID_MOST or not visible_ascii(session)):
                return self._opened(f"{self._origin} gives an MCP session id that cannot be sent")
            self._spoken, self._session = spoken, session
            # The app may answer requests only after it has read this.
            self._send(notification("notifications/initialized"), lambda _: self._opened(None))
            return None
        return self._opened(result)

    def _opened(self, problem: str | None) -> None:
        waiting, self._opening = self._opening, []
        for then in waiting:
            then(problem)

    def _post(self, method: str, params: Mapping[str, object], then: Callable[[Outcome, int], None]) -> None:
        self._count += 1
        id = self._count
        try:
            body = request(id, method, params)
        except ValueError:  # half a surrogate pair, or a number that JSON has no word for
            then(Failure("the request cannot be written as JSON"), id)
            return
        if len(body) > MCP_BODY:
            then(Failure(f"the request is larger than {MCP_BODY} bytes"), id)
            return
        self._send(body, lambda outcome: then(outcome, id))

    def _send(self, body: bytes, then: Callable[[Outcome], None]) -> None:
        extra: list[tuple[str, str]] = []
        if self._spoken is not None:
            extra.append(("MCP-Protocol-Version", self._spoken))
        if self._session is not None:
            extra.append(("Mcp-Session-Id", self._session))
        self._exchange.send(
            "POST",
            self._url,
            then,
            limit=MCP_BODY,
            body=body,
            token=self._token,
            accept=JSON_OR_STREAM,
            extra=tuple(extra),
        )
