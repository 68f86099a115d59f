"""Reading fields of a declaration so that every broken rule is found at once.

A `Check` reads typed fields and notes a `Problem` (path, found, allowed) instead of raising; what it returns
for a broken field is a harmless stand-in, since nothing is built from a declaration with problems.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, cast

from agent_connector.errors import Problem

SLUG = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
SLUG_WORDS = "lower-case letters, digits and single hyphens inside, at most 64 characters"


def say(value: Any) -> str:
    """A value as a problem shows it: short."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


class Check:
    """Collects the problems of one declaration."""

    def __init__(self, hosts: Sequence[str] | None, problems: Iterable[Problem] = ()) -> None:
        self.hosts = hosts
        self.problems = list(problems)

    def add(self, path: str, found: str, allowed: str) -> None:
        self.problems.append(Problem(path, found, allowed))

    def fields(self, path: str, value: Any, known: Iterable[str]) -> dict[str, Any]:
        """`value` as a mapping whose keys are all `known`."""
        if not isinstance(value, Mapping):
            self.add(path, say(value), "a table of fields")
            return {}
        known = tuple(known)
        given = cast("Mapping[str, Any]", value)
        for key in given:
            if key not in known:
                self.add(f"{path}.{key}" if path else key, "an unknown field", self._near(key, known))
        return dict(given)

    def _near(self, word: str, known: Sequence[str]) -> str:
        close = get_close_matches(word, known, 1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        return hint + "one of " + ", ".join(known)

    def text(self, path: str, value: Any, *, required: bool = True, one_line: bool = False) -> str:
        if value is None and not required:
            return ""
        if not isinstance(value, str) or (required and not value.strip()):
            self.add(path, "nothing" if value in (None, "") else say(value), "a text that is not empty")
            return ""
        if one_line and ("\n" in value or "\r" in value):
            self.add(path, say(value), "one line")
        return self.writable(path, value)

    def writable(self, path: str, value: str) -> str:
        """`value`; half a surrogate pair fits into no file, and NUL into no argument or variable."""
        if _UNWRITABLE.search(value):
            self.add(path, say(value), "a text without NUL and without half surrogate pairs")
        return value

    def optional(self, path: str, value: Any) -> str | None:
        return None if value is None else self.text(path, value, one_line=True)

    def match(self, path: str, value: Any, pattern: re.Pattern[str], allowed: str, limit: int = 64) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value) or len(value) > limit:
            self.add(path, "nothing" if value is None else say(value), allowed)
            return ""
        return value

    def slug(self, path: str, value: Any) -> str:
        text = self.match(path, value, SLUG, SLUG_WORDS)
        if "--" in text:
            self.add(path, say(text), SLUG_WORDS)
        return text

    def word(self, path: str, value: Any, known: Sequence[str], default: str | None = None) -> str:
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or value not in known:
            self.add(path, "nothing" if value is None else say(value), self._near(str(value), known))
            return default or known[0]
        return value

    def flag(self, path: str, value: Any, default: bool) -> bool:
        if value is None:
            return default
        if not isinstance(value, bool):
            self.add(path, say(value), "true or false")
            return default
        return value

    def seconds(self, path: str, value: Any, limit: float = 3600) -> float | None:
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= limit:
            self.add(path, say(value), f"seconds: a number above 0, at most {limit:g}")
            return None
        return float(value)

    def texts(self, path: str, value: Any) -> tuple[str, ...]:
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in cast("list[Any]", value)):
            self.add(path, say(value), "a list of texts")
            return ()
        return tuple(self.writable(f"{path}[{number}]", item) for number, item in enumerate(cast("list[str]", value)))

    def table(self, path: str, value: Any) -> dict[str, str]:
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.add(path, say(value), "a table of texts")
            return {}
        table: dict[str, str] = {}
        for key, inner in cast("Mapping[Any, Any]", value).items():
            if isinstance(key, str) and isinstance(inner, str):
                table[key] = self.writable(f"{path}.{key}", inner)
            else:
                self.add(f"{path}.{key}", say(inner), "a text")
        return table

    def values(self, path: str, value: Any) -> dict[str, Any]:
        """A table of any plain values."""
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.add(path, say(value), "a table")
            return {}
        return dict(cast("Mapping[str, Any]", value))

    def host(self, path: str, value: Any) -> str:
        if self.hosts is None:
            return self.text(path, value)
        if value in self.hosts:
            return str(value)
        close = get_close_matches(str(value), self.hosts, 1)
        allowed = f"did you mean {close[0]!r}?" if close else f"the id of a host, such as {', '.join(self.hosts[:4])}"
        self.add(path, "nothing" if value is None else say(value), allowed)
        return self.hosts[0]

    def unique(self, kind: str, keys: Sequence[Any], field: str, describe: Callable[[Any], str] = repr) -> None:
        seen: set[Any] = set()
        for number, key in enumerate(keys):
            if key in seen:
                self.add(f"{kind}[{number}].{field}", f"{describe(key)} a second time", "each once")
            seen.add(key)
