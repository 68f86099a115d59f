"""What a dashboard's address asks for: since when, which hosts, which zone. All of it stands in the address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

SINCE: Mapping[str, str] = {"1d": "1 day", "7d": "7 days", "30d": "30 days", "90d": "90 days", "": "all time"}
USUAL = "30d"
_MOST = 40  # hosts, and letters of a zone's name times two


@dataclass(frozen=True, slots=True)
class Query:
    """`since` is one of SINCE or a day such as 2026-11-01; `hosts` () means every one; `zone` "" is this machine's."""

    since: str = USUAL
    hosts: Sequence[str] = ()
    zone: str = ""

    @property
    def address(self) -> str:
        """The address of this view, below the dashboard's own."""
        pairs = [("since", self.since or "all"), *(("host", host) for host in self.hosts)]
        return "/?" + urlencode([*pairs, *([("zone", self.zone)] if self.zone else [])])


def parse(pairs: Sequence[tuple[str, str]], known: Sequence[str]) -> Query:
    """The query of an address; words that nobody knows are left out."""
    since, zone, hosts = USUAL, "", list[str]()
    for name, value in pairs:
        if name == "since":
            since = "" if value == "all" else value[:10]
        elif name == "zone":
            zone = value[: _MOST * 2].strip()
        elif name == "host" and value in known and value not in hosts and len(hosts) < _MOST:
            hosts.append(value)
    return Query(since, tuple(hosts), zone)
