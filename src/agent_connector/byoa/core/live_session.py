"""One live session: its lane of turns, a link to each app, and the tools it was offered."""

from collections.abc import Callable, Mapping
from itertools import chain
from typing import cast

from agent_connector.byoa.core import proxied_tool, sharing
from agent_connector.byoa.core.effects import Abort, Answer, Apply, CallResult, Submit
from agent_connector.byoa.core.exchange import Exchange
from agent_connector.byoa.core.link import Link, LinkState
from agent_connector.byoa.core.paired_app import PairedApp
from agent_connector.byoa.core.ports import CanAbort, CanSet, HostAdapter, HostSession
from agent_connector.byoa.core.proxied_tool import ProxiedTool
from agent_connector.byoa.core.turns import HOST_ERROR, SESSION_CLOSED, Hand, Lane, Phase, Tell, Turn
from agent_connector.byoa.protocol import (
    Change,
    Chat,
    End,
    Message,
    SessionInfo,
    Setting,
    Stop,
    session_key,
)

TOOLS_WAIT = 5.0  # a host that waits for its tools at the start is not kept longer by an app that does not answer


class LiveSession:
    """`shares` gives the fields of the workspace that the policy shares with the app at an origin."""

    def __init__(
        self,
        exchange: Exchange,
        adapter: HostAdapter,
        session: HostSession,
        apps: Mapping[str, PairedApp],
        shares: Callable[[str], tuple[str, ...]],
    ) -> None:
        self.session = session
        self.lane = Lane(exchange.random.bytes, isinstance(session, CanAbort))
        self.links: dict[str, Link] = {}
        self.retired: list[Link] = []
        self.dropped_setting = ""
        self.detached = False
        self.tools: tuple[ProxiedTool, ...] | None = None
        self._exchange = exchange
        self._adapter = adapter
        self._apps = apps
        self._shares = shares
        self._id: str | None = None
        self._tools_until: float | None = None

    def tick(self) -> None:
        id = None if self.detached or not self._adapter.is_interactive else self.session.host_session_id or None
        if id != self._id:
            self.retire()
            self._id = id
        if id is not None:
            for origin, app in self._apps.items():
                if app.usable and origin not in self.links:
                    self.links[origin] = self._link(app, id)
        if not self.detached:
            self.pump()
        for link in list(chain(self.links.values(), self.retired)):
            link.tick()
        self.retired = [link for link in self.retired if not link.over]

    def pump(self) -> None:
        """Let the lane see the host as it is now, and carry out what it decides."""
        session = self.session
        self.lane.tick(
            self._exchange.now, busy=session.busy, blocked=session.blocked, bypassed=session.approvals_bypassed
        )
        self.carry_out()

    def carry_out(self) -> None:
        for deed in self.lane.take():
            if isinstance(deed, Tell):
                link = self.links.get(deed.turn.origin)
                if link is not None:
                    link.tell(deed.turn.id, deed.event)
                    link.flush()
            elif isinstance(deed, Hand):
                self._exchange.effects.append(Submit(self.session, deed.prompt))
            else:
                self._exchange.effects.append(Abort(self.session))

    def retire(self) -> None:
        """The conversation is over: its turns end, and what waits still leaves."""
        self.lane.retire()
        self.carry_out()
        for link in self.links.values():
            link.retire()
        self.retired += self.links.values()
        self.links = {}

    def close(self, origin: str) -> None:
        """This app may not use the session any more: revoked, or disconnected."""
        self.lane.close(origin)
        self.carry_out()
        for link in [link for link in (self.links.pop(origin, None), *self.retired) if link is not None]:
            if link.app.origin == origin:
                link.close()

    def _link(self, app: PairedApp, id: str) -> Link:
        return Link(
            self._exchange,
            app,
            lambda: self._describe(app, id),
            self.state_of_host,
            lambda link, message: self._receive(app, link, message),
            lambda link, turn: self._refuse(app, turn),
        )

    # What an app is told.

    def _describe(self, app: PairedApp, id: str) -> SessionInfo:
        abilities = (("abort", isinstance(self.session, CanAbort)), ("settings", isinstance(self.session, CanSet)))
        return SessionInfo(
            session_key(app.credential.origin, self._adapter.id, id),
            self._adapter.id,
            sharing.title(self._adapter.version),
            sharing.title(self.session.title),
            sharing.shared(self.session.workspace, self._shares(app.origin)),
            self.settings(),
            tuple(name for name, has in abilities if has),
        )

    def settings(self) -> tuple[Setting, ...]:
        return sharing.offered(self.session.settings()) if isinstance(self.session, CanSet) else ()

    def state_of_host(self) -> str:
        """A session whose approvals are bypassed takes no turn: to an app it is blocked."""
        if self.session.blocked or self.session.approvals_bypassed:
            return "blocked"
        return "busy" if self.session.busy or self.lane.phase is not Phase.IDLE else "idle"

    # Messages of an app.

    def _receive(self, app: PairedApp, link: Link, message: Message) -> None:
        match message:
            case Chat(id, text, sender) if link.state is not LinkState.ENDED:
                self.lane.add(Turn(app.origin, id, app.credential.app.name, sender, text))
            case Chat(id):
                link.tell(id, SESSION_CLOSED)
            case Stop(_, turn):
                self.lane.stop(app.origin, turn)
            case Change():
                self._change(message)
            case End():
                link.state = LinkState.ENDED
                self.lane.close(app.origin)
        self.pump()

    def _refuse(self, app: PairedApp, turn: str) -> None:
        """The app takes no more of this turn: nobody is left to listen to it."""
        self.lane.stop(app.origin, turn, HOST_ERROR)
        self.carry_out()

    def _change(self, message: Change) -> None:
        if any(setting.id == message.setting and message.chosen in setting.values for setting in self.settings()):
            self._exchange.effects.append(Apply(self.session, message.setting, message.chosen))
        else:
            self.dropped_setting = f"{message.setting}={message.chosen}"

    # The apps' tools.

    def offer(self) -> tuple[ProxiedTool, ...] | None:
        """The tools of this session, fixed once they are known; None: ask again at the next tick."""
        if self.tools is not None:
            return self.tools
        if not self._exchange.ticked:
            return None
        now = self._exchange.now
        self._tools_until = now + TOOLS_WAIT if self._tools_until is None else self._tools_until
        waiting = [app for app in self._apps.values() if not app.tools_settled]
        if waiting and now < self._tools_until:
            return None
        for app in waiting:
            app.use_cache()
        names = proxied_tool.names((app.credential.app.id, origin) for origin, app in self._apps.items())
        having = [app for app in self._apps.values() if app.usable and app.tools]
        self.tools = tuple(
            proxied_tool.build(names[app.origin], app.credential.app, app.origin, app.tools) for app in having
        )
        return self.tools

    def call(self, call: int, name: str, arguments: Mapping[str, object]) -> None:
        """Call a tool of `offer`; an `Answer` with this number comes, whatever happens."""
        tool = next((tool for tool in self.tools or () if tool.name == name), None)
        app = self._apps.get(tool.origin) if tool is not None else None
        problem = "there is no such tool" if tool is None else proxied_tool.problem_with(tool, arguments)
        if problem is None and (app is None or not app.usable or app.mcp is None):
            problem = "the app is not connected any more"
        if problem is not None or app is None or app.mcp is None:
            self._answer(call, proxied_tool.failed(problem or ""))
            return
        inner = cast("Mapping[str, object]", arguments.get("arguments", {}))
        app.mcp.call(str(arguments["tool"]), inner, lambda got: self._answer(call, proxied_tool.result_of(got)))

    def _answer(self, call: int, result: CallResult) -> None:
        self._exchange.effects.append(Answer(call, result))
