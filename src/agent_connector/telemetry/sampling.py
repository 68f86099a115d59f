"""Calibration by itself: now and then a text that was counted goes to the vendor's own counter, which says the true number.

Off unless a person turned it on, and then only where the process has that vendor's key: it sends what a tool was given
or brought to the vendor (nothing else of ours leaves a machine). At most `per_hour` texts are sent by all processes of
a machine together. What is kept are two sums; their quotient is the factor of `tokenizer-calibrated`.
"""

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, cast

from agent_connector.errors import TelemetryError
from agent_connector.home import paths, private
from agent_connector.telemetry import calibration
from agent_connector.telemetry.tokenizer import sound

FAMILY, KEY, BASE = "claude", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"
VENDOR = "https://api.anthropic.com"
MODEL = "claude-sonnet-4-5"
LEAST, MOST = 400, 40_000  # characters of a text that is worth asking for


@dataclass(frozen=True, slots=True)
class Setting:
    """What a person turned on."""

    per_hour: int
    model: str = MODEL


@dataclass(frozen=True, slots=True)
class Learned:
    """Sums over all samples: our tokens, the vendor's, and how many there were; `frame` is what a message adds itself."""

    ours: int = 0
    theirs: int = 0
    samples: int = 0
    frame: int | None = None


def turn(root: str, setting: Setting | None) -> None:
    """Remember what was turned on, or forget it."""
    if setting is not None:
        private.write(_place(root), json.dumps(asdict(setting)))
        return
    try:
        os.unlink(_place(root))
    except FileNotFoundError:
        return
    except OSError as error:
        raise TelemetryError(
            f"sampling stays on: {error.strerror or error}", where=_place(root), remedy="Remove this file by hand."
        ) from error


def setting(root: str) -> Setting | None:
    """What is turned on, None when nothing is, or when its file cannot be read."""
    try:
        return Setting(**_table(_place(root)))
    except (OSError, ValueError, TypeError):
        return None


def learned(root: str) -> Learned:
    """What the samples said so far."""
    try:
        return Learned(**_table(_state(root)))
    except (OSError, ValueError, TypeError):
        return Learned()


class Sampler:
    """Hears what is counted and asks the vendor for some of it, beside the counting and never in its way."""

    def __init__(
        self, root: str, chosen: Setting, ask: Callable[[str], int], now: Callable[[], float] = time.time
    ) -> None:
        self.root = root
        self.chosen = chosen
        self.ask = ask
        self.now = now
        self.asking: threading.Thread | None = None

    def heard(self, family: str, text: str, tokens: int) -> None:
        """A text was counted as so many tokens."""
        if family != FAMILY or not LEAST <= len(text) <= MOST or not tokens:
            return
        if (self.asking is not None and self.asking.is_alive()) or not self._claimed():
            return
        self.asking = threading.Thread(target=self.sample, args=(text, tokens), daemon=True)
        self.asking.start()

    def sample(self, text: str, tokens: int) -> None:
        """Ask, and learn from the answer; a vendor that does not answer teaches nothing."""
        try:
            before = learned(self.root)
            frame = before.frame if before.frame is not None else self.ask("a") - 1
            theirs = self.ask(sound(text)) - frame
            after = Learned(before.ours + tokens, before.theirs + theirs, before.samples + 1, frame)
            calibration.learn(self.root, FAMILY, after.ours, after.theirs)
            private.write(_state(self.root), json.dumps(asdict(after)))
        except (OSError, ValueError, KeyError, TypeError, TelemetryError):
            return

    def wait(self, seconds: float) -> None:
        """Let a question that is under way come to its end."""
        if self.asking is not None:
            self.asking.join(seconds)

    def _claimed(self) -> bool:
        """True for the one text of all processes that this stretch of time may send."""
        stretch = int(self.now() * self.chosen.per_hour // 3600)
        mark = os.path.join(paths.telemetry_folder(self.root), "sampled")
        try:
            os.makedirs(mark, 0o700, exist_ok=True)
            os.close(os.open(os.path.join(mark, str(stretch)), os.O_CREAT | os.O_EXCL, 0o600))
            for name in os.listdir(mark):
                if name.isdigit() and int(name) < stretch:
                    os.unlink(os.path.join(mark, name))
        except OSError:
            return False
        return True


def sampler(root: str, variables: Mapping[str, str]) -> Sampler | None:
    """The sampler of this process; None when sampling is off or there is no key."""
    chosen, key = setting(root), variables.get(KEY, "")
    if chosen is None or not key:
        return None
    address = (variables.get(BASE) or VENDOR).rstrip("/") + "/v1/messages/count_tokens"

    def ask(text: str) -> int:
        from agent_connector.telemetry.vendor import count  # late: loading an HTTP client takes long

        return count(address, key, chosen.model, text)

    return Sampler(root, chosen, ask)


def _place(root: str) -> str:
    return os.path.join(paths.telemetry_folder(root), "sampling.json")


def _state(root: str) -> str:
    return os.path.join(paths.telemetry_folder(root), "sampling-learned.json")


def _table(path: str) -> dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        value: Any = json.load(file)
    if not isinstance(value, dict):
        raise TypeError(path)
    return cast("dict[str, Any]", value)
