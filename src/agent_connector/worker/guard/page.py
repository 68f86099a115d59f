"""The page docs/worker-guard.md, from the tables that judge."""

from collections.abc import Iterable

from agent_connector.hosts import query
from agent_connector.worker.guard import development, git_table, interpreters, programs, tools, wrappers
from agent_connector.worker.guard.names import RULES
from agent_connector.worker.guard.refused import REFUSED
from agent_connector.worker.guard.talks import TALKS, Talk
from agent_connector.worker.guard.talks import UNGUARDED as NOT_OVER_ACP
from agent_connector.worker.guard.ways import SWITCHES, UNGUARDED, WAYS

_HEAD = """# The guard

The guard judges every tool call of an unattended agent before the host carries it out. Commands have to be in a table:
what is not in it, and what the parser does not understand, is denied. The agent reads why, and a person is asked.

The guard is not the wall. A program of the project that may run (`pytest`, `make`, `python FILE`) can do whatever the
[sandbox](worker-safety.md) lets it do, and nobody looks into it. What the guard keeps out is what an agent does by itself:
push, delete, publish, read keys, change its own guard. Without a sandbox, do not rely on it.

## How a command is judged

A real shell parser (tree-sitter-bash) makes a tree of it, never a regex over the text. Every command in the tree is judged:
in lists, pipes, loops and conditions, in substitutions and here-documents, behind programs that run others
({wrappers}), and in the text of `bash -c '...'`. Quotes, escapes, braces, `~` and plain
assignments are undone first, so `g'i't pu\\sh` is a push. What shows only when it runs (a variable as the program's name, a
file's name that comes from another command) is denied where it matters. A shell script of the workspace may run when its
own text passes; one that the same command writes may not. Links are followed: a path is where it leads to.

Files of the workspace and of the run's folder for temporary files can be written, but for `.git` and the agent hosts' own
files in a project (`.claude/settings.json`, `.mcp.json`, `.cursor` ...). Read are these, and the system's own files.

Other tools of the hosts are judged by what they do: writing and editing by path, reading by path, fetching by the run's
network policy; tools of MCP servers only when the worker configured the server. A tool that is in no table is denied.

"""

_MORE = """## Allow more in one repository

```yaml
guard:
  allow:
    - repo: shop                # the folder's name, its path, or a pattern
      command: terraform plan   # exactly these words
    - repo: shop
      command: ./scripts/release-notes.sh *   # `*` at the end: any more words, as long as each is plain
```

Each word is compared with what the shell would make of the command. A line that holds a push, `git *`, a shell or `*` as the
program is an error when the configuration is loaded: no line unlocks a push.

## Where it stands, and how it fails

The guard is registered outside everything that the agent can write: by a flag or a variable that names a file in a folder
that is read-only for the run, and where a host has neither, in the user scope of the run's private home, in a file that is
read-only inside (`home` below; Landlock cannot do that for a file in a folder that can be written, bubblewrap can). Trust
that a host wants for a hook the worker gives itself: that home is its own.

It fails closed. When its program, its policy, its channel or its Python is gone, when it takes too long or fails, the
command that the host has registered answers no in the host's own dialect. Denials reach the worker over a socket in a
folder of its own, which is private, read-only inside, and has a short name, since systems allow a socket's some 100
characters; what is heard there can only add denials.

Before its first run here, and again when the host's version, its flags, the sandbox or the configuration changed, each host
is run once, shut in as always, against a stand-in model that calls a forbidden command. A host whose denial is not heard is
not run, unless the configuration says `allowUnguarded: true`. Where it could not be tried (it did not end in time, its model
was not reached) and that allows it to run nevertheless, it is tried again before a later run, after a minute at first and
after an hour at most; from the first proof on it is guarded.

A project, or the home that earlier runs of a task wrote in, may hold settings that turn hooks off. They do not turn off the
guard of Claude Code, Codex and Qwen Code: what the worker registers wins, and the run against the stand-in model takes place
among such settings. {looked} are not run while one of these stands in their
files, or while such a file cannot be read; it is looked at before each run and after it, as is the file that registers the
guard where that lies in the run's home:

{switches}

The worker's own git passes the same judge.

On Windows there is no guard yet: it needs unix sockets and a POSIX shell.

"""


def page() -> str:
    told = ", ".join(f"`{name}`" for name in ("env", *wrappers.TABLE))
    return (
        "".join((_HEAD.replace("{wrappers}", told), _allowed(), _denied(), _more(), _hosts(), _over_acp())).rstrip()
        + "\n"
    )


def _more() -> str:
    """Hosts that a switch would win in, with the keys."""
    won = {
        query.facts(host).NAME: [one.key for one in known.switches if not one.loses]
        for host, known in SWITCHES.items()
        if not all(one.loses for one in known.switches)
    }
    *first, last = won
    lines = "\n".join(f"- {name}: {_code(keys)}" for name, keys in won.items())
    return _MORE.replace("{looked}", f"{', '.join(first)} and {last}").replace("{switches}", lines)


def _allowed() -> str:
    reading = [
        name
        for name, row in programs.TABLE.items()
        if row[1] in ("read", "search", "one") and name not in development.TABLE
    ]
    writing = [name for name, row in programs.TABLE.items() if row[1] in ("write", "copy", "move")]
    printing = [name for name, row in programs.TABLE.items() if row[1] in ("text", "none")]
    lines = (
        ("print, test", printing),
        ("read files", [*reading, "find", "sed", "awk", "jq", "xargs (over programs that read)"]),
        ("write in the workspace", [*writing, "rm (single files)", "sed -i", "chmod", "ln", "tar"]),
        ("git", [f"git {name}" for name in git_table.TABLE]),
        ("tests, linters, compilers", list(development.TABLE)),
        (
            "builds and packages",
            [name for name in development.SPECIAL if name not in ("gh", "glab", "lerna", "changeset", "flit", "jsr")],
        ),
        (
            "programs of the workspace",
            [f"{name} FILE" for name in interpreters.LANGUAGES] + ["sh FILE", "bash FILE", "./program"],
        ),
        ("network", ["curl", "wget (hosts of the policy, and this machine)"]),
    )
    rows = "".join(f"| {what} | {_code(names)} |\n" for what, names in lines)
    variables = _code(programs.VARIABLES)
    return (
        "## What is allowed\n\nEach with its own table of options: a harmless program has options that are not.\n\n"
        f"| for | programs |\n| --- | --- |\n{rows}\nVariables that a command may set: names in small letters, and {variables}.\n\n"
    )


def _denied() -> str:
    by_rule: dict[str, list[str]] = {}
    for name, (rule, _) in REFUSED.items():
        by_rule.setdefault(rule, []).append(name)
    rows = "".join(f"| `{rule}` | {what} | {_code(by_rule.get(rule, ()))} |\n" for rule, what in RULES.items())
    judged = _code(tools.TABLED)
    return (
        "## What is denied\n\nThe rule's name stands in the denial and in the run's log. Whatever follows them, the programs on the right are "
        f"denied.\n\n| rule | what it is about | programs |\n| --- | --- | --- |\n{rows}\n"
        f"Tools are judged as {judged}; `tests/worker/guard/corpus.toml` lists over a thousand commands with their verdicts.\n\n"
    )


def _hosts() -> str:
    ways = {"flag": "flag", "variable": "variable", "home": "its home"}
    rows = "".join(
        f"| {query.facts(host).NAME} | {ways[way.kind]}{f' `{way.what}`' if way.what else ''} | {way.sure} | {way.note} |\n"
        for host, way in WAYS.items()
    )
    refused = "".join(f"| {query.facts(host).NAME} | {reason} |\n" for host, reason in UNGUARDED.items())
    return (
        "## Hosts\n\n`proven`: the tests start the real program, which denies a push, disguised ones too, and runs what is allowed.\n"
        "`documented`: written down by the host's own words; its canary decides on your machine.\n\n"
        f"| host | registered by | | |\n| --- | --- | --- | --- |\n{rows}\n"
        f"These are not run unguarded:\n\n| host | why |\n| --- | --- |\n{refused}"
    )


def _code(names: Iterable[str]) -> str:
    return " ".join(f"`{name}`" for name in names)


_OVER_ACP = """
## Over ACP

With `acp:` before its id (`adapter: acp:claude-code`, or a role's provider) a host is driven over the Agent Client Protocol. There an
agent asks before it does what it takes for grave, and the same judge answers, in the worker: a no reaches the agent as a refusal, and you as
a question. That alone is no guard, since most agents ask for a part of their calls, and settings of a project may have them ask for less. So a
host is guarded there in one of two ways:

- **its hooks**: what is registered as above stands in front of its tool calls over ACP, too. The run against the stand-in model has the worker say
  yes to the forbidden command, so that it is the hooks that deny it.
- **it asks**: it asks before all that is judged, and what the worker starts it with wins over settings that would have it not ask. The run
  against the stand-in model takes place among such settings, and the denial has to come from what was asked.

A call is judged by the tool's name and its arguments. Where an agent tells neither, by its kind, its files and its title, which is then the whole
command; a name that is only taken from a title lets nothing pass. Where nothing tells what a call does, the answer is no.

"""


def _note(talk: Talk) -> str:
    return "; ".join(part for part in (talk.note, talk.landlock and f"not under Landlock: {talk.landlock}") if part)


def _over_acp() -> str:
    by = {"hooks": "its hooks", "asked": "it asks"}
    rows = "".join(
        f"| {query.facts(host).NAME} | {by[talk.by]} | {talk.sure} | {_note(talk)} |\n" for host, talk in TALKS.items()
    )
    refused = "".join(f"| {query.facts(host).NAME} | {reason} |\n" for host, reason in NOT_OVER_ACP.items())
    return (
        f"{_OVER_ACP}| host | guarded by | | |\n| --- | --- | --- | --- |\n{rows}\n"
        f"These cannot be guarded there, and run with `guard.allowUnguarded: true` alone:\n\n| host | why |\n| --- | --- |\n{refused}"
    )
