"""What the guard judges by, and what it says. Plain slotted values: the hook, which starts at every call, loads these.

A verdict of "no" is raised as `No` where it is found, so that a rule needs no way back through what called it.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Verdict:
    """`rule` names what decided; `reason` is for people, and for the agent, which may then do it in another way."""

    __slots__ = ("allowed", "reason", "rule")

    def __init__(self, allowed: bool, rule: str, reason: str) -> None:
        self.allowed = allowed
        self.rule = rule
        self.reason = reason

    def __repr__(self) -> str:
        return f"Verdict({'allowed' if self.allowed else 'denied'}, {self.rule}: {self.reason})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Verdict) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> "tuple[bool, str, str]":
        return self.allowed, self.rule, self.reason


class No(Exception):
    """A denial on its way up."""

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(reason)
        self.verdict = Verdict(False, rule, reason)


def allowed(rule: str = "allowed", reason: str = "nothing in it is forbidden") -> Verdict:
    return Verdict(True, rule, reason)


def same_path(path: str) -> str:
    return path


def no_text(path: str) -> "str | None":
    return None


class Rules:
    """One run's: its folders, what a person allowed beyond the tables, and how files are looked at.

    `workspace` is where the agent works, `home` its private home, `temporary` folders it may fill. `protected` are
    files and folders (absolute, links resolved) that no call may change: the hosts' configuration, the guard itself.
    `secret` is never read: the worker's own folder. `allow` are command lines, as words; `*` at the end is any more
    words. `real(path)` follows links, `text(path)` is a file's content or None: pure unless the caller gives real ones.
    """

    __slots__ = (
        "allow", "cwd", "home", "hosts", "network", "protected", "real", "secret", "servers", "temporary", "text",
        "windows", "workspace",
    )  # fmt: skip

    def __init__(
        self,
        workspace: str,
        home: str = "/nonexistent",
        *,
        temporary: "Sequence[str]" = (),
        protected: "Sequence[str]" = (),
        secret: "Sequence[str]" = (),
        allow: "Sequence[Sequence[str]]" = (),
        servers: "Sequence[str]" = (),
        network: str = "model",
        hosts: "Sequence[str]" = (),
        cwd: "str | None" = None,
        windows: bool = False,
        real: "Callable[[str], str]" = same_path,
        text: "Callable[[str], str | None]" = no_text,
    ) -> None:
        self.workspace = workspace
        self.home = home
        self.temporary = tuple(temporary)
        self.protected = tuple(protected)
        self.secret = tuple(secret)
        self.allow = tuple(tuple(words) for words in allow)
        self.servers = tuple(servers)
        self.network = network
        self.hosts = tuple(hosts)
        self.cwd = cwd or workspace
        self.windows = windows
        self.real = real
        self.text = text

    def at(self, cwd: str) -> "Rules":
        """The same rules for a call that begins in another folder."""
        return rules_of(self.plain(), self.real, self.text, cwd)

    def plain(self) -> "dict[str, Any]":
        """For a policy file; functions stay here."""
        names = (
            "workspace",
            "home",
            "temporary",
            "protected",
            "secret",
            "allow",
            "servers",
            "network",
            "hosts",
            "cwd",
            "windows",
        )
        return {name: getattr(self, name) for name in names}


def rules_of(
    plain: "Mapping[str, Any]", real: "Callable[[str], str]", text: "Callable[[str], str | None]", cwd: "str | None"
) -> Rules:
    """The rules of a policy file. Raises TypeError where something is missing or too much: a hook denies then."""
    told = dict(plain)
    told["cwd"] = cwd or told.get("cwd")
    return Rules(told.pop("workspace"), told.pop("home"), real=real, text=text, **told)
