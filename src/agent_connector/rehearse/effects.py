"""What a host did with a decision, judged by what reached the server and the model afterwards.

Every rule looks between the hook and the model's next request. A rule that has nothing to look at says so: a host's
own tools, for one, leave no trace at our server.
"""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from agent_connector.connector.light import Decision, Event
from agent_connector.rehearse.evidence import HookSeen, ServerSeen, ToolRun
from agent_connector.rehearse.findings import State
from agent_connector.rehearse.model.turns import Asked, Role


@dataclass(frozen=True, slots=True)
class Scene:
    """All that was seen; `server` is the name under which the host knows ours."""

    server: str
    seen: ServerSeen
    requests: tuple[Asked, ...]

    def main(self) -> tuple[Asked, ...]:
        return tuple(request for request in self.requests if not request.side)

    def after(self, hook: HookSeen) -> tuple[Asked, ...]:
        """The requests of the main conversation that came after the hook had answered."""
        return tuple(request for request in self.main() if request.at >= hook.ended)

    def runs(self, hook: HookSeen) -> tuple[ToolRun, ...]:
        """The calls of the hook's tool that reached the server between it and the model's next request."""
        event = hook.event
        until = min((request.at for request in self.after(hook)), default=float("inf"))
        return tuple(
            run for run in self.seen.runs if event and run.tool == event.tool_name and hook.began <= run.at <= until
        )

    def ours(self, event: Event) -> bool:
        """Is it about a tool of our server, whose calls the witness sees?"""
        return event.server == self.server


Effect = tuple[State, str]
Rule = Callable[[Scene, HookSeen, Event, Decision], Effect]


def effect(scene: Scene, hook: HookSeen, event: Event, decision: Decision) -> Effect:
    """Was `decision` honoured? `failed` means: the host went on as if nothing had been said."""
    rule = _RULES.get((event.name, decision.kind)) or _RULES.get(("", decision.kind))
    return rule(scene, hook, event, decision) if rule else ("unseen", "no trace of it can be seen from outside")


def _blocked(scene: Scene, hook: HookSeen, event: Event, decision: Decision) -> Effect:
    """The call does not reach the server, and the model reads why."""
    told = _told(scene, hook, decision.reason, "tool", "user", "system")
    if not scene.ours(event):
        return ("ok", "the model read the reason instead of a result") if told else _nothing(scene, hook)
    if any(_same(run, event) for run in scene.runs(hook)):
        return "failed", "the call reached the server all the same"
    if not scene.after(hook):
        return "ok", "the call did not reach the server, and the run ended there"
    return "ok", "the call did not reach the server" + (
        ", the model read the reason" if told else ", without the reason"
    )


def _granted(scene: Scene, hook: HookSeen, event: Event, decision: Decision) -> Effect:
    if not scene.ours(event):
        return "unseen", "the host's own tool: whether it ran leaves no trace at the server"
    return (
        ("ok", "the call reached the server") if scene.runs(hook) else ("failed", "the call did not reach the server")
    )


def _modified(scene: Scene, hook: HookSeen, event: Event, decision: Decision) -> Effect:
    if not scene.ours(event):
        return "unseen", "the host's own tool: what it ran with leaves no trace at the server"
    runs = scene.runs(hook)
    if any(run.arguments == decision.updated_input for run in runs):
        return "ok", "the server saw the changed input"
    if any(_same(run, event) for run in runs):
        return "failed", "the server saw the input as the model wrote it"
    return "failed", "the call did not reach the server"


def _in_context(scene: Scene, hook: HookSeen, event: Event, decision: Decision) -> Effect:
    if not scene.after(hook):
        return _nothing(scene, hook)
    if _told(scene, hook, decision.text, "system", "user", "tool"):
        return "ok", "the model read it"
    return "failed", "it stands in no request to the model"


def _replaced(scene: Scene, hook: HookSeen, event: Event, decision: Decision) -> Effect:
    after = scene.after(hook)
    if not after:
        return _nothing(scene, hook)
    if not has(after[0], decision.text, "tool", "user"):
        return "failed", "the model did not read the new text"
    original = [text for run in _finished(scene, hook, event) for text in run.texts]
    if any(has(after[0], text, "tool") for text in original):
        return "failed", "the model read the new text beside the tool's own result"
    return "ok", "the model read the new text instead of the result"


def _told_after(scene: Scene, hook: HookSeen, event: Event, decision: Decision) -> Effect:
    if not scene.after(hook):
        return _nothing(scene, hook)
    told = _told(scene, hook, decision.reason, "system", "user", "tool")
    return ("ok", "the model read the reason") if told else ("failed", "the model did not read the reason")


def _prompt_blocked(scene: Scene, hook: HookSeen, event: Event, decision: Decision) -> Effect:
    sent = any(has(request, event.prompt or "", "user") for request in scene.after(hook))
    return ("failed", "the prompt was sent to the model") if sent else ("ok", "no request was made for this prompt")


def _session_refused(scene: Scene, hook: HookSeen, event: Event, decision: Decision) -> Effect:
    return ("failed", "the model was asked all the same") if scene.after(hook) else ("ok", "no request was made")


def _went_on(scene: Scene, hook: HookSeen, event: Event, decision: Decision) -> Effect:
    after = scene.after(hook)
    if not after:
        return "failed", "the turn ended"
    told = _told(scene, hook, decision.reason, "user", "system")
    return "ok", "the model was asked to go on" + (" with the reason" if told else ", without the reason")


_RULES: Mapping[tuple[str, str], Rule] = {
    ("PreToolUse", "deny"): _blocked,
    ("PreToolUse", "ask"): _blocked,
    ("PreToolUse", "allow"): _granted,
    ("PreToolUse", "modify"): _modified,
    ("PermissionRequest", "deny"): _blocked,
    ("PermissionRequest", "ask"): _blocked,
    ("PermissionRequest", "allow"): _granted,
    ("PermissionRequest", "modify"): _modified,
    ("PostToolUse", "deny"): _told_after,
    ("PostToolUse", "ask"): _told_after,
    ("PostToolUse", "replace_output"): _replaced,
    ("PostToolUseFailure", "deny"): _told_after,
    ("PostToolUseFailure", "ask"): _told_after,
    ("PostToolUseFailure", "replace_output"): _replaced,
    ("SessionStart", "deny"): _session_refused,
    ("UserPromptSubmit", "deny"): _prompt_blocked,
    ("UserPromptSubmit", "ask"): _prompt_blocked,
    ("Stop", "deny"): _went_on,
    ("Stop", "ask"): _went_on,
    ("SubagentStop", "deny"): _told_after,
    ("SubagentStop", "ask"): _told_after,
    ("", "context"): _in_context,
}


def has(request: Asked, text: str, *roles: Role) -> bool:
    """Does the model read `text` in it? Blanks count alike, and some hosts write `<` as `&lt;`."""
    wanted = " ".join(text.split())
    said = [" ".join(part.split()) for role, part in request.texts if role in roles]
    return any(wanted in part or html.escape(wanted, quote=False) in part for part in said) if wanted else False


def _told(scene: Scene, hook: HookSeen, text: str, *roles: Role) -> bool:
    return any(has(request, text, *roles) for request in scene.after(hook))


def _nothing(scene: Scene, hook: HookSeen) -> Effect:
    return "unseen", "the model was not asked again, so nothing of it could be seen"


def _same(run: ToolRun, event: Event) -> bool:
    return event.tool_input is None or run.arguments == event.tool_input


def _finished(scene: Scene, hook: HookSeen, event: Event) -> Sequence[ToolRun]:
    """The call that a hook after a tool is about: the last one of that tool before it."""
    before = [run for run in scene.seen.runs if run.tool == event.tool_name and run.at <= hook.ended]
    return before[-1:]
