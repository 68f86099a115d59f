"""The door to an OpenTelemetry collector: what its exporters say and take for success, and how long one request may last."""

import importlib
import logging
import os
import queue
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from agent_connector.errors import TelemetryError

T = TypeVar("T")
USUAL, GRACE = 10.0, 5.0  # seconds
_TIMEOUTS = ("OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_METRICS_TIMEOUT")


def require() -> None:
    """Raise TelemetryError where the extra `otel` is missing."""
    try:
        for package in ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http"):
            importlib.import_module(package)
    except ImportError:
        raise TelemetryError(
            "OpenTelemetry is not installed", remedy="Install the extra: pip install '.[otel]' in its checkout"
        ) from None
    logger = logging.getLogger("opentelemetry")
    logger.propagate = False  # else a collector's own words go to the terminal as they are
    if _said not in logger.handlers:
        logger.addHandler(_said)


class _Said(logging.Handler):
    """The last thing that the exporters complained of."""

    last = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.last = record.getMessage()


_said = _Said(logging.WARNING)


def session() -> Any:
    """A connection that takes a redirection for a refusal: the exporters take it for success, and the rows were lost."""
    requests: Any = importlib.import_module("requests")  # the exporters bring it

    def looked_at(answer: Any, **_: Any) -> None:
        if 300 <= answer.status_code < 400:
            raise requests.RequestException(f"it points elsewhere (status {answer.status_code})")

    made = requests.Session()
    made.hooks["response"] = [looked_at]
    return made


def within(address: str, export: Callable[[], T]) -> T:
    """What `export` gives, if it does so in time.

    The exporters' own limit is for each piece of an answer: a collector that sends it byte by byte would hold us for
    ever. The thread that is left behind ends with the process.
    """
    limit, given = _limit(), queue.SimpleQueue[T | Exception]()

    def run() -> None:
        try:
            given.put(export())
        except Exception as error:  # noqa: BLE001  # the top of this thread: it is raised where it is waited for
            given.put(error)

    threading.Thread(target=run, name="agent-connector-otlp", daemon=True).start()
    try:
        found = given.get(timeout=limit)
    except queue.Empty:
        raise TelemetryError(
            f"the collector did not answer to the end within {limit:g} seconds",
            where=without_password(address),
            remedy="Is it an OTLP receiver (HTTP, protobuf)? What it did not acknowledge is sent again next time. "
            "OTEL_EXPORTER_OTLP_TIMEOUT gives it more seconds.",
        ) from None
    if isinstance(found, Exception):
        raise found
    return found


def _limit() -> float:
    """Seconds for one request: what the exporters give it, and a little for their own word on it."""
    given = [USUAL]
    for name in _TIMEOUTS:
        with suppress(ValueError):
            given.append(float(os.environ.get(name, "")))
    return max(given[1:] or given) + GRACE


def without_password(address: str) -> str:
    """An address as it may be shown and kept."""
    return re.sub(r"//[^/@]*@", "//", address)


def refused(address: str, what: str) -> TelemetryError:
    """The error for what the collector did not take."""
    why = f": {_said.last[:200]}" if _said.last and "@" not in address else ""
    return TelemetryError(
        f"the collector did not take the {what}{why}",
        where=without_password(address),
        remedy="Is an OTLP receiver (HTTP, protobuf) listening there? --endpoint or OTEL_EXPORTER_OTLP_ENDPOINT names "
        "another. What it did not take is sent again next time.",
    )
