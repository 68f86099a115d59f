"""What the board serves to workers: roles and bundles. Each change is a new version; the old ones stay to be looked at."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Row, func, insert, select

from agent_connector.board import rules
from agent_connector.board.engine import Tx
from agent_connector.board.schema import bundle_files, bundles, roles
from agent_connector.board.values import Bundle, BundleFile, Role

DEFAULT = "default"  # the bundle of a worker that names none
MOST_FILES, MOST_BYTES = 500, 1024 * 1024  # of a bundle
INSTRUCTIONS = 64 * 1024
TOPIC = "served"


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a bundle, without its files."""

    name: str
    version: int
    created_at: str
    created_by: str
    files: int


# Roles.


def set_role(tx: Tx, role: Role, *, by: str) -> Role:
    """The next version of the role of that name; its id stays. `id` and `version` of what is given do not count."""
    now = tx.tick()  # who changes one waits for who changes another: the versions are in order
    last = _last_role(tx, rules.word(role.name, "name", rules.NAME))
    for where, value in (("provider", role.provider), ("model", role.model), ("capabilityTier", role.capability_tier)):
        if value is not None:
            rules.word(value, where, rules.NAME)
    rules.between(len(role.fallback_models), "fallbackModels", 0, 20)
    rules.sized(role.instructions or "", "instructions", INSTRUCTIONS)
    models = tuple(rules.word(model, "fallbackModels", rules.NAME) for model in role.fallback_models)
    made = replace(
        role,
        id=last.id if last else rules.new_id(),
        version=last.version + 1 if last else 1,
        fallback_models=models,
    )
    _write_role(tx, made, by, now, retired=False)
    return made


def retire_role(tx: Tx, name: str, *, by: str) -> None:
    """No worker sees it any more."""
    now = tx.tick()
    last = _last_role(tx, name)
    if last is None or last.retired:
        raise rules.refuse("not_found", "no such role", "name")
    _write_role(tx, replace(role_of(last), version=last.version + 1), by, now, retired=True)


def served_roles(tx: Tx) -> list[Role]:
    """The newest version of each, the highest version first."""
    newest = select(roles.c.id, func.max(roles.c.version).label("version")).group_by(roles.c.id).subquery()
    both = (roles.c.id == newest.c.id) & (roles.c.version == newest.c.version)
    query = select(roles).join(newest, both).where(roles.c.retired.is_(False))
    return [role_of(row) for row in tx.connection.execute(query.order_by(roles.c.version.desc(), roles.c.name))]


def role_versions(tx: Tx, name: str) -> list[Role]:
    """Every version of one, the newest first."""
    rows = tx.connection.execute(select(roles).where(roles.c.name == name).order_by(roles.c.version.desc()))
    return [role_of(row) for row in rows]


def role_of(row: Row[Any]) -> Role:
    return Role(
        id=row.id,
        name=row.name,
        version=row.version,
        provider=row.provider,
        model=row.model,
        fallback_models=tuple(json.loads(row.fallback_models)),
        capability_tier=row.capability_tier,
        instructions=row.instructions,
    )


def _last_role(tx: Tx, name: str) -> Row[Any] | None:
    query = select(roles).where(roles.c.name == name).order_by(roles.c.version.desc()).limit(1)
    return tx.connection.execute(query).one_or_none()


def _write_role(tx: Tx, role: Role, by: str, now: int, retired: bool) -> None:
    tx.connection.execute(
        insert(roles).values(
            id=role.id,
            version=role.version,
            name=role.name,
            provider=role.provider,
            model=role.model,
            fallback_models=json.dumps(role.fallback_models),
            capability_tier=role.capability_tier,
            instructions=role.instructions,
            retired=retired,
            created_at=now,
            created_by=by,
        )
    )
    tx.tell(TOPIC)


# Bundles.


def push_bundle(tx: Tx, name: str, files: Sequence[BundleFile], *, by: str) -> Bundle:
    """The next version of the bundle; the same version again when nothing in it changed."""
    rules.word(name, "name")
    kept = sorted(checked_files(files), key=lambda file: file.path)
    now = tx.tick()  # the order of versions, as above
    last = bundle(tx, name)
    if last is not None and list(last.files) == kept:
        return last
    version = int(last.version) + 1 if last else 1
    tx.connection.execute(insert(bundles).values(name=name, version=version, created_at=now, created_by=by))
    rows = [{"name": name, "version": version, "path": file.path, "content": file.content} for file in kept]
    if rows:
        tx.connection.execute(insert(bundle_files), rows)
    tx.tell(TOPIC)
    return Bundle(name, str(version), tuple(kept))


def checked_files(files: Sequence[BundleFile]) -> Sequence[BundleFile]:
    """Refuse paths that lead out of a folder, that two systems read differently, or that are there twice."""
    rules.between(len(files), "files", 0, MOST_FILES)
    seen: set[str] = set()
    for number, file in enumerate(files):
        where = f"files[{number}].path"
        rules.word(file.path, where, rules.NAME)
        parts = file.path.split("/")
        if any(part in ("", ".", "..") or part != part.strip() or part.endswith(".") for part in parts):
            raise rules.refuse("invalid", "not a path inside a folder", where)
        if any(one in file.path for one in '\\:*?"<>|'):
            raise rules.refuse("invalid", "holds a character that not every system allows in a name", where)
        if file.path.casefold() in seen:
            raise rules.refuse("invalid", "there twice", where)
        seen.add(file.path.casefold())
        rules.storable(file.content, f"files[{number}].content")
    if sum(len(file.content.encode()) for file in files) > MOST_BYTES:
        raise rules.refuse("invalid", f"longer than {MOST_BYTES} bytes together", "files")
    return files


def bundle(tx: Tx, name: str, version: int | None = None) -> Bundle | None:
    """One version, or the newest; None where there is none."""
    query = select(bundles.c.version).where(bundles.c.name == name).order_by(bundles.c.version.desc()).limit(1)
    if version is not None:
        query = query.where(bundles.c.version == version)
    found = tx.connection.scalar(query)
    if found is None:
        return None
    of = (bundle_files.c.name == name) & (bundle_files.c.version == found)
    rows = tx.connection.execute(select(bundle_files).where(of).order_by(bundle_files.c.path))
    files = sorted((BundleFile(row.path, row.content) for row in rows), key=lambda file: file.path)
    return Bundle(name, str(found), tuple(files))


def bundle_versions(tx: Tx, name: str | None = None) -> list[Version]:
    """The versions of one or of every bundle, the newest first."""
    count = func.count(bundle_files.c.path)
    same = (bundle_files.c.name == bundles.c.name) & (bundle_files.c.version == bundles.c.version)
    query = select(bundles, count.label("files")).outerjoin(bundle_files, same)
    if name is not None:
        query = query.where(bundles.c.name == name)
    columns = (bundles.c.name, bundles.c.version, bundles.c.created_at, bundles.c.created_by)
    query = query.group_by(*columns).order_by(bundles.c.name, bundles.c.version.desc())
    return [
        Version(row.name, row.version, rules.iso(row.created_at), row.created_by, row.files)
        for row in tx.connection.execute(query)
    ]
