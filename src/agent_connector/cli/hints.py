"""What a wrong usage was probably meant to be."""

from collections.abc import Sequence

import click

from agent_connector.cli.options import command_name, declares, shown

_STRAY = "Got unexpected extra argument"


def hint(error: click.UsageError, words: Sequence[str]) -> str:
    """A sentence to say behind the parser's own, "" where there is none. `words` are those of the command line."""
    if error.ctx is None:
        return ""
    verb = error.ctx.command
    named = {parameter.name for parameter in verb.params}
    if error.message.startswith(_STRAY) and "connector" in named:
        return f"Did you mean --connector {error.message.partition('(')[2].rstrip('.)')}?"
    if isinstance(error, click.NoSuchOption) and "argv" in named and (command := _command(verb, error, words)):
        return f"What a server's command takes stands behind --: --name {command_name(command)} -- {shown(command)}"
    return ""


def _command(verb: click.Command, error: click.NoSuchOption, words: Sequence[str]) -> Sequence[str]:
    """The words from the first that is no option on, where the unknown option is one of them: a command was meant."""
    rest = list(words[words.index(verb.name) + 1 :]) if verb.name in words else []
    options = [parameter for parameter in verb.params if isinstance(parameter, click.Option)]
    valued = {word for option in options if not option.is_flag for word in option.opts}
    while rest and rest[0].startswith("-"):
        rest = rest[2 if rest[0] in valued else 1 :]
    if not rest or rest[0].endswith(".py") or declares(rest[0]):
        return ()
    return rest if any(word.startswith(error.option_name) for word in rest) else ()
