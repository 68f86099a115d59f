"""From a declaration (a `Connector`, or the same as plain values) to the frozen model, or to every broken rule at once."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from agent_connector.connector import matchers, parts
from agent_connector.connector.declare import KINDS, Connector
from agent_connector.connector.model import ConnectorModel, Source, Telemetry
from agent_connector.connector.outline import outline
from agent_connector.connector.servers import server
from agent_connector.connector.validation import Check
from agent_connector.errors import ConnectorError, Problem

T = TypeVar("T")

_TOP = ("id", "server", "version", "description", "targets", "alias", "telemetry", *KINDS)
_ALIAS = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?")
_FAMILY = re.compile(r"[a-z0-9][a-z0-9._-]*")
_MEASURED = ("enabled", "model_family", "measure_definitions", "store", "keep_days")


def freeze(
    declaration: Connector | Mapping[str, Any],
    source: Source,
    *,
    hosts: Sequence[str] | None = None,
    defaults: Mapping[str, str] | None = None,
    read: Callable[[str], str] | None = None,
    problems: Sequence[Problem] = (),
) -> ConnectorModel:
    """The model of `declaration`; raises ConnectorError with all problems.

    `hosts` are the known ids (None: any); `defaults` the package's own id, version and description; `read` gives
    the text of a file that the declaration names, and raises OSError or UnicodeDecodeError.
    """
    if isinstance(declaration, Connector):
        declaration, found = outline(declaration)
        problems = [*problems, *found]
    check = Check(hosts, problems)
    given = check.fields("", declaration, _TOP)
    model = _model(check, given, source, defaults or {}, read)
    if check.problems:
        count = len(check.problems)
        raise ConnectorError(
            f"the declaration breaks {count} rule{'s' if count > 1 else ''}",
            problems=tuple(check.problems),
            where=source.path,
        )
    return model


def _model(
    check: Check,
    given: dict[str, Any],
    source: Source,
    defaults: Mapping[str, str],
    read: Callable[[str], str] | None,
) -> ConnectorModel:
    id = check.slug("id", given.get("id") or defaults.get("id"))
    alias = _alias(check, given.get("alias"))
    server_name = str(alias or id or "")
    built_server = server(check, given.get("server"))
    model = ConnectorModel(
        id=id,
        version=check.text("version", given.get("version") or defaults.get("version") or "0.0.0", one_line=True),
        description=check.text(
            "description", given.get("description") or defaults.get("description"), required=False, one_line=True
        ),
        alias=alias,
        targets=_targets(check, given.get("targets")),
        server=built_server,
        hooks=_each(check, given, "hook", parts.hook),
        native_hooks=_each(check, given, "native_hook", parts.native_hook),
        memory=_each(check, given, "memory", lambda c, p, n, v: parts.memory(c, p, n, v, read)),
        commands=_each(check, given, "command", lambda c, p, n, v: parts.command(c, p, n, v, read)),
        skills=_each(check, given, "skill", lambda c, p, n, v: parts.skill(c, p, n, v, read)),
        subagents=_each(check, given, "subagent", lambda c, p, n, v: parts.subagent(c, p, n, v, read, server_name)),
        statuslines=_each(check, given, "statusline", parts.statusline),
        actions=_actions(check, given),
        patches=_each(check, given, "config_patch", parts.config_patch),
        platforms=_platforms(check, given, built_server),
        telemetry=_telemetry(check, given.get("telemetry")),
        source=source,
    )
    _uniqueness(check, model)
    if model.server is None and not any(given.get(kind) for kind in KINDS if kind != "platform"):
        check.add("server", "nothing declared at all", "a server, or at least one hook, command, skill or other part")
    return model


def _alias(check: Check, value: Any) -> Any:
    if value is not None:
        check.match("alias", value, _ALIAS, "letters, digits, - and _, no _ twice in a row, at most 64 characters")
        if "__" in str(value):
            check.add("alias", repr(value), "no _ twice in a row: hosts join a server's and a tool's name with it")
    return value


def _each(
    check: Check, given: Mapping[str, Any], kind: str, build: Callable[[Check, str, int, Any], T]
) -> tuple[T, ...]:
    value: Any = given.get(kind) or []
    if not isinstance(value, list | tuple):
        check.add(kind, type(value).__name__, f"a list: in TOML, [[{kind}]]")
        return ()
    return tuple(build(check, f"{kind}[{n}]", n, part) for n, part in enumerate(cast("list[Any]", value)))


def _targets(check: Check, value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    targets = check.texts("targets", value)
    for number, target in enumerate(targets):
        check.host(f"targets[{number}]", target)
    if not targets and isinstance(value, list | tuple):
        check.add("targets", "an empty list", "at least one host; leave it out for every host")
    return targets


def _actions(check: Check, given: Mapping[str, Any]) -> tuple[Any, ...]:
    """A host's own way to run an action takes the label of the general one."""
    labels: dict[Any, Any] = {}
    value: Any = given.get("action")
    for fields in cast("list[Any]", value) if isinstance(value, list) else []:
        if isinstance(fields, dict):
            named = cast("dict[str, Any]", fields)
            if named.get("label") and named.get("host") is None:
                labels[named.get("id")] = named["label"]
    return _each(check, given, "action", lambda c, p, n, v: parts.action(c, p, n, v, labels))


def _platforms(check: Check, given: Mapping[str, Any], base: Any) -> dict[str, Any]:
    built = _each(check, given, "platform", lambda c, p, n, v: parts.platform(c, p, n, v, base))
    check.unique("platform", [platform.host for platform in built], "host")
    return {platform.host: platform for platform in built}


def _telemetry(check: Check, value: Any) -> Telemetry:
    if value is None:
        return Telemetry()
    given = check.fields("telemetry", value, _MEASURED)
    keep = given.get("keep_days", 90)
    if isinstance(keep, bool) or not isinstance(keep, int) or not 1 <= keep <= 3650:
        check.add("telemetry.keep_days", repr(keep), "whole days, 1 to 3650")
        keep = 90
    family = given.get("model_family")
    if family is not None:
        check.match("telemetry.model_family", family, _FAMILY, "a model family such as gpt, claude or gemini")
    return Telemetry(
        enabled=check.flag("telemetry.enabled", given.get("enabled"), True),
        model_family=family,
        measure_definitions=check.flag("telemetry.measure_definitions", given.get("measure_definitions"), True),
        store=cast("Any", check.word("telemetry.store", given.get("store"), ("home", "project"), "home")),
        keep_days=keep,
    )


def _uniqueness(check: Check, model: ConnectorModel) -> None:
    for kind, values in (
        ("memory", model.memory),
        ("command", model.commands),
        ("skill", model.skills),
        ("subagent", model.subagents),
    ):
        check.unique(kind, [value.name for value in values if value.name], "name")
    check.unique("statusline", [line.host for line in model.statuslines], "host", lambda h: h or "a general one")
    check.unique("action", [(action.id, action.host) for action in model.actions], "id", lambda k: repr(k[0]))
    check.unique("config_patch", [(patch.host, patch.path) for patch in model.patches], "path", lambda k: repr(k[1]))


def slow_matchers(model: ConnectorModel) -> tuple[str, ...]:
    """The patterns for which hosts must load `re` at each call, which is outside the hook budget."""
    return tuple(hook.pattern for hook in model.hooks if matchers.is_slow(dict(hook.matcher)))
