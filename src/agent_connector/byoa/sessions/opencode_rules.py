"""What OpenCode says of models, efforts and permissions, in the words of the wire. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from agent_connector.byoa.protocol import Setting
from agent_connector.byoa.sessions.acp_updates import Object, table, tables, text

MODEL, EFFORT = "model", "reasoning_effort"
USUAL = "default"  # the effort that is not chosen
# What OpenCode asks about unless somebody has switched it off; the rest it does unasked by default.
GUARDS = ("doom_loop", "external_directory")
STRONG = ("bash", "edit")
EVERYTHING = "*"


@dataclass(frozen=True, slots=True)
class Choice:
    """What a prompt runs with; "" is what OpenCode would take by itself."""

    provider: str = ""
    model: str = ""
    effort: str = ""
    agent: str = ""

    @property
    def name(self) -> str:
        return f"{self.provider}/{self.model}" if self.model else ""

    def body(self) -> dict[str, Any]:
        """The fields of a prompt."""
        found: dict[str, Any] = {"agent": self.agent} if self.agent else {}
        if self.model:
            found["model"] = {"providerID": self.provider, "modelID": self.model}
        if self.effort:
            found["variant"] = self.effort
        return found


def of_session(info: Object) -> Choice:
    """What its newest prompt ran with."""
    model = table(info.get("model"))
    return Choice(text(model.get("providerID")), text(model.get("id")), _effort(model), text(info.get("agent")))


def of_prompt(info: Object) -> Choice:
    model = table(info.get("model"))
    return Choice(text(model.get("providerID")), text(model.get("modelID")), _effort(model), text(info.get("agent")))


def _effort(model: Object) -> str:
    effort = text(model.get("variant"))
    return "" if effort == USUAL else effort


def models(providers: Object) -> dict[str, tuple[str, ...]]:
    """`provider/model` -> its efforts, of what can be used here; the answer of /config/providers holds keys too."""
    return {
        f"{text(provider.get('id'))}/{model}": tuple(table(table(told).get("variants")))
        for provider in tables(providers.get("providers"))
        for model, told in table(provider.get("models")).items()
    }


def settings(known: Mapping[str, tuple[str, ...]], choice: Choice) -> tuple[Setting, ...]:
    """The models, those of the provider in use first, and the efforts of the model in use."""
    names = sorted(known, key=lambda name: (not name.startswith(f"{choice.provider}/"), name))
    found = [Setting(MODEL, "Model", tuple(names), choice.name or None)] if names else []
    if efforts := known.get(choice.name, ()):
        found.append(Setting(EFFORT, "Reasoning effort", (USUAL, *efforts), choice.effort or USUAL))
    return tuple(found)


def chosen(choice: Choice, setting: str, value: str) -> Choice:
    """`choice` with a setting changed. Another model has efforts of its own."""
    if setting == MODEL:
        provider, _, model = value.partition("/")
        return Choice(provider, model, "", choice.agent)
    if setting == EFFORT:
        return Choice(choice.provider, choice.model, "" if value == USUAL else value, choice.agent)
    return choice


def rules_of(agents: object, agent: str, session: Object) -> tuple[Object, ...]:
    """The permissions in force: the agent's, then the session's own. The last one that fits counts."""
    own = [rule for each in tables(agents) if each.get("name") == agent for rule in tables(each.get("permission"))]
    return (*own, *tables(session.get("permission")))


def bypassed(rules: Sequence[Object]) -> bool:
    """Even what OpenCode guards by default is done unasked."""
    return bool(rules) and all(_action(rules, guard) == "allow" for guard in GUARDS)


def unasked(rules: Sequence[Object]) -> tuple[str, ...]:
    """Which of the strong tools run without a question."""
    return tuple(name for name in STRONG if _action(rules, name) == "allow")


def _action(rules: Sequence[Object], permission: str) -> str:
    fitting = [
        text(rule.get("action"))
        for rule in rules
        if rule.get("pattern") == EVERYTHING and fnmatchcase(permission, text(rule.get("permission")))
    ]
    return fitting[-1] if fitting else "ask"
