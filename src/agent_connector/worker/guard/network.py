"""curl and wget, by the run's network policy, and the same question for a host's own tool that fetches."""

from agent_connector.worker.guard import options
from agent_connector.worker.guard.values import LOOPBACK, No, Rules
from agent_connector.worker.guard.words import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.worker.guard.grammar import Judge

_CURL = (
    "-s -S -f -L -i -I -v -k -g -# -N -4 -6 -o:w -O -X: -H: -d: -m: -w: -A: -e: --silent --show-error --fail --location --include"
    " --head --verbose --insecure --output=w --remote-name --request= --header= --data= --data-raw= --json= --max-time="
    " --connect-timeout= --retry= --retry-delay= --retry-connrefused --write-out= --user-agent= --compressed --http1.1 --no-progress-meter"
)
_WGET = (
    "-q -O:w -S -nv -T: -t: --quiet --output-document=w --spider --server-response --timeout= --tries= --no-verbose --header=?"
    " --no-check-certificate --method= --body-data= -P:w"
)


def reachable(url: str, rules: Rules) -> None:
    """Raises No when the run's network policy does not name the host of `url`."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        scheme, rest = "http", url
    if scheme.lower() not in ("http", "https"):
        raise No("network", f"{scheme}:// is not in the table")
    if "\\" in rest:
        raise No("network", "an address with a backslash in it is read in different ways")
    place = rest.partition("/")[0].partition("?")[0].partition("#")[0]
    if "@" in place:
        raise No("network", "an address with a name or a password in it is not in the table")
    host = (place[1:].partition("]")[0] if place[:1] == "[" else place.rpartition(":")[0] or place).lower()
    if not host.isascii():
        raise No("look-alike", f"{host!r} holds letters that look like others")
    if host in LOOPBACK or rules.network == "open":
        return
    if rules.network == "hosts" and any(_is_host(host, pattern.lower()) for pattern in rules.hosts):
        return
    raise No("network", f"{host or url} is not among the hosts that the run may reach")


def _is_host(host: str, pattern: str) -> bool:
    pattern = pattern.partition(":")[0]
    return host == pattern or (pattern[:2] == "*." and host.endswith(pattern[1:]))


def _fetch(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    got = options.read(name, arguments, _CURL if name == "curl" else _WGET)
    for option, value, use in got.given:
        if value is None:
            continue
        if use == "w" and value.text != "-":
            judge.writes(value)
        if option in ("-d", "--data", "--json", "-H", "--header", "-w", "--write-out") and value.text[:1] == "@":
            judge.reads(Word(value.text[1:]))
    for word in got.operands:
        if not word.known:
            raise No("network", "which address it reaches is only known when it runs: write it out")
        reachable(word.text, judge.rules)


SPECIAL = {"curl": _fetch, "wget": _fetch}
