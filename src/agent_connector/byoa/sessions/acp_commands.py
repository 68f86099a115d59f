"""What the person types after `/byoa` in a session of `byoa run`."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from agent_connector.byoa.core.effects import Say
from agent_connector.byoa.driver.loop import Driver
from agent_connector.byoa.sessions import inert
from agent_connector.byoa.sessions.acp_host import AcpHost
from agent_connector.byoa.sessions.acp_session import AcpSession
from agent_connector.byoa.sessions.acp_turn import Screen

COMMAND = "/byoa"
HELP = f"""\
{COMMAND} connect ADDRESS     pair an app
{COMMAND} disconnect APP      end a pairing, by the app's id, name or address
{COMMAND} status              who is paired, and what is wrong
{COMMAND} new                 a new conversation, with the tools of all apps that are paired now
{COMMAND} mode [MODE]         what the agent may do without asking; no app can change it
{COMMAND} restart             start the agent again
{COMMAND} leave               leave
everything else is for the agent; Ctrl-C stops a turn, twice leaves"""


class Place(Protocol):
    """Where the commands are typed."""

    driver: Driver
    host: AcpHost
    session: AcpSession | None
    screen: Screen

    async def new(self) -> None: ...
    async def restart(self) -> None: ...
    def leave(self) -> None: ...


async def obey(place: Place, words: Sequence[str]) -> None:
    """Raises HostError when the agent does not do its part."""
    match words:
        case ["connect", address]:
            await tell(place, place.driver.connect(address))
        case ["disconnect", *which] if which:
            await tell(place, place.driver.disconnect(" ".join(which)))
        case ["status"]:
            place.screen.note(await status(place))
        case ["new"]:
            await place.new()
        case ["mode", *mode]:
            await choose_mode(place, "".join(mode[:1]))
        case ["restart"]:
            await place.restart()
        case ["leave"]:
            place.leave()
        case _:
            place.screen.note(HELP)


async def tell(place: Place, saying: AsyncIterator[Say]) -> None:
    async for say in saying:
        place.screen.note(say.text)


async def status(place: Place) -> str:
    lines = [await place.driver.status()]
    if inert.of(place.host.id) is None:
        lines.append(inert.refusal(place.host.id))
    if not place.host.is_interactive:
        lines.append("not in a terminal: apps cannot join this session")
    return "\n".join(lines)


async def choose_mode(place: Place, wanted: str) -> None:
    session = place.session
    if session is None or wanted not in session.offers.modes:
        place.screen.note(f"modes: {', '.join(session.offers.modes if session else ()) or 'none'}")
        return
    await session.choose_mode(wanted)
    place.screen.note(f"mode {session.offers.mode}")
