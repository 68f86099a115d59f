"""A project as it is kept: a hash and its folder's name, never its path."""

import os
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, cast

Identify = Callable[[str], tuple[str, str]]  # a folder's path -> its hash and name
_HIDDEN = "\0"
_KEY = "project"  # of a reader's state


def by_path(folder: str) -> tuple[str, str]:
    """The hash of the path itself."""
    name = folder.rstrip("/\\").replace("\\", "/").rpartition("/")[2] or folder
    return blake2b(os.path.normcase(folder).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(), name


def shown(project: str, identify: Identify) -> tuple[str, str]:
    """Hash and name of a record's project, which a reader may have from its own state."""
    if not project:
        return "", ""
    if project.startswith(_HIDDEN):
        key, _, name = project[1:].partition(_HIDDEN)
        return key, name
    return identify(project)


def hidden(state: dict[str, Any], identify: Identify) -> dict[str, Any]:
    """A reader's state as it is kept: what stands under `project`, at any depth, is no path any more."""
    return {name: _hide(name, value, identify) for name, value in state.items()}


def _hide(name: str, value: Any, identify: Identify) -> Any:
    if isinstance(value, dict):
        return hidden(cast("dict[str, Any]", value), identify)
    if name == _KEY and isinstance(value, str) and value:
        return _HIDDEN + _HIDDEN.join(shown(value, identify))
    return value
