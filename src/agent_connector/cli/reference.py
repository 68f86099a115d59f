"""The page of all verbs, made from their own help: `docs/reference/cli.md`."""

import click

from agent_connector.cli.group import ALIASES, verbs

WIDTH = 100
HEAD = """\
# Verbs

`agent-connector VERB --help` says the same on the command line. Every verb takes `--json` where a program may read; what comes out then is in
[JSON output](json.md). Exit codes: [exit codes](exit-codes.md). This page is made by `make docs`.
"""


def page() -> str:
    """The whole page, one section a verb."""
    root = click.Context(verbs, info_name="agent-connector", **verbs.context_settings)
    found = ((name, verbs.get_command(root, name)) for name in verbs.list_commands(root))
    return "\n".join([HEAD, *(_section(root, name, command) for name, command in found if command)])


def _section(parent: click.Context, name: str, command: click.Command) -> str:
    others = [alias for alias, verb in ALIASES.items() if verb == name]
    also = f"\nAlso: {', '.join(f'`{alias}`' for alias in others)}.\n" if others else ""
    parts = [f"## {name}\n{also}", _help(command, parent, name)]
    if isinstance(command, click.Group):
        parts += _subverbs(click.Context(command, info_name=name, parent=parent), command, name)
    return "\n".join(parts)


def _subverbs(parent: click.Context, group: click.Group, path: str) -> list[str]:
    """The section of each subverb, and of its own."""
    parts: list[str] = []
    for name in group.list_commands(parent):
        command = group.get_command(parent, name)
        if command is None:
            continue
        parts.append(f"### {path} {name}\n\n{_help(command, parent, name)}")
        if isinstance(command, click.Group):
            parts += _subverbs(click.Context(command, info_name=name, parent=parent), command, f"{path} {name}")
    return parts


def _help(command: click.Command, parent: click.Context, name: str) -> str:
    context = click.Context(command, info_name=name, parent=parent, terminal_width=WIDTH, max_content_width=WIDTH)
    return f"```text\n{command.get_help(context)}\n```\n"
