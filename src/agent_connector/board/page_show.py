"""What the pages show: one function a page, from a transaction, what was asked, and who asks, to the values of its template."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from agent_connector.board import keys, page_log, presence, readers, rules, served, users
from agent_connector.board import schema as s
from agent_connector.board.engine import Tx
from agent_connector.board.page_web import Visit
from agent_connector.board.values import Bundle, Task

LINES = 500  # of a log on one page
ON_ITS_WAY = ("todo", "doing", "running", "in_progress", "review", "done", "failed")  # of a task that waits for nobody
HERE = 90  # seconds since a worker was heard of, until it counts as gone
Asked = Mapping[str, str]
Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Page:
    """`here` is its place in the navigation."""

    template: str
    values: Callable[[Tx, Asked, Visit], Values]
    here: str


def shown(tx: Tx, page: Page, asked: Asked, visit: Visit) -> Values:
    """All that the template needs, read at one moment."""
    return {"visit": visit, "csrf": visit.csrf, "here": page.here, "asking": _asking(tx)} | page.values(
        tx, asked, visit
    )


def board(tx: Tx, asked: Asked, visit: Visit) -> Values:
    name = asked.get("board") or None
    columns = readers.columns(tx, name)
    ids = [task.run_id for column in columns for task in column.tasks if task.run_id]
    return {"columns": columns, "boards": readers.boards(tx), "board": name, "runs": _runs(tx, ids)}


def task(tx: Tx, asked: Asked, visit: Visit) -> Values:
    view = readers.task(tx, asked["id"])
    newest = next((run for run in view.runs if run.id == view.task.run_id), None)
    return _choices(tx) | {
        "view": view,
        "task": view.task,
        "waits": newest if newest and newest.status == "awaiting_human" and not answered(view.task) else None,
    }


def run(tx: Tx, asked: Asked, visit: Visit) -> Values:
    view = readers.run(tx, asked["id"])
    before = view.run.log_from - 1  # of the first event that the log still has
    start = max(before, _whole(asked.get("after"), view.run.next_seq - LINES - 1))
    lines = [page_log.line(event) for event in readers.log(tx, view.run.id, start, LINES)]
    last = lines[-1].seq if lines else start
    more = last + 1 < view.run.next_seq
    result = dict(view.run.result or {})
    return {
        "view": view,
        "run": view.run,
        "lines": lines,
        "start": start,
        "last": last,
        "more": more,
        "before": before,
        "result": result,
    }


def waiting(tx: Tx, asked: Asked, visit: Visit) -> Values:
    found = readers.waiting(tx)
    return _choices(tx) | {
        "waiting": [one for one in found if not answered(one.task)],
        "answered": [one for one in found if answered(one.task)],
    }


def costs(tx: Tx, asked: Asked, visit: Visit) -> Values:
    days = readers.costs_by_day(tx)
    return {
        "days": days,
        "most": max((day.cost for day in days), default=0.0),
        "total": sum(day.cost for day in days),
        "runs": sum(day.runs for day in days),
        "tasks": readers.costs_by_task(tx),
        "each": readers.costs_by_run(tx),
    }


def workers(tx: Tx, asked: Asked, visit: Visit) -> Values:
    return {"workers": presence.workers(tx), "limit": HERE}


def new(tx: Tx, asked: Asked, visit: Visit) -> Values:
    found = _choices(tx)
    first = asked.get("board") or "main"
    return found | {"boards": sorted(found["boards"], key=lambda name: name != first)}


def roles(tx: Tx, asked: Asked, visit: Visit) -> Values:
    found = served.served_roles(tx)
    name = asked.get("name")
    versions = served.role_versions(tx, name) if name else []
    if name and not versions:
        raise rules.refuse("not_found", "no such role", "name")
    return {"roles": found, "versions": versions, "role": versions[0] if versions else None}


def bundles(tx: Tx, asked: Asked, visit: Visit) -> Values:
    versions = served.bundle_versions(tx)
    newest = {version.name: version for version in reversed(versions)}
    name = asked.get("name")
    held = _bundle(tx, name, asked.get("version")) if name else None
    path = asked.get("path")
    file = next((file for file in held.files if file.path == path), None) if held else None
    if path and file is None and "content" not in asked:
        raise rules.refuse("not_found", "no such file", "path")
    return {
        "newest": sorted(newest.values(), key=lambda version: version.name),
        "versions": [version for version in versions if version.name == name],
        "bundle": held,
        "file": file,
        "old": held is not None and int(held.version) != newest[held.name].version,
        "default": served.DEFAULT,
    }


def keys_(tx: Tx, asked: Asked, visit: Visit) -> Values:
    every = visit.user.owner and asked.get("of") == "everyone"
    return {"keys": keys.of_user(tx, None if every else visit.user.id), "every": every, "minted": None}


def people(tx: Tx, asked: Asked, visit: Visit) -> Values:
    if not visit.user.owner:
        raise rules.refuse("forbidden", "only an owner sees the people")
    return {"people": users.everyone(tx), "shortest": users.SHORTEST}


PAGES: Mapping[str, Page] = {
    "board": Page("board.html", board, "board"),
    "task": Page("task.html", task, "board"),
    "run": Page("run.html", run, "board"),
    "new": Page("new.html", new, "new"),
    "waiting": Page("waiting.html", waiting, "waiting"),
    "costs": Page("costs.html", costs, "costs"),
    "workers": Page("workers.html", workers, "workers"),
    "roles": Page("roles.html", roles, "roles"),
    "bundles": Page("bundles.html", bundles, "bundles"),
    "keys": Page("keys.html", keys_, "keys"),
    "people": Page("people.html", people, "people"),
}


def answered(task: Task) -> bool:
    """Somebody has moved it on; its run says that it waits until a worker takes the task up again."""
    return task.status in ON_ITS_WAY


def _asking(tx: Tx) -> int:
    """How many tasks wait for a person."""
    newest = (s.runs.c.status == "awaiting_human", s.runs.c.id == s.tasks.c.run_id, s.tasks.c.status.not_in(ON_ITS_WAY))
    query = select(func.count()).select_from(s.runs).join(s.tasks, s.tasks.c.id == s.runs.c.task_id).where(*newest)
    return int(tx.connection.scalar(query) or 0)


def _choices(tx: Tx) -> Values:
    """What the fields of a task offer."""
    found = set(tx.connection.scalars(select(s.tasks.c.status).distinct()))
    return {
        "statuses": [*readers.ORDER, *sorted(found - set(readers.ORDER))],
        "role_names": [role.name for role in served.served_roles(tx)],
        "boards": readers.boards(tx) or ["main"],
    }


def _runs(tx: Tx, ids: list[str]) -> dict[str, Any]:
    rows = tx.connection.execute(select(s.runs.c.id, s.runs.c.status, s.runs.c.cost).where(s.runs.c.id.in_(ids)))
    return {row.id: row for row in rows}


def _bundle(tx: Tx, name: str, version: str | None) -> Bundle:
    found = served.bundle(tx, name, _whole(version, 0) if version else None)
    if found is None:
        raise rules.refuse("not_found", "no such bundle", "name")
    return found


def _whole(text: str | None, missing: int) -> int:
    return int(text) if text and text.lstrip("-").isdecimal() and len(text) < 16 else missing


def known(tx: Tx, page: str, asked: Asked) -> bool:
    """The role or bundle that a refused form was about is there."""
    name = asked.get("name", "")
    return bool(served.role_versions(tx, name)) if page == "roles" else served.bundle(tx, name) is not None
