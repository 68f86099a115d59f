"""The files under `~/.byoa`, which every pairer of the machine shares (section 4)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from agent_connector.byoa.protocol import limits
from agent_connector.byoa.protocol.discovery import App, Discovery, read_app, read_discovery
from agent_connector.byoa.protocol.fields import ProtocolError, dump, load, printable
from agent_connector.byoa.protocol.mcp import Tool, read_tools
from agent_connector.byoa.protocol.origins import Origin, parse_origin
from agent_connector.byoa.protocol.pairing import TOKEN_FORM
from agent_connector.byoa.protocol.sessions import SHAREABLE

POLICY = "policy.json"
DEFAULT_SHARE = ("folder_name", "git_remote")


def credential_path(host: str, origin: Origin) -> str:
    return f"credentials/{host}/{origin.key}.json"


def tools_path(host: str, origin: Origin) -> str:
    return f"tools/{host}/{origin.key}.json"


@dataclass(frozen=True, slots=True)
class Credential:
    """One pairing. `newcomer`: its id was paired at another origin before, so only the policy's `*` counts for it."""

    origin: Origin
    token: str = field(repr=False)
    connection_id: str
    account: str
    app: App
    discovery: Discovery
    newcomer: bool = False

    def dump(self) -> bytes:
        fields: dict[str, object] = {
            "origin": str(self.origin),
            "token": self.token,
            "connection_id": self.connection_id,
            "account": {"name": self.account},
            "app": self.app.value(),
            "discovery": self.discovery.value(),
        }
        return dump(fields | ({"newcomer": True} if self.newcomer else {}))


def parse_credential(data: bytes, key: str) -> Credential:
    """`key` is the file's name without `.json`: a file that was copied to another name is no credential."""
    fields = load(data, limits.FILE_BODY)
    origin = _origin_of(fields.text("origin", limits.URL), key)
    return Credential(
        origin,
        fields.text("token", limits.TOKEN_MOST, TOKEN_FORM, least=limits.TOKEN_LEAST),
        fields.id("connection_id"),
        fields.inner("account").text("name", limits.NAME, printable),
        read_app(fields.inner("app")),
        read_discovery(fields.inner("discovery"), origin),
        fields.truth("newcomer", default=False),
    )


def _origin_of(text: str, key: str) -> Origin:
    origin = parse_origin(text)
    if origin.key != key:
        raise ProtocolError("is not the origin that the file is named after", "origin")
    return origin


@dataclass(frozen=True, slots=True)
class ToolCache:
    """The last list of an app's tools, and when it was read (seconds since 1970)."""

    origin: Origin
    time: float
    tools: tuple[Tool, ...]

    def dump(self) -> bytes:
        tools = [tool.value() for tool in self.tools]
        return dump({"origin": str(self.origin), "time": self.time, "tools": tools})


def parse_tool_cache(data: bytes, key: str) -> ToolCache:
    fields = load(data, limits.FILE_BODY)
    origin = _origin_of(fields.text("origin", limits.URL), key)
    return ToolCache(origin, fields.seconds("time", 0, limits.COUNT), read_tools(fields).tools)


@dataclass(frozen=True, slots=True)
class Policy:
    """What of a workspace each app may see, by its id; `*` is every other app."""

    share: Mapping[str, tuple[str, ...]]

    def of(self, app_id: str, newcomer: bool = False) -> tuple[str, ...]:
        everyone = self.share.get("*", DEFAULT_SHARE)
        return everyone if newcomer else self.share.get(app_id, everyone)

    def dump(self) -> bytes:
        return dump({"share": {name: list(fields) for name, fields in self.share.items()}})


DEFAULT_POLICY = Policy({})
NOTHING_SHARED = Policy({"*": ()})


def parse_policy(data: bytes) -> Policy:
    share = load(data, limits.PAIRING_BODY).inner("share")
    found: dict[str, tuple[str, ...]] = {}
    for name in share.values:
        fields = share.texts(name, 64, limits.NAME, printable)
        found[name] = tuple(known for known in SHAREABLE if known in fields)
    return Policy(found)
