"""What an app says of itself at `/.well-known/byoa` (section 2)."""

import re
from dataclasses import dataclass

from agent_connector.byoa.protocol import limits
from agent_connector.byoa.protocol.fields import Fields, ProtocolError, compact, dump, form, load, printable
from agent_connector.byoa.protocol.origins import Origin, within

WELL_KNOWN = "/.well-known/byoa"
APP_ID_FORM = form(r"[a-z0-9._-]+")
VERSION_FORM = re.compile(r"0\.[0-9]{1,4}(\.[0-9]{1,4})?")


@dataclass(frozen=True, slots=True)
class App:
    """An app's own claim of what it is; only its origin is certain."""

    id: str
    name: str

    def value(self) -> dict[str, object]:
        return {"id": self.id, "name": self.name}


def read_app(fields: Fields) -> App:
    return App(fields.text("id", limits.APP_ID, APP_ID_FORM), fields.text("name", limits.APP_NAME, printable))


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Absolute URLs, all at the app's origin."""

    pair_start: str
    pair_poll: str
    revoke: str
    register: str
    poll: str
    events: str
    mcp: str | None = None

    def value(self) -> dict[str, object]:
        return compact({name: getattr(self, name) for name in (*REQUIRED, "mcp")})


REQUIRED = ("pair_start", "pair_poll", "revoke", "register", "poll", "events")


@dataclass(frozen=True, slots=True)
class Discovery:
    app: App
    endpoints: Endpoints
    hold: float = 25
    interval: float = 3
    version: str = limits.VERSION

    def value(self) -> dict[str, object]:
        return {
            "byoa": self.version,
            "app": self.app.value(),
            "endpoints": self.endpoints.value(),
            "poll_hold_seconds": self.hold,
            "poll_interval_seconds": self.interval,
        }

    def dump(self) -> bytes:
        return dump(self.value())


def parse_discovery(data: bytes, origin: Origin) -> Discovery:
    return read_discovery(load(data, limits.PAIRING_BODY), origin)


def read_discovery(fields: Fields, origin: Origin) -> Discovery:
    version = fields.text("byoa", 20)
    if not VERSION_FORM.fullmatch(version):
        raise ProtocolError("not a version that is spoken here (0.x)", "byoa")
    places = fields.inner("endpoints")
    urls = {name: within(origin, places.text(name, limits.URL), f"endpoints.{name}") for name in REQUIRED}
    mcp = within(origin, places.text("mcp", limits.URL), "endpoints.mcp") if places.has("mcp") else None
    return Discovery(
        read_app(fields.inner("app")),
        Endpoints(**urls, mcp=mcp),
        fields.seconds("poll_hold_seconds", 0, limits.HOLD_MOST),
        fields.seconds("poll_interval_seconds", limits.SHORT_POLL_LEAST, limits.SHORT_POLL_MOST, default=3),
        version,
    )
