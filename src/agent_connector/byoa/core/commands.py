"""The commands `connect`, `disconnect` and `status` (section 8)."""

from collections.abc import Callable, Iterable

from agent_connector.byoa.core.addresses import meant, parse_address
from agent_connector.byoa.core.effects import Display, Outcome, Response, Say
from agent_connector.byoa.core.exchange import Exchange, told
from agent_connector.byoa.core.paired_app import PairedApp
from agent_connector.byoa.core.pairing import Pairing
from agent_connector.byoa.core.ports import HostAdapter
from agent_connector.byoa.core.provenance import CONNECTOR, plain_name
from agent_connector.byoa.core.store import Store
from agent_connector.byoa.protocol import Client, Credential, Discovery, Origin, Paired, ProtocolError
from agent_connector.byoa.protocol.limits import PAIRING_BODY

GONE_ALREADY = (401, 404, 410)


class Commands:
    def __init__(
        self,
        exchange: Exchange,
        store: Store,
        adapter: HostAdapter,
        apps: dict[str, PairedApp],
        adopt: Callable[[Credential], None],
        version: str,
    ) -> None:
        self.pairings: dict[str, Pairing] = {}
        self._exchange = exchange
        self._store = store
        self._adapter = adapter
        self._apps = apps
        self._adopt = adopt
        self._version = version

    def tick(self) -> None:
        for pairing in list(self.pairings.values()):
            pairing.tick()

    # connect

    def connect(self, command: int, address: str) -> None:
        try:
            origin = parse_address(address)
        except ProtocolError as problem:
            self._say(command, f"{plain_name(address)}: the {problem.where} {problem.what}", ok=False)
            return
        running = self.pairings.get(str(origin))
        if running is not None and not running.over:
            self._say(command, f"pairing with {origin} is in progress", ok=False)
            return

        def fail(why: str) -> None:
            self.pairings.pop(str(origin), None)
            self._say(command, why, ok=False)

        def paired(token: Paired, discovery: Discovery) -> None:
            self.pairings.pop(str(origin), None)
            self._keep(command, origin, token, discovery)

        self.pairings[str(origin)] = Pairing(
            self._exchange,
            origin,
            self._client(),
            lambda text: self._say(command, text, done=False),
            fail,
            paired,
        )

    def _client(self) -> Client:
        adapter = self._adapter
        named = (adapter.id, adapter.version, f"{CONNECTOR} {self._version}", adapter.machine_name)
        return Client(*(plain_name(name) or "unknown" for name in named))

    def _keep(self, command: int, origin: Origin, paired: Paired, discovery: Discovery) -> None:
        try:
            other = self._store.paired_elsewhere(paired.app.id, origin)
            credential = Credential(
                origin, paired.token, paired.connection_id, paired.account, paired.app, discovery, other is not None
            )
            self._store.keep(credential)
        except OSError as problem:
            why = f"the credential of {origin} cannot be kept: {problem.strerror or problem}"
            self._revoke(discovery.endpoints.revoke, paired.token, lambda outcome: None)
            self._say(command, why, ok=False)
            return
        name = plain_name(paired.app.name)
        text = f"paired with {name} ({origin}) as {plain_name(paired.account)}"
        if other is not None:
            text += (
                f"\n{other} is paired as {paired.app.id} already: this one sees only what the policy gives to all apps"
            )
        self._exchange.effects.append(Display(toast=f"paired with {name} ({origin})"))
        self._adopt(credential)
        self._say(command, text)

    # disconnect

    def disconnect(self, command: int, which: str) -> None:
        found = self._named(which)
        if len(found) != 1:
            origins = ", ".join(app.origin for app in found)
            why = (
                f"several apps are meant, name one by its origin: {origins}"
                if found
                else "no such app is paired; `byoa status` lists those that are"
            )
            self._say(command, f"{plain_name(which)}: {why}", ok=False)
            return
        app = found[0]
        app.stop()

        def then(outcome: Outcome) -> None:
            taken = isinstance(outcome, Response) and (200 <= outcome.status < 300 or outcome.status in GONE_ALREADY)
            if not taken:
                why = told(outcome, app.origin)
                self._say(
                    command, f"stopped, but not revoked: {why}; the token stays: disconnect again later", ok=False
                )
                return
            self._forget(command, app)

        self._revoke(app.endpoints.revoke, app.token, then)

    def _forget(self, command: int, app: PairedApp) -> None:
        try:
            self._store.forget(app.credential.origin)
        except OSError as problem:
            why = problem.strerror or problem
            self._say(command, f"revoked, but the files of {app.origin} cannot be removed: {why}", ok=False)
            return
        if self._apps.get(app.origin) is app:
            del self._apps[app.origin]
        self._say(command, f"disconnected from {plain_name(app.credential.app.name)} ({app.origin})")

    def _named(self, which: str) -> list[PairedApp]:
        """By origin first, then by id, then by name: an app cannot hide behind another's id."""
        apps = list(self._apps.values())
        origin = meant(which)
        wanted = which.strip().casefold()
        tests: Iterable[Callable[[PairedApp], bool]] = (
            lambda app: app.credential.origin == origin,
            lambda app: app.credential.app.id == wanted,
            lambda app: app.credential.app.name.casefold() == wanted,
        )
        for test in tests:
            found = [app for app in apps if test(app)]
            if found:
                return found
        return []

    def _revoke(self, url: str, token: str, then: Callable[[Outcome], None]) -> None:
        self._exchange.send("POST", url, then, limit=PAIRING_BODY, body=b"{}", token=token)

    def _say(self, command: int, text: str, *, done: bool = True, ok: bool = True) -> None:
        self._exchange.effects.append(Say(command, text, done, ok))
