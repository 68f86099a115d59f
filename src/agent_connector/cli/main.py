"""The command line: what hosts execute goes straight to the runtime, everything else to its verb, loaded when asked for.

Exit codes: 0 done, 1 something was refused, failed or was left with a warning, 2 wrong usage.
"""

import sys
from collections.abc import Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    import click

HOSTED = ("hook", "statusline", "action", "serve")
TRACE = "AGENT_CONNECTOR_TRACE"  # a variable; set, it shows where an error came from


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in HOSTED:
        from agent_connector.runtime.dispatch import main as run

        return run(words)
    return _verb(words)


def _verb(words: list[str]) -> int:
    from agent_connector.cli.group import verbs

    return run(words, verbs, "agent-connector")


def run(words: list[str], group: "click.Group", name: str) -> int:
    """Run one verb of `group`, say what goes wrong, and give the exit code."""
    import click

    from agent_connector.cli import hints, output
    from agent_connector.errors import AgentConnectorError
    from agent_connector.home import progress

    listener = None if _wants_json(words) else output.mention
    try:
        with progress.heard(listener, output.complain):
            result = group.main(args=words, prog_name=name, standalone_mode=False)
    except click.UsageError as error:
        error.show()
        if told := hints.hint(error, words):
            click.echo(told, err=True)
        return 2
    except click.ClickException as error:
        error.show()
        return 1
    except click.Abort:
        return 130
    except AgentConnectorError as error:
        refused = _refuse(words, error)
        return 2 if error.where.startswith("--") else refused  # an option's own value is what was wrong
    except BrokenPipeError:  # whoever read our output has seen enough
        sys.stderr.close()
        return 1
    except Exception as error:  # noqa: BLE001  # the top level: a person gets words, not a traceback
        return _refuse(words, _unforeseen(error))
    return result if isinstance(result, int) else 0


def _wants_json(words: list[str]) -> bool:
    """True when a program reads; what stands behind `--` is a server's own."""
    return "--json" in (words[: words.index("--")] if "--" in words else words)


def _unforeseen(error: Exception) -> "Exception":
    """What nobody below has put into words: the system's refusal, or a fault of our own and where it is."""
    import os
    import traceback

    from agent_connector.errors import AgentConnectorError
    from agent_connector.home.faults import explained

    if TRACE in os.environ:
        traceback.print_exception(error)
    if isinstance(error, OSError):
        return explained(error, str(error.filename or ""), "used")
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return AgentConnectorError(
        f"a fault of agent-connector itself: {type(error).__name__}: {error}",
        where=f"{os.path.basename(frame.filename)}:{frame.lineno}",
        remedy=f"Run it again with {TRACE}=1 and report what it shows.",
    )


def _refuse(words: list[str], error: "Exception") -> int:
    """Say an error of ours: for a person on stderr, for a program as JSON on stdout."""
    from agent_connector.cli import output
    from agent_connector.errors import AgentConnectorError, ConnectorError

    if _wants_json(words) and isinstance(error, AgentConnectorError):
        told: dict[str, object] = {"what": error.what, "where": error.where, "remedy": error.remedy}
        if isinstance(error, ConnectorError):
            told["problems"] = [{"path": p.path, "found": p.found, "allowed": p.allowed} for p in error.problems]
        output.emit({"error": told})
    else:
        output.complain(str(error))
    return 1


def command() -> "click.Group":
    """The group of all verbs, for tests and generated pages."""
    from agent_connector.cli.group import verbs

    return verbs


if __name__ == "__main__":
    sys.exit(main())
