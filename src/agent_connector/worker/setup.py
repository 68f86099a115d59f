"""The first connector.yml: the annotated example, with the answers of a person in it."""

import json
import os
import re
import shutil
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType

from agent_connector.drive.hosts import FACETS
from agent_connector.errors import WorkerError
from agent_connector.home import private
from agent_connector.worker import config, model_access, places, providers

EXAMPLE = "connector.example.yml"


def example() -> str:
    return (resources.files("agent_connector.worker") / EXAMPLE).read_text(encoding="utf-8")


def write(
    path: str,
    folder: str,
    variables: Mapping[str, str],
    home: str,
    *,
    adapter: str | None = None,
    board: str | None = None,
    more: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """connector.yml at `path`, checked; the folder is made where it is missing. WorkerError, and nothing was left.

    `more` are further keys of the top with their values.
    """
    work = places.absolute(folder, home, os.getcwd())
    secret = places.clash(work, places.secret_folders(variables, home))
    if secret is not None:
        raise WorkerError(
            f"{work} is in, or holds, {secret}, where keys are kept",
            where="sandboxDir",
            remedy="Choose a folder apart from it.",
        )
    host = chosen(adapter, variables, home)
    made = not os.path.lexists(work)
    os.makedirs(work, exist_ok=True)
    private.write(path, _filled({"sandboxDir": work, "adapter": host, **({"board": board} if board else {}), **more}))
    try:
        config.load(path, variables, home)
    except WorkerError:
        private.remove(path)
        if made:
            os.rmdir(work)
        raise


def chosen(adapter: str | None, variables: Mapping[str, str], home: str) -> str:
    """The host that is named; else the first that is here and reaches a model, the first that is here, the first of all."""
    if adapter:
        host = providers.host_of(adapter)
        if host is None:
            names = ", ".join(providers.meant(adapter))
            raise WorkerError(
                f"{adapter!r} is no host that can be driven", where="--adapter", remedy=f"One of {names}."
            )
        return host
    way = variables.get("PATH")
    here = [host for host, facet in FACETS().items() if shutil.which(facet.PROGRAM, path=way)]
    reaching = (host for host in here if model_access.reaches(host, variables, home))
    return next(reaching, next(iter(here or FACETS())))


def _filled(answers: Mapping[str, str]) -> str:
    """The example with these values in place of its own; comments behind them stay."""
    text = example()
    for key, value in answers.items():
        said = json.dumps(value, ensure_ascii=False)  # is YAML too, whatever is in it
        text, count = re.subn(
            rf"^(?:# )?{key}: \S+( *)(?=#|$)",
            lambda found, k=key, v=said: f"{k}: {v}{found[1]}",
            text,
            flags=re.MULTILINE,
        )
        if count != 1:
            raise AssertionError(f"the example has no line for {key}")
    return text
