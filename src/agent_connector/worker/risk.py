"""Risky words in a task, and in what an agent wrote: whoever may answer is asked about each once, and may let it pass."""

from dataclasses import dataclass, replace

from agent_connector.board.values import Task
from agent_connector.worker import markers, taken
from agent_connector.worker.config import Config
from agent_connector.worker.state import State, Waiting
from agent_connector.worker.values import Escalation, Result

LOOKED_AT = ("succeeded", "failed", "timed_out")  # what was stopped is given back, or a person has it already


def words(text: str, config: Config) -> list[str]:
    """The markers that stand in the text, in the order of the configuration."""
    return list(markers.all_risky(text, config.hitl.risk_markers))


@dataclass(frozen=True, slots=True)
class Risks:
    """What was let pass for a task is remembered until the task is done."""

    state: State
    config: Config

    def let_pass(self, task: Task, waiting: Waiting, answer: taken.Answer) -> None:
        """The task was moved back after a question about words: those pass, if it was moved by who may say so."""
        if waiting.kind == "risk" and taken.may_answer(task, self.config, answer):
            for word in words(waiting.reason, self.config):
                self.state.allow(task.id, word)

    def of_task(self, task: Task, *, comments: bool) -> Escalation | None:
        """Before it is done. `comments`: what people said counts too, unless it is an answer."""
        people = [one.body for one in task.comments if not self.state.is_ours(one.id) and not taken.of_a_worker(one)]
        found = self._found(task.id, "\n".join((task.title, task.description, *(people if comments else ()))))
        return Escalation("risk", f"the task's text holds {found}") if found else None

    def of_result(self, task: str, result: Result) -> Result:
        """What came of a run is looked at, too, well or not: it is for a person to say that it is done, or over."""
        asks = result.status in LOOKED_AT and result.escalation is None
        found = self._found(task, "\n".join((result.summary, *result.risky))) if asks else ""
        if not found:
            return result
        needed = Escalation("risk", f"what the agent wrote holds {found}")
        return replace(result, status="awaiting_human", reason=result.reason or needed.reason, escalation=needed)

    def _found(self, task: str, text: str) -> str:
        """The risky words that nobody has let pass, quoted."""
        allowed = self.state.allowed(task)
        return ", ".join(f'"{word}"' for word in words(text, self.config) if word not in allowed)
