"""What the worker and its board tell each other beside tasks: who comes, the bundle and the roles, and that it still lives."""

from collections.abc import Callable, Sequence

from agent_connector.board.port import Board
from agent_connector.board.values import Bundle, Role
from agent_connector.errors import BoardError, BoardRefused, BoardUnreachable
from agent_connector.version import __version__
from agent_connector.worker.clock import Clock
from agent_connector.worker.config import Config
from agent_connector.worker.outbox import weaker

HANDSHAKE = 600.0  # seconds until the bundle and the roles are asked for again
BEAT = 30.0  # seconds between signs of life
_HEARTBEAT = "agentops_heartbeat"


class Presence:
    """`once` says a line a single time."""

    def __init__(
        self, config: Config, board: Board, clock: Clock, once: Callable[[str], None], hosts: Sequence[str]
    ) -> None:
        self.roles: tuple[Role, ...] = ()
        self.bundle: Bundle | None = None
        self._config, self._board, self._clock, self._once, self._hosts = config, board, clock, once, hosts
        self._shaken = self._shown = float("-inf")

    async def handshake(self) -> None:
        """Raises BoardError as long as it never succeeded; later ones may fail, the roles stay as they were known."""
        now = self._clock.now()
        if now - self._shaken < HANDSHAKE:
            return
        known = self._shaken > float("-inf")
        try:
            await self._connect()
        except BoardError as error:
            if not known or isinstance(error, BoardUnreachable):
                raise
            self._once(f"the board gives no bundle and no roles any more, those known stay: {error.what}")
        for line in weaker(self._board):
            self._once(line)
        self._shaken = now

    async def _connect(self) -> None:
        try:
            found = await self._board.connect(
                connector_id=self._name(),
                bundle_name=self._config.bundle_name,
                version=__version__,
                hosts=self._hosts,
            )
        except BoardRefused as error:
            if error.code != "unknown_tool":
                raise
            self._once("this board serves no bundle and no roles: tasks are done by the configured adapter")
            return
        self.bundle, self.roles = found.bundle, found.roles

    def _name(self) -> str | None:
        """What signs of life are told under; a board that hears none may know workers by names of its own alone."""
        return self._config.holder if _HEARTBEAT in self._board.offers else self._config.connector_id

    async def beat(self, state: str, runs: Sequence[str], *, now: bool = False) -> None:
        """A sign of life when one is due; only a board that is away is news to the caller."""
        at = self._clock.now()
        if _HEARTBEAT not in self._board.offers or (at - self._shown < BEAT and not now):
            return
        try:
            await self._board.heartbeat(connector_id=self._config.holder, state=state, runs=runs)
        except BoardUnreachable:
            raise
        except BoardError as error:
            self._once(f"the board does not take signs of life: {error.what}")
        self._shown = at
