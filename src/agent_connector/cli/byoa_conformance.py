"""`byoa conformance`: play a pairer against an app, and say which sentences of the wire it keeps."""

import asyncio
import sys
from typing import TYPE_CHECKING

import click

from agent_connector.cli import options
from agent_connector.cli.output import complain, emit, mention, paint, say, table, verbatim

if TYPE_CHECKING:
    from agent_connector.byoa.protocol import Origin
    from agent_connector.testing.byoa.conformance import Person, Report

STYLES = {"pass": "ok", "fail": "bad", "n/a": "dim"}


@click.command(
    "conformance",
    epilog="""Examples:

\b
  agent-connector byoa conformance 127.0.0.1:4100
  agent-connector byoa conformance https://notes.example --json --person-command "python ci/person.py"

`--person-command` is called as: CMD approve LINK CODE, CMD deny LINK CODE, CMD chat TITLE (the text on stdin),
CMD stop TITLE TURN, CMD end TITLE, CMD ends TURN (prints each end that the app recorded). It ends with 0 when that is
done, with 3 when it cannot do this.""",
)
@click.argument("address")
@click.option("--person-command", metavar="CMD", help="A program that approves and writes in the app instead of you.")
@click.option(
    "--cookie", metavar="NAME=VALUE", default="", help="Of a signed-in person: looks at the approval page too."
)
@options.as_json
def command(address: str, person_command: str | None, cookie: str, as_json: bool) -> int:
    """Check the app at ADDRESS against the wire: it is paired, asked, told and revoked as a pairer would.

    You approve two pairings and refuse one in your browser, and send a few messages, unless a program does it for you.
    Without anybody (no terminal, no program), what needs a pairing is not checked. It takes a minute or two. Exits 1
    when a sentence is not kept.
    """
    from agent_connector.byoa.core.addresses import parse_address
    from agent_connector.byoa.protocol import ProtocolError

    try:
        origin = parse_address(address)
    except ProtocolError as problem:
        raise click.UsageError(str(problem)) from None
    report = asyncio.run(_run(origin, _person(person_command, as_json), cookie))
    if as_json:
        emit(report.value())
    else:
        _show(report)
    return 0 if report.ok else 1


def _person(command: str | None, as_json: bool) -> "Person":
    from agent_connector.testing.byoa.conformance import Person
    from agent_connector.testing.byoa.conformance.people import Program, Somebody

    if command is not None:
        return Program(command)
    if not sys.stdin.isatty():
        return Person()
    return Somebody(complain if as_json else verbatim)


async def _run(origin: "Origin", person: "Person", cookie: str) -> "Report":
    from agent_connector.byoa.driver.http import HttpxPort
    from agent_connector.testing.byoa.conformance import check_app

    http = HttpxPort()
    try:
        return await check_app(origin, http, person, cookie=cookie, begins=lambda name: mention(name.replace("-", " ")))
    finally:
        await http.close()


def _show(report: "Report") -> None:
    rows = [(one.verdict.value, str(one.section), one.name, one.seen) for one in report.results]
    table(("", "section", "check", "seen"), rows, STYLES)
    for one in report.results:
        if one.verdict.value == "fail":
            say()
            say(f"{paint('!', 'bad')} {one.name}: {one.seen}")
            say(f"    section {one.section} of docs/byoa-wire.md: {one.sentence}")
    kept, broken, left = (sum(one.verdict.value == word for one in report.results) for word in ("pass", "fail", "n/a"))
    say()
    say(f"{report.subject}: {kept} kept, {broken} broken, {left} not checked, in {report.seconds:.0f} s")
