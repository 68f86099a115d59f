"""Headers: what every request carries, and how long `Retry-After` asks to wait (section 1 and 5)."""

import re
from collections.abc import Mapping

from agent_connector.byoa.protocol import limits

JSON = "application/json"
JSON_OR_STREAM = "application/json, text/event-stream"
LONGEST_WAIT = 86_400.0
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
DATE = re.compile(r"[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT", re.ASCII)


def carried(token: str | None = None, accept: str = JSON) -> tuple[tuple[str, str], ...]:
    """The headers of a request; without a token before the pairing."""
    shared = (("Accept", accept), ("Content-Type", JSON), ("BYOA-Version", limits.VERSION))
    return shared if token is None else (("Authorization", f"Bearer {token}"), *shared)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from a number or from a date against the answer's own `Date`; None: nothing usable was said."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return min(LONGEST_WAIT, float(value[:9]))
    until, since = _time(value), _time(headers.get("date", "").strip())
    if until is None or since is None:
        return None
    return min(LONGEST_WAIT, max(0.0, float(until - since)))


def _time(text: str) -> int | None:
    found = DATE.fullmatch(text)
    if found is None or found[2] not in MONTHS:
        return None
    year, month, day = int(found[3]), MONTHS.index(found[2]) + 1, int(found[1])
    if not 1970 <= year <= 9999 or not 1 <= day <= 31:
        return None
    return ((_days(year, month, day) * 24 + int(found[4])) * 60 + int(found[5])) * 60 + int(found[6])


def _days(year: int, month: int, day: int) -> int:
    """Days since 1 March of the year 0, by which leap days fall on the end of a year."""
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    return year * 365 + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day - 1
