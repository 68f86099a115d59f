"""Which model a host's run reaches, and with whose key: the worker's, which never enters the run, or a login's file.

The key is one of the variables that the host itself reads. The base URL is the host's own variable for it where the worker
has that set (a gateway, a model on this machine), else the maker's address.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from agent_connector.drive.events import Job
from agent_connector.errors import WorkerError
from agent_connector.hosts.contract import Headless
from agent_connector.worker import providers

_SENTINEL = "http://127.0.0.1:9"
_VERSION = re.compile(r"/v\d+(alpha|beta)?\d*/?$")
# A host that speaks one of these APIs works with any key for it: (key, base URL, the maker's address, header).
_ANY: Mapping[str, tuple[str, str, str, str]] = {
    "anthropic-messages": ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "https://api.anthropic.com", "x-api-key"),
    "openai-chat": ("OPENAI_API_KEY", "OPENAI_BASE_URL", "https://api.openai.com", "authorization"),
    "openai-responses": ("OPENAI_API_KEY", "OPENAI_BASE_URL", "https://api.openai.com", "authorization"),
}
_BASE_OF = {
    "OPENAI_API_KEY": "OPENAI_BASE_URL",
    "CODEX_API_KEY": "OPENAI_BASE_URL",
}  # where no variable of the host names one


@dataclass(frozen=True, slots=True)
class Access:
    """`base` is None for a host that takes no endpoint. Without a key the files `login`, below a home, stand for one."""

    base: str | None
    key: str | None
    header: str
    login: tuple[str, ...] = ()


def access(host: str, facet: Headless, variables: Mapping[str, str], home: str) -> Access:
    """How runs of this host reach a model from here. WorkerError when there is neither a key nor a login."""
    keys, upstream = facet.KEYS, facet.UPSTREAM
    if providers.is_acp(host):
        keys, upstream = getattr(facet, "ACP_KEYS", keys), getattr(facet, "ACP_UPSTREAM", upstream)
    name = next((one for one in keys if variables.get(one, "").strip()), None)
    base = _base(facet, name, upstream, variables)
    if name is not None:
        return Access(base, variables[name].strip(), facet.KEY_HEADER)
    login = tuple(file for file in facet.LOGIN if os.path.isfile(os.path.join(home, *file.split("/"))))
    if login:
        return Access(base, None, facet.KEY_HEADER, login)
    key, address, maker, header = _ANY.get(facet.ENDPOINT or "", ("", "", "", ""))
    if variables.get(key, "").strip():
        return Access(_plain(variables.get(address) or maker), variables[key].strip(), header)
    names = " or ".join(dict.fromkeys(name for name in (*keys[:1], key) if name))
    wanted = f"Set {names} in the worker's environment" if names else "Give it a model"
    more = f", or log {facet.PROGRAM} in on this machine" if facet.LOGIN else ""
    raise WorkerError(f"there is no key for {host}'s model", where=host, remedy=f"{wanted}{more}.")


def reaches(host: str, variables: Mapping[str, str], home: str) -> bool:
    """Whether runs of this host reach a model from here."""
    try:
        access(host, providers.facets()[host], variables, home)
    except WorkerError:
        return False
    return True


def _base(facet: Headless, key: str | None, upstream: str | None, variables: Mapping[str, str]) -> str | None:
    """Without a version path: hosts put their own behind it."""
    if facet.ENDPOINT is None:
        return None
    told = facet.environment(Job(prompt="", cwd=".", endpoint=_SENTINEL))
    own = [name for name, value in told.items() if value.startswith(_SENTINEL)]
    names = [*own, *([_BASE_OF[key]] if key in _BASE_OF else [])]
    given = next((variables[name] for name in names if variables.get(name)), None)
    return _plain(given or upstream or "") or None


def _plain(url: str) -> str:
    return _VERSION.sub("", url.rstrip("/"))
