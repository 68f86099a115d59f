"""The machine as a value: home, platform, variables and files. Every place rule is a pure function of it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Machine:
    """What a place rule may look at.

    `home` is the person's home folder, `platform` is `sys.platform` ("linux", "darwin", "win32"), `variables`
    the environment, `project` the project's folder or None. `exists(path)` and `which(program)` answer for the
    file system; tests pass a set's `__contains__` and a dict's `get`, so that every system is tested on any
    system. Paths are joined in the style of `platform`, whatever system runs this.
    """

    __slots__ = ("exists", "home", "platform", "project", "variables", "which")

    def __init__(
        self,
        home: str,
        platform: str,
        variables: "Mapping[str, str]",
        project: "str | None" = None,
        exists: "Callable[[str], bool]" = lambda path: False,
        which: "Callable[[str], str | None]" = lambda program: None,
    ) -> None:
        self.home = home
        self.platform = platform
        self.variables = variables
        self.project = project
        self.exists = exists
        self.which = which

    def join(self, *parts: str) -> str:
        """Join `parts` with this platform's separator; nothing is normalised, no disk is looked at."""
        separator = "\\" if self.platform == "win32" else "/"
        path = parts[0]
        for part in parts[1:]:
            path = path.rstrip(separator) + separator + part.replace("/", separator)
        return path

    def config(self, variable: str, *default: str) -> str:
        """The folder that `variable` names, else `default` under home."""
        return self.variables.get(variable) or self.join(self.home, *default)


def here(project: "str | None" = None) -> Machine:
    """This machine, as the hosts' rules look at it."""
    import os
    import shutil
    import sys

    return Machine(
        home=os.path.expanduser("~"),
        platform=sys.platform,
        variables={**_desktop_folders(), **os.environ} if sys.platform == "linux" else dict(os.environ),
        project=os.path.abspath(project) if project else None,
        exists=os.path.exists,
        which=shutil.which,
    )


def _desktop_folders() -> "dict[str, str]":
    """What a Linux desktop calls its folders ("Dokumente"): its file names them, the environment seldom does."""
    import os
    import re

    home = os.path.expanduser("~")
    place = os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "user-dirs.dirs")
    try:
        with open(place, encoding="utf-8", errors="replace") as stream:
            named = re.findall(r'(?m)^(XDG_DOCUMENTS_DIR)="(\$HOME|)(/[^"]*)"', stream.read())
    except OSError:
        return {}
    return {name: (home if start else "") + rest.rstrip("/") for name, start, rest in named}
