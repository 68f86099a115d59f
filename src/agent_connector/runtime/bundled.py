"""The modules of the hook path out of one open file, instead of a search and five system calls for each.

This is the first thing in a bundle; `entry.py` executes it and calls `install`. `runtime/pack.py` makes bundles.
"""

import sys
from _frozen_importlib import ModuleSpec
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import FileIO
    from types import ModuleType
    from typing import Any


class Bundle:
    """Finds and loads the modules of the index: name -> (where, how long, the file's path below our package)."""

    def __init__(self, package: str, stream: "FileIO") -> None:
        self.package = package
        self.stream = stream
        size = int.from_bytes(stream.read(4), "little")
        self.index: dict[str, tuple[int, int, str]] = loads(stream.read(size))  # noqa: S302  # the installer's file
        self.start = stream.tell()

    def find_spec(self, name: str, path: "Any" = None, target: "Any" = None) -> "ModuleSpec | None":
        found = self.index.get(name)
        if found is None:
            return None
        if not found[2].endswith("/__init__.py"):
            return ModuleSpec(name, self)  # type: ignore[arg-type]
        spec = ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]
        spec.submodule_search_locations = [self.package + found[2][:-12]]
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """The usual kind of module will do."""

    def exec_module(self, module: "ModuleType") -> None:
        place, size, file = self.index[module.__name__]
        module.__file__ = self.package + file
        self.stream.seek(self.start + place)
        exec(loads(self.stream.read(size)), module.__dict__)  # noqa: S102, S302  # the installer's file


def install(package: str, stream: "FileIO") -> None:
    """From now on imports look into the bundle first; `package` is our folder."""
    sys.meta_path.insert(0, Bundle(package, stream))  # type: ignore[arg-type]
