"""The author's code, loaded from our copy of it; only reached when one of its handlers is due."""

import gc
import sys

from agent_connector.home import paths, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from agent_connector.connector.declare import Connector

_HARMLESS = ("_virtualenv.pth", "distutils-precedence.pth")


def load(root: str, manifest: "Mapping[str, Any]") -> "Connector":
    """Import the declaration of `manifest` and give its connector. Whatever its code raises goes through."""
    gc.freeze()  # what is ours is never garbage
    gc.enable()
    place = manifest["declaration"]
    sys.path.insert(0, paths.declaration_folder(root, manifest["id"]))
    packages = paths.connector_packages(root, manifest["id"])
    if system.isdir(packages):
        _add(packages)
    __import__(place["module"])
    connector: Connector = getattr(sys.modules[place["module"]], place["attribute"])
    return connector


def _add(packages: str) -> None:
    """The built environment, behind the standard library. Its `.pth` files are the rare case, and need `site`."""
    if any(name.endswith(".pth") and name not in _HARMLESS for name in system.calls.listdir(packages)):
        import site

        site.addsitedir(packages)
    else:
        sys.path.append(packages)


def await_result(result: "Any") -> "Any":
    """What a coroutine comes to; anything else is itself."""
    if not hasattr(result, "__await__"):
        return result
    import asyncio

    async def come() -> "Any":
        return await result

    return asyncio.run(come())
