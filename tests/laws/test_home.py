"""Files come back byte for byte: what several connectors install and remove, in any order, leaves no trace."""

import json
import os
import shutil
import tempfile
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_connector.deploy.apply import apply
from agent_connector.deploy.change import Change
from agent_connector.deploy.undo import undo
from agent_connector.home import ledger, paths
from agent_connector.hosts.nodes import Block, Default, Item, Key, Whole

LAUNCHER = "/home/ada/.agent-connector/bin/agent-connector"
CONNECTORS = ("acme", "acme-db", "zeta")
SOAK = int(os.environ.get("SOAK", "1"))  # `make soak` looks this much longer
LAW = settings(max_examples=15 * SOAK, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@contextmanager
def scratch():
    with tempfile.TemporaryDirectory() as folder:
        yield os.path.join(folder, "root"), os.path.join(folder, "file")


# hostile files

names = st.sampled_from(["a", "mcpServers", "hooks", "Stop", "version", "é", "", "a.b", "//", "/* x */", "\\u0041"])
scalars = st.sampled_from(["1", "-0.5e3", "true", "null", '""', '"é\\u0000"', '"// no comment"', '"{"', '"}"'])
newlines = st.sampled_from(["\n", "\r\n"])
blanks = st.sampled_from(["", " ", "\t", "\n", "\r\n", "  \n\t", "\n\n"])
comments = st.sampled_from(["// mine\n", "/* , } */", "/* a\nb */", "//{\r\n"])


@st.composite
def json_text(draw, commented):
    """An object as a person might have left it: any blanks, in JSONC any comments and trailing commas."""

    def gap():
        pieces = draw(st.lists(st.one_of(blanks, comments) if commented else blanks, max_size=2))
        return "".join(pieces)

    def value(depth):
        kind = draw(st.sampled_from(["scalar", "object", "list"] if depth else ["scalar"]))
        return draw(scalars) if kind == "scalar" else (members(depth - 1) if kind == "object" else elements(depth - 1))

    def listed(parts, left, right):
        trailing = "," if parts and commented and draw(st.booleans()) else ""
        return left + gap() + (gap() + "," + gap()).join(parts) + gap() + trailing + gap() + right

    def members(depth):
        keys = draw(st.lists(names, max_size=4, unique=True))
        shaped = {"mcpServers": members, "hooks": hooks}
        pairs = [f"{json.dumps(k)}{gap()}:{gap()}" + shaped.get(k, value)(max(depth, 0)) for k in keys]
        return listed(pairs, "{", "}")

    def hooks(depth):
        keys = draw(st.lists(st.sampled_from(["Stop", "a"]), max_size=2, unique=True))
        return listed([f'"{key}":{gap()}' + elements(depth) for key in keys], "{", "}")

    def elements(depth):
        return listed([value(max(depth, 0)) for _ in range(draw(st.integers(0, 3)))], "[", "]")

    mark = draw(st.sampled_from(["", "\ufeff"]))
    return mark + gap() + members(2) + gap()


TOMLS = (
    "",
    "# only a comment\n",
    "a = 1",
    "a = 1\r\n\r\n[mcpServers.mine]\r\ncommand = 'x' # why\r\n",
    "[mcpServers]\n\n  [mcpServers.mine]\n  args = [\n    'a', # one\n  ]\n\n[other]\nx = 1\n",
    'mcpServers.mine = { command = "x" }\n',
    "mcpServers = { mine = { command = 'x' } }\n[a]\n",
    "[[list]]\na = 1\n\n[[list]]\na = 2",
    "\ufeff[a]\nb = '''\n[mcpServers]\n'''\n",
    "[a.b.c]\nx = 1979-05-27T07:32:00Z\n\n\n\n",
)
YAMLS = (
    "",
    "# only a comment\n",
    "a: 1",
    "a: 1\r\nmcpServers:\r\n  mine:\r\n    command: x # why\r\n",
    "mcpServers:\n    mine: {command: x}\n\n# the end\n",
    "mcpServers: {mine: {command: x}}\n",
    "mcpServers: {}\nb: |\n  mcpServers:\n    x\n",
    "---\na: &anchor [1, 2]\nb: *anchor\n",
    "a:\n- 1\n-   2\n\n\n",
    "mcpServers:\nb: 2\n",
)
MARKDOWNS = (
    "",
    "# Mine",
    "# Mine\r\n\r\ntext\r\n",
    "\ufeff# Mine\n\n\n",
    "```\n<!-- agent-connector:begin acme/x hash=000000000000 -->\n```\n",
    "text\n<!-- a comment -->\n",
    " \n\t\n",
)


def files(texts):
    """Any of the texts as bytes, or no file at all."""
    return st.one_of(st.none(), texts.map(str.encode))


# what connectors ask for


def structured(file, format, connector, lists):
    marks = (".agent-connector/bin/agent-connector", f"--connector {connector}")
    server = {"command": LAUNCHER, "args": ["serve", "--connector", connector], "env": {}}
    nodes = [
        Key(file, format, ("mcpServers", connector), server),
        Default(file, format, ("ours", "version"), 1),
        Default(file, format, ("ours", connector, "deep"), [1, {"x": None if format in ("json", "jsonc") else 2}]),
    ]
    commands = [f"{LAUNCHER} hook codex {event} --connector {connector}" for event in ("one", "two")]
    items = [Item(file, format, ("hooks", "Stop"), {"command": command}, marks) for command in commands]
    return nodes + (items if lists else [])


def wanted(nodes, connector):
    return [Change("+", "codex", "server", "user", node.file, node, (connector, "codex")) for node in nodes]


def read(path):
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except FileNotFoundError:
        return None


def no_trace(original, nodes_of, order, back, restore):
    """Install in one order, remove in another; `restore` False: the old bytes are lost, our nodes must be cut."""
    with scratch() as (root, file):
        if original is not None:
            with open(file, "wb") as stream:
                stream.write(original)
            os.utime(file, (1, 1))  # nobody is at it
        accepted, back = [], back or order[::-1]
        for connector in order:
            report = apply(wanted(nodes_of(file, connector), connector), root=root)
            if report.failed:  # a place of the wrong kind, say: then nothing of that connector is in the file
                assert {c.op for c in report.changes} <= {"!", "="}, report.changes
                continue
            accepted.append(connector)
            again = apply(wanted(nodes_of(file, connector), connector), root=root)
            assert {c.op for c in again.changes} == {"="}, again.changes
        if not restore:
            shutil.rmtree(paths.backups_folder(root), ignore_errors=True)
        for connector in back:
            report = undo(root, connector=connector)
            assert not report.failed, report.changes
            left = read(file) or b""
            assert f"--connector {connector} ".encode() not in left.replace(b'"', b" ")
        left = read(file)
        if restore or list(back) == list(order)[::-1]:
            assert left == original
        else:  # cut out of order, an empty object or list may keep or lose a blank of its own
            assert (left or b"").split() == (original or b"").split() or b"".join(left.split()) == b"".join(
                original.split()
            )
        assert ledger.load(root) == ledger.Ledger()
        return accepted


orders = st.permutations(CONNECTORS)
backs = st.one_of(st.just(None), orders)  # None: the last one in is the first one out


@pytest.mark.parametrize("restore", [True, False], ids=["restored", "cut"])
@LAW
@given(original=files(json_text(commented=False)), order=orders, back=backs)
def test_json(restore, original, order, back):
    no_trace(original, lambda file, c: structured(file, "json", c, lists=True), order, back, restore)


@pytest.mark.parametrize("restore", [True, False], ids=["restored", "cut"])
@LAW
@given(original=files(json_text(commented=True)), order=orders, back=backs)
def test_jsonc(restore, original, order, back):
    no_trace(original, lambda file, c: structured(file, "jsonc", c, lists=True), order, back, restore)


@pytest.mark.parametrize("restore", [True, False], ids=["restored", "cut"])
@pytest.mark.parametrize("original", [None, *TOMLS])
@settings(LAW, max_examples=4 * SOAK)
@given(order=orders, back=backs)
def test_toml(restore, original, order, back):
    data = None if original is None else original.encode()
    assert no_trace(data, lambda file, c: structured(file, "toml", c, lists=False), order, back, restore)


@pytest.mark.parametrize("restore", [True, False], ids=["restored", "cut"])
@pytest.mark.parametrize("original", [None, *YAMLS])
@settings(LAW, max_examples=2 * SOAK)
@given(order=orders, back=backs)
def test_yaml(restore, original, order, back):
    data = None if original is None else original.encode()
    assert no_trace(data, lambda file, c: structured(file, "yaml", c, lists=True), order, back, restore)


@pytest.mark.parametrize("restore", [True, False], ids=["restored", "cut"])
@pytest.mark.parametrize("original", [None, *MARKDOWNS])
@settings(LAW, max_examples=4 * SOAK)
@given(order=orders, back=backs)
def test_markdown(restore, original, order, back):
    def nodes(file, connector):
        return [Block(file, f"{connector}/{name}", f"Use {connector}.\n\n- {name}") for name in ("x", "y")]

    data = None if original is None else original.encode()
    assert no_trace(data, nodes, order, back, restore)


@settings(LAW, max_examples=20 * SOAK)
@given(order=orders, back=backs)
def test_whole_files_and_their_folders(order, back):
    with scratch() as (root, file):
        for connector in order:
            apply(wanted([Whole(f"{file}/skills/{connector}/SKILL.md", connector)], connector), root=root)
        for connector in back or order[::-1]:
            assert not undo(root, connector=connector).failed
        assert not os.path.exists(file)
        assert ledger.load(root) == ledger.Ledger()


@LAW
@given(
    original=files(json_text(commented=True)),
    steps=st.lists(st.tuples(st.sampled_from(["install", "remove", "host"]), st.sampled_from(CONNECTORS)), max_size=8),
)
def test_whatever_happens_in_between_the_hosts_own_words_stay(original, steps):
    """A host that rewrites the file between our steps keeps all it wrote, and we take out all we put in."""
    with scratch() as (root, file):
        if original is not None:
            with open(file, "wb") as stream:
                stream.write(original)
            os.utime(file, (1, 1))  # nobody is at it
        theirs = 0
        for number, (step, connector) in enumerate(steps):
            if step == "install":
                apply(wanted(structured(file, "jsonc", connector, lists=True), connector), root=root)
            elif step == "remove":
                undo(root, connector=connector)
            elif (data := read(file)) is not None and b"/*host*/" not in data:
                with open(file, "ab") as stream:
                    stream.write(b"/*host*/")
                os.utime(file, (1, 1))
                theirs = number + 1
        for connector in CONNECTORS:
            assert not undo(root, connector=connector).failed
        left = read(file)
        assert LAUNCHER.encode() not in (left or b"")
        if not theirs:
            assert left == original
        assert ledger.load(root) == ledger.Ledger()
