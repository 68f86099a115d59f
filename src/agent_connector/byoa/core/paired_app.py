"""One app that is paired: its discovery, whether it may still be used, and its list of tools."""

from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto

from agent_connector.byoa.core.effects import Outcome, Response
from agent_connector.byoa.core.exchange import Backoff, Exchange, told
from agent_connector.byoa.core.mcp_client import McpClient
from agent_connector.byoa.core.store import Store
from agent_connector.byoa.protocol import (
    WELL_KNOWN,
    Credential,
    Endpoints,
    ProtocolError,
    ToolCache,
    parse_discovery,
)
from agent_connector.byoa.protocol.limits import PAIRING_BODY
from agent_connector.byoa.protocol.mcp import Tool

QUICK_RETRY = 1.0


class AppState(Enum):
    STARTING = auto()  # its discovery is on the way
    READY = auto()
    REFUSED = auto()  # it names itself differently than when it was paired
    REVOKED = auto()
    STOPPED = auto()  # disconnected here, or its credential file is gone


class ToolState(Enum):
    NONE = auto()  # the app has no MCP endpoint, or no list could be had
    FETCHING = auto()
    RETRY = auto()  # the one quick retry is due
    FRESH = auto()
    CACHED = auto()


class PairedApp:
    def __init__(
        self, exchange: Exchange, store: Store, credential: Credential, version: str, closed: Callable[[str], None]
    ) -> None:
        self.credential = credential
        self.state = AppState.STARTING
        self.trouble = ""
        self.tools: tuple[Tool, ...] = ()
        self.tool_state = ToolState.FETCHING
        self.tool_trouble = ""
        self.tools_refused = 0
        self.mcp: McpClient | None = None
        self._exchange = exchange
        self._store = store
        self._version = version
        self._closed = closed
        self._request: int | None = None
        self._backoff = Backoff()
        self._ask_again = 0.0
        self._retry_at = 0.0
        self._discover()

    # What a link reads.

    @property
    def origin(self) -> str:
        return str(self.credential.origin)

    @property
    def token(self) -> str:
        return self.credential.token

    @property
    def endpoints(self) -> Endpoints:
        return self.credential.discovery.endpoints

    @property
    def hold(self) -> float:
        return self.credential.discovery.hold

    @property
    def interval(self) -> float:
        return self.credential.discovery.interval

    @property
    def usable(self) -> bool:
        return self.state is AppState.READY

    @property
    def tools_settled(self) -> bool:
        return self.tool_state not in (ToolState.FETCHING, ToolState.RETRY) or self.state not in (
            AppState.STARTING,
            AppState.READY,
        )

    def tick(self) -> None:
        if self.usable and self.tool_state is ToolState.RETRY and self._retry_at <= self._exchange.now:
            self._fetch_tools(last=True)

    def revoked(self) -> None:
        """The token is dead: the link stops and the tool cache goes; the credential file stays, for `status`."""
        try:
            self._store.forget_tools(self.credential.origin)
        except OSError as problem:
            self.trouble = f"its tool cache cannot be removed: {problem.strerror or problem}"
        self.stop(AppState.REVOKED)

    def stop(self, state: AppState = AppState.STOPPED) -> None:
        if self.state in (AppState.STARTING, AppState.READY):
            self.state = state
            self._exchange.cancel(self._request)
            self._closed(self.origin)

    def moved(self) -> None:
        """A door is not where it was: read discovery again, but not for every door at once."""
        if self._request is None and self._ask_again <= self._exchange.now:
            self._ask_again = self._exchange.now + self._backoff.after()
            self._discover()

    # Discovery.

    def _discover(self) -> None:
        url = f"{self.origin}{WELL_KNOWN}"
        self._request = self._exchange.send("GET", url, self._discovered, limit=PAIRING_BODY)

    def _discovered(self, outcome: Outcome) -> None:
        self._request = None
        if isinstance(outcome, Response) and outcome.status == 200:
            try:
                found = parse_discovery(outcome.body, self.credential.origin)
            except ProtocolError as problem:
                self.trouble = f"its discovery cannot be understood: {problem}"
            else:
                if found.app.id != self.credential.app.id:
                    self.trouble = f"it calls itself {found.app.id} now, and was paired as {self.credential.app.id}"
                    self.stop(AppState.REFUSED)
                    return
                self.trouble = ""
                self._backoff.reset()
                self._remember(replace(self.credential, app=found.app, discovery=found))
        else:
            self.trouble = told(outcome, self.origin)
        if self.state is AppState.STARTING:
            # what was read when it was paired still stands
            self.state = AppState.READY
            self._begin_tools()

    def _remember(self, credential: Credential) -> None:
        if credential != self.credential:
            self.credential = credential
            try:
                self._store.keep(credential)
            except OSError as problem:
                self.trouble = f"its credential file cannot be written: {problem.strerror or problem}"

    # Tools.

    def _begin_tools(self) -> None:
        url = self.endpoints.mcp
        if url is None:
            self.tool_state = ToolState.NONE
            return
        self.mcp = McpClient(self._exchange, self.origin, url, self.token, self._version)
        self._fetch_tools(last=False)

    def _fetch_tools(self, last: bool) -> None:
        if self.mcp is None:
            return
        self.tool_state = ToolState.FETCHING

        def then(found: tuple[Tool, ...] | str, refused: int) -> None:
            if not self.usable:
                return
            if isinstance(found, tuple):
                self._take_tools(found, refused)
            elif last:
                self.tool_trouble = found
                self.use_cache()
            else:
                self.tool_state = ToolState.RETRY
                self._retry_at = self._exchange.now + QUICK_RETRY

        self.mcp.list_tools(then)

    def _take_tools(self, tools: tuple[Tool, ...], refused: int) -> None:
        self.tools, self.tools_refused, self.tool_state, self.tool_trouble = tools, refused, ToolState.FRESH, ""
        try:
            self._store.keep_tools(ToolCache(self.credential.origin, self._exchange.clock.wall(), tools))
        except OSError as problem:
            self.tool_trouble = f"its tool cache cannot be written: {problem.strerror or problem}"

    def use_cache(self) -> None:
        """No fresh list in time: the last one stands in."""
        cache = self._store.tools(self.credential.origin)
        if isinstance(cache, ToolCache):
            self.tools, self.tool_state = cache.tools, ToolState.CACHED
        else:
            self.tool_state = ToolState.NONE
            self.tool_trouble = cache or self.tool_trouble
