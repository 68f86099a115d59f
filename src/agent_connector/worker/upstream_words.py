"""The model by its own address in what people read: inside a run it is the worker's proxy, at a port that means nothing outside. Pure."""

import re
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit

from agent_connector.worker.verdict import Verdict


def named(inside: str | None, base: str | None) -> Callable[[str], str]:
    """A function that puts `base` where a text has the address `inside`, with its scheme or without."""
    port = urlsplit(inside).port if inside and base else None
    if port is None:
        return lambda text: text
    address = re.compile(rf"(?:https?://)?(?<![\w.-])(?:127\.0\.0\.1|localhost|\[::1\]):{port}(?!\d)")
    return lambda text: address.sub(lambda found: base or found[0], text)


def of_verdict(found: Verdict, name: Callable[[str], str]) -> Verdict:
    reason = name(found.reason) if found.reason else found.reason
    escalation = found.escalation and replace(found.escalation, reason=name(found.escalation.reason))
    return replace(found, summary=name(found.summary), reason=reason, escalation=escalation)
