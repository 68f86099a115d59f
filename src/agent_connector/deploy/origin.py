"""How this copy of agent-connector was installed, and so how a newer one is got.

Read from what the installer wrote down (`direct_url.json`, `INSTALLER`), never guessed: the name alone says nothing
about what an index has under it, so an index is named only to those who installed from one.
"""

import json
import os
import sys
from dataclasses import dataclass
from importlib import metadata, util
from typing import Any, Literal, cast
from urllib.parse import urlsplit
from urllib.request import url2pathname

NAME = "agent-connector"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

Kind = Literal["checkout", "editable", "folder", "repository", "file", "index", "other"]
Tool = Literal["uv tool", "uvx", "pipx", "pip", "uv pip"]


@dataclass(frozen=True, slots=True)
class Origin:
    """`where` is a folder, a file or an address; for `other`, the program that installed this copy."""

    kind: Kind
    where: str = ""


def origin() -> Origin:
    """Where the running copy came from."""
    try:
        found = metadata.distribution(NAME)
    except metadata.PackageNotFoundError:
        return Origin("checkout", os.path.dirname(_PACKAGE))
    direct = found.read_text("direct_url.json")
    if direct is not None:
        return _direct(json.loads(direct))
    if os.path.realpath(str(found.locate_file("agent_connector"))) != os.path.realpath(_PACKAGE):
        return Origin("checkout", os.path.dirname(_PACKAGE))  # what is installed under the name is another copy
    installer = (found.read_text("INSTALLER") or "").strip()
    return Origin("index") if installer in ("pip", "uv") else Origin("other", installer)


def _direct(told: dict[str, Any]) -> Origin:
    """What `direct_url.json` tells (PEP 610)."""
    url = str(told.get("url", ""))
    path = url2pathname(urlsplit(url).path) if url.startswith("file:") else ""
    if "vcs_info" in told:
        vcs = cast("dict[str, str]", told["vcs_info"])
        wanted = vcs.get("requested_revision")
        return Origin("repository", f"{vcs.get('vcs', 'git')}+{url}" + (f"@{wanted}" if wanted else ""))
    if "dir_info" in told:
        return Origin("editable" if told["dir_info"].get("editable") else "folder", path)
    return Origin("file", path or url)


def tool(prefix: str = sys.prefix) -> Tool:
    """The program that keeps the environment at `prefix`."""
    place = prefix.replace("\\", "/")
    if "/uv/tools/" in place:
        return "uv tool"
    if "/pipx/venvs/" in place:
        return "pipx"
    if "/uv/" in place and "/archive" in place:
        return "uvx"
    return "pip" if util.find_spec("pip") else "uv pip"  # uv makes environments without pip


def newer(origin: Origin, tool: Tool, preview: bool = False) -> str:
    """What a person does to get a newer version: one or two commands."""
    if origin.kind == "checkout":
        return f"`git pull` in {origin.where}: it runs from there"
    if origin.kind in ("editable", "folder"):
        again = _install("-e ." if origin.kind == "editable" else ".", tool).replace(
            "pip install --upgrade", "pip install"
        )  # a folder always counts as new
        return f"`git pull` in {origin.where}, and there {again}"
    if origin.kind == "repository":
        return _install(f"'{NAME} @ {origin.where}'" if tool in ("pip", "uv pip") else f"'{origin.where}'", tool)
    if origin.kind == "file":
        return f"{_install('FILE', tool)}, FILE being what has taken the place of {origin.where}"
    if origin.kind == "other":
        return f"ask {origin.where}, which installed it" if origin.where else "install it again as it was installed"
    return _from_index(tool, preview)


def _install(what: str, tool: Tool) -> str:
    """The command that installs `what` in the place of this copy."""
    return {
        "uv tool": f"`uv tool install --force {what}`",
        "pipx": f"`pipx install --force {what}`",
        "uvx": f"`uvx --refresh --from {what} {NAME} upgrade`",
        "uv pip": f"`uv pip install --python {sys.executable} --reinstall-package {NAME} {what}`",
        "pip": f"`{sys.executable} -m pip install --upgrade {what}`",
    }[tool]


def _from_index(tool: Tool, preview: bool) -> str:
    allow = " --prerelease allow" if preview else ""
    return {
        "uv tool": f"`uv tool upgrade {NAME}{allow}`",
        "pipx": f"`pipx upgrade {NAME}{' --pip-args=--pre' if preview else ''}`",
        "uvx": f"`uvx {NAME}@latest upgrade{allow}`",
        "uv pip": f"`uv pip install --python {sys.executable} --upgrade{allow} {NAME}`",
        "pip": f"`{sys.executable} -m pip install --upgrade{' --pre' if preview else ''} {NAME}`",
    }[tool]
