"""`package`: one connector in one format or in all of them, as folders or archives that can be published."""

import json
import os
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

from agent_connector.connector.load import Loaded
from agent_connector.deploy.bundles import build, mcpb, registry
from agent_connector.deploy.bundles.check import check
from agent_connector.errors import DeployError

NAMED = (registry.FORMAT, mcpb.FORMAT)  # formats that `all` leaves out: they are for a registry, and for one app
_SURFACES = {"commands": "command", "skills": "skill", "subagents": "subagent"}  # what has names, and what one is
_DATE = (1980, 1, 1, 0, 0, 0)  # archives of the same content are the same bytes


@dataclass(frozen=True, slots=True)
class Packaged:
    """What was written where ("": nothing); `notes` say what of the connector is not in it."""

    format: str
    path: str
    files: tuple[str, ...]
    notes: tuple[str, ...] = ()


def formats() -> tuple[str, ...]:
    """Every format that can be named."""
    return (*build.formats(), *NAMED)


def package(loaded: Loaded, format: str, folder: str, *, name: str = "", force: bool = False) -> list[Packaged]:
    """Write `format`, or `all`, below `folder`. Raises DeployError; what was written before stays."""
    if format != "all":
        return [_one(loaded, format, folder, name, force)]
    done: list[Packaged] = []
    for each in build.formats():
        try:
            done.append(_one(loaded, each, folder, name, force))
        except build.EmptyBundle as error:
            done.append(Packaged(each, "", (), (error.what,)))
    return done


def _one(loaded: Loaded, format: str, folder: str, name: str, force: bool) -> Packaged:
    model = loaded.model
    about = build.about(model)
    if format == registry.FORMAT:
        document = registry.server_json(model, about, name)
        check(format, document)
        text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
        return _written(format, folder, os.path.join(folder, "server.json"), {"server.json": text}, (), force)
    if format == mcpb.FORMAT:
        files = mcpb.files(model, about)
        check(format, json.loads(files["manifest.json"]))
        path = os.path.join(folder, f"{model.id}.mcpb")
        _free(path, force)
        os.makedirs(folder, exist_ok=True)
        archive(path, files)
        return Packaged(format, path, tuple(files))
    parcel = build.build(loaded, format)
    place = os.path.join(folder, format, model.id)
    _free(place, force)
    return write(loaded, parcel, place)


def write(loaded: Loaded, parcel: build.Parcel, place: str) -> Packaged:
    """The files of a bundle into the folder `place`, and a README that says what is in it."""
    files = {**parcel.files, "README.md": _readme(parcel, loaded)}
    shutil.rmtree(place, ignore_errors=True)  # what an earlier bundle had and this one has not
    return _written(parcel.format, place, place, files, parcel.notes, True)


def _written(
    format: str, folder: str, shown: str, files: Mapping[str, str], notes: tuple[str, ...], force: bool
) -> Packaged:
    _free(shown, force)
    for path, text in files.items():
        target = os.path.join(folder, *path.split("/"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    return Packaged(format, shown, tuple(files), notes)


def _free(path: str, force: bool) -> None:
    if os.path.exists(path) and not force:
        raise DeployError("something is there already", where=path, remedy="Name another folder, or say --force.")


def archive(path: str, files: Mapping[str, str]) -> None:
    """A zip of `files`, the same bytes for the same content."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            made.writestr(entry, text.encode())


def _readme(parcel: build.Parcel, loaded: Loaded) -> str:
    model = loaded.model
    has: list[str] = []
    if model.server and "server" not in parcel.without:
        has.append(f"the MCP server `{model.server_name}`")
    if model.hooks and "hooks" not in parcel.without:
        has.append("1 hook" if len(model.hooks) == 1 else f"{len(model.hooks)} hooks")
    for surface, word in _SURFACES.items():
        if surface not in parcel.without:
            has += [f"the {word} `{one.name}`" for one in getattr(model, surface)]
    if model.memory and "memory" not in parcel.without:
        has.append("what its agents are to know")
    lines = [f"# {model.id}", "", model.description or model.id]
    if has:
        lines += ["", "In it: " + ", ".join(has) + "."]
    if any(path.startswith("runtime/") for path in parcel.files):
        lines += ["", "Its hooks need Python 3.11 or newer as `python3`; without it they do nothing."]
    lines += [
        "",
        f"Made by `agent-connector package --format {parcel.format}`; change the declaration, not these files.",
    ]
    return "\n".join(lines) + "\n"
