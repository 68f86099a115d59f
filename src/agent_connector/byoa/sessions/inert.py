"""App text must not act: what each host would expand in a prompt, and how it is broken there.

A host is in `PROVEN` only when the real program was given text with `@file`, `!command`, `/command` and `$skill` in
this way and expanded none of it. A host that is not in it gets no app turns: `agent-connector byoa status` says so.
"""

import re
from collections.abc import Callable, Mapping

# Invisible, of no width, and no part of any file's or command's name.
JOINER = "\u2060"

Break = Callable[[str], str]


def as_it_is(text: str) -> str:
    """The host takes the structured text block as text; nothing in it is active."""
    return text


def apart(active: str) -> Break:
    """A joiner after each mark that `active` finds: between it and the name that it would act on."""
    found = re.compile(active)

    def broken(text: str) -> str:
        return found.sub(rf"\g<0>{JOINER}", text)

    return broken


# A command acts at the very beginning of a prompt in all of them, where the provenance line stands.
PROVEN: Mapping[str, Break] = {
    "claude-code": apart(r"(?<![A-Za-z0-9])@(?=\S)"),  # @file, @"file", @server:resource, @agent
    "codex": apart(r"\$(?=[A-Za-z0-9_:-])"),  # $skill, inside of words too
    "copilot-cli": as_it_is,
    "gemini-cli": as_it_is,
    "kimi": as_it_is,
    "opencode": as_it_is,
    "qwen-code": as_it_is,
}


def of(host: str) -> Break | None:
    """How text is made inert for this host; None: nobody has shown that it can be."""
    return PROVEN.get(host)


def proven() -> tuple[str, ...]:
    """The hosts whose `byoa run` takes turns of apps."""
    return tuple(sorted(PROVEN))


def refusal(host: str) -> str:
    return f"{host}: no app turn starts in `byoa run`: nobody has proven that files and commands in its text stay inert"
