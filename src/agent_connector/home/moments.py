"""Zones, and the words for a time (`--since`, `--until`) that every report takes. Moments are ms since 1970."""

import os
import re
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import NamedTuple

from agent_connector.errors import AgentConnectorError

DAY = 86_400_000
TIMES = "7d, 24h, 30m, 2w, today, yesterday, or a day such as 2026-11-30"
END = 253_402_128_000_000  # 9999-12-30: no clock goes further, and a log may say anything
EPOCH = date(1970, 1, 1).toordinal()
_DAYS = {"today": 0, "yesterday": 1}  # days back
_UNITS = {"m": 60_000, "h": 3_600_000, "d": DAY, "w": 7 * DAY}
_AGO = re.compile(r"([0-9]{1,6})\s*([mhdw])")
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_LAST = 4_102_444_800_000  # the year 2100


class Zone(NamedTuple):
    """A zone: its name, and its distance from UTC at a moment, both in ms."""

    name: str
    offset: Callable[[int], int]

    def day(self, moment: int) -> int:
        """The number of the day, from 1970-01-01."""
        return (moment + self.offset(moment)) // DAY

    def midnight(self, day: int) -> int:
        """When that day begins. Where its midnight is skipped, the moment of the skip."""
        wall = day * DAY
        early, late = wall - self.offset(wall - DAY), wall - self.offset(wall + DAY)
        return late if early + self.offset(early) != wall and late + self.offset(late) == wall else early

    def told(self, moment: int) -> str:
        """A moment on this zone's clock, for a person: `2026-11-30 14:05`."""
        return self._wall(moment).strftime("%Y-%m-%d %H:%M")

    def iso(self, moment: int) -> str:
        """A moment for a program: `2026-11-30T14:05:09.123+01:00`."""
        sign, minutes = "+-"[self.offset(moment) < 0], abs(self.offset(moment)) // 60_000
        zone = f"{sign}{minutes // 60:02}:{minutes % 60:02}"
        return self._wall(moment).isoformat(timespec="milliseconds").removesuffix("+00:00") + zone

    def _wall(self, moment: int) -> datetime:
        moment = min(moment, END)
        return datetime.fromtimestamp((moment + self.offset(moment)) / 1000, UTC)


def zone(name: str = "") -> Zone:
    """The zone of that name; without one this machine's."""
    if not name or name.lower() == "local":
        return Zone(_local_name(), _local_offset)
    if name.upper() in ("UTC", "Z"):
        return Zone("UTC", _no_offset)
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        known = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise AgentConnectorError(
            f"no zone is called {name!r}", where="--zone", remedy="UTC, local, or a name such as Europe/Berlin"
        ) from error

    def offset(moment: int) -> int:
        found = datetime.fromtimestamp(min(moment, END) // 1000, known).utcoffset()
        return int(found.total_seconds() * 1000) if found is not None else 0

    return Zone(name, offset)


def _local_offset(moment: int) -> int:
    return time.localtime(moment // 1000).tm_gmtoff * 1000


def _no_offset(_: int) -> int:
    return 0


def _local_name() -> str:
    """What this machine's zone is called, as well as it tells."""
    given = os.environ.get("TZ", "").removeprefix(":")
    if given:
        return given.partition("zoneinfo/")[2] or given
    try:
        link = os.readlink("/etc/localtime")
    except (OSError, AttributeError):
        link = ""
    return link.partition("zoneinfo/")[2] or time.strftime("%Z") or "local"


def since(text: str, where: Zone, now: int, option: str = "--since") -> int:
    """When what TIMES says begins: so long back from now, or with the day; 0 for nothing."""
    return _moment(text, where, now, option, 0) if text.strip() else 0


def until(text: str, where: Zone, now: int) -> int | None:
    """The same words; a day counts to its end. None for nothing."""
    return _moment(text, where, now, "--until", 1) if text.strip() else None


def _moment(text: str, where: Zone, now: int, option: str, days: int) -> int:
    word = text.strip().lower()
    if word in _DAYS:
        return where.midnight(where.day(now) - _DAYS[word] + days)
    if found := _AGO.fullmatch(word):
        return max(now - int(found[1]) * _UNITS[found[2]], 0)
    if found := _DATE.fullmatch(word):
        try:
            day = date(int(found[1]), int(found[2]), int(found[3])).toordinal() - EPOCH
        except ValueError:
            day = -1
        if 0 < day < _LAST // DAY:
            return where.midnight(day + days)
    raise AgentConnectorError(f"{text!r} is no time", where=option, remedy=TIMES)
