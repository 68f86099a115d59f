"""What passes between a worker and its board, as values; each reads itself from the wire and writes itself to it.

Unknown keys are ignored, so a board may say more than we know. A wrong type is a BoardWrong that names the field.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from agent_connector.errors import BoardWrong

RUN_STATUSES = ("queued", "running", "succeeded", "failed", "awaiting_human", "cancelled", "timed_out")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Comment:
    """A word on a task. `author` is what the board says who wrote it."""

    id: str
    author: str
    body: str
    created_at: str

    @classmethod
    def read(cls, raw: object, where: str = "comment") -> "Comment":
        held = record(raw, where)
        return cls(
            text(held, "id", where),
            text(held, "author", where),
            text(held, "body", where),
            text(held, "createdAt", where),
        )

    def wire(self) -> dict[str, Any]:
        return {"id": self.id, "author": self.author, "body": self.body, "createdAt": self.created_at}


@dataclass(frozen=True, slots=True)
class Task:
    """A thing to do. Times are ISO texts as on the wire; `role` pins one by its id or name."""

    id: str
    board: str
    title: str
    description: str
    status: str
    role: str | None
    run_id: str | None
    priority: int
    created_at: str
    updated_at: str
    status_by: str | None
    comments: tuple[Comment, ...] = ()

    @classmethod
    def read(cls, raw: object, where: str = "task") -> "Task":
        held = record(raw, where)
        return cls(
            id=text(held, "id", where),
            board=optional(held, "board", where) or "",
            title=text(held, "title", where),
            description=optional(held, "description", where) or "",
            status=text(held, "status", where),
            role=optional(held, "role", where),
            run_id=optional(held, "runId", where),
            priority=whole(held, "priority", where, 0),
            created_at=optional(held, "createdAt", where) or "",
            updated_at=text(held, "updatedAt", where),
            status_by=optional(held, "statusBy", where),
            comments=several(held, "comments", where, Comment.read),
        )

    def wire(self, comments: bool = False) -> dict[str, Any]:
        """Without what is not known; the comments only where they are asked for."""
        held: dict[str, Any] = {
            "id": self.id,
            "board": self.board,
            "title": self.title,
            "description": self.description,
            "status": self.status,
            "priority": self.priority,
            "createdAt": self.created_at,
            "updatedAt": self.updated_at,
        }
        held |= present({"role": self.role, "runId": self.run_id, "statusBy": self.status_by})
        return held | ({"comments": [comment.wire() for comment in self.comments]} if comments else {})


@dataclass(frozen=True, slots=True)
class Role:
    """How a task is to be done: by which provider and models, and with which words to the agent."""

    id: str
    name: str
    version: int
    provider: str | None = None
    model: str | None = None
    fallback_models: tuple[str, ...] = ()
    capability_tier: str | None = None
    instructions: str | None = None

    @classmethod
    def read(cls, raw: object, where: str = "role") -> "Role":
        held = record(raw, where)
        return cls(
            id=text(held, "id", where),
            name=text(held, "name", where),
            version=whole(held, "version", where, 1),
            provider=optional(held, "provider", where),
            model=optional(held, "model", where),
            fallback_models=several(held, "fallbackModels", where, _word),
            capability_tier=optional(held, "capabilityTier", where),
            instructions=optional(held, "instructions", where),
        )

    def wire(self) -> dict[str, Any]:
        held = {"id": self.id, "name": self.name, "version": self.version, "fallbackModels": list(self.fallback_models)}
        return held | present(
            {
                "provider": self.provider,
                "model": self.model,
                "capabilityTier": self.capability_tier,
                "instructions": self.instructions,
            }
        )


@dataclass(frozen=True, slots=True)
class BundleFile:
    """A file of a bundle. `path` is relative with `/`; whoever writes it to a disk checks it first."""

    path: str
    content: str

    @classmethod
    def read(cls, raw: object, where: str = "file") -> "BundleFile":
        held = record(raw, where)
        return cls(text(held, "path", where), text(held, "content", where))

    def wire(self) -> dict[str, Any]:
        return {"path": self.path, "content": self.content}


@dataclass(frozen=True, slots=True)
class Bundle:
    """A folder of files that the board serves to workers."""

    name: str
    version: str
    files: tuple[BundleFile, ...] = ()

    @classmethod
    def read(cls, raw: object, where: str = "bundle") -> "Bundle":
        held = record(raw, where)
        version = held.get("version")
        if isinstance(version, int) and not isinstance(version, bool):  # some boards count
            held = {**held, "version": str(version)}
        return cls(
            text(held, "name", where), text(held, "version", where), several(held, "files", where, BundleFile.read)
        )

    def wire(self) -> dict[str, Any]:
        return {"name": self.name, "version": self.version, "files": [file.wire() for file in self.files]}


@dataclass(frozen=True, slots=True)
class Connected:
    """What the board says to a worker that comes: its bundle, and the roles with the newest version first."""

    bundle: Bundle | None
    roles: tuple[Role, ...]

    @classmethod
    def read(cls, raw: object, where: str = "connected") -> "Connected":
        held = record(raw, where)
        bundle = held.get("bundle")
        return cls(
            None if bundle is None else Bundle.read(bundle, f"{where}.bundle"), several(held, "roles", where, Role.read)
        )

    def wire(self) -> dict[str, Any]:
        bundle = None if self.bundle is None else self.bundle.wire()
        return {"bundle": bundle, "roles": [role.wire() for role in self.roles]}


@dataclass(frozen=True, slots=True)
class Claim:
    """Whether a task is ours; `fence` grows at every change of holder, and goes with every write."""

    claimed: bool
    fence: int | None = None
    holder: str | None = None
    expires_at: str | None = None

    @classmethod
    def read(cls, raw: object, where: str = "claim") -> "Claim":
        held = record(raw, where)
        claimed = held.get("claimed")
        if not isinstance(claimed, bool):
            raise wrong(f"{where}.claimed", claimed, "true or false")
        fence = whole(held, "fence", where, -1)
        holder, expires = optional(held, "holder", where), optional(held, "expiresAt", where)
        return cls(claimed, None if fence < 0 else fence, holder, expires)

    def wire(self) -> dict[str, Any]:
        more = present({"fence": self.fence, "holder": self.holder, "expiresAt": self.expires_at})
        return {"claimed": self.claimed} | more


# Reading fields.


def wrong(where: str, found: object, wanted: str) -> BoardWrong:
    """What is not as the contract says. The value itself stays out: it may be anybody's text."""
    return BoardWrong(f"the board sent {_kind(found)} where the contract wants {wanted}", where=where)


def record(raw: object, where: str) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise wrong(where, raw, "an object")
    return cast("Mapping[str, Any]", raw)


def text(held: Mapping[str, Any], name: str, where: str) -> str:
    value = held.get(name)
    if not isinstance(value, str):
        raise wrong(f"{where}.{name}", value, "a text")
    return value


def optional(held: Mapping[str, Any], name: str, where: str) -> str | None:
    return None if held.get(name) is None else text(held, name, where)


def whole(held: Mapping[str, Any], name: str, where: str, missing: int) -> int:
    value = held.get(name)
    if value is None:
        return missing
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong(f"{where}.{name}", value, "a whole number")
    return value


def several(held: Mapping[str, Any], name: str, where: str, read: Callable[[object, str], T]) -> tuple[T, ...]:
    value = held.get(name)
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise wrong(f"{where}.{name}", value, "a list")
    items = cast("Sequence[object]", value)
    return tuple(read(item, f"{where}.{name}[{number}]") for number, item in enumerate(items))


def present(held: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is None: the wire leaves out what is not known."""
    return {name: value for name, value in held.items() if value is not None}


def _word(raw: object, where: str) -> str:
    if not isinstance(raw, str):
        raise wrong(where, raw, "a text")
    return raw


def _kind(found: object) -> str:
    if found is None or isinstance(found, bool):
        return "nothing" if found is None else "true or false"
    if isinstance(found, int | float):
        return "a number"
    if isinstance(found, str):
        return "a text"
    return "a list" if isinstance(found, list | tuple) else "an object"
