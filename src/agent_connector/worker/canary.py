"""Does a host deny what it must, here and as it will be run? It is run once, against a model that calls something forbidden.

The caller shuts the host in just as for a run (`Enter`); the stand-in model then has it call a command that the guard
forbids and that would leave a file behind, and one that it allows. Settings that turn hooks off lie in the project and in
the home, where the guard is said to win over them. Proven is a host whose denial was heard from the guard
itself, while the forbidden file is not there. A proof is kept as long as nothing of it changed.
"""

import asyncio
import hashlib
import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from typing import Any, cast

from agent_connector.drive import acp, process
from agent_connector.drive import home as fresh
from agent_connector.drive import run as driving
from agent_connector.drive.events import Job
from agent_connector.drive.outcome import Outcome
from agent_connector.drive.process import Starter
from agent_connector.errors import AgentConnectorError, GuardError, HomeError
from agent_connector.home import private
from agent_connector.home.folders import remove_tree
from agent_connector.hosts import query
from agent_connector.hosts.contract import Headless
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.run import tool_names
from agent_connector.rehearse.script import Script, Step, ToolCall
from agent_connector.rehearse.stage import stage_of
from agent_connector.version import __version__
from agent_connector.worker import private_home, providers
from agent_connector.worker.guard import arm as arming
from agent_connector.worker.guard import policy, switches
from agent_connector.worker.guard.arm import Armed
from agent_connector.worker.guard.denials import Denials
from agent_connector.worker.guard.permit import Permit
from agent_connector.worker.guard.talks import TALKS
from agent_connector.worker.guard.values import Rules, Verdict
from agent_connector.worker.private_home import Place

SECONDS = 180.0
VERSION_SECONDS = 60.0
PROMPT = "Run the two commands."
FORBIDDEN, ALLOWED = "canary-forbidden", "canary-allowed"
KEPT = "guard-proofs.json"
FOLDER = "canary-"  # what the folder of a proof is called
OLD = 3600.0  # seconds after which one is left over
UNTRIED = "canary-untried"  # the rule of a verdict that says nothing about the host
_LOOK = 0.2


class NotProven(GuardError):
    """The host is not to be run: `tried` and found wanting, or it could not be tried, which may be different next time."""

    def __init__(self, what: str, *, tried: bool, where: str = "", remedy: str = "") -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.tried = tried


@dataclass(frozen=True, slots=True)
class Entered:
    """How the host is started shut in: the model's address as it is seen from inside, variables, and the starter, whose
    input is a pipe over ACP; without one it is not shut in."""

    endpoint: str
    variables: Mapping[str, str]
    start: Starter | None = None
    api_key: str = "stand-in"


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a proof takes place: folders of its own, like those of a run."""

    place: Place
    workspace: str


# (the stand-in's address, the guard, the folders) -> the walls of a run, as long as the block lasts
Enter = Callable[[str, Armed, Ground], AbstractContextManager[Entered]]


async def proves(
    host: str,
    program: str,
    enter: Enter,
    ground: Ground,
    *,
    rules: Rules | None = None,
    approvals: Any = "all",
    seconds: float = SECONDS,
    stop: threading.Event | None = None,
) -> Verdict:
    """Run the host once, until `stop` at most. A verdict that is not allowed says why it is not to be used unguarded."""
    facet = providers.facets().get(host)
    if facet is None:
        return _untried(f"{host} cannot be run without a person")
    heard: list[tuple[Verdict, str]] = []

    def on_denial(verdict: Verdict, tool: str, command: str) -> None:
        heard.append((verdict, command))

    try:
        given = rules or policy.rules(ground.workspace, ground.place.home, temporary=[ground.place.scratch])
        async with Denials(on_denial) as channel:
            told = (providers.bare(host), ground.place.guard, ground.place.home, given, channel.path)
            armed = arming.arm_over_acp(*told, on_denial) if providers.is_acp(host) else arming.arm(*told)
            stand_in, outcome = await asyncio.to_thread(
                _run, host, facet, program, enter, ground, armed, approvals, seconds, stop
            )
            arming.check(armed)
    except (AgentConnectorError, OSError) as error:
        return _untried(str(error))
    return judged(query.facts(providers.bare(host)).NAME, ground.workspace, heard, stand_in, outcome)


def script(workspace: str) -> Script:
    """The first command is a push, and would leave a file; the second one leaves a file as well, and may."""
    forbidden = f"touch {workspace}/{FORBIDDEN} && git push canary"
    return Script(
        steps=(
            Step(calls=(ToolCall("host:Bash", _arguments(forbidden)),)),
            Step(calls=(ToolCall("host:Bash", _arguments(f"touch {workspace}/{ALLOWED}")),)),
            Step(say="The commands were run."),
        ),
        prompt=PROMPT,
    )


def _allowed_first(made: Script) -> Script:
    """Over ACP a call that is refused ends the turn of some hosts."""
    *forbidden, may, said = made.steps
    return Script((may, *forbidden, said), made.prompt)


def _arguments(command: str) -> dict[str, Any]:
    """What the hosts' shells want to be told; what a host does not know it leaves aside."""
    return {"command": command, "cmd": command, "description": "a canary", "timeout": 60_000}


def _run(
    host: str,
    facet: Headless,
    program: str,
    enter: Enter,
    ground: Ground,
    armed: Armed,
    approvals: Any,
    seconds: float,
    stop: threading.Event | None,
) -> tuple[StandIn, Outcome]:
    stage, bare = stage_of(facet), providers.bare(host)
    with ExitStack() as stack:
        made = script(ground.workspace)
        steps = _fitted(bare, _allowed_first(made) if providers.is_acp(host) else made)
        model = stack.enter_context(StandIn(steps, "canary", tool_names(bare, stage)))
        entered = stack.enter_context(enter(model.url, armed, ground))
        texts = arming.unlocked(
            fresh.filled(stage.files, entered.endpoint, key=entered.api_key), ground.place.home, armed.locked
        )
        private_home.furnish(ground.place, texts, {})
        switches.plant(bare, ground.workspace, ground.place.home)
        job = Job(
            prompt=PROMPT,
            cwd=ground.workspace,
            program=program,
            endpoint=entered.endpoint,
            api_key=entered.api_key,
            approvals=approvals,
            trust=True,
            extra=armed.argv,
        )
        variables = {**entered.variables, **armed.environment}
        if not providers.is_acp(host):
            start = entered.start or process.start
            return model, driving.run(facet, job, variables, seconds=seconds, start=start, stop=stop)
        _plant(bare, ground)
        asking, start = replace(job, approvals="default"), entered.start or process.talking
        permit = _permit(armed, by_hooks=TALKS[bare].by == "hooks")
        return model, acp.run(facet, asking, variables, seconds=seconds, start=start, stop=stop, permit=permit)


def _permit(armed: Armed, *, by_hooks: bool) -> Permit | None:
    """Where hooks stand in front it is they that have to deny what is forbidden, so that asking for it helps nobody."""
    answer = armed.permit
    if answer is None or not by_hooks:
        return answer
    return lambda call: FORBIDDEN in f"{call.title} {call.arguments}" or answer(call)


def _plant(host: str, ground: Ground) -> None:
    """What would have the host not ask, in the project and where its home has nothing of that name."""
    for name, text in TALKS[host].planted.items():
        for folder in (ground.workspace, ground.place.home):
            path = os.path.join(folder, *name.split("/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if not os.path.exists(path):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)


def _fitted(host: str, made: Script) -> Script:
    """Some hosts refuse a call that tells more, or less, than their tool's schema knows."""
    wanted = _NEEDS.get(host)
    if wanted is None:
        return made
    steps = tuple(
        Step(step.say, tuple(ToolCall(call.tool, wanted(call.arguments["command"])) for call in step.calls))
        for step in made.steps
    )
    return Script(steps, made.prompt)


_NEEDS: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "codex": lambda command: {"cmd": command},
    "droid": lambda command: {
        "command": command,
        "riskLevel": "low",
        "riskLevelReason": "a canary",
        "summary": "a canary",
        "timeout": 60,
    },
    "gemini-cli": lambda command: {"command": command, "description": "a canary"},
    "qwen-code": lambda command: {"command": command, "description": "a canary", "is_background": False},
    "kimi": lambda command: {"command": command},
    "pi": lambda command: {"command": command},
    "omp": lambda command: {"command": command},
    "opencode": lambda command: {"command": command, "description": "a canary"},
    "kilo-cli": lambda command: {"command": command, "description": "a canary"},
    "claude-code": lambda command: {"command": command, "description": "a canary"},
    "copilot-cli": lambda command: {"command": command, "description": "a canary"},
}


def judged(
    name: str, workspace: str, heard: Sequence[tuple[Verdict, str]], stand_in: StandIn, outcome: Outcome
) -> Verdict:
    """What was seen as a verdict."""
    told = outcome.error or (f"it ended with {outcome.exit_code}" if outcome.exit_code else f"it {outcome.why}")
    if os.path.lexists(os.path.join(workspace, FORBIDDEN)):
        return _no(f"{name} ran a forbidden command: its guard does not stand in front of its tool calls here")
    if not stand_in.actor.calls:
        offered = sorted({offer.name for asked in stand_in.requests for offer in asked.offers})
        return _untried(f"{name} never got to the canary's call ({told}; tools: {', '.join(offered)[:300] or 'none'})")
    no = _no if outcome.why == "exited" else _untried  # it was ended before it could show more
    if not any(verdict.rule == "git-push" and FORBIDDEN in command for verdict, command in heard):
        return no(f"{name} did not run the forbidden command, but no denial of the guard was heard ({told})")
    if not os.path.lexists(os.path.join(workspace, ALLOWED)):
        reasons = "; ".join(verdict.reason for verdict, command in heard if ALLOWED in command) or told
        return no(f"{name} denies what is allowed too: {reasons}")
    return Verdict(True, "canary", f"{name} denied the canary's push and ran what is allowed")


def _no(reason: str) -> Verdict:
    return Verdict(False, "canary", reason)


def _untried(reason: str) -> Verdict:
    return Verdict(False, UNTRIED, reason)


def ground(folder: str) -> Ground:
    """Fresh folders for one proof below `folder`."""
    names = ("home", "guard", "tmp", "work")
    for path in (folder, *(os.path.join(folder, name) for name in names)):
        private.make_folder(path)
    home, guard, scratch, work = (os.path.realpath(os.path.join(folder, name)) for name in names)
    return Ground(Place(os.path.realpath(folder), home, guard, scratch), work)


# ---- proofs that hold


class Proofs:
    """Proofs in a file of the worker's state folder. Only those that succeeded are kept."""

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, KEPT)

    def holds(self, key: str) -> Verdict | None:
        found = self._read().get(key)
        return Verdict(True, "canary", str(found["reason"])) if found else None

    def keep(self, key: str, host: str, verdict: Verdict) -> None:
        """The newest proof of each host alone."""
        if not verdict.allowed:
            return
        others = {name: proof for name, proof in self._read().items() if proof.get("host") != host}
        others[key] = {"host": host, "reason": verdict.reason, "time": int(time.time())}
        private.write(self._path, json.dumps(others, indent=1).encode())

    def _read(self) -> dict[str, Mapping[str, Any]]:
        """A damaged file is no proof."""
        try:
            value: object = json.loads(private.read(self._path) or b"{}")
        except (ValueError, HomeError):
            return {}
        told = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        return {name: proof for name, proof in told.items() if isinstance(proof, dict) and "reason" in proof}


def key(host: str, program: str, version: str, *, flags: Sequence[str] = (), sandbox: str, config: str) -> str:
    """What a proof depends on: the host as it is installed, its flags, the walls, the configuration, and us."""
    real = os.path.realpath(program)
    seen = os.stat(real)
    told = [host, real, seen.st_size, seen.st_mtime_ns, version, list(flags), sandbox, config, __version__]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def version_of(program: str, home: str, variables: Mapping[str, str], stop: threading.Event | None = None) -> str:
    """What the program says of itself, in a home of its own. NotProven when it says nothing, or `stop` came before.

    It is started in that home too: some read settings where they are started, before anything else.
    """
    environment = {"HOME": home, **{name: variables[name] for name in ("PATH", "LANG", "TERM") if name in variables}}
    try:
        with subprocess.Popen(
            [os.path.abspath(program), "--version"],
            cwd=home,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as child:
            try:
                out = _said(child, stop)
            finally:
                process.end(child)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotProven(f"{program} --version does not answer: {error}", tried=False) from None
    return out.decode("utf-8", "replace").strip()[:200]


def _said(child: subprocess.Popen[bytes], stop: threading.Event | None) -> bytes:
    until = time.monotonic() + VERSION_SECONDS
    while True:
        try:
            return child.communicate(timeout=_LOOK)[0]
        except subprocess.TimeoutExpired:
            if time.monotonic() > until or (stop is not None and stop.is_set()):
                raise


def prune(runs: str) -> None:
    """Remove what a worker that was killed left of its proofs."""
    try:
        entries = [entry for entry in os.scandir(runs) if entry.name.startswith(FOLDER)]
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_mtime < time.time() - OLD:
            remove_tree(entry.path)


async def proven(
    host: str, program: str, enter: Enter, folder: str, proofs: Proofs, proof: str, **more: Any
) -> Verdict:
    """The proof that is kept under `proof`, else a new one in `folder`, which is removed again."""
    found = proofs.holds(proof)
    if found is not None:
        return found
    here = ground(folder)
    try:
        verdict = await proves(host, program, enter, here, **more)
    finally:
        private_home.remove(here.place)
    proofs.keep(proof, host, verdict)
    return verdict
