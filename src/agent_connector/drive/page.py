"""`docs/drive.md`, made of the facets that runs work with, so that the page cannot lie. `make docs` writes what it returns."""

from collections.abc import Iterator

from agent_connector.drive.events import Job
from agent_connector.drive.hosts import FACETS
from agent_connector.drive.lines import PIECE, WHOLE
from agent_connector.drive.outcome import EVENTS
from agent_connector.hosts import query
from agent_connector.hosts.contract import Headless
from agent_connector.hosts.matrix import table

_JOB = Job("PROMPT", "FOLDER", model="MODEL", resume="SESSION", approvals="all")
_MARKS = {"proven": "", "documented": " (d)", "uncertain": " (?)"}

HEAD = f"""\
# Driving a host

<!-- Made by `make docs` from the facts in src/agent_connector/hosts/. Do not edit. -->

A worker, a rehearsal or a script of yours runs a host without a person, and gets what happens in the same words
whatever host it is. Two runners have one signature and one outcome: `drive.run.run` starts the host's own headless
command and reads its stream, `drive.acp.run` speaks the Agent Client Protocol to it.

```python
import os
from agent_connector.drive.events import Job
from agent_connector.drive.hosts import FACETS
from agent_connector.drive.run import run


def say_hi(folder: str) -> str:
    job = Job("Say hi.", cwd=folder, system="Be brief.", budget_usd=0.50)
    outcome = run(FACETS()["claude-code"], job, dict(os.environ), seconds=600, stall=120)
    return outcome.text if outcome.ok else f"{{outcome.why}}: {{outcome.error}}"
```

## What happens in a run

- **Events** (`Started`, `Said`, `Thought`, `Called`, `Returned`, `Noticed`, `Spent`, `Finished`) go to `on_event` as they
  come, and the last {EVENTS:,} stand in the outcome. What is no record of the host goes to `on_line`, from both
  outputs: nothing is dropped. Records of the host that say nothing (a delta of a text that comes whole) are counted by
  type in `outcome.silent`.
- **Memory is bounded**, with a gigabyte of output or one line without an end. A record is read whole up to
  {WHOLE >> 20} MiB; a line of text is handed on in pieces of {PIECE:,} characters, cut behind a blank where there is one.
  A piece that its line goes on after ends with `drive.lines.CUT`: take it off before you join them.
- **The end** is in `outcome.why`: `exited`, or ended by us: `stopped` (your `stop` event), `timeout` (`seconds`), `stall`
  (no line for `stall` seconds; handing on a line is no silence). Everything that the host started is asked to end, has
  `grace` seconds, is forced, and is looked for: `outcome.ended` says whether nothing lives. `outcome.ok` is the host's
  own word and its exit code, `outcome.error` the last words that tell what went wrong.
- **Starting it elsewhere**: `start` takes the place of the plain start, so that a sandbox can be around the host.
- Over ACP `permit(call)` answers what the agent asks for. The answer is chosen by the option's *kind*, once where there
  is the choice: ids mean something else in every agent. Where a model would judge what is allowed, the mode is changed
  to the one that asks. A run that is to end is cancelled first. A call tells its files (`paths`), and whether its name
  is only taken from the title (`guessed`), which in some agents is the model's own words.

## Tokens and money

`outcome.usage` is what this run used, in classes that do not overlap. Some hosts tell the sum of the whole session: then
a resumed run's part is known only when `Job.spent` says what was used before, which is the earlier outcome's
`session_usage`. `drive.cost.cost(outcome, model, provider)` gives the host's own figure (`host-reported`), else the
tokens at the list's price (`estimated`), else nothing. A host that does not know a model's price says that it was free:
that counts as no figure.

A mark after a word says how sure it is: none is **proven** on the real program, (d) is documented, (?) is uncertain.
"""

KEYS = """\
`UPSTREAM` is where the model's API is when nobody names an endpoint. With `Job.endpoint` a host asks that address
instead, in the API that stands here, so that a proxy can hold the key; some need files in their home for it
(`drive.home.files`). A host without an upstream asks its maker's own service: the key is that service's, and the host
has to have it. Where there is no key, the files of a login can be put into a run's home.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD, "## How each host is run\n", *_runs(), "\n## What it tells\n", *_tells()]
    parts += ["\n## Keys and endpoints\n", KEYS, *_keys()]
    return "\n".join(parts).rstrip("\n") + "\n"


def _runs() -> Iterator[str]:
    rows: list[list[str]] = []
    for host, facet in FACETS().items():
        resume = " ".join(facet.resume("SESSION"))
        budget = getattr(facet, "BUDGET", None)
        money = " ".join(budget(Job("", "", budget_usd=1.0))) if budget else ""
        line = " ".join(facet.argv(_JOB))
        rows.append(
            [
                f"[{query.facts(host).NAME}](hosts.md)",
                f"`{line}`{_mark(facet, 'run')}",
                f"`{resume}`{_mark(facet, 'resume')}" if resume else "no",
                f"{'its own place' if _apart(facet) else 'before the prompt'}{_mark(facet, 'system')}",
                f"`{money}`{_mark(facet, 'budget')}" if money else "no",
            ]
        )
    yield from table(
        ["host", "a run that goes on with a session and approves all", "resume", "system text", "budget"], rows
    )


def _tells() -> Iterator[str]:
    over_acp = {"turn": "tokens of the turn", "calls": "tokens of each request", None: "nothing that is read"}
    rows: list[list[str]] = []
    for host, facet in FACETS().items():
        stream = "text for people" if getattr(facet, "TEXT", False) else "records"
        stream = "one object at the end" if getattr(facet, "OBJECT", False) else stream
        acp = f"`{' '.join(facet.ACP)}`{_mark(facet, 'acp')}" if facet.ACP else "no"
        used = over_acp[getattr(facet, "ACP_USAGE", None)] if facet.ACP else "-"
        rows.append([query.facts(host).NAME, stream, f"{facet.TELLS}{_mark(facet, 'usage')}", acp, used])
    yield from table(["host", "prints", "tokens and cost", "over ACP", "told there"], rows)


def _keys() -> Iterator[str]:
    rows: list[list[str]] = []
    for host, facet in FACETS().items():
        rows.append(
            [
                query.facts(host).NAME,
                ", ".join(facet.PROVIDERS),
                f"{facet.ENDPOINT}{_mark(facet, 'endpoint')}" if facet.ENDPOINT else "none",
                (facet.UPSTREAM or "its maker's own") + _over_acp(facet, "ACP_UPSTREAM"),
                f"{', '.join(facet.KEYS)}{_mark(facet, 'keys')}{_over_acp(facet, 'ACP_KEYS')}" if facet.KEYS else "-",
                f"{', '.join(facet.LOGIN)}{_mark(facet, 'login')}" if facet.LOGIN else "-",
            ]
        )
    yield from table(["host", "named by", "endpoint speaks", "upstream", "key", "login"], rows)


def _over_acp(facet: Headless, name: str) -> str:
    """Where that is another there."""
    told = getattr(facet, name, ())
    return f"; over ACP {told if isinstance(told, str) else ', '.join(told)}" if told else ""


def _apart(facet: Headless) -> bool:
    """The prompt stays as it is where there is a system text."""
    plain, told = (facet.argv(Job("PROMPT", "FOLDER", system=text)) for text in (None, "SYSTEM"))
    return all(word in told for word in plain)


def _mark(facet: Headless, fact: str) -> str:
    return _MARKS[facet.SURE[fact]] if fact in facet.SURE else ""
