"""A status line with what the session cost so far and how full its window is, in every host that draws one by a command.

    agent-connector install -c examples/status-line

The cost is the host's own where it tells one, else what the session's log comes to at list prices (marked with ~),
as of the last `agent-connector usage scan`; `agent-connector usage live` keeps it fresh.
"""

from agent_connector import Connector, StatusContext

connector = Connector(
    id="status-line",
    version="1.0.0",
    description="What the session costs, and how full its window is",
)

WIDTH = 8  # cells of the bar


@connector.statusline
def line(ctx: StatusContext):
    """What is not known is left out: `Opus 5.5  $0.42  ▰▰▱▱▱▱▱▱ 23%  6.1k out`."""
    parts = [ctx.model.display_name or ctx.model.id, cost(ctx), window(ctx), written(ctx)]
    return "  ".join(part for part in parts if part)


def cost(ctx: StatusContext):
    """The host's own figure, else that of its log."""
    if ctx.cost.total_usd is not None:
        return f"${ctx.cost.total_usd:.2f}"
    figure = ctx.usage.total_usd if ctx.usage.total_usd is not None else ctx.usage.host_usd
    return None if figure is None else f"~${figure:.2f}"


def window(ctx: StatusContext):
    """A bar of the share of the window that is in use, or the tokens where the host does not tell its size."""
    used, size, share = ctx.context.used_tokens, ctx.context.size_tokens, ctx.context.used_percent
    if share is None and used is not None and size:
        share = 100 * used / size
    if share is None:
        return f"{short(used)} in use" if used else None
    full = min(WIDTH, round(WIDTH * share / 100))
    return f"{'▰' * full}{'▱' * (WIDTH - full)} {share:.0f}%"


def written(ctx: StatusContext):
    """The tokens that the session's answers came to."""
    return f"{short(ctx.usage.output_tokens)} out" if ctx.usage.output_tokens else None


def short(number: int):
    """1234 as 1.2k."""
    for size, letter in ((1_000_000, "M"), (1000, "k")):
        if number >= size:
            return f"{number / size:.1f}{letter}"
    return str(number)
