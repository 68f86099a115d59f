"""The pairer without I/O: `tick(now)` and inputs in, effects out. Made in the manner of h11.

    pairer = Pairer(adapter, files, clock, random, version="1.0")
    handle = pairer.attach(session)
    for effect in pairer.tick(now): ...          # once a second; a driver carries each effect out
    for effect in pairer.answered(id, outcome, now): ...
    handle.turn_started(prompt); pairer.effects()

`now` only has to go forward; a machine that slept, or a clock that jumped, is no trouble.
"""

from agent_connector.byoa.core import status
from agent_connector.byoa.core.commands import Commands
from agent_connector.byoa.core.effects import Display, Effect, Outcome, Say
from agent_connector.byoa.core.exchange import Exchange
from agent_connector.byoa.core.handle import Handle
from agent_connector.byoa.core.live_session import LiveSession
from agent_connector.byoa.core.paired_app import AppState, PairedApp
from agent_connector.byoa.core.ports import Clock, FilePort, HostAdapter, HostSession, RandomPort
from agent_connector.byoa.core.provenance import plain_name
from agent_connector.byoa.core.store import Store
from agent_connector.byoa.core.turns import Phase
from agent_connector.byoa.protocol import NOTHING_SHARED, Credential

READ_FILES_EVERY = 30.0


class Pairer:
    def __init__(
        self, adapter: HostAdapter, files: FilePort, clock: Clock, random: RandomPort, *, version: str
    ) -> None:
        self._adapter = adapter
        self._version = version
        self._exchange = Exchange(random, clock)
        self._store = Store(files, adapter.id)
        self._apps: dict[str, PairedApp] = {}
        self._sessions: list[LiveSession] = []
        self._policy = NOTHING_SHARED
        self._problems: list[str] = []
        self._read_at: float | None = None
        self._band = ""
        self._count = 0
        self._commands = Commands(self._exchange, self._store, adapter, self._apps, self._adopt, version)

    # Inputs.

    def tick(self, now: float) -> list[Effect]:
        self._at(now)
        self._exchange.tick()
        if self._read_at is None or now - self._read_at >= READ_FILES_EVERY:
            self._read_files()
        self._commands.tick()
        for app in list(self._apps.values()):
            app.tick()
        for live in list(self._sessions):
            live.tick()
            if live.detached and not live.retired:
                self._sessions.remove(live)
        return self.effects()

    def answered(self, id: int, outcome: Outcome, now: float) -> list[Effect]:
        """What became of the request with this id."""
        self._at(now)
        self._exchange.answered(id, outcome)
        return self.effects()

    def attach(self, session: HostSession) -> Handle:
        """A live session of the host. It registers at the next tick."""
        live = LiveSession(self._exchange, self._adapter, session, self._apps, self._shares)
        self._sessions.append(live)

        def detach() -> None:
            if not live.detached:
                live.detached = True
                live.retire()

        return Handle(live, self._number, detach)

    def effects(self) -> list[Effect]:
        """What is to be done since it was last asked. Call it after every method of a handle."""
        self._show_band()
        effects, self._exchange.effects = self._exchange.effects, []
        return effects

    # Commands: each gives a number that its `Say` effects carry.

    def connect(self, address: str) -> int:
        number = self._number()
        self._commands.connect(number, address)
        return number

    def disconnect(self, which: str) -> int:
        number = self._number()
        self._commands.disconnect(number, which)
        return number

    def status(self) -> int:
        number = self._number()
        self._read_files()
        text = status.lines(self._apps.values(), self._commands.pairings, self._attached(), self._problems)
        self._exchange.effects.append(Say(number, "\n".join(text)))
        return number

    # Files: other pairers of the machine write them too.

    def _read_files(self) -> None:
        self._read_at = self._exchange.now
        self._policy, problem = self._store.policy()
        try:
            credentials = self._store.credentials()
        except OSError as trouble:
            self._problems = [f"credentials: {trouble.strerror or trouble}"]
            return
        self._problems = [*credentials.problems, *([problem] if problem else [])]
        there = {str(credential.origin): credential for credential in credentials.found}
        for origin in [origin for origin in self._apps if origin not in there]:
            self._apps.pop(origin).stop()
        for credential in there.values():
            self._adopt(credential)

    def _adopt(self, credential: Credential) -> None:
        """Use this credential, unless it is in use."""
        present = self._apps.get(str(credential.origin))
        if present is not None and present.token == credential.token:
            return
        if present is not None:
            present.stop()
        self._apps[str(credential.origin)] = PairedApp(
            self._exchange, self._store, credential, self._version, self._close
        )

    def _close(self, origin: str) -> None:
        for live in self._sessions:
            live.close(origin)
        app = self._apps.get(origin)
        if app is not None and app.state is AppState.REVOKED:
            name = plain_name(app.credential.app.name)
            self._exchange.effects.append(Display(toast=f"{name} ({origin}) has revoked this pairing"))

    def _shares(self, origin: str) -> tuple[str, ...]:
        app = self._apps.get(origin)
        return () if app is None else self._policy.of(app.credential.app.id, self._is_newcomer(app.credential))

    def _is_newcomer(self, credential: Credential) -> bool:
        """Said by its file; where two files claim one id and neither says so, both are."""
        rivals = [
            app.credential
            for app in self._apps.values()
            if app.credential.app.id == credential.app.id and app.credential.origin != credential.origin
        ]
        return credential.newcomer or any(not rival.newcomer for rival in rivals)

    # Shared.

    def _at(self, now: float) -> None:
        self._exchange.now = max(self._exchange.now, now)

    def _attached(self) -> list[LiveSession]:
        return [live for live in self._sessions if not live.detached]

    def _number(self) -> int:
        self._count += 1
        return self._count

    def _show_band(self) -> None:
        working = [live.lane.current for live in self._sessions if live.lane.phase in (Phase.RUNNING, Phase.HELD)]
        turns = [turn for turn in working if turn is not None]
        band = ", ".join(
            f"{plain_name(turn.app_name)} ({turn.origin}) is at work here for {plain_name(turn.sender) or 'someone'}"
            for turn in turns
        )
        if band != self._band:
            self._band = band
            self._exchange.effects.append(Display(band=band))
