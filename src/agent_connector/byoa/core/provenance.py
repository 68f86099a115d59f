"""The line that says where a prompt comes from, and app text that cannot pretend to be one (section 6)."""

import re
import unicodedata
from dataclasses import dataclass

from agent_connector.byoa.protocol.texts import clean

CONNECTOR = "agent-connector"
NAME_MOST = 80
# A bracket of any kind ends or opens a part of the line; a control or format character hides one.
UNWANTED = frozenset(("Ps", "Pe", "Pi", "Pf", "Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
CLAIM = re.compile(r"[\W_]*from\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as it is handed to the host; `line` is how it is known again."""

    line: str
    text: str

    def is_in(self, prompt: str) -> bool:
        return any(line.strip() == self.line for line in prompt.splitlines())


def compose(app: str, origin: str, sender: str, text: str, tag: str) -> Prompt:
    who = plain_name(sender) or "someone"
    place = f"{plain_name(app) or 'an app'} ({origin})"
    line = f"[From {place} on behalf of {who}, via {CONNECTOR}; not typed in this terminal] #{tag}"
    return Prompt(line, f"{line}\n\n{inert(text)}")


def plain_name(name: str) -> str:
    """A name without line breaks, brackets and control characters, on one line."""
    kept = "".join(
        " " if letter.isspace() else letter
        for letter in name
        if letter.isspace() or (unicodedata.category(letter) not in UNWANTED and letter not in "<>")
    )
    return " ".join(kept.split())[:NAME_MOST].rstrip()


def inert(text: str) -> str:
    """The app's text without control characters; what looks like a provenance line is quoted."""
    lines = clean(text).splitlines(keepends=True)
    return "".join(f"> {line}" if _claims(line) else line for line in lines)


def _claims(line: str) -> bool:
    seen = unicodedata.normalize("NFKC", "".join(letter for letter in line if unicodedata.category(letter) != "Cf"))
    opened = seen.lstrip(" \t>#*_`|-").startswith(("[", "(", "{", "<", "【", "「"))
    return "not typed in this terminal" in seen.lower() or (opened and CLAIM.match(seen) is not None)
