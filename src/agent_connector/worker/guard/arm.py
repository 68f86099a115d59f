"""Put the guard in front of a host's tool calls, outside of everything that the agent can write.

arm(host, folder, home, rules, channel) writes into `folder`, which the run can only read, and where a host has no other
way, into its private home; it says with which words and variables the host is to be started. What is registered fails
closed: where the hook's program, policy or channel is gone, the shell itself answers no in the host's own dialect.
"""

import hashlib
import json
import os
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from agent_connector.connector.light import Event, deny
from agent_connector.drive import home as fresh
from agent_connector.errors import GuardError
from agent_connector.home import private
from agent_connector.hosts import query
from agent_connector.hosts.contract import Hooks
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Default, Item, Key, Node
from agent_connector.hosts.uses import HookUse
from agent_connector.worker import private_home
from agent_connector.worker.guard import switches
from agent_connector.worker.guard.permit import OnDenial, Permit, permitting, seeing
from agent_connector.worker.guard.talks import TALKS, Talk
from agent_connector.worker.guard.talks import UNGUARDED as UNGUARDED_OVER_ACP
from agent_connector.worker.guard.values import Rules
from agent_connector.worker.guard.ways import PINNED, UNGUARDED, WAYS, WINNING, Way
from agent_connector.worker.sandbox import system

NAME = "agent-connector-guard"
BROKEN = "Denied: the worker's guard cannot judge this call."
SECONDS = 60.0  # that the host waits; the hook gives up before
# Not the file itself: a script is compiled each time, a module once. The package is put down by hand, since the folder
# that it lies in need not be readable.
_START = (
    'import sys; package = type(sys)("agent_connector"); package.__path__ = [sys.argv.pop(1)]; '
    'sys.modules["agent_connector"] = package; from agent_connector.worker.guard.hook import run; run(sys.argv[1])'
)
_HERE = os.path.dirname(os.path.abspath(__file__))
_PACKAGE = os.path.dirname(os.path.dirname(_HERE))
_TEMPLATES = os.path.join(_HERE, "templates")


@dataclass(frozen=True, slots=True)
class Armed:
    """How the guarded host is started. `readable` are folders that the run must see and must not write.

    `locked` are files in its home that must be read-only there; `readable` holds them too. `permit` answers what is asked
    for over ACP. The rest is for `check`.
    """

    argv: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    readable: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()
    permit: Permit | None = None
    host: str = ""
    workspace: str = ""
    home: str = ""
    sums: Mapping[str, str] = field(default_factory=dict[str, str])  # of each file that is locked


def arm(host: str, folder: str, home: str, rules: Rules, channel: str) -> Armed:
    """`folder` is the guard's own, `channel` the socket of a `Denials`, alone in its folder.

    GuardError when the host cannot be guarded.
    """
    way = _way(host)
    hooks = cast("Hooks", query.hooks(host))
    event = hooks.EVENTS["PreToolUse"]
    is_plugin = way.shape in ("opencode", "pi")
    policy = os.path.join(folder, "policy.json")
    command = _command(policy, hooks, host, event, is_plugin)
    made = _registered(host, way, hooks, folder, home, command, rules)
    plain = rules.plain()
    shown = (folder, os.path.dirname(channel))  # the run needs both, and may change neither
    plain["protected"] = [*rules.protected, *map(os.path.realpath, (*shown, *made.locked))]
    told = {
        "host": host,
        "event": event,
        "plugin": is_plugin,
        "channel": channel,
        "packages": _parser_folders(),
        "rules": plain,
    }
    private.write(policy, json.dumps(told, indent=1).encode())
    parser = (os.path.join(place, name) for place in _parser_folders() for name in ("tree_sitter", "tree_sitter_bash"))
    return replace(
        made,
        environment={**made.environment, **_pinned(host, folder, home)},
        readable=(*shown, _PACKAGE, *parser, *made.locked),
        host=host,
        workspace=rules.workspace,
        home=home,
        sums={path: _sum(path) for path in made.locked},
    )


def arm_over_acp(host: str, folder: str, home: str, rules: Rules, channel: str, on_denial: OnDenial) -> Armed:
    """The same for a host that is talked to over ACP: its hooks where they stand there too, and the answers to what it asks."""
    talk = _talk(host)
    if talk.by == "hooks":
        made = arm(host, folder, home, rules, channel)
    else:
        for name, text in talk.files.items():
            private.write(os.path.join(folder, name), text.encode())
        words = tuple(word.format(guard=folder) for word in talk.words)
        made = Armed(words, _pinned(host, folder, home), (folder,))
    kept = [*rules.protected, *map(os.path.realpath, (folder, os.path.dirname(channel), *made.locked))]
    return replace(made, permit=permitting(host, seeing({**rules.plain(), "protected": kept}), on_denial))


def _talk(host: str) -> Talk:
    talk = TALKS.get(host)
    if talk is None:
        reason = UNGUARDED_OVER_ACP.get(host, "it is not known what it asks for")
        raise GuardError(f"{query.facts(host).NAME} cannot be guarded over ACP: {reason}", where=host)
    return talk


def _pinned(host: str, folder: str, home: str) -> dict[str, str]:
    return {name: text.format(home=home, guard=folder) for name, text in PINNED.get(host, {}).items()}


def check(armed: Armed) -> None:
    """GuardError when the guard would not stand, or did not: a locked file is another one, or something turns hooks off.

    Not every sandbox can keep a file in a folder that can be written; the run is not to live meanwhile.
    """
    for path, wanted in armed.sums.items():
        real = os.path.join(os.path.realpath(armed.home), os.path.relpath(path, armed.home))
        if os.path.realpath(path) != real or _sum(path) != wanted:
            raise GuardError("the file that registers the guard was changed", where=path)
    if armed.host:
        switches.look(armed.host, armed.workspace, armed.home)


def _sum(path: str) -> str:
    """Empty when it is no file that can be read."""
    if not os.path.isfile(path):  # a pipe would be waited for
        return ""
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return ""


def _way(host: str) -> Way:
    way = WAYS.get(host)
    if way is None:
        reason = UNGUARDED.get(host, "it has no hook that stands in front of its tool calls")
        raise GuardError(f"{query.facts(host).NAME} cannot be guarded: {reason}", where=host)
    if sys.platform == "win32":
        raise GuardError("the guard needs unix sockets and a POSIX shell", where=host)
    return way


def _parser_folders() -> list[str]:
    """Where the parser's packages lie."""
    import tree_sitter
    import tree_sitter_bash

    files = (tree_sitter.__file__, tree_sitter_bash.__file__)
    return list(dict.fromkeys(os.path.dirname(os.path.dirname(file)) for file in files))


def _command(policy: str, hooks: Hooks, host: str, event: str, is_plugin: bool) -> str:
    """For /bin/sh: the hook, and when it did not end as it should, a denial by the shell itself."""
    line = shlex.join([system.python(), "-I", "-S", "-c", _START, _PACKAGE, policy])
    if is_plugin:
        return f"{line} || printf %s {shlex.quote(json.dumps({'guard': 'denied', 'reason': BROKEN}))}"
    reply = hooks.reply(Event("PreToolUse", host, event, {}), deny(BROKEN))
    out = reply.output if isinstance(reply.output, str) else json.dumps(reply.output) if reply.output else ""
    said = f"printf %s {shlex.quote(out)}; " if out else ""
    loud = f"echo {shlex.quote(reply.stderr or BROKEN)} >&2; "
    ends = reply.exit_code or (0 if out else 2)
    done = f"0|{reply.exit_code}" if reply.exit_code else "0"
    return f"{line}; code=$?; case $code in {done}) exit $code;; esac; {said}{loud}exit {ends}"


# ---- what is registered


def _registered(host: str, way: Way, hooks: Hooks, folder: str, home: str, command: str, rules: Rules) -> Armed:
    if way.shape in ("opencode", "pi"):
        return _module(way, folder, command, rules)
    machine = Machine(home, sys.platform, {})
    file = str(query.places(host).files("user", machine)["hooks"])
    use = HookUse(hooks.EVENTS["PreToolUse"], "PreToolUse", ({"side": "any"},), NAME, command, SECONDS, (command,))
    nodes = hooks.wire([use], file)
    if way.kind == "home":
        return _in_home(host, home, nodes)
    if way.shape == "toml":
        entries = [f"{'.'.join(node.path)}={_toml([node.value])}" for node in nodes if isinstance(node, Item)]
        entries += [f"{key}={_toml(value)}" for key, value in WINNING.get(host, {}).items()]
        return Armed(tuple(word for entry in entries for word in (way.what, entry)))
    settings = os.path.join(folder, "settings.json")
    private.write(settings, json.dumps({**document(nodes), **WINNING.get(host, {})}, indent=1).encode())
    return Armed((way.what, settings)) if way.kind == "flag" else Armed((), {way.what: settings})


def _module(way: Way, folder: str, command: str, rules: Rules) -> Armed:
    """A plugin of our own: the hosts' bridges let a call pass when they fail, this one does not."""
    config = {"command": command, "timeout": round(SECONDS * 1000), "servers": list(rules.servers), "broken": BROKEN}
    text = _template("judged").replace("const CONFIG = {}", f"const CONFIG = {json.dumps(config)}", 1)
    text += "\n" + _template(way.shape)
    module = os.path.join(folder, f"{NAME}.js")
    private.write(module, text.encode())
    if way.kind == "flag":
        return Armed((way.what, module))
    settings = os.path.join(folder, "config.json")
    private.write(settings, json.dumps({"plugin": [f"file://{module}"]}).encode())
    return Armed((), {way.what: settings})


def unlocked(texts: Mapping[str, str], home: str, locked: Sequence[str]) -> dict[str, str]:
    """Of the files that a fresh home needs, those that the guard does not hold: it has put their content in already."""
    return {name: text for name, text in texts.items() if os.path.join(home, *name.split("/")) not in locked}


def _template(name: str) -> str:
    """`judged` asks the hook; each shape of plugin stands behind it and does what it says."""
    with open(os.path.join(_TEMPLATES, f"{name}.js"), encoding="utf-8") as file:
        return file.read()


def _in_home(host: str, home: str, nodes: Sequence[Node]) -> Armed:
    """Files of the user scope, with what the host needs in them. What an earlier run left there is replaced, links too."""
    needed: Mapping[str, str] = getattr(query.headless(host), "HOME_FILES", {})
    texts: dict[str, str] = {}
    for path in dict.fromkeys(node.file for node in nodes):
        mine = [node for node in nodes if node.file == path]
        value = document(mine)
        if path_needed := needed.get(os.path.relpath(path, home).replace(os.sep, "/")):
            value = {**_plain(path_needed, path), **value}
        toml = any(isinstance(node, Item | Key | Default) and node.format == "toml" for node in mine)
        texts[os.path.relpath(path, home)] = _toml_file(value) if toml else json.dumps(value, indent=1)
    private_home.furnish(private_home.Place("", home, "", ""), texts, {})
    locked = tuple(os.path.join(home, name) for name in texts)
    for path in locked:
        os.chmod(path, 0o400)
    return Armed(locked=locked)


def _plain(text: str, path: str) -> dict[str, Any]:
    """What a fresh home needs in the very file that registers the guard."""
    if fresh.URL in text or fresh.NAME in text:
        raise GuardError("the guard and the model's address would stand in one file", where=path)
    return cast("dict[str, Any]", json.loads(text))


def document(nodes: Iterable[Node]) -> dict[str, Any]:
    """The document that holds nothing but these nodes."""
    root: dict[str, Any] = {}
    for node in nodes:
        if not isinstance(node, Item | Key | Default):
            raise GuardError("what registers a hook of this host is no entry in a file", where=node.file)
        place = root
        *above, last = node.path
        for name in above:
            place = place.setdefault(name, {})
        if isinstance(node, Item):
            place.setdefault(last, []).append(node.value)
        else:
            place[last] = node.value
    return root


def _toml(value: Any) -> str:
    """A value of plain tables, lists, texts and numbers on one line."""
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, Any]", value).items()
        return "{" + ",".join(f"{_name(name)}={_toml(one)}" for name, one in pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_toml(one) for one in cast("list[Any]", value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _name(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else json.dumps(name)


def _toml_file(value: Mapping[str, Any]) -> str:
    return "".join(f"{name} = {_toml(one)}\n" for name, one in value.items())
