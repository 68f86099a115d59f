"""The rules of each declared part: one function per kind, from its plain fields to its frozen form."""

import re
from collections.abc import Callable, Mapping
from typing import Any, cast, get_args

from agent_connector.connector import matchers
from agent_connector.connector.light import EVENTS, TOOL_EVENTS
from agent_connector.connector.model import (
    SURFACES,
    Action,
    Command,
    Handler,
    Hook,
    Memory,
    MemoryMode,
    NativeHook,
    Patch,
    Platform,
    Scope,
    Server,
    Skill,
    StatusLine,
    Subagent,
    Tool,
)
from agent_connector.connector.servers import changed, no_secrets
from agent_connector.connector.validation import Check, say

DEFAULT_TIMEOUT = 10.0
GUARDS = ("PreToolUse", "PermissionRequest", "UserPromptSubmit")
_LEAF = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
_RESERVED = ("hooks", "mcpServers", "statusLine")
_TOOL = re.compile(r"\*|[A-Za-z0-9_.-]+")
_MARKER = "agent-connector:"
Read = Callable[[str], str] | None


def _handler(check: Check, path: str, number: int, value: Any, takes: str) -> Handler:
    given = cast("Mapping[str, Any]", value or {})
    if not given:
        check.add(f"{path}.handler", "nothing", "a function under the decorator, in a Python file")
    elif not given.get("callable", True):
        check.add(f"{path}.handler", "what cannot be called", "a function")
    elif not given.get("takes_one", True):
        check.add(
            f"{path}.handler", f"{given['name']}, which cannot be called so", f"a function of one value ({takes})"
        )
    return Handler(number, given.get("name", ""), bool(given.get("async")), int(given.get("line", 0)))


def hook(check: Check, path: str, number: int, value: Any) -> Hook:
    given = check.fields(path, value, ("event", "matcher", "host", "timeout", "on_error", "handler"))
    event = check.word(f"{path}.event", given.get("event"), EVENTS)
    pattern = given.get("matcher", "*")
    on_error = check.word(f"{path}.on_error", given.get("on_error"), ("allow", "deny"), "allow")
    if on_error == "deny" and event not in GUARDS:
        check.add(f"{path}.on_error", f"'deny' at {event}", f"'deny' only where it can block: {', '.join(GUARDS)}")
    host = given.get("host")
    return Hook(
        event=event,
        pattern=str(pattern),
        matcher=_matcher(check, f"{path}.matcher", pattern, event if given.get("event") == event else TOOL_EVENTS[0]),
        host=None if host is None else check.host(f"{path}.host", host),
        timeout=check.seconds(f"{path}.timeout", given.get("timeout"), 600) or DEFAULT_TIMEOUT,
        on_error=cast("Any", on_error),
        handler=_handler(check, path, number, given.get("handler"), "the event"),
    )


def _matcher(check: Check, path: str, pattern: Any, event: str) -> dict[str, Any]:
    if not isinstance(pattern, str):
        check.add(path, say(pattern), "`*` or a regex over the tool's name")
    elif pattern != "*" and event not in TOOL_EVENTS:
        check.add(path, f"{pattern!r} at {event}", f"`*` here: only {', '.join(TOOL_EVENTS)} have a tool")
    else:
        try:
            return matchers.compile(pattern)
        except matchers.MatcherError as error:
            check.add(path, say(pattern), str(error))
    return {"side": "any"}


def native_hook(check: Check, path: str, number: int, value: Any) -> NativeHook:
    given = check.fields(path, value, ("host", "event", "timeout", "handler"))
    return NativeHook(
        host=check.host(f"{path}.host", given.get("host")),
        event=check.text(f"{path}.event", given.get("event"), one_line=True),
        timeout=check.seconds(f"{path}.timeout", given.get("timeout"), 600) or DEFAULT_TIMEOUT,
        handler=_handler(check, path, number, given.get("handler"), "the raw payload"),
    )


def _body(check: Check, path: str, field: str, given: Mapping[str, Any], read: Read) -> str:
    """The text under `field`, or that of the file that stands in for it."""
    text, file = given.get(field), given.get("file")
    if file is None or text is not None:
        if file is not None:
            check.add(f"{path}.file", f"both {field} and file", "one of them")
        text = check.text(f"{path}.{field}", text)
    else:
        name = check.text(f"{path}.file", file, one_line=True)
        text = check.text(f"{path}.file", _read(check, f"{path}.file", name, read)) if name else ""
    if _MARKER + "begin" in text or _MARKER + "end" in text:
        check.add(f"{path}.{field}", f"a marker of managed blocks ({_MARKER}...)", "a text without it")
    return text


def _read(check: Check, path: str, name: str, read: Read) -> str:
    if read is None:
        check.add(path, say(name), f"the text itself: this declaration has no folder to read {name} from")
        return "-"
    try:
        return read(name)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not UTF-8"
        check.add(path, f"{name!r}, which cannot be read ({reason})", "a text file, relative to the declaration")
        return "-"


def memory(check: Check, path: str, number: int, value: Any, read: Read) -> Memory:
    given = check.fields(path, value, ("name", "text", "file", "mode"))
    name = given.get("name") or ("memory" if number == 0 else f"memory-{number + 1}")
    mode = cast("MemoryMode", check.word(f"{path}.mode", given.get("mode"), get_args(MemoryMode), "own-file"))
    return Memory(check.slug(f"{path}.name", name), _body(check, path, "text", given, read), mode)


def command(check: Check, path: str, number: int, value: Any, read: Read) -> Command:
    given = check.fields(path, value, ("name", "prompt", "description", "file", "argument_hint", "model"))
    return Command(
        name=check.slug(f"{path}.name", given.get("name")),
        prompt=_body(check, path, "prompt", given, read),
        description=check.text(f"{path}.description", given.get("description") or None, required=False, one_line=True),
        argument_hint=check.optional(f"{path}.argument_hint", given.get("argument_hint")),
        model=check.optional(f"{path}.model", given.get("model")),
    )


def skill(check: Check, path: str, number: int, value: Any, read: Read) -> Skill:
    given = check.fields(path, value, ("name", "description", "body", "file", "files"))
    files = check.table(f"{path}.files", given.get("files"))
    for name in files:
        parts = name.split("/")
        if "\\" in name or name.startswith("/") or ":" in name or not all(p not in ("", ".", "..") for p in parts):
            check.add(f"{path}.files.{name}", say(name), "a relative path with / inside the skill's folder")
        elif name.lower() == "skill.md":
            check.add(f"{path}.files.{name}", say(name), "any other name: SKILL.md is the body")
    description = check.text(f"{path}.description", given.get("description") or None, one_line=True)
    if len(description) > 1024:
        check.add(f"{path}.description", f"{len(description)} characters", "at most 1024")
    return Skill(
        check.slug(f"{path}.name", given.get("name")), description, _body(check, path, "body", given, read), files
    )


def subagent(check: Check, path: str, number: int, value: Any, read: Read, server_name: str) -> Subagent:
    given = check.fields(path, value, ("name", "description", "prompt", "file", "tools", "model"))
    tools = check.fields(f"{path}.tools", given.get("tools") or {}, ("allow", "deny"))
    return Subagent(
        name=check.slug(f"{path}.name", given.get("name")),
        description=check.text(f"{path}.description", given.get("description") or None, one_line=True),
        prompt=_body(check, path, "prompt", given, read),
        allow=_tools(check, f"{path}.tools.allow", tools["allow"], server_name) if "allow" in tools else None,
        deny=_tools(check, f"{path}.tools.deny", tools.get("deny"), server_name),
        model=check.optional(f"{path}.model", given.get("model")),
    )


def _tools(check: Check, path: str, value: Any, server_name: str) -> tuple[Tool, ...]:
    tools: list[Tool] = []
    for number, text in enumerate(check.texts(path, value)):
        server, name = server_name, text
        if text.startswith("host:"):
            server, name = None, text.removeprefix("host:")
        elif "/" in text:
            server, _, name = text.partition("/")
        check.match(f"{path}[{number}]", name, _TOOL, "a tool's name or *, after `host:` or `<server>/` if not our own")
        tools.append(Tool(server, name))
    return tuple(tools)


def statusline(check: Check, path: str, number: int, value: Any) -> StatusLine:
    given = check.fields(path, value, ("host", "options", "handler"))
    host = given.get("host")
    return StatusLine(
        host=None if host is None else check.host(f"{path}.host", host),
        options=check.values(f"{path}.options", given.get("options")),
        handler=_handler(check, path, number, given.get("handler"), "the context"),
    )


def action(check: Check, path: str, number: int, value: Any, labels: Mapping[Any, Any]) -> Action:
    given = check.fields(path, value, ("id", "label", "icon", "placement", "confirm", "host", "handler"))
    host = given.get("host")
    id = check.slug(f"{path}.id", given.get("id"))
    label = given.get("label") or (labels.get(id) if host is not None else None)
    return Action(
        id=id,
        label=check.text(f"{path}.label", label, one_line=True),
        icon=check.optional(f"{path}.icon", given.get("icon")),
        placement=check.optional(f"{path}.placement", given.get("placement")),
        confirm=check.optional(f"{path}.confirm", given.get("confirm")),
        host=None if host is None else check.host(f"{path}.host", host),
        handler=_handler(check, path, number, given.get("handler"), "the context"),
    )


def config_patch(check: Check, path: str, number: int, value: Any) -> Patch:
    given = check.fields(path, value, ("host", "path", "value", "reason", "docs_url"))
    leaf = check.match(
        f"{path}.path", given.get("path"), _LEAF, "names of letters, digits, _ and -, joined by dots", 256
    )
    if leaf.startswith(_RESERVED):
        reserved = ", ".join(f"{name}*" for name in _RESERVED)
        check.add(f"{path}.path", say(leaf), f"any path but {reserved}: declare a hook, a server or a status line")
    if given.get("value") is None:
        check.add(f"{path}.value", "nothing", "a text, number, boolean, list or table")
    no_secrets(check, f"{path}.value", leaf.rpartition(".")[2], given.get("value"))
    docs = check.optional(f"{path}.docs_url", given.get("docs_url"))
    if docs is not None and not docs.startswith(("https://", "http://")):
        check.add(f"{path}.docs_url", say(docs), "https://...")
    return Patch(
        host=check.host(f"{path}.host", given.get("host")),
        path=leaf,
        value=given.get("value"),
        reason=check.text(f"{path}.reason", given.get("reason") or None, one_line=True),
        docs_url=docs,
    )


def platform(check: Check, path: str, number: int, value: Any, base: Server | None) -> Platform:
    given = check.fields(path, value, ("host", "scope", "extra", *SURFACES))
    host = check.host(f"{path}.host", given.get("host"))
    fields: dict[str, Any] = {}
    if isinstance(given.get("server"), Mapping):
        fields = dict(given.pop("server"))
        if base is None:
            check.add(f"{path}.server", "changed fields", "false, or a [server] that they change")
        else:
            changed(base, fields, check, f"{path}.server")
    off = {surface for surface in SURFACES if not check.flag(f"{path}.{surface}", given.get(surface), True)}
    scope = given.get("scope")
    if scope is not None:
        scope = Scope.of(check.word(f"{path}.scope", scope, tuple(scope.word for scope in Scope)))
    extra = check.values(f"{path}.extra", given.get("extra"))
    no_secrets(check, f"{path}.extra", "", extra)
    return Platform(host, scope, extra, fields, frozenset(off))
