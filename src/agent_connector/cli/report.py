"""Changes, remarks and steps, as text for a person and as JSON for programs."""

from collections.abc import Iterable, Sequence
from typing import Any

from agent_connector.cli.output import columns, grouped, paint, say, short, verbatim
from agent_connector.deploy.change import Change, Report
from agent_connector.deploy.health import steps_of
from agent_connector.deploy.plan import Remark
from agent_connector.hosts.nodes import Block, Node, Whole

WORDS = {"+": "added", "~": "changed", "-": "removed", "=": "unchanged", "!": "left"}
_FEW = 3  # places of a file that are named


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
        own = [change for change in changes if change.host == host]
        for (op, surface, file, note, _), group in grouped((_line(change), change) for change in own).items():
            at = [place(change.node) for change in group if place(change.node)]
            where = ", ".join([*at[:_FEW], *([f"{len(at) - _FEW} more"] if len(at) > _FEW else [])])
            told = (short(file), where, f"({note})" if note else "")
            rows.append((paint(op, op), surface, "  ".join(filter(None, told))))
        for remark in (remark for remark in remarks if remark.host == host and remark.kind != "step"):
            mark = "not here: " if remark.kind == "skip" else "note: "
            rows.append((paint("·", "dim"), remark.surface, mark + remark.text))
        columns(rows)
        for surface, remedy in dict.fromkeys((each.surface, each.remedy) for each in own if each.op == "!"):
            if remedy:
                verbatim(f"    {paint('!', '!')} {surface}: " + remedy.replace("\n", "\n      "))


def _line(change: Change) -> tuple[str, str, str, str, int]:
    """What is one line: a change, but all that is left for one reason in one file together."""
    return change.op, change.surface, change.file, change.note, 0 if change.op == "!" else id(change)


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
