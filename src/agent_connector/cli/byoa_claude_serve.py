"""`byoa claude serve`: the pairer of one session, as Claude Code starts it."""

import click


@click.command("serve")
def command() -> int:
    """Pair apps with the session that started this, over standard input and output, until it ends."""
    from agent_connector.byoa.sessions import claude_serve

    return claude_serve.main()
