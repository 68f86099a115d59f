"""The files that a host needs in a fresh home to meet a model at an endpoint: a stand-in, or a proxy that has the key."""

import os
import re
from collections.abc import Mapping

from agent_connector.errors import HostError
from agent_connector.hosts.contract import Headless

URL = "@MODEL@"  # the endpoint
NAME = "@NAME@"  # the model's name
KEY = "@KEY@"  # what the host presents as its key there
STAND_IN = "stand-in"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+~-]{0,199}")


def files(headless: Headless, endpoint: str, model: str | None = None, key: str = STAND_IN) -> dict[str, str]:
    """Path below the home -> text."""
    return filled(getattr(headless, "HOME_FILES", {}), endpoint, model, key)


def filled(texts: Mapping[str, str], endpoint: str, model: str | None = None, key: str = STAND_IN) -> dict[str, str]:
    """A model's name is written into JSON and YAML: anything but a plain one is refused."""
    name = model or STAND_IN
    if not _NAME.fullmatch(name):
        raise HostError(f"{name!r} cannot be the name of a model", remedy="letters, digits and ._:/@+~- make one")
    return {path: text.replace(URL, endpoint).replace(NAME, name).replace(KEY, key) for path, text in texts.items()}


def furnish(home: str, texts: Mapping[str, str]) -> None:
    """Put the files down, readable for the home's owner alone."""
    for name, text in texts.items():
        path = os.path.join(home, *name.split("/"))
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(
            os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8", newline="\n"
        ) as file:
            file.write(text)
