"""The rules of a declared server: transports and their fields, references, and no secret as a literal."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

from agent_connector.connector.interpolation import broken, parse
from agent_connector.connector.model import Server, Transport
from agent_connector.connector.validation import Check, say

_COMMON = ("transport", "timeout", "startup_timeout", "include_tools", "exclude_tools", "enabled")
_FIELDS = {
    "stdio": (*_COMMON, "command", "args", "env", "cwd"),
    "http": (*_COMMON, "url", "headers", "bearer"),
    "sse": (*_COMMON, "url", "headers", "bearer"),
    "ws": (*_COMMON, "url", "headers", "bearer"),
}
_ALL = tuple(dict.fromkeys(name for names in _FIELDS.values() for name in names))
_SCHEMES = {"http": ("http", "https"), "sse": ("http", "https"), "ws": ("ws", "wss")}
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_SECRET = re.compile(r"(?i)(^|[_-])(token|secret|password|passwd|api[_-]?key|access[_-]?key|private[_-]?key)$")
_HOLE = "\ufffc"  # where a reference stood
_SECRET_HEADERS = ("authorization", "proxy-authorization", "cookie", "x-api-key", "api-key")


_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")  # where `clientSecret` has its two words
_FILLED = re.compile(r"[${%]")  # what a host's own reference to a variable has in it, in whatever spelling


def no_secrets(check: Check, path: str, name: str, value: Any) -> None:
    """What goes into a host's file verbatim holds no secret as a literal, at any depth."""
    if isinstance(value, Mapping):
        for key, inner in cast("Mapping[Any, Any]", value).items():
            no_secrets(check, f"{path}.{key}", str(key), inner)
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(cast("list[Any]", value)):
            no_secrets(check, f"{path}[{number}]", name, inner)
    elif _says_secret(name) and isinstance(value, str) and value and not _FILLED.search(value):
        check.add(path, "a secret as a literal", "the host's own reference to a variable")


def _says_secret(name: str) -> bool:
    return name.lower() in _SECRET_HEADERS or _SECRET.search(_CAMEL.sub("_", name)) is not None


def server(check: Check, value: Any, path: str = "server") -> Server | None:
    """The server of a declaration, None when there is none."""
    if value is None:
        return None
    given = check.fields(path, value, _ALL)
    guess = "http" if given.get("url") and not given.get("command") else "stdio"
    transport = cast(Transport, check.word(f"{path}.transport", given.get("transport"), tuple(_FIELDS), guess))
    for name in given:
        if name in _ALL and name not in _FIELDS[transport] and given[name] not in (None, [], {}):
            check.add(f"{path}.{name}", "a field of another transport", ", ".join(_FIELDS[transport]))
    built = Server(
        transport=transport,
        timeout=check.seconds(f"{path}.timeout", given.get("timeout")),
        startup_timeout=check.seconds(f"{path}.startup_timeout", given.get("startup_timeout")),
        include_tools=check.texts(f"{path}.include_tools", given.get("include_tools")),
        exclude_tools=check.texts(f"{path}.exclude_tools", given.get("exclude_tools")),
        enabled=check.flag(f"{path}.enabled", given.get("enabled"), True),
    )
    _tool_lists(check, path, built)
    return _program(check, path, given, built) if transport == "stdio" else _remote(check, path, given, built)


def changed(base: Server, fields: Mapping[str, Any], check: Check, path: str) -> Server:
    """`base` with one host's changed `fields`, under the same rules."""
    merged = {
        "transport": base.transport,
        "command": base.command or None,
        "args": list(base.args),
        "env": dict(base.env),
        "cwd": base.cwd,
        "url": base.url or None,
        "headers": dict(base.headers),
        "bearer": base.bearer,
        "timeout": base.timeout,
        "startup_timeout": base.startup_timeout,
        "include_tools": list(base.include_tools),
        "exclude_tools": list(base.exclude_tools),
        "enabled": base.enabled,
    }
    if fields.get("transport") and (fields["transport"] == "stdio") != (base.transport == "stdio"):
        common = {name: merged[name] for name in _COMMON}
        merged = common
    known = check.fields(path, fields, _ALL)
    return server(check, {**merged, **{name: value for name, value in known.items() if name in _ALL}}, path) or base


def _program(check: Check, path: str, given: dict[str, Any], built: Server) -> Server:
    env = check.table(f"{path}.env", given.get("env"))
    for name, value in env.items():
        if not _VARIABLE.fullmatch(name):
            check.add(f"{path}.env.{name}", say(name), "a variable's name: letters, digits and _, no digit first")
        _reference(check, f"{path}.env.{name}", value)
        for secret in [value] if _SECRET.search(name) else _in_address(value):
            _no_literal(check, f"{path}.env.{name}", secret, f"${{env:{name}}}")
    args = check.texts(f"{path}.args", given.get("args"))
    for number, arg in enumerate(args):
        _reference(check, f"{path}.args[{number}]", arg)
        for secret in _in_address(arg.partition("=")[2] if arg.startswith("-") else arg):
            _no_literal(check, f"{path}.args[{number}]", secret, "${env:NAME}")
    for number, value in _flagged(args):
        _no_literal(check, f"{path}.args[{number}]", value, "${env:NAME}")
    command = check.text(f"{path}.command", given.get("command"), one_line=True)
    _reference(check, f"{path}.command", command)
    return replace(built, command=command, args=args, env=env, cwd=check.optional(f"{path}.cwd", given.get("cwd")))


def _remote(check: Check, path: str, given: dict[str, Any], built: Server) -> Server:
    url = check.text(f"{path}.url", given.get("url"), one_line=True)
    schemes = _SCHEMES[built.transport]
    if url and "${env:" not in url.partition("://")[0] and not _is_url(url, schemes):
        check.add(f"{path}.url", say(url), " or ".join(f"{scheme}://host/..." for scheme in schemes))
    _reference(check, f"{path}.url", url)
    for value in _in_address(url):
        _no_literal(check, f"{path}.url", value, "${env:NAME}, or headers and bearer")
    headers = check.table(f"{path}.headers", given.get("headers"))
    for name, value in headers.items():
        if not _HEADER.fullmatch(name):
            check.add(f"{path}.headers.{name}", say(name), "a header's name")
        if "\n" in value or "\r" in value:
            check.add(f"{path}.headers.{name}", "more than one line", "one line")
        _reference(check, f"{path}.headers.{name}", value)
        if name.lower() in _SECRET_HEADERS or _SECRET.search(name):
            _no_literal(check, f"{path}.headers.{name}", value, "Bearer ${env:NAME}")
    bearer = given.get("bearer")
    if bearer is not None:
        bearer = check.match(f"{path}.bearer", bearer, _VARIABLE, "the NAME of an environment variable", 128)
        if any(name.lower() == "authorization" for name in headers):
            check.add(f"{path}.bearer", "both bearer and an Authorization header", "one of them")
    return replace(built, url=url, headers=headers, bearer=bearer or None)


def _is_url(url: str, schemes: tuple[str, ...]) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in schemes and bool(parts.netloc)


def _in_address(url: str) -> list[str]:
    """What an address holds as a password, or under a name that says secret; a reference is none."""
    plain = "".join(piece if isinstance(piece, str) else _HOLE for piece in parse(url))  # references hold colons
    try:
        parts = urlsplit(plain)
    except ValueError:  # said already
        return []
    password = parts.netloc.rpartition("@")[0].partition(":")[2]
    named = [value for name, value in parse_qsl(parts.query) if _SECRET.search(name)]
    return [value for value in (password, *named) if value and _HOLE not in value]


def _flagged(args: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Each argument that a flag with a secret's name is given: `--token VALUE` or `--token=VALUE`."""
    for number, arg in enumerate(args):
        flag, mark, value = arg.partition("=")
        if not flag.startswith("-") or not _SECRET.search(flag):
            continue
        if mark:
            yield number, value
        elif number + 1 < len(args) and not args[number + 1].startswith("-"):
            yield number + 1, args[number + 1]


def _tool_lists(check: Check, path: str, built: Server) -> None:
    both = sorted(set(built.include_tools) & set(built.exclude_tools))
    if both:
        check.add(f"{path}.exclude_tools", f"{both[0]!r}, which include_tools names too", "in one of the two")


def _reference(check: Check, path: str, text: str) -> None:
    if wrong := broken(text):
        check.add(path, say(wrong), "${env:NAME} or ${env:NAME:-default}")


def _no_literal(check: Check, path: str, value: str, example: str) -> None:
    if value and not any(not isinstance(piece, str) for piece in parse(value)):
        check.add(path, "a secret as a literal", f"a reference, such as {example}")
