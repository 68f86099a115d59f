"""The checks of a rehearsal, each a pure function from what was seen to findings."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.connector.model import ConnectorModel
from agent_connector.drive.run import Outcome
from agent_connector.hosts.contract import Hooks
from agent_connector.rehearse.decisions import decisions
from agent_connector.rehearse.effects import Scene, effect, has
from agent_connector.rehearse.evidence import HookSeen, ServerSeen
from agent_connector.rehearse.findings import Finding
from agent_connector.rehearse.model.actor import Actor
from agent_connector.rehearse.model.names import HOST_TOOL
from agent_connector.rehearse.model.turns import Asked
from agent_connector.telemetry import content
from agent_connector.telemetry.tokenizer import Counter as Tokens


def run_ended(outcome: Outcome, limit: float, refused: bool) -> list[Finding]:
    """Did the host come to an end by itself, and does it call that a success? A `refused` prompt may be called none."""
    if outcome.timed_out:
        return [Finding("run", "failed", f"not over after {limit:g} s, ended; last words: {_last(outcome)}")]
    finished = outcome.finished
    if outcome.exit_code or (finished and not finished.ok):
        reason = finished.reason if finished and finished.reason else _last(outcome)
        after = ", after a prompt that was refused" if refused else ""
        return [Finding("run", "ok" if refused else "failed", f"exit code {outcome.exit_code}{after}: {reason}")]
    return [Finding("run", "ok", f"{outcome.seconds:.1f} s, exit code 0")]


def _last(outcome: Outcome) -> str:
    lines = [line.strip() for line in (outcome.stderr or outcome.stdout).splitlines() if line.strip()]
    return lines[-1][:300] if lines else "none"


def server(seen: ServerSeen) -> list[Finding]:
    """The server was started by the host, and its tools were listed."""
    if seen.failed:
        return [Finding("server started", "failed", seen.failed)]
    if not seen.started:
        return [Finding("server started", "failed", "the host did not start it")]
    client = f" by {seen.client}" if seen.client else ""
    times = f", {seen.started} times" if seen.started > 1 else ""
    started = Finding("server started", "ok", f"{client}{times}".strip(", "))
    if seen.tools is None:
        return [started, Finding("tools listed", "failed", "the host did not ask for the tools")]
    names = ", ".join(str(tool.get("name")) for tool in seen.tools)
    return [started, Finding("tools listed", "ok", names or "none")]


def calls(actor: Actor, seen: ServerSeen, changed: Sequence[tuple[str, object]]) -> list[Finding]:
    """Every call of the script: was the tool offered, and did the server see these arguments?

    `changed` are the calls (tool, arguments) about which a hook decided: those are judged by the decision.
    """
    found = [Finding(f"call {tool}", "failed", "the host did not offer this tool") for tool in actor.not_offered]
    left = list(seen.runs)
    for tool, call in actor.calls:
        if tool.startswith(HOST_TOOL) or tool in actor.not_offered or (tool, dict(call.arguments)) in changed:
            continue
        run = next((run for run in left if run.tool == tool and run.arguments == call.arguments), None)
        if run is None:
            found.append(Finding(f"call {tool}", "failed", f"did not reach the server: {_short(call.arguments)}"))
        else:
            left.remove(run)
            found.append(Finding(f"call {tool}", "ok", f"the server saw {_short(run.arguments)}"))
    if not any(step.calls for step in actor.script.steps):
        found.append(Finding("call", "unseen", "no tool says that it only reads, so none was called: write a script"))
    if actor.left:
        state = "failed" if actor.turns and any(step.calls for step in actor.left) else "unseen"
        found.append(Finding("script", state, f"the host did not ask for the last {len(actor.left)} steps"))
    return found


def hooks_fired(model: ConnectorModel, host: str, facet: Hooks | None, seen: Sequence[HookSeen]) -> list[Finding]:
    """Every event for which the connector has a hook in this host: how often did the host start it?"""
    found: list[Finding] = []
    fired = Counter(hook.event.name for hook in seen if hook.event)
    for event in dict.fromkeys(hook.event for hook in model.hooks_for(host)):
        check = f"hook {event}"
        if facet is None or event not in facet.EVENTS:
            found.append(Finding(check, "unseen", "this host has no such event"))
        elif fired[event]:
            found.append(Finding(check, "ok", f"fired {fired[event]} times" if fired[event] > 1 else "fired once"))
        else:
            found.append(Finding(check, "unseen", "never fired: nothing in this run gave occasion to it"))
    unwaited = getattr(facet, "UNWAITED", ())
    for hook in (hook for hook in seen if hook.code not in (0, 2)):
        how = "was not waited for" if hook.code is None else f"ended with exit code {hook.code}"
        as_ever = hook.code is None and hook.event is not None and hook.event.name in unwaited
        state, detail = ("unseen", f"{how}, as ever in this host") if as_ever else ("failed", f"our hook {how}")
        found.append(Finding(f"hook {hook.host_event}", state, detail))
    return found


def honoured(scene: Scene, facet: Hooks | None, seen: Sequence[HookSeen]) -> list[Finding]:
    """Every decision that a hook gave: what the host did with it, beside what its page says."""
    found: list[Finding] = []
    for hook in seen:
        event = hook.event
        if facet is None or event is None:
            continue
        for decision in decisions(hook, facet):
            state, detail = effect(scene, hook, event, decision)
            verdict, _, why = facet.honours(event.name, decision.kind)
            if state == "failed" and verdict == "dropped":
                state, detail = "ok", f"{detail}, as documented: {why}"
            elif state == "failed" and verdict == "degraded":
                state, detail = "unseen", f"{detail}; documented: {why}"
            on = f" on {event.tool_name}" if event.tool_name else ""
            found.append(Finding(f"{event.name} {decision.kind}{on}", state, detail))
    return found


def refused(facet: Hooks | None, seen: Sequence[HookSeen]) -> bool:
    """Did a hook refuse the prompt, or the session?"""
    asked = [hook for hook in seen if hook.event and hook.event.name in ("UserPromptSubmit", "SessionStart")]
    return facet is not None and any(d.kind in ("deny", "ask") for hook in asked for d in decisions(hook, facet))


def decided(facet: Hooks | None, seen: Sequence[HookSeen]) -> list[tuple[str, object]]:
    """The calls (tool, arguments) about which a hook before the tool said anything but `context`."""
    return [
        (hook.event.tool_name or "", hook.event.tool_input)
        for hook in seen
        if facet and hook.event and hook.event.name in ("PreToolUse", "PermissionRequest")
        if any(decision.kind != "context" for decision in decisions(hook, facet))
    ]


def content_seen(model: ConnectorModel, surfaces: Sequence[str], requests: Sequence[Asked]) -> list[Finding]:
    """Memory must stand in the model's request; skills, commands and subagents are named there by most hosts."""
    found: list[Finding] = []
    if all(request.side for request in requests):
        parts = [("memory", m.name) for m in model.memory if "memory" in surfaces]
        parts += [("skill", skill.name) for skill in model.skills if "skills" in surfaces]
        parts += [("subagent", agent.name) for agent in model.subagents if "subagents" in surfaces]
        return [Finding(f"{kind} {name}", "unseen", "the model was not asked anything") for kind, name in parts]
    for memory in model.memory if "memory" in surfaces else ():
        missing = [line for line in memory.text.splitlines() if line.strip() and not _reads(requests, line)]
        state, detail = (
            ("failed", f"not in any request: {missing[0][:80]!r}") if missing else ("ok", "the model read it")
        )
        found.append(Finding(f"memory {memory.name}", state, detail))
    parts = [("skill", part) for part in model.skills if "skills" in surfaces]
    parts += [("subagent", part) for part in model.subagents if "subagents" in surfaces]
    for kind, part in parts:
        read = _reads(requests, part.description)
        detail = "the model read its description" if read else "its description is in no request of this host"
        found.append(Finding(f"{kind} {part.name}", "ok" if read else "unseen", detail))
    return found


def _reads(requests: Sequence[Asked], text: str) -> bool:
    return any(has(request, text, "system", "user", "offer") for request in requests if not request.side)


def tokens(rows: Sequence[Mapping[str, Any]], seen: ServerSeen, counter: Tokens) -> list[Finding]:
    """Measured on the way, and counted again from what the server itself saw: the same numbers?"""
    if not seen.runs:
        return [Finding("tokens", "unseen", "no call reached the server")]
    measured = [row for row in rows if row.get("scope") == "call"]
    family = next((str(row.get("family") or "") for row in measured), "")
    again = sorted(
        (
            run.tool,
            content.arguments(counter, family, dict(run.arguments)).tokens,
            content.result(counter, family, (run.answer or {}).get("result") or {}).tokens,
        )
        for run in seen.runs
    )
    got = sorted((str(row.get("tool")), int(row.get("in") or 0), int(row.get("out") or 0)) for row in measured)
    if got != again:
        return [Finding("tokens", "failed", f"measured {got}, counted again {again}")]
    sources = ", ".join(sorted({str(row.get("source")) for row in measured}))
    total = sum(sent + back for _, sent, back in got)
    return [Finding("tokens", "ok", f"{total} in {len(got)} calls, measured as counted again ({sources})")]


def keys(requests: Sequence[Asked], key: str) -> list[Finding]:
    """No credential but the stand-in's own came along."""
    foreign = sum(one != key for request in requests for one in request.keys)
    if foreign:
        return [Finding("keys", "failed", f"{foreign} requests carried a key that is not the rehearsal's")]
    return [Finding("keys", "ok", "no request carried a key but the made-up one")] if requests else []


def _short(value: Mapping[str, Any]) -> str:
    text = json.dumps(dict(value), ensure_ascii=False)
    return text if len(text) <= 100 else text[:97] + "..."
