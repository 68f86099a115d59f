"""A group that knows its verbs by name and imports the module of one when it is asked for."""

import importlib
import importlib.util
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import click


class LazyGroup(click.Group):
    """`table` is verb -> what it does; the verb `live` of prefix `pkg.usage_` is `pkg.usage_live.command`."""

    def __init__(self, *args: Any, table: Mapping[str, str], prefix: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.table = table
        self.prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Those whose module is there."""
        return [name for name in self.table if self._module(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = self._module(cmd_name) if cmd_name in self.table else None
        return importlib.import_module(module).command if module else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        close = get_close_matches(args[0], self.table, 1) if self.get_command(ctx, args[0]) is None else []
        if close:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {close[0]!r}?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self.table[name]) for name in self.list_commands(ctx)]
        if rows:
            with formatter.section("Verbs"):
                formatter.write_dl(rows)

    def _module(self, name: str) -> str | None:
        module = self.prefix + name.replace("-", "_")
        return module if importlib.util.find_spec(module) else None
