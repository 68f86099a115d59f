"""Whose traffic this is: host, session, project and the family of the model, from what a process can know."""

import importlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import unquote, urlsplit

from agent_connector.hosts.dialects.evidence import is_client
from agent_connector.hosts.table import HOSTS
from agent_connector.telemetry.append import project as identify

_SESSION = {  # the variable in which a host tells its session to what it starts
    "claude-code": "CLAUDE_CODE_SESSION_ID",
    "codex": "CODEX_SESSION_ID",
    "gemini-cli": "GEMINI_SESSION_ID",
    "qwen-code": "QWEN_CODE_SESSION_ID",
    "copilot-cli": "COPILOT_AGENT_SESSION_ID",
    "kiro": "KIRO_SESSION_ID",
    "hermes": "HERMES_SESSION_ID",
    "crush": "CRUSH_SESSION_ID",
}
_PROJECT = {  # the variable in which a host tells the project's folder; others start servers in it
    "claude-code": "CLAUDE_PROJECT_DIR",
    "gemini-cli": "GEMINI_PROJECT_DIR",
    "qwen-code": "QWEN_PROJECT_DIR",
    "copilot-cli": "COPILOT_PROJECT_DIR",
    "droid": "FACTORY_PROJECT_DIR",
    "augment": "AUGMENT_PROJECT_DIR",
    "trae": "TRAE_PROJECT_DIR",
    "windsurf": "DEVIN_PROJECT_DIR",
}
_FAMILIES = (  # beginnings of names of clients, hosts, vendors and models
    ("claude", "claude"),
    ("anthropic", "claude"),
    ("codex", "gpt"),
    ("openai", "gpt"),
    ("chatgpt", "gpt"),
    ("gpt", "gpt"),
    ("o1", "gpt"),
    ("o3", "gpt"),
    ("o4", "gpt"),
    ("gemini", "gemini"),
    ("google", "gemini"),
    ("antigravity", "gemini"),
    ("qwen", "qwen"),
    ("kimi", "kimi"),
    ("mimo", "mimo"),
)


@dataclass(frozen=True, slots=True)
class Origin:
    """The part of a row that does not change from call to call. `given_host` and `hint` are what install knew."""

    connector: str
    given_host: str = ""
    hint: str = ""
    marked_host: str = ""
    session: str = ""
    project: str = ""
    project_name: str = ""
    vague: bool = False  # the folder says nothing: home, or the top of the file system

    def host(self, client: str) -> str:
        """The host's id: as installed, else as the environment shows, else as the client calls itself."""
        return self.given_host or self.marked_host or host_of_client(client)

    def family(self, client: str, model: str = "") -> str:
        """The model's family: as the request says, as the client is known for, else the author's hint."""
        return (
            family_of(model) or family_of(client) or family_of(self.host(client)) or family_of(self.hint) or self.hint
        )

    def in_root(self, uri: str) -> "Origin":
        """This origin, in the folder of a `file:` root that the client told, when nothing better is known."""
        parts = urlsplit(uri)
        if not self.vague or parts.scheme != "file":
            return self
        key, name = identify(unquote(parts.path))
        return replace(self, project=key, project_name=name, vague=False)


def origin(connector: str, host: str, hint: str, variables: Mapping[str, str], folder: str, fallback: str) -> Origin:
    """The origin of what happens in this process; `fallback` names the session where the host does not."""
    marked = "" if host else marked_host(variables)
    known = host or marked
    place = variables.get(_PROJECT.get(known, ""), "") or folder
    key, name = identify(place)
    home = os.path.realpath(os.path.expanduser("~"))
    real = os.path.realpath(place)
    return Origin(
        connector=connector,
        given_host=host,
        hint=hint,
        marked_host=marked,
        session=variables.get(_SESSION.get(known, ""), "") or fallback,
        project=key,
        project_name=name,
        vague=real in (home, os.path.dirname(real)),
    )


def marked_host(variables: Mapping[str, str]) -> str:
    """The host whose marks stand in the environment, "" for none."""
    for host in HOSTS:
        places = _places(host)
        if places is not None and places.running(variables):
            return host
    return ""


def host_of_client(client: str) -> str:
    """The host that calls itself `client`; an unknown client stands for itself."""
    for host in HOSTS:
        places = _places(host)
        if places is not None and any(is_client(client, name) for name in places.CLIENT_NAMES):
            return host
    return client


def _places(host: str):
    name = f"agent_connector.hosts.{host.replace('-', '_')}.places"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None


def family_of(name: str) -> str:
    """The model family that a name tells, "" when it tells none."""
    plain = name.lower().rpartition("/")[2]
    return next((family for start, family in _FAMILIES if plain.startswith(start)), "")
