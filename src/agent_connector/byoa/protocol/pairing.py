"""The device grant: start, poll, the token, and the four words of refusal (section 3)."""

from dataclasses import dataclass
from enum import StrEnum

from agent_connector.byoa.protocol import limits
from agent_connector.byoa.protocol.discovery import App, read_app
from agent_connector.byoa.protocol.fields import ProtocolError, compact, dump, form, load, printable, visible_ascii
from agent_connector.byoa.protocol.origins import Origin, within

CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
CODE_FORM = form(f"[{CODE_LETTERS}]{{4}}-[{CODE_LETTERS}]{{4}}")
# What may stand in an Authorization header (RFC 6750): a token can never start a second header.
TOKEN_FORM = form(r"[A-Za-z0-9._~+/-]+=*")


class Refusal(StrEnum):
    """The `error` words of a pairing poll."""

    PENDING = "authorization_pending"
    SLOW_DOWN = "slow_down"
    DENIED = "access_denied"
    EXPIRED = "expired_token"


@dataclass(frozen=True, slots=True)
class Client:
    """Who asks to be paired, as the approval page shows it."""

    host: str
    host_version: str
    connector: str
    machine_name: str

    def dump(self) -> bytes:
        """The body of `pair_start`."""
        names = ("host", "host_version", "connector", "machine_name")
        return dump({"client": {name: getattr(self, name) for name in names}})


def parse_pair_start(data: bytes) -> Client:
    client = load(data, limits.PAIRING_BODY).inner("client")
    names = ("host", "host_version", "connector", "machine_name")
    return Client(*(client.text(name, limits.NAME, printable) for name in names))


@dataclass(frozen=True, slots=True)
class Grant:
    """A pairing that waits for its person."""

    device_code: str
    user_code: str
    verification_uri: str
    expires_in: float
    interval: float = limits.PAIRING_INTERVAL
    verification_uri_complete: str | None = None

    def dump(self) -> bytes:
        return dump(
            compact(
                {
                    "device_code": self.device_code,
                    "user_code": self.user_code,
                    "verification_uri": self.verification_uri,
                    "verification_uri_complete": self.verification_uri_complete,
                    "expires_in": self.expires_in,
                    "interval": self.interval,
                }
            )
        )


def parse_grant(data: bytes, origin: Origin) -> Grant:
    fields = load(data, limits.PAIRING_BODY)
    complete = fields.text_or_none("verification_uri_complete", limits.URL)
    return Grant(
        fields.text("device_code", limits.CODE, visible_ascii),
        fields.text("user_code", 9, CODE_FORM),
        within(origin, fields.text("verification_uri", limits.URL), "verification_uri"),
        fields.seconds("expires_in", 1, limits.PAIRING_LIFE),
        fields.seconds("interval", 1, 60, default=limits.PAIRING_INTERVAL),
        None if complete is None else within(origin, complete, "verification_uri_complete"),
    )


def same_code(typed: str) -> str:
    """A user code as it is compared: case, dashes and blanks do not count."""
    return "".join(letter for letter in typed[:100].upper() if letter not in "- \t")


@dataclass(frozen=True, slots=True)
class PairPoll:
    device_code: str

    def dump(self) -> bytes:
        return dump({"device_code": self.device_code})


def parse_pair_poll(data: bytes) -> PairPoll:
    return PairPoll(load(data, limits.PAIRING_BODY).text("device_code", limits.CODE, visible_ascii))


@dataclass(frozen=True, slots=True)
class Paired:
    """A pairing that its person approved. The token never shows in a repr: logs keep what they are given."""

    token: str
    connection_id: str
    account: str
    app: App

    def __repr__(self) -> str:
        return f"Paired(connection_id={self.connection_id!r}, account={self.account!r}, app={self.app!r})"

    def dump(self) -> bytes:
        named = {"account": {"name": self.account}, "app": self.app.value()}
        return dump({"token": self.token, "connection_id": self.connection_id, **named})


def parse_paired(data: bytes) -> Paired:
    fields = load(data, limits.PAIRING_BODY)
    return Paired(
        fields.text("token", limits.TOKEN_MOST, TOKEN_FORM, least=limits.TOKEN_LEAST),
        fields.id("connection_id"),
        fields.inner("account").text("name", limits.NAME, printable),
        read_app(fields.inner("app")),
    )


def dump_refusal(word: Refusal) -> bytes:
    return dump({"error": word.value})


def parse_refusal(data: bytes) -> Refusal:
    word = load(data, limits.PAIRING_BODY).text("error", limits.NAME, printable)
    try:
        return Refusal(word)
    except ValueError:
        raise ProtocolError("an error word that the wire does not know", "error") from None
