"""The laws host by host, with one connector of every surface in files as people leave them, on a real disk."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.hosts.full_sample import declared, full

from agent_connector import stdio
from agent_connector.connector.model import ConnectorModel, Source
from agent_connector.connector.outline import outline
from agent_connector.deploy import health, record
from agent_connector.deploy.apply import apply
from agent_connector.deploy.change import Change, Report
from agent_connector.deploy.identity import format_of, is_ours
from agent_connector.deploy.plan import plan
from agent_connector.deploy.undo import undo
from agent_connector.documents.formats import END, FORMATS, MISSING
from agent_connector.home import ledger, paths
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Block, Default, Item, Key, Whole

TAKING = [host for host in query.hosts() if any(host in query.hosts_supporting(surface) for surface in query.SURFACES)]
PLACES = [(host, scope) for host in TAKING for scope in query.places(host).SCOPES if scope in ("user", "project")]
HOSTS = [pytest.param(host, query.places(host).SCOPES[0], id=host) for host in TAKING]
MINE: Mapping[str, tuple[str, str]] = {  # what people have in a file of each format: two ways of it
    "json": ('\ufeff{\r\n\t"é": [1, 2 ,3] ,\r\n\t"a.b": {"//": null}}', "{}\n\n"),
    "jsonc": ('{\n  // "mcpServers": {}\n  "a": "/* no */", /* , } */\n}\n', '\t{"a":1,}'),
    "json5": ("{\n  // mine\n  unquoted: 'x',\n}\n", "{}"),
    "toml": ("# mine\r\n\r\n[other.deep]\r\nx = 1 # why\r\n", 'a = """\n[mcp_servers]\n"""'),
    "yaml": ("# mine\na:\n- 1\n-   2\nb: |\n  x:\n\n\n", "a: 1  # why"),
    "markdown": ("# Mine\r\n\r\n- text", "\n```\n<!-- agent-connector:begin acme/memory hash=000000000000 -->\n```\n"),
}


LISTED = '[\n\t{"theirs": [1, 2 ,3]}\n]\n'  # a file whose top is a list
SERVER = stdio("acme-mcp", "--stdio", timeout=60)  # without what some hosts would refuse


@cache
def model(host: str) -> ConnectorModel:
    return full(host, SERVER)


class Disk:
    """One host on one disk."""

    def __init__(self, folder: Path, host: str, scope: str) -> None:
        self.host, self.scope, self.home = host, scope, str(folder / "home")
        self.root = str(folder / "root")
        project = os.path.join(self.home, "project")
        os.makedirs(project)
        variables = {"HOME": self.home}
        self.machine = Machine(self.home, "linux", variables, project if scope == "project" else None, os.path.exists)

    def planned(self) -> tuple[Change, ...]:
        launcher = paths.launcher_path(self.home, "linux")
        known = ledger.load(self.root)
        return plan(model(self.host), [self.host], self.scope, self.machine, launcher, known=known).changes

    def nodes(self) -> list[Change]:
        return [change for change in self.planned() if change.node is not None and change.op != "-"]

    def put(self, changes: Any = None) -> Report:
        return apply(self.planned() if changes is None else changes, root=self.root)

    def remember(self) -> None:
        """As an install does, so that doctor knows what was chosen."""
        source = Source("file", "/author/acme.py", "acme")
        stored = {
            "source": {**asdict(source), "requires": []},
            "defaults": {},
            "declaration": outline(declared(self.host, SERVER))[0],
            "texts": {},
        }
        chosen = record.Install(self.scope, self.machine.project, (self.host,))
        record.store(self.root, record.Record("acme", stored, (chosen,), "0"))

    def words(self) -> dict[str, set[str]]:
        """What doctor says, by kind of node and file's ending that it says it of."""
        kept = record.load(self.root, "acme")
        assert kept is not None
        said: dict[str, set[str]] = {}
        for finding in health.check(kept, self.machine, self.root)[0]:
            said.setdefault(finding.word, set()).add(f"{finding.surface} {finding.file}")
        return said

    def files(self) -> dict[str, bytes]:
        found = [path for path in Path(self.home).rglob("*") if path.is_file()]
        return {str(path): path.read_bytes() for path in found}

    def fill(self, number: int) -> None:
        """What a person has in each file that we edit."""
        for file, (form, changes) in self.documents().items():
            self.write(file, mine(form, changes, number))

    def neighbours(self) -> None:
        """Somebody else's entry beside each of ours."""
        for file, (form, changes) in self.documents().items():
            text = mine(form, changes)
            for change in changes if form in FORMATS else ():
                path = (*change.node.path, END) if isinstance(change.node, Item) else (*change.node.path[:-1], "other")
                if path[-1] is END or FORMATS[form].get(text, path) is MISSING:
                    text = FORMATS[form].put(text, path, {"command": "theirs"})
            self.write(file, text)

    def documents(self) -> dict[str, tuple[str, list[Change]]]:
        found: dict[str, tuple[str, list[Change]]] = {}
        for change in self.nodes():
            if change.node is not None and not isinstance(change.node, Whole):
                form, changes = found.get(change.file, ("", []))
                form = "json" if form == "json" else format_of(change.node)  # the strictest, which all of them can read
                found[change.file] = (form, [*changes, change])
        return found

    def write(self, file: str, text: str) -> None:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        os.utime(file, (1, 1))  # nobody is at it

    def edit(self, change: Change, edited: Any) -> None:
        with open(change.file, encoding="utf-8", newline="") as stream:
            text = stream.read()
        self.write(change.file, edited(text))


def mine(form: str, changes: list[Change], number: int = 0) -> str:
    listed = any(isinstance(change.node, Item) and not change.node.path for change in changes)
    return LISTED if listed else MINE[form][number]


@pytest.fixture
def disk(tmp_path, host, scope):
    return Disk(tmp_path, host, scope)


def ops(report: Report) -> set[str]:
    return {change.op for change in report.changes}


@pytest.mark.parametrize("theirs", ["nothing", "theirs", "odd", "neighbours"])
@pytest.mark.parametrize(("host", "scope"), PLACES)
def test_every_byte_comes_back(disk, theirs):
    """Written once, the same again writes nothing, and taken out it is as it was: from the backup, and without it."""
    if theirs == "neighbours":
        disk.neighbours()
    elif theirs != "nothing":
        disk.fill(0 if theirs == "theirs" else 1)
    before = disk.files()
    planned_refusals = [change for change in disk.planned() if change.op == "!"]
    for restore in (True, False) if theirs == "theirs" else (theirs == "nothing",):
        report = disk.put()
        assert [c.note for c in report.changes if c.op == "!"] == [c.note for c in planned_refusals]
        written = disk.files()
        again = disk.put()
        assert (ops(again) - {"!"}, again.files, disk.files()) == ({"="}, (), written)
        if not restore:
            shutil.rmtree(paths.backups_folder(disk.root), ignore_errors=True)
        assert not undo(disk.root, connector="acme").failed
        assert disk.files() == before
        assert ledger.load(disk.root) == ledger.Ledger()


def older(change: Change) -> Change:
    """The node as an older version may have written it."""
    node = change.node
    match node:
        case Whole():
            node = Whole(node.file, node.text + "# old\n", node.executable)
        case Block():
            node = Block(node.file, node.name, node.text + "\nOld.", node.unless)
        case Item():
            node = Item(node.file, node.format, node.path, old_value(node.value), node.marks)
        case Key() | Default():
            node = type(node)(node.file, node.format, node.path, old_value(node.value))
    return replace(change, node=node)


def old_value(value: Any) -> Any:
    return (
        {**value, "old": 1}
        if isinstance(value, dict)
        else [*value, "old"]
        if isinstance(value, list)
        else f"{value} old"
    )


@pytest.mark.parametrize(("host", "scope"), HOSTS)
def test_an_older_shape_becomes_today_s(disk, tmp_path):
    disk.fill(0)
    disk.put([older(change) for change in disk.nodes()])
    disk.remember()
    assert set(disk.words()) <= {"stale", "drifted"} and "stale" in disk.words()
    assert not {c.op for c in disk.put().changes if c.note not in {p.note for p in disk.planned()}} & {"!"}
    fresh = Disk(tmp_path / "fresh", disk.host, disk.scope)
    fresh.fill(0)
    fresh.put()
    assert sense(disk) == sense(fresh)


def sense(disk: Disk) -> dict[str, Any]:
    """What the files say; in lists the order is nobody's, since a hook replaced stands where the old one stood."""
    forms = {file: form for file, (form, _) in disk.documents().items()}
    told: dict[str, Any] = {}
    for name, data in disk.files().items():
        text = data.decode().replace(disk.home, "~")
        form = forms.get(name, "whole")
        told[name.removeprefix(disk.home)] = ordered(FORMATS[form].load(text)) if form in FORMATS else text
    return told


def ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: ordered(inner) for key, inner in value.items()}
    return sorted(map(ordered, value), key=str) if isinstance(value, list) else value


def spot(change: Change) -> str:
    return f"{change.surface} {change.file}"


@pytest.mark.parametrize(("host", "scope"), HOSTS)
def test_doctor_has_the_word_for_each_damage(disk):
    disk.fill(0)
    mine = disk.files()
    disk.put()
    disk.remember()
    nodes = disk.nodes()
    clean = disk.files()
    assert set(disk.words()) == {"ok"}

    disk_to(disk, mine)
    assert disk.words()["missing"] == {spot(change) for change in nodes}
    disk_to(disk, clean)

    drifted: dict[str, set[str]] = {}
    for change in nodes:
        word = damage(disk, change)
        drifted.setdefault(word, set()).add(spot(change))
    said = disk.words()
    for word, spots in drifted.items():
        assert said.get(word, set()) >= spots, (word, said)
    disk_to(disk, clean)

    doubled = {change.file for change in nodes if isinstance(change.node, Key | Item) and double(disk, change)}
    found = disk.words()
    assert {said.partition(" ")[2] for said in found.pop("duplicate", set())} == doubled
    assert set(found) == {"ok"}
    disk_to(disk, clean)
    assert set(disk.words()) == {"ok"}


def disk_to(disk: Disk, files: dict[str, bytes]) -> None:
    """The disk holds `files` and nothing else."""
    for name in disk.files():
        if name not in files:
            os.unlink(name)
    for name, data in files.items():
        disk.write(name, data.decode())
        if data.startswith(b"#!"):
            os.chmod(name, 0o755)  # noqa: S103  what we write has it


def damage(disk: Disk, change: Change) -> str:
    """A person changes what is ours; the word for it."""
    node = change.node
    match node:
        case Whole():
            disk.edit(change, lambda text: text + "mine\n")
        case Block():
            disk.edit(change, lambda text: text.replace(node.text, "Mine."))
        case Item():
            put(disk, change, (*node.path, list_index(disk, change)), {**node.value, "mine": 1})
        case Key():
            put(disk, change, (*node.path, "mine"), 1)
        case Default():
            put(disk, change, node.path, "mine")
            return "foreign"
    return "drifted"


def double(disk: Disk, change: Change) -> bool:
    """Ours once more: under another name, or as another element. False where nothing in it says that it is ours."""
    node = change.node
    value = old_value(node.value) if isinstance(node.value, dict) else node.value
    put(disk, change, (*node.path, END) if isinstance(node, Item) else (*node.path[:-1], "copy"), value)
    return is_ours(value, "acme")


def list_index(disk: Disk, change: Change) -> int:
    with open(change.file, encoding="utf-8", newline="") as stream:
        elements = FORMATS[change.node.format].get(stream.read(), change.node.path)
    return elements.index(change.node.value)


def put(disk: Disk, change: Change, path: tuple[Any, ...], value: Any) -> None:
    disk.edit(change, lambda text: FORMATS[change.node.format].put(text, path, value))


@pytest.mark.parametrize(("host", "scope"), HOSTS)
def test_what_is_somebody_else_s_is_said_to_be(disk):
    """Their value in our place is left, and doctor calls it foreign."""
    nodes = [change for change in disk.nodes() if isinstance(change.node, Key | Whole)]
    for change in nodes:
        if isinstance(change.node, Whole):
            disk.write(change.file, "theirs\n")
        else:
            text = Path(change.file).read_text() if os.path.exists(change.file) else ""
            disk.write(change.file, FORMATS[change.node.format].put(text, change.node.path, {"command": "theirs"}))
    before = {change.file: Path(change.file).read_bytes() for change in nodes}
    disk.put([change for change in disk.planned() if change in nodes])
    assert {name: Path(name).read_bytes() for name in before} == before
    disk.remember()
    assert disk.words().get("foreign", set()) >= {spot(change) for change in nodes}


def test_the_hosts_together_have_every_kind_of_node(tmp_path):
    """So that no law above holds for want of anything to hold for."""
    kinds: set[type] = set()
    for number, host in enumerate(query.hosts()):
        kinds |= {
            type(change.node) for change in Disk(tmp_path / str(number), host, query.places(host).SCOPES[0]).nodes()
        }
    assert kinds == {Whole, Block, Item, Key, Default}
