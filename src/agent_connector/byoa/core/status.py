"""What `status` says: a line for each app, then what is wrong with the files (section 8)."""

from collections.abc import Iterable, Iterator

from agent_connector.byoa.core.link import Link, LinkState
from agent_connector.byoa.core.live_session import LiveSession
from agent_connector.byoa.core.paired_app import AppState, PairedApp, ToolState
from agent_connector.byoa.core.provenance import plain_name

LINKS = {
    LinkState.OUT: "not registered",
    LinkState.REGISTERING: "registering",
    LinkState.READY: "connected",
    LinkState.POLLING: "connected",
    LinkState.ENDED: "ended by the app",
    LinkState.RETIRED: "over",
}
APPS = {
    AppState.STARTING: "starting",
    AppState.REFUSED: "refused",
    AppState.REVOKED: "revoked",
    AppState.STOPPED: "stopped",
}


def lines(
    apps: Iterable[PairedApp], pairings: Iterable[str], sessions: list[LiveSession], problems: Iterable[str]
) -> list[str]:
    found = [_app(app, sessions) for app in apps]
    found += [f"pairing with {origin} is in progress" for origin in pairings]
    found += [
        f"a setting that was not offered was dropped: {plain_name(each.dropped_setting)}"
        for each in sessions
        if each.dropped_setting
    ]
    if any(each.session.approvals_bypassed for each in sessions):
        found.append("approvals are bypassed in this session: no app turn starts")
    return [*(found or ["no app is paired"]), *problems]


def _app(app: PairedApp, sessions: list[LiveSession]) -> str:
    credential = app.credential
    head = f"{plain_name(credential.app.name)} ({app.origin}) as {plain_name(credential.account)}: "
    return head + "; ".join([_state(app, sessions), *_remarks(app, sessions)])


def _state(app: PairedApp, sessions: list[LiveSession]) -> str:
    if app.state is not AppState.READY:
        return APPS[app.state]
    links = [live.links[app.origin] for live in sessions if app.origin in live.links]
    return ", ".join(_link(link) for link in links) or "no session here"


def _link(link: Link) -> str:
    if link.superseded:
        return f"waiting: {link.trouble}"
    turns = len(link.outboxes)
    return LINKS[link.state] + (f", {turns} turn{'s' if turns > 1 else ''}" if turns else "")


def _remarks(app: PairedApp, sessions: list[LiveSession]) -> Iterator[str]:
    if app.trouble:
        yield app.trouble
    for live in sessions:
        link = live.links.get(app.origin)
        if link is not None and not link.superseded:
            yield from link.troubles
        for tool in live.tools or ():
            if tool.origin == app.origin and tool.left_out:
                yield f"tools that did not fit: {', '.join(tool.left_out)}"
    if app.tool_state is ToolState.CACHED:
        yield "tools from cache"
    if app.tools_refused:
        yield f"{app.tools_refused} tools cannot be used"
    if app.tool_trouble:
        yield app.tool_trouble
