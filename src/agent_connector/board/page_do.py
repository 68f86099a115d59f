"""What the forms of the page do: one function an action, in one transaction; its answer is where to go next."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from agent_connector.board import keys, rules, served, tasks, users
from agent_connector.board.engine import Tx
from agent_connector.board.page_web import Form, Visit
from agent_connector.board.values import BundleFile, Role


@dataclass(frozen=True, slots=True)
class Action:
    """`page` is shown again, with what was typed, where the action is refused; `asked` names for it the fields of the form."""

    do: Callable[[Tx, Form, Visit], str]
    page: str
    asked: Mapping[str, str]
    owner: bool = False


def of_task(id: str) -> str:
    """The address of a task's page."""
    return f"/tasks/{quote(id, safe='')}"


def add(tx: Tx, form: Form, visit: Visit) -> str:
    made = tasks.add(
        tx,
        title=_text(form, "title"),
        description=form.get("description", ""),
        board=_text(form, "board") or "main",
        status=_text(form, "status") or "todo",
        role=_text(form, "role") or None,
        priority=_whole(form, "priority"),
        by=visit.user.email,
    )
    return of_task(made.id)


def edit(tx: Tx, form: Form, visit: Visit) -> str:
    tasks.edit(
        tx,
        form.get("task", ""),
        title=_text(form, "title"),
        description=form.get("description", ""),
        board=_text(form, "board"),
        role=_text(form, "role") or None,
        priority=_whole(form, "priority"),
    )
    return of_task(form.get("task", ""))


def comment(tx: Tx, form: Form, visit: Visit) -> str:
    tasks.comment(tx, form.get("task", ""), form.get("body", ""), by=visit.user.email)
    return of_task(form.get("task", "")) + "#said"


def move(tx: Tx, form: Form, visit: Visit) -> str:
    tasks.set_status(tx, form.get("task", ""), _text(form, "status"), by=visit.user.email)
    return of_task(form.get("task", ""))


def answer(tx: Tx, form: Form, visit: Visit) -> str:
    """The word and the move belong together: a worker that sees the task moved also finds the answer."""
    tasks.comment(tx, form.get("task", ""), form.get("body", ""), by=visit.user.email)
    tasks.set_status(tx, form.get("task", ""), _text(form, "status"), by=visit.user.email)
    return "/waiting" if form.get("from") == "waiting" else of_task(form.get("task", ""))


def set_role(tx: Tx, form: Form, visit: Visit) -> str:
    models = [line.strip() for line in form.get("fallback_models", "").replace(",", "\n").split("\n")]
    made = served.set_role(
        tx,
        Role(
            id="",
            name=_text(form, "name"),
            version=0,
            provider=_text(form, "provider") or None,
            model=_text(form, "model") or None,
            fallback_models=tuple(model for model in models if model),
            capability_tier=_text(form, "capability_tier") or None,
            instructions=form.get("instructions") or None,
        ),
        by=visit.user.email,
    )
    return "/roles?" + urlencode({"name": made.name})


def retire_role(tx: Tx, form: Form, visit: Visit) -> str:
    served.retire_role(tx, form.get("name", ""), by=visit.user.email)
    return "/roles"


def save_file(tx: Tx, form: Form, visit: Visit) -> str:
    """One file of a bundle, new, changed or under another path; a bundle that is not there begins with it."""
    name, path = _text(form, "name"), _text(form, "path")
    held = _files(tx, name, form)
    held.pop(form.get("was", ""), None)
    held[path] = form.get("content", "")
    served.push_bundle(tx, name, [BundleFile(*item) for item in held.items()], by=visit.user.email)
    return "/bundles?" + urlencode({"name": name, "path": path})


def drop_file(tx: Tx, form: Form, visit: Visit) -> str:
    name = _text(form, "name")
    held = _files(tx, name, form)
    if held.pop(form.get("path", ""), None) is None:
        raise rules.refuse("not_found", "no such file", "path")
    served.push_bundle(tx, name, [BundleFile(*item) for item in held.items()], by=visit.user.email)
    return "/bundles?" + urlencode({"name": name})


def revoke(tx: Tx, form: Form, visit: Visit) -> str:
    """An owner may revoke anybody's."""
    keys.revoke(tx, form.get("prefix", ""), None if visit.user.owner else visit.user.id)
    return "/keys" + ("?of=everyone" if form.get("of") == "everyone" else "")


def remove_person(tx: Tx, form: Form, visit: Visit) -> str:
    users.remove(tx, form.get("email", ""))
    return "/people"


ACTIONS: Mapping[str, Action] = {
    "add": Action(add, "new", {}),
    "edit": Action(edit, "task", {"id": "task"}),
    "comment": Action(comment, "task", {"id": "task"}),
    "move": Action(move, "task", {"id": "task"}),
    "answer": Action(answer, "task", {"id": "task"}),
    "set-role": Action(set_role, "roles", {}, owner=True),
    "retire-role": Action(retire_role, "roles", {}, owner=True),
    "save-file": Action(save_file, "bundles", {}, owner=True),
    "drop-file": Action(drop_file, "bundles", {}, owner=True),
    "revoke": Action(revoke, "keys", {}),
    "remove-person": Action(remove_person, "people", {}, owner=True),
}


def _files(tx: Tx, name: str, form: Form) -> dict[str, str]:
    """The newest files by path; refused when they are not those that the form was made from."""
    tx.tick()  # nobody else makes a version until this one is there
    last = served.bundle(tx, name)
    if (last.version if last else "") != form.get("version", ""):
        raise rules.refuse("conflict", "somebody has changed this bundle since; open it again", "version")
    return {file.path: file.content for file in last.files} if last else {}


def _text(form: Form, name: str) -> str:
    return form.get(name, "").strip()


def _whole(form: Form, name: str) -> int:
    text = _text(form, name) or "0"
    if not text.removeprefix("-").isdecimal() or len(text) > 6:
        raise rules.refuse("invalid", "not a whole number", name)
    return int(text)
