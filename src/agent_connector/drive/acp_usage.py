"""What a turn over ACP has used. The same field means other things in each agent, so the host's facet says what.

ACP_USAGE "turn": the answer tells the sum of the prompt, or of all since the agent was started, which is the same here.
"calls": each request's are told in updates, and add up. Absent: what is told (the last step, no reasoning) makes no sum.
"""

from dataclasses import dataclass

from agent_connector.drive.acp_words import Object, metadata, table
from agent_connector.drive.events import Spent, Usage
from agent_connector.hosts.contract import Headless
from agent_connector.hosts.dialects.stream_json import number


@dataclass
class Spending:
    """Collects it. A cost that agents tell grows over the session: one told before the prompt is where it started."""

    headless: Headless
    resumed: bool
    _calls: Usage | None = None
    _before: float | None = None
    _cost: float | None = None

    def heard(self, update: Object, *, talking: bool) -> Spent | None:
        """What was spent since the last word of it, where an update tells that."""
        more = self._more(table(update.get("cost")), talking)
        told = table(metadata(update).get("usage"))
        used = self._read(told) if talking and told and self._kind == "calls" else None
        if used is not None:
            self._calls = used if self._calls is None else self._calls + used
        return Spent(used or Usage(), more) if used is not None or more else None

    def _more(self, cost: Object, talking: bool) -> float | None:
        amount = cost.get("amount")
        if not isinstance(amount, int | float) or cost.get("currency") != "USD":
            return None
        if not talking:
            self._before = float(amount)
            return None
        before, self._cost = self._cost if self._cost is not None else self._before, float(amount)
        if self._before is None and self.resumed:  # nobody knows what of it is of this turn
            return None
        return max(0.0, self._cost - (before or 0.0)) or None

    def usage(self, answer: Object) -> Usage | None:
        """Of the turn."""
        told = table(answer.get("usage"))
        if self._kind == "calls":
            return self._calls
        return self._read(told) if told and self._kind else None

    @property
    def cost(self) -> float | None:
        """Of the turn; unknown where a session goes on and nobody told what it had cost."""
        if self._cost is None or (self.resumed and self._before is None):
            return None
        return max(0.0, self._cost - (self._before or 0.0))

    @property
    def _kind(self) -> str | None:
        return getattr(self.headless, "ACP_USAGE", None)

    def _read(self, told: Object) -> Usage:
        cached, written = number(told.get("cachedReadTokens")), number(told.get("cachedWriteTokens"))
        given = number(told.get("inputTokens"))
        if getattr(self.headless, "ACP_CACHE_IN_INPUT", False):
            given = max(0, given - cached - written)
        return Usage(
            input=given,
            cache_read=cached,
            cache_write_5m=written,
            output=number(told.get("outputTokens")),
            reasoning=number(told.get("thoughtTokens")),
        )
