"""How hosts spell a reference to an environment variable; `connector/interpolation.py` finds ours."""

from collections.abc import Callable, Mapping, Sequence

from agent_connector.connector.interpolation import Reference, parse, render

Spelling = Callable[[str, str | None], str]
Saying = Callable[[str, str | None], str | None]  # None where the host has no spelling for it


def dollar(name: str, default: str | None) -> str:
    """`${NAME}` and `${NAME:-default}`: Claude Code, and most hosts that took its file over."""
    return "${" + name + ("" if default is None else ":-" + default) + "}"


def env_or_dollar(name: str, default: str | None) -> str:
    """`${env:NAME}`, and with a default `${NAME:-default}`: Cursor."""
    return "${env:" + name + "}" if default is None else dollar(name, default)


def or_left(say: Saying) -> Spelling:
    """`say`, and what it has no spelling for as it is declared: our launcher resolves it when it starts the server."""
    return lambda name, default: say(name, default) or str(Reference(name, default))


def only(text: str) -> Reference | None:
    """The reference that `text` is as a whole, None when there is anything beside it."""
    pieces = parse(text)
    return pieces[0] if len(pieces) == 1 and isinstance(pieces[0], Reference) else None


def has_reference(text: str) -> bool:
    return any(isinstance(piece, Reference) for piece in parse(text))


def spelled(text: str, say: Spelling) -> str:
    """`text` in the words of `say`, which has one for every reference."""
    return render(text, say) or ""


def spelled_list(texts: Sequence[str], say: Spelling) -> list[str]:
    return [spelled(text, say) for text in texts]


def spelled_map(texts: Mapping[str, str], say: Spelling) -> dict[str, str]:
    return {name: spelled(text, say) for name, text in texts.items()}
