"""The poll door: what an app asks of a session (section 5, poll)."""

from collections.abc import Callable
from dataclasses import dataclass

from agent_connector.byoa.protocol import limits
from agent_connector.byoa.protocol.fields import Cursor, Fields, ProtocolError, dump, load, printable
from agent_connector.byoa.protocol.sessions import SETTING_FORM

STATES = ("idle", "busy", "blocked")


@dataclass(frozen=True, slots=True)
class Poll:
    session_id: str
    cursor: Cursor
    state: str

    def dump(self) -> bytes:
        return dump({"session_id": self.session_id, "cursor": self.cursor, "state": self.state})


def parse_poll(data: bytes) -> Poll:
    fields = load(data, limits.DOOR_BODY)
    return Poll(fields.id("session_id"), fields.cursor(), fields.one_of("state", STATES))


@dataclass(frozen=True, slots=True)
class Chat:
    """A turn to run; its id is the turn's."""

    id: str
    text: str
    sender: str

    def value(self) -> dict[str, object]:
        return {"id": self.id, "type": "chat", "text": self.text, "from": {"name": self.sender}}


@dataclass(frozen=True, slots=True)
class Stop:
    """End that turn."""

    id: str
    turn: str

    def value(self) -> dict[str, object]:
        return {"id": self.id, "type": "stop", "turn": self.turn}


@dataclass(frozen=True, slots=True)
class Change:
    """Choose a value for a setting that was offered."""

    id: str
    setting: str
    chosen: str

    def value(self) -> dict[str, object]:
        return {"id": self.id, "type": "setting", "setting": self.setting, "value": self.chosen}


@dataclass(frozen=True, slots=True)
class End:
    """The app is done with this session."""

    id: str

    def value(self) -> dict[str, object]:
        return {"id": self.id, "type": "end"}


Message = Chat | Stop | Change | End


def _chat(id: str, fields: Fields) -> Chat:
    text = fields.long_text("text", limits.CHAT_BYTES)
    return Chat(id, text, fields.inner("from").text("name", limits.NAME, printable))


READERS: dict[str, Callable[[str, Fields], Message]] = {
    "chat": _chat,
    "stop": lambda id, fields: Stop(id, fields.id("turn")),
    "setting": lambda id, fields: Change(
        id, fields.text("setting", 64, SETTING_FORM), fields.text("value", limits.NAME, printable)
    ),
    "end": lambda id, fields: End(id),
}


@dataclass(frozen=True, slots=True)
class Messages:
    """What a poll gives; types that are not known here are left out, their ids acknowledged with the rest."""

    cursor: Cursor
    messages: tuple[Message, ...] = ()

    def dump(self) -> bytes:
        return dump({"cursor": self.cursor, "messages": [message.value() for message in self.messages]})


def parse_messages(data: bytes) -> Messages:
    fields = load(data, limits.DOOR_BODY)
    found: list[Message] = []
    size = 0
    for item in fields.objects("messages", limits.MESSAGES):
        reader = READERS.get(item.text("type", limits.NAME, printable))
        id = item.id("id")
        if reader is None:
            continue
        message = reader(id, item)
        size += len(message.text.encode()) if isinstance(message, Chat) else 0
        found.append(message)
    if size > limits.POLL_MESSAGES:
        raise ProtocolError(f"more than {limits.POLL_MESSAGES} bytes of messages", "messages")
    return Messages(fields.cursor(), tuple(found))
