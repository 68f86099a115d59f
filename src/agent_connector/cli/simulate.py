"""`simulate`: what a hook would answer in each host, without running one."""

import json
import os
from dataclasses import asdict
from difflib import get_close_matches
from typing import Any

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, paint, say, verbatim
from agent_connector.connector.light import EVENTS
from agent_connector.deploy.simulate import Simulated, simulate
from agent_connector.deploy.sources import Wanted, obtain_any
from agent_connector.home import paths, progress
from agent_connector.hosts import query


@click.command(
    "simulate",
    epilog="""Examples:

\b
  agent-connector simulate PreToolUse --tool acme_write --input '{"sql": "delete from t"}'
  agent-connector simulate PreToolUse --tool host:Bash --host codex
  agent-connector simulate UserPromptSubmit --prompt "how many customers?"
  agent-connector simulate preToolUse --host cursor --payload recorded.json""",
)
@click.argument("event")
@options.connector
@click.option(
    "--host", "hosts", multiple=True, metavar="HOST", help="Only this host. Default: every host with the event."
)
@click.option("--tool", metavar="NAME", help="A tool: bare for the connector's own, host:NAME, SERVER/NAME.")
@click.option("--input", "tool_input", metavar="JSON", help="The tool's arguments.")
@click.option("--output", metavar="TEXT", help="The tool's result.")
@click.option("--prompt", metavar="TEXT", help="What the person typed.")
@click.option(
    "--given", multiple=True, metavar="NAME=TEXT", help="Another word of the event: error, message, source ..."
)
@click.option("--payload", type=click.File("rb"), help="The host's own JSON, instead of a made-up one (- for stdin).")
@options.as_json
def command(
    event: str,
    connector: str | None,
    hosts: tuple[str, ...],
    tool: str | None,
    tool_input: str | None,
    output: str | None,
    prompt: str | None,
    given: tuple[str, ...],
    payload: Any,
    as_json: bool,
) -> int:
    """Run parse, matchers, handlers and reply for one EVENT, and say what each host does with the answer.

    The handlers really run, in a process of their own; nothing is installed or measured.
    """
    able = tuple(host for host in query.hosts() if _has(host, event))
    if not able:
        raise click.BadParameter(_unknown(event), param_hint="EVENT")
    chosen = tuple(options.host(host, "--host") for host in hosts) or able
    root = paths.data_root(os.environ, os.path.expanduser("~"))
    loaded = obtain_any(Wanted(connector), root)
    words: dict[str, Any] = dict(item.split("=", 1) for item in given if "=" in item)
    words |= {name: text for name, text in (("output", output), ("prompt", prompt)) if text is not None}
    if tool_input is not None:
        words["input"] = _object(tool_input, "--input")
    raw = _object(payload.read().decode("utf-8", "replace"), "--payload") if payload else None
    with progress.during("asking the handlers"):
        results = [simulate(loaded, host, event, tool=tool, given=words, payload=raw, root=root) for host in chosen]
    if as_json:
        emit({"connector": loaded.model.id, "results": [asdict(result) for result in results]})
    else:
        for result in results:
            _show(result)
    return 1 if any(result.failed for result in results) else 0


def _object(text: str, option: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise click.BadParameter(f"not JSON: {error}", param_hint=option) from None
    if not isinstance(value, dict):
        raise click.BadParameter("a JSON object is wanted", param_hint=option)
    return value  # pyright: ignore[reportUnknownVariableType]


def _has(host: str, event: str) -> bool:
    return event in _events(host)


def _events(host: str) -> tuple[str, ...]:
    """The names that a host knows: the normalized ones, then its own."""
    facet = query.hooks(host) if query.described(host) else None
    return (*facet.EVENTS, *facet.EVENTS.values(), *facet.NATIVE) if facet is not None else ()


def _unknown(event: str) -> str:
    """What is said of an event that no host has: the nearest one, and those that mean the same in every host."""
    names = {name for host in query.hosts() for name in _events(host)}
    common = [name for name in EVENTS if name in names]
    every = {name.lower(): name for name in (*names, *common)}
    close = get_close_matches(event.lower(), every, 1)
    hint = f" Did you mean {every[close[0]]}?" if close else ""
    return f"no host has an event {event}.{hint} Known: {', '.join(common)}; and each host's own names."


def _show(result: Simulated) -> None:
    say(paint(result.host, "bold") + f"  {result.event} ({result.host_event})")
    if not result.matched:
        say("  no handler is asked: none is declared for this event and tool")
    elif not result.decisions and not result.failures:
        say(f"  {', '.join(result.matched)} said nothing: the host's own rules decide")
    for said in result.decisions:
        text = f" {said.text!r}" if said.text else ""
        say(f"  {', '.join(result.matched)} said {said.kind}{text}")
        say(f"  {paint(said.verdict, 'ok' if said.verdict == 'honoured' else 'bad')} ({said.sure}): {said.why}")
    for failure in result.failures:
        say(f"  {paint('failed', 'bad')}: {failure}")
    verbatim(
        f"  reply: {result.output or '(nothing)'}" + (f"  exit code {result.exit_code}" if result.exit_code else "")
    )
