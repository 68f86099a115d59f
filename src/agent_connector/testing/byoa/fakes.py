"""Stand-ins for what surrounds the pairer: host, session, files, clock, randomness."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent_connector.byoa.core.handle import Handle
from agent_connector.byoa.core.ports import StoredFile
from agent_connector.byoa.protocol import Setting, Workspace


@dataclass
class ScriptedClock:
    """Time that stands still until it is told to go on."""

    now: float = 1000.0

    def advance(self, seconds: float) -> None:
        self.now += seconds

    def wall(self) -> float:
        return 1_700_000_000.0 + self.now


@dataclass
class ScriptedRandom:
    """The same bytes in every run."""

    seed: int = 1
    source: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.source = random.Random(self.seed)  # noqa: S311  nothing secret is made from it

    def bytes(self, count: int) -> bytes:
        return self.source.randbytes(count)


class MemoryFiles:
    """`~/.byoa` in memory, with modes; `broken` names paths that cannot be written or removed."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.modes: dict[str, int] = {}
        self.foreign: set[str] = set()
        self.broken: set[str] = set()

    def read(self, path: str) -> StoredFile | None:
        if path not in self.texts:
            return None
        folder = path.rpartition("/")[0]
        own = path not in self.foreign
        return StoredFile(self.texts[path], self.modes.get(path, 0o600), self.modes.get(folder, 0o700), own)

    def write_private(self, path: str, text: str) -> None:
        self._check(path)
        self.texts[path] = text
        self.modes[path] = 0o600

    def remove(self, path: str) -> None:
        self._check(path)
        self.texts.pop(path, None)

    def list(self, folder: str) -> Sequence[str]:
        inside = (path[len(folder) + 1 :] for path in self.texts if path.startswith(f"{folder}/"))
        return sorted({path.partition("/")[0] for path in inside})

    def put(self, path: str, text: str, mode: int = 0o600) -> None:
        """A file as another program left it."""
        self.texts[path] = text
        self.modes[path] = mode

    def _check(self, path: str) -> None:
        if path in self.broken:
            raise PermissionError(13, "Permission denied", path)


@dataclass
class FakeHost:
    id: str = "fake-host"
    version: str = "1.0"
    machine_name: str = "test machine"
    is_interactive: bool = True
    band: str | None = None
    toasts: list[str] = field(default_factory=list[str])

    def display(self, band: str | None, toast: str | None) -> None:
        self.band = self.band if band is None else band
        if toast is not None:
            self.toasts.append(toast)


@dataclass
class PlainSession:
    """A session of a host that can neither abort nor set: `begin`, `end` and the rest play the host."""

    host_session_id: str | None = "s1"
    title: str | None = "A session"
    workspace: Workspace = field(
        default_factory=lambda: Workspace("app", "https://git.example/app", "main", "/code/app")
    )
    busy: bool = False
    blocked: bool = False
    approvals_bypassed: bool = False
    prompts: list[str] = field(default_factory=list[str])
    handle: Handle | None = None

    def submit(self, prompt: str) -> None:
        self.prompts.append(prompt)

    @property
    def reports(self) -> Handle:
        assert self.handle is not None, "the session is not attached"
        return self.handle

    def begin(self, prompt: str | None = None) -> bool:
        """Begin the oldest submitted prompt, or the person's own."""
        self.busy = True
        return self.reports.turn_started(self.prompts.pop(0) if prompt is None else prompt)

    def end(self, outcome: str = "done") -> None:
        self.reports.turn_ended(outcome)
        self.busy = False

    def answer(self, *texts: str) -> None:
        """Run the oldest submitted prompt to its end."""
        self.begin()
        for text in texts:
            self.reports.delta(text)
        self.end()


@dataclass
class FakeSession(PlainSession):
    """A session of a host that can do everything."""

    choices: tuple[Setting, ...] = (Setting("model", "Model", ("small", "large"), "small"),)
    applied: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    aborts: int = 0

    def abort(self) -> None:
        self.aborts += 1
        if self.busy:
            self.end("interrupted")

    def settings(self) -> Sequence[Setting]:
        return self.choices

    def apply_setting(self, setting: str, value: str) -> None:
        self.applied.append((setting, value))
