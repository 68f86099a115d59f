"""A whole machine in one object: the real pairer, its host, its files, its clock, and the apps it can reach."""

from collections.abc import Callable

from agent_connector.byoa.core.effects import (
    Abort,
    Answer,
    Apply,
    CallResult,
    Cancel,
    Display,
    Effect,
    Failure,
    Outcome,
    Request,
    Response,
    Say,
    Submit,
)
from agent_connector.byoa.core.handle import Handle
from agent_connector.byoa.core.pairer import Pairer
from agent_connector.byoa.core.ports import CanAbort, CanSet
from agent_connector.testing.byoa.fakes import (
    FakeHost,
    FakeSession,
    MemoryFiles,
    PlainSession,
    ScriptedClock,
    ScriptedRandom,
)
from agent_connector.testing.byoa.scripted_app import ScriptedApp, origin_of

# What a fault does with a request: an outcome instead of the app's answer (the app never sees the request), or nothing.
Fault = Callable[[Request], Outcome | None]
LOST = Failure("connection reset")


class World:
    def __init__(self, *apps: ScriptedApp, host: FakeHost | None = None, files: MemoryFiles | None = None) -> None:
        self.apps = {app.origin: app for app in apps}
        self.host = host or FakeHost()
        self.files = files or MemoryFiles()
        self.clock = ScriptedClock()
        self.random = ScriptedRandom()
        self.fault: Fault = lambda request: None
        self.lose_answer: Callable[[Request], bool] = lambda request: False  # the app has seen it all the same
        self.said: dict[int, list[Say]] = {}
        self.results: dict[int, CallResult] = {}
        self.waiting: dict[int, Request] = {}
        self.sent: list[tuple[float, Request]] = []
        self.pairer = self._pairer()

    def _pairer(self) -> Pairer:
        return Pairer(self.host, self.files, self.clock, self.random, version="1.0")

    def restart(self) -> None:
        """The host's process starts again: the same files, nothing else."""
        self.waiting.clear()
        for app in self.apps.values():
            app.drop_polls()
        self.pairer = self._pairer()

    @property
    def app(self) -> ScriptedApp:
        return next(iter(self.apps.values()))

    def open(self, session: PlainSession | None = None) -> tuple[PlainSession, Handle]:
        """Attach a session and let it register."""
        opened = session or FakeSession()
        opened.handle = self.pairer.attach(opened)
        self.run(2)
        return opened, opened.handle

    def pair(self, origin: str) -> None:
        """Connect, approve on the app's side, and wait for the token."""
        command = self.pairer.connect(origin)
        self.run(1)
        self.apps[origin].approve()
        self.run(6)
        assert self.said[command][-1].ok, self.text(command)

    def text(self, command: int) -> str:
        """All that a command said."""
        return "\n".join(say.text for say in self.said.get(command, []))

    def status(self) -> str:
        command = self.pairer.status()
        self.settle()
        return self.text(command)

    def run(self, seconds: float) -> None:
        """Let time pass, a tick a second."""
        self.settle()
        end = self.clock.now + seconds
        while self.clock.now < end:
            self.clock.advance(min(1.0, end - self.clock.now))
            self.carry_out(self.pairer.tick(self.clock.now))
            self.settle()

    def settle(self) -> None:
        """Carry out what is to be done now, until nothing is."""
        busy = True
        while busy:
            effects = self.pairer.effects()
            self.carry_out(effects)
            answers = [answer for app in self.apps.values() for answer in app.due(self.clock.now)]
            for id, response in answers:
                self._arrive(id, response)
            busy = bool(effects or answers)

    def carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Request():
                    self._send(effect)
                case Cancel(id):
                    self._hang_up(id)
                case Submit(session, prompt):
                    session.submit(prompt)
                case Abort(session):
                    assert isinstance(session, CanAbort)
                    session.abort()
                case Apply(session, setting, value):
                    assert isinstance(session, CanSet)
                    session.apply_setting(setting, value)
                case Display(band, toast):
                    self.host.display(band, toast)
                case Say(command):
                    self.said.setdefault(command, []).append(effect)
                case Answer(call, result):
                    self.results[call] = result

    def _hang_up(self, id: int) -> None:
        if self.waiting.pop(id, None) is not None:
            for app in self.apps.values():
                app.hung_up(id)

    def _send(self, request: Request) -> None:
        self.sent.append((self.clock.now, request))
        self.waiting[request.id] = request
        outcome = self.fault(request)
        if outcome is None:
            app = self.apps.get(origin_of(request.url))
            outcome = Failure("no such host") if app is None else app.answer(request, self.clock.now)
        if outcome is not None:
            self._arrive(request.id, outcome)

    def _arrive(self, id: int, outcome: Outcome) -> None:
        request = self.waiting.pop(id, None)
        if request is None:
            return
        if isinstance(outcome, Response) and self.lose_answer(request):
            outcome = LOST
        self.carry_out(self.pairer.answered(id, outcome, self.clock.now))
