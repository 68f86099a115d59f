"""What a facet asks to be written, as values: keys, list items, defaults, Markdown blocks and whole files.

A facet returns nodes and writes nothing. `deploy` groups them by file and carries them out.
Hook facets are imported at every tool call, so this module imports nothing.
"""


class Key:
    """Our value at `path` (map keys) of `file`. Parents that are missing are made."""

    __slots__ = ("file", "format", "path", "value")

    def __init__(self, file: str, format: str, path: tuple[str, ...], value: object) -> None:
        self.file = file
        self.format = format
        self.path = path
        self.value = value


class Item:
    """Our element of the list at `path` of `file`; the list and its parents are made when missing.

    `marks` are texts that must all stand in an element's compact JSON for it to be ours (the launcher's
    path and the connector's id): so a re-install finds its own element and another's is never touched.
    """

    __slots__ = ("file", "format", "marks", "path", "value")

    def __init__(self, file: str, format: str, path: tuple[str, ...], value: object, marks: tuple[str, ...]) -> None:
        self.file = file
        self.format = format
        self.path = path
        self.value = value
        self.marks = marks


class Default:
    """Set only when absent (a config patch, a `version: 1`, a status line); a person's value is never replaced."""

    __slots__ = ("file", "format", "path", "value")

    def __init__(self, file: str, format: str, path: tuple[str, ...], value: object) -> None:
        self.file = file
        self.format = format
        self.path = path
        self.value = value


class Block:
    """A managed Markdown block named `name` with `text` in `file`.

    `unless`: a line that makes the block unnecessary where a person has written it in the file.
    """

    __slots__ = ("file", "name", "text", "unless")

    def __init__(self, file: str, name: str, text: str, unless: str = "") -> None:
        self.file = file
        self.name = name
        self.text = text
        self.unless = unless


class Whole:
    """A whole file of ours."""

    __slots__ = ("executable", "file", "text")

    def __init__(self, file: str, text: str, executable: bool = False) -> None:
        self.file = file
        self.text = text
        self.executable = executable


class Refusal:
    """A host cannot take this: the surface, why, and what the author or person can do."""

    __slots__ = ("reason", "remedy")

    def __init__(self, reason: str, remedy: str = "") -> None:
        self.reason = reason
        self.remedy = remedy


class Reply:
    """What a hook answers its host: a JSON object (or text, or nothing) on stdout, stderr and an exit code."""

    __slots__ = ("exit_code", "output", "stderr")

    def __init__(self, output: "dict[str, object] | str | None" = None, exit_code: int = 0, stderr: str = "") -> None:
        self.output = output
        self.exit_code = exit_code
        self.stderr = stderr


Node = Key | Item | Default | Block | Whole
