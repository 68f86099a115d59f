"""What is driven on the real programs: a few runs for each host, each walking many decisions."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from agent_connector.connector.load import Loaded
from agent_connector.deploy.sources import Wanted, obtain
from agent_connector.hosts import query
from agent_connector.rehearse.run import Request
from agent_connector.rehearse.script import Script, parse

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent.parent / ".hosts" / "bin"
HOSTS = ("claude-code", "codex", "gemini-cli", "opencode")
REFUSED = "REFUSE ME, says the prompt"


def call(tool: str, case: str) -> dict:
    return {"call": {"tool": tool, "arguments": {"case": case, "text": f"as written for {case}"}}}


@dataclass(frozen=True)
class Run:
    """One start of a host. `covers` are the decisions (event, kind) that it gives occasion to."""

    covers: tuple[tuple[str, str], ...]
    script: Script
    options: dict = field(default_factory=dict)


RUNS = {
    "tools": Run(
        (
            *(("PreToolUse", kind) for kind in ("deny", "modify", "context", "ask")),
            *(("PostToolUse", kind) for kind in ("context", "replace_output", "deny")),
            ("PostToolUseFailure", "context"),
            ("SessionStart", "context"),
            ("UserPromptSubmit", "context"),
            ("Stop", "deny"),
        ),
        parse(
            {
                "prompt": "Walk through the cases.",
                "usage": {"input": 800, "cache_read": 200, "output": 40, "reasoning": 10},
                "steps": [
                    *(call("probe", kind) for kind in ("nothing", "deny", "modify", "context", "ask")),
                    *(call("probe", f"PostToolUse {kind}") for kind in ("context", "replace_output", "deny")),
                    call("broken", "fail"),
                    {"say": "That was the last case."},
                    {"say": "Now it is over."},
                ],
            }
        ),
    ),
    "permissions": Run(
        (("PreToolUse", "allow"), ("PermissionRequest", "allow"), ("PermissionRequest", "deny"), ("Stop", "context")),
        parse(
            {
                "prompt": "Walk through the permissions.",
                "steps": [
                    call("guarded", "allow"),
                    call("guarded", "PermissionRequest allow"),
                    call("guarded", "PermissionRequest deny"),
                    {"say": "Stop me with context."},
                    {"say": "Now it is over."},
                ],
            }
        ),
        {"approve": "nothing"},
    ),
    "prompt": Run(
        (("UserPromptSubmit", "deny"),),
        parse({"prompt": REFUSED, "steps": [{"say": "This must not be asked for."}]}),
    ),
}


def loaded() -> Loaded:
    """The connector under rehearsal."""
    return obtain(Wanted(str(HERE / "connector.py")), root="", dry=True)


def request(host: str, script: Script, **options: object) -> Request:
    """A rehearsal with the pinned programs first on the PATH, out of an environment full of keys."""
    variables = {
        **os.environ,
        "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
        "ANTHROPIC_API_KEY": "sk-real",
        "OPENAI_API_KEY": "sk-real",
        "GEMINI_API_KEY": "real",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "CLAUDE_CONFIG_DIR": "/nowhere",
        "CODEX_HOME": "/nowhere",
    }
    return Request(loaded(), host, script, variables, **options)


def honoured(host: str) -> list[tuple[str, str]]:
    """Every decision (event, kind) that the host's page says it honours."""
    facet = query.hooks(host)
    return [(e, k) for e in facet.EVENTS for k in query.DECISIONS if facet.honours(e, k)[0] == "honoured"]
