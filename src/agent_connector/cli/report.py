"""Changes, remarks and steps, as text for a person and as JSON for programs."""

from collections.abc import Iterable, Sequence
from typing import Any

from agent_connector.cli.output import columns, paint, say, short, verbatim
from agent_connector.deploy.change import Change, Report
from agent_connector.deploy.health import steps_of
from agent_connector.deploy.plan import Remark
from agent_connector.hosts.nodes import Block, Node, Whole

WORDS = {"+": "added", "~": "changed", "-": "removed", "=": "unchanged", "!": "left"}


def place(node: Node | None) -> str:
    """Where in its file a node is."""
    if node is None or isinstance(node, Whole):
        return ""
    return f"block {node.name}" if isinstance(node, Block) else ".".join(map(str, node.path))


def show_changes(changes: Sequence[Change], remarks: Sequence[Remark] = ()) -> None:
    """Diff lines, host by host; what a host lacks stands among its lines."""
    hosts = dict.fromkeys([*(change.host for change in changes), *(remark.host for remark in remarks)])
    for host in hosts:
        say(paint(host, "bold"))
        rows: list[tuple[str, str, str]] = []
        for change in (change for change in changes if change.host == host):
            where = short(change.file) + (f"  {place(change.node)}" if place(change.node) else "")
            note = f"  ({change.note})" if change.note else ""
            rows.append((paint(change.op, change.op), change.surface, where + note))
        for remark in (remark for remark in remarks if remark.host == host and remark.kind != "step"):
            mark = "not here: " if remark.kind == "skip" else "note: "
            rows.append((paint("·", "dim"), remark.surface, mark + remark.text))
        columns(rows)
        for change in (change for change in changes if change.host == host and change.op == "!" and change.remedy):
            verbatim(f"    {paint('!', '!')} {change.surface}: " + change.remedy.replace("\n", "\n      "))


def show_steps(remarks: Iterable[Remark]) -> None:
    """What a person must still do, one line each."""
    steps = steps_of(remarks)
    if steps:
        say()
        say(paint("Still to be done by you:", "bold"))
        columns(steps)


def summary(report: Report, dry: bool = False) -> str:
    """How many nodes came out how."""
    counts = {op: sum(change.op == op for change in report.changes) for op in WORDS}
    told = [f"{count} {WORDS[op]}" for op, count in counts.items() if count]
    if not any(counts[op] for op in "+~-!"):
        return "nothing to do" + (f": {', '.join(told)}" if told else "")
    return ("would be: " if dry else "") + ", ".join(told)


def change_json(change: Change) -> dict[str, Any]:
    return {
        "op": change.op,
        "host": change.host,
        "surface": change.surface,
        "scope": change.scope,
        "file": change.file,
        "at": place(change.node),
        "note": change.note,
        "remedy": change.remedy,
    }


def remark_json(remark: Remark) -> dict[str, str]:
    return {"kind": remark.kind, "host": remark.host, "surface": remark.surface, "text": remark.text}


def report_json(report: Report) -> dict[str, Any]:
    """The changes, and the files whose bytes differ."""
    return {
        "changes": [change_json(change) for change in report.changes],
        "files": [result.file for result in report.files],
        "failed": report.failed,
    }
