"""What is driven on the real programs: a few runs for each host, each walking many decisions."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agent_connector.connector.load import Loaded
from agent_connector.deploy.sources import Wanted, obtain
from agent_connector.hosts import query
from agent_connector.rehearse.run import Request
from agent_connector.rehearse.script import Script, parse

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent.parent / ".hosts" / "bin"
HOSTS = (
    "claude-code",
    "codex",
    "qwen-code",
    "gemini-cli",
    "opencode",
    "kilo-cli",
    "droid",
    "kimi",
    "copilot-cli",
    "omp",
    "pi",
    "cline",
    "hermes",
    "openclaw",
)
SECRETS = {
    "ANTHROPIC_API_KEY": "sk-real",
    "OPENAI_API_KEY": "sk-real",
    "GEMINI_API_KEY": "real",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "CLAUDE_CONFIG_DIR": "/nowhere",
    "CODEX_HOME": "/nowhere",
}
# Why a decision that a host's page calls honoured is given in no run: at an event, or at an event of one host.
UNDRIVEN: Mapping[str, str] = {
    "PreCompact": "a headless run of a few turns has nothing to compact",
    "Notification": "the program notifies nobody in a headless run",
    "qwen-code PermissionRequest": "a headless run asks for nothing: what needs approval is refused",
    "omp SubagentStart": "18.2.3, the newest that can be installed, does not tell it",
    "droid UserPromptSubmit": "the event does not fire in a headless run",
    "droid SubagentStop": "its subagents run in a daemon that outlives the run",
}
# What no request of a host can show.
UNSEEN: Mapping[str, str] = {
    "cline skill acme-schema": "its model is told the names of skills, not what they are for",
    "hermes memory memory": "a person has no memory file there that is not the agent's own",
}
# Hosts whose project scope no run can show.
NO_PROJECT: Mapping[str, str] = {
    "cline": "a project has no file of servers",
    "hermes": "a project has no file of servers, and no hooks",
    "openclaw": "it reads nothing of the folder in which it is started",
    "kimi": "a project's server is off until a person trusts the folder in the terminal, and a project has no hooks",
}


def call(tool: str, case: str) -> dict:
    """One step: the tool is called with the case that its hooks decide by."""
    return {"call": {"tool": tool, "arguments": {"case": case, "text": f"as written for {case}"}}}


@dataclass(frozen=True)
class Run:
    """One start of a host. `covers` are the decisions (event, kind) that it gives occasion to."""

    covers: tuple[tuple[str, str], ...]
    script: Script
    options: dict = field(default_factory=dict)


OVER = [{"say": "Now it is over."}, {"say": "Now it is really over."}]
USAGE = {"input": 800, "cache_read": 200, "output": 40, "reasoning": 10}
TOOLS = Run(
    (
        *(("PreToolUse", kind) for kind in ("deny", "modify", "context", "ask")),
        *(("PostToolUse", kind) for kind in ("context", "replace_output", "deny")),
        *(("PostToolUseFailure", kind) for kind in ("context", "deny", "replace_output")),
        ("SessionStart", "context"),
        ("UserPromptSubmit", "context"),
        ("Stop", "deny"),
    ),
    parse(
        {
            "prompt": "Walk through the cases.",
            "usage": USAGE,
            "steps": [
                *(call("probe", kind) for kind in ("nothing", "deny", "modify", "context", "ask")),
                *(call("probe", f"PostToolUse {kind}") for kind in ("context", "replace_output", "deny")),
                *(call("broken", f"PostToolUseFailure {kind}") for kind in ("context", "deny", "replace_output")),
                *OVER,
            ],
        }
    ),
)
# A denial ends a run of Cline, so the decisions that do not are walked.
CLINE = Run(
    (("PreToolUse", "context"), ("PostToolUse", "context"), ("PostToolUseFailure", "context")),
    parse(
        {
            "prompt": "Walk through the cases.",
            "usage": USAGE,
            "steps": [
                *(call("probe", kind) for kind in ("nothing", "modify", "context", "PostToolUse context")),
                call("broken", "PostToolUseFailure context"),
                {"say": "Now it is over."},
            ],
        }
    ),
)
PERMISSIONS = Run(
    (("PreToolUse", "allow"), ("PermissionRequest", "allow"), ("PermissionRequest", "deny"), ("Stop", "context")),
    parse(
        {
            "prompt": "Walk through the permissions.",
            "steps": [
                *(call("guarded", case) for case in ("allow", "PermissionRequest allow", "PermissionRequest deny")),
                {"say": "Stop me with context."},
                {"say": "Now it is over."},
            ],
        }
    ),
    {"approve": "nothing"},
)
PROMPT = Run(
    (("UserPromptSubmit", "deny"),),
    parse({"prompt": "REFUSE ME, says the prompt.", "steps": [{"say": "This must not be asked for."}]}),
)
SESSION = Run(
    (("SessionStart", "deny"),),
    parse({"prompt": "Begin.", "steps": [{"say": "This must not be asked for."}]}),
    {"added": {"REFUSE_THE_SESSION": "1"}},
)
SUBAGENT = {
    "claude-code": {
        "description": "look",
        "prompt": "A small task.",
        "subagent_type": "general-purpose",
        "run_in_background": False,
    },
    "codex": {"message": "A small task.", "task_name": "look", "fork_turns": "none"},
    "opencode": {"description": "look", "prompt": "A small task.", "subagent_type": "general"},
    "copilot-cli": {
        "description": "look",
        "prompt": "A small task.",
        "agent_type": "general-purpose",
        "name": "look",
        "mode": "sync",
    },
}
SUBAGENT["qwen-code"] = SUBAGENT["claude-code"]
SUBAGENT["kilo-cli"] = SUBAGENT["opencode"]


WAIT = {"codex": [{"call": {"tool": "host:wait_agent", "arguments": {"timeout_ms": 60_000}}}]}


TOOLS_OF = {"cline": CLINE}


def subagent(host: str, word: str) -> Run:
    """The model hands a task to a subagent, whose last words ask for a decision at its end."""
    steps = [
        {"call": {"tool": "host:Agent", "arguments": SUBAGENT[host]}},
        *WAIT.get(host, []),
        {"say": f"The small task is done, stop me with {word}.", "subagent": True},
        {"say": "Now the small task is over.", "subagent": True},
        *OVER,
    ]
    covers = (("SubagentStart", "context"), ("SubagentStop", word))
    return Run(covers, parse({"prompt": "Have a small task done.", "steps": steps}))


def runs(host: str) -> dict[str, Run]:
    """The runs of `host`: those that give occasion to a decision which is to be driven and no other run drives."""
    every = {"tools": TOOLS_OF.get(host, TOOLS), "permissions": PERMISSIONS, "prompt": PROMPT, "session": SESSION}
    if host in SUBAGENT:
        every |= {f"subagent {word}": subagent(host, word) for word in ("deny", "context")}
    wanted = set(driven(host))
    kept: dict[str, Run] = {}
    for name, run in every.items():
        covered = {pair for other in kept.values() for pair in other.covers}
        if (wanted & set(run.covers)) - covered:
            kept[name] = run
    return kept


def loaded() -> Loaded:
    """The connector under rehearsal."""
    return obtain(Wanted(str(HERE / "connector.py")), root="", dry=True)


def request(host: str, script: Script, **options: object) -> Request:
    """A rehearsal with the pinned programs first on the PATH, out of an environment with keys that must stay out."""
    variables = {**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}", **SECRETS}
    return Request(loaded(), host, script, variables, **options)


def honoured(host: str) -> list[tuple[str, str]]:
    """Every decision (event, kind) that the host's page says it honours."""
    facet = query.hooks(host)
    return [(e, k) for e in facet.EVENTS for k in query.DECISIONS if facet.honours(e, k)[0] == "honoured"]


def driven(host: str) -> list[tuple[str, str]]:
    """Those that are to be given to the real program."""
    return [(event, kind) for event, kind in honoured(host) if not undriven(host, event)]


def undriven(host: str, event: str) -> str | None:
    """Why no run of `host` gives a decision at `event`."""
    return UNDRIVEN.get(f"{host} {event}") or UNDRIVEN.get(event)
