"""The Acme connector: one server, and what an agent should know, ask and show when it uses it."""

import os

from agent_connector import Connector, PreToolUseEvent, StatusContext, UserPromptSubmitEvent, ask, context, stdio

HERE = os.path.dirname(os.path.abspath(__file__))

connector = Connector(
    id="acme-db",
    version="1.0.0",
    description="The Acme database: query it, change it, plan migrations",
    server=stdio("python3", os.path.join(HERE, "server.py"), env={"ACME_DSN": "${env:ACME_DSN:-}"}),
)


@connector.hook("PreToolUse", matcher="acme_query|acme_write")
def confirm_writes(event: PreToolUseEvent):
    """A write is the person's to confirm; for a query nothing is said, and the host's own rules decide."""
    if event.tool_name == "acme_write":
        return ask("acme_write changes the Acme database: confirm the write")
    return None


@connector.hook("UserPromptSubmit")
def name_the_tables(event: UserPromptSubmitEvent):
    """Who asks about customers reads what the tables are called."""
    if "customer" in event.prompt.lower():
        return context("The Acme database has the tables customers(id, name, city) and orders(id, customer, total).")
    return None


connector.memory("Use the acme-db tools for questions about Acme's customers and orders; never guess the numbers.")

connector.command(
    "acme-migrate",
    description="Plan a migration of the Acme database",
    prompt="Plan a migration of the Acme database: $ARGUMENTS\n\nList the statements in order, and how to undo each.",
    argument_hint="[what should change]",
)

connector.skill(
    "acme-schema",
    description="How the Acme database is laid out. Use when a question concerns Acme's customers, orders or totals.",
    body=(
        "# The Acme schema\n\n"
        "- `customers(id, name, city)`: one row per customer.\n"
        "- `orders(id, customer, total)`: `customer` points to `customers.id`, `total` is in euros.\n\n"
        "Join on `orders.customer = customers.id`. There is no table of products.\n"
    ),
)

connector.subagent(
    "acme-dba",
    description="Reviews SQL for the Acme database before it runs. Use before any acme_write.",
    prompt="You review SQL for the Acme database. Say what a statement changes, how many rows, and how to undo it.",
    tools={"allow": ["acme_query"]},
)


@connector.statusline
def line(ctx: StatusContext):
    """The model and what the session has cost; what a host does not tell is None."""
    return f"{ctx.model.display_name or 'acme'} ${ctx.cost.total_usd or 0:.2f}"
