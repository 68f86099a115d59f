"""Registering a session: what an app is told of it, and what it answers (section 5, register and settings)."""

import base64
import hashlib
from dataclasses import dataclass

from agent_connector.byoa.protocol import limits
from agent_connector.byoa.protocol.fields import (
    Cursor,
    Fields,
    ProtocolError,
    compact,
    dump,
    form,
    load,
    printable,
    visible_ascii,
)
from agent_connector.byoa.protocol.origins import Origin

KEY_FORM = form(r"[A-Za-z0-9_-]{43}")
SETTING_FORM = form(r"[a-z][a-z0-9_]{0,63}")
ABILITIES = ("abort", "settings")
SHAREABLE = ("folder_name", "git_remote", "branch", "path")


def session_key(origin: Origin, host: str, host_session_id: str) -> str:
    """The same for every pairer of the machine, another one for every app."""
    joined = "\0".join((str(origin), host, host_session_id)).encode("utf-8", "surrogatepass")
    return base64.urlsafe_b64encode(hashlib.sha256(joined).digest()).rstrip(b"=").decode("ascii")


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where a session works; an app sees only the fields that the policy shares with it."""

    folder_name: str | None = None
    git_remote: str | None = None
    branch: str | None = None
    path: str | None = None

    def value(self) -> dict[str, object]:
        return compact({name: getattr(self, name) for name in SHAREABLE})


def _read_workspace(fields: Fields) -> Workspace:
    most = {"folder_name": limits.TITLE, "git_remote": limits.URL, "branch": limits.BRANCH, "path": limits.PATH}
    return Workspace(**{name: fields.text_or_none(name, most[name], printable) for name in SHAREABLE})


@dataclass(frozen=True, slots=True)
class Setting:
    """A choice that an app may make for the session: one of `values`, `value` being the present one."""

    id: str
    label: str
    values: tuple[str, ...]
    value: str | None = None

    def wire(self) -> dict[str, object]:
        return compact({"id": self.id, "label": self.label, "values": list(self.values), "value": self.value})


def _read_setting(fields: Fields) -> Setting:
    return Setting(
        fields.text("id", 64, SETTING_FORM),
        fields.text("label", limits.NAME, printable),
        fields.texts("values", limits.SETTING_VALUES, limits.NAME, printable),
        fields.text_or_none("value", limits.NAME, printable),
    )


@dataclass(frozen=True, slots=True)
class SessionInfo:
    key: str
    host: str
    host_version: str | None = None
    title: str | None = None
    workspace: Workspace = Workspace()
    settings: tuple[Setting, ...] = ()
    can: tuple[str, ...] = ()

    def value(self) -> dict[str, object]:
        fields: dict[str, object | None] = {
            "key": self.key,
            "host": self.host,
            "host_version": self.host_version,
            "title": self.title,
            "workspace": self.workspace.value(),
            "settings": [setting.wire() for setting in self.settings],
            "can": list(self.can),
        }
        return compact(fields)


@dataclass(frozen=True, slots=True)
class Register:
    session: SessionInfo
    holding: tuple[str, ...] = ()

    def dump(self) -> bytes:
        return dump({"session": self.session.value(), "holding": list(self.holding)})


def parse_register(data: bytes) -> Register:
    fields = load(data, limits.DOOR_BODY)
    session = fields.inner("session")
    can = session.texts("can", len(ABILITIES) * 8, limits.NAME, printable)
    holding = fields.texts("holding", limits.HOLDING, limits.ID, visible_ascii)
    if len(set(holding)) != len(holding):
        raise ProtocolError("names a turn twice", "holding")
    info = SessionInfo(
        session.text("key", 43, KEY_FORM),
        session.text("host", limits.NAME, printable),
        session.text_or_none("host_version", limits.NAME, printable),
        session.text_or_none("title", limits.TITLE, printable),
        _read_workspace(session.inner("workspace")),
        tuple(_read_setting(setting) for setting in session.objects("settings", limits.SETTINGS)),
        tuple(ability for ability in can if ability in ABILITIES),
    )
    return Register(info, holding)


@dataclass(frozen=True, slots=True)
class Registered:
    session_id: str
    cursor: Cursor

    def dump(self) -> bytes:
        return dump({"session_id": self.session_id, "cursor": self.cursor})


def parse_registered(data: bytes) -> Registered:
    fields = load(data, limits.DOOR_BODY)
    return Registered(fields.id("session_id"), fields.cursor())
