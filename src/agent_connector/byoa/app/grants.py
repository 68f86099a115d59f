"""Pairings that wait for their person: start, the pairer's polls, and what the approval page may do (section 3 of the wire).

Plain functions of a transaction; who is asked about, and when, is passed in.
"""

from dataclasses import dataclass, field
from enum import Enum, auto

from agent_connector.byoa.app import codes, connections
from agent_connector.byoa.app.clock import Randomness
from agent_connector.byoa.app.people import Account, Connection
from agent_connector.byoa.app.store.base import Row, Tx
from agent_connector.byoa.app.web import Come
from agent_connector.byoa.protocol import Client, Refusal
from agent_connector.byoa.protocol.limits import PAIRING_INTERVAL

LIFE = 600.0
KEPT_AFTER = 3600.0  # a late poll is still told what became of it
PENDING_OF_ADDRESS = 5
PENDING_MOST = 10_000
WRONG_OF_GRANT = 5
GUESS_WINDOW = 900.0
GUESSES_OF_ACCOUNT = 10
GUESSES_OF_ADDRESS = 30
SLOWER = 5.0
EARLY = 1.0  # clocks and networks jitter; less than this too soon is not too fast

PENDING, APPROVED, DENIED = "pending", "approved", "denied"
SHOWN = "id, first, host, host_version, connector, machine, address, created, expires"


@dataclass(frozen=True, slots=True)
class Asking:
    """A pairing as its person may see it: everything but the code's second half."""

    id: str
    first: str
    client: Client
    address: str
    created: float
    expires: float


@dataclass(frozen=True, slots=True)
class Started:
    device_code: str
    user_code: str


@dataclass(frozen=True, slots=True)
class Granted:
    """`first`: no token of this connection was made before."""

    token: str = field(repr=False)
    connection: Connection
    first: bool


class Verdict(Enum):
    """What came of a person's answer on the page."""

    APPROVED = auto()
    DENIED = auto()
    WRONG = auto()  # not the letters
    TOO_MANY = auto()  # guesses of this account or address: later
    GONE = auto()  # decided, expired, or not the one this account has open


def start(tx: Tx, client: Client, come: Come, now: float, random: Randomness) -> Started | None:
    """A new grant, or None when too many wait already."""
    tx.alone("pairing")
    tx.count("DELETE FROM byoa_grants WHERE expires < ?", now - KEPT_AFTER)
    tx.count("DELETE FROM byoa_guesses WHERE at < ?", now - GUESS_WINDOW)
    waiting = "SELECT COUNT(*) FROM byoa_grants WHERE state = ? AND expires > ?"
    if _number(tx.row(f"{waiting} AND network = ?", PENDING, now, come.network)) >= PENDING_OF_ADDRESS:
        return None
    if _number(tx.row(waiting, PENDING, now)) >= PENDING_MOST:
        return None
    device, user = codes.new_secret(random), codes.new_user_code(random)
    while tx.row("SELECT 1 FROM byoa_grants WHERE first = ?", user[:4]):
        user = codes.new_user_code(random)  # the first half alone finds a grant
    id = codes.new_id(random, "g")
    tx.count(
        "INSERT INTO byoa_grants (id, device, first, last, host, host_version, connector, machine, address, network,"
        " created, expires, pace, state, wrong) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
        *(id, codes.hashed(device), user[:4], codes.hashed(id + user[4:]), client.host, client.host_version),
        *(client.connector, client.machine_name, come.address, come.network, now, now + LIFE),
        *(float(PAIRING_INTERVAL), PENDING),
    )
    return Started(device, f"{user[:4]}-{user[4:]}")


# The pairer's poll.


def poll(tx: Tx, device_code: str, now: float, random: Randomness) -> Granted | Refusal:
    """A token (a new one each time, until one is used), or the word that says why not."""
    tx.alone("pairing")
    found = tx.row(
        "SELECT id, state, expires, pace, polled, connection FROM byoa_grants WHERE device = ?",
        codes.hashed(device_code),
    )
    if found is None:
        return Refusal.EXPIRED
    id, state, expires, pace, polled, connection = found
    if state == DENIED:
        return Refusal.DENIED
    if expires <= now:
        return Refusal.EXPIRED
    if state == APPROVED:
        return _hand_out(tx, id, connection, now, random)
    slow = polled is not None and now - polled < pace - EARLY
    pace = pace + SLOWER if slow else pace
    tx.count("UPDATE byoa_grants SET polled = ?, pace = ? WHERE id = ?", now, pace, id)
    return Refusal.SLOW_DOWN if slow else Refusal.PENDING


def _hand_out(tx: Tx, id: str, connection: str | None, now: float, random: Randomness) -> Granted | Refusal:
    token = codes.new_secret(random)
    first = connection is None
    if connection is None:
        connection = codes.new_id(random, "c")
        tx.count(
            "INSERT INTO byoa_connections (id, account, account_name, host, host_version, connector, machine, address,"
            " created, used, seen) SELECT ?, account, account_name, host, host_version, connector, machine, address,"
            " CAST(? AS DOUBLE PRECISION), 0, 0 FROM byoa_grants WHERE id = ?",
            *(connection, now, id),
        )
        tx.count("UPDATE byoa_grants SET connection = ? WHERE id = ?", connection, id)
    made = connections.set_token(tx, connection, token)
    return Refusal.EXPIRED if made is None else Granted(token, made, first)


# The person's page.


def open_for(tx: Tx, account: Account, first: str, network: str, now: float) -> Asking | Verdict:
    """The one grant that this account may decide from now on. A first half that fits nothing counts as a guess."""
    tx.alone("pairing")
    if _guessed_too_often(tx, account, network, now):
        return Verdict.TOO_MANY
    where = "WHERE first = ? AND state = ? AND expires > ?"
    found = tx.row(f"SELECT {SHOWN} FROM byoa_grants {where}", first, PENDING, now)
    if found is None:
        _count_guess(tx, account, network, now)
        return Verdict.GONE
    tx.count(
        "INSERT INTO byoa_openings (account, grant_id) VALUES (?, ?)"
        " ON CONFLICT (account) DO UPDATE SET grant_id = excluded.grant_id",
        *(account.id, found[0]),
    )
    return _asking(found)


def opened(tx: Tx, account: Account, grant: str, now: float) -> Asking | None:
    """The grant, if it is the one that this account has open."""
    found = tx.row(
        f"SELECT {SHOWN} FROM byoa_grants JOIN byoa_openings ON grant_id = id"
        " WHERE byoa_openings.account = ? AND id = ? AND state = ? AND expires > ?",
        *(account.id, grant, PENDING, now),
    )
    return None if found is None else _asking(found)


def deny(tx: Tx, account: Account, grant: str, now: float) -> Verdict:
    tx.alone("pairing")
    if opened(tx, account, grant, now) is None:
        return Verdict.GONE
    _decide(tx, account, grant, DENIED)
    return Verdict.DENIED


def approve(tx: Tx, account: Account, grant: str, letters: str, network: str, now: float) -> Verdict:
    tx.alone("pairing")
    if opened(tx, account, grant, now) is None:
        return Verdict.GONE
    if _guessed_too_often(tx, account, network, now):
        return Verdict.TOO_MANY
    found = tx.row("SELECT last, wrong FROM byoa_grants WHERE id = ?", grant)
    if found is not None and codes.same(found[0], codes.hashed(grant + letters)):
        _decide(tx, account, grant, APPROVED)
        return Verdict.APPROVED
    _count_guess(tx, account, network, now)
    tx.count("UPDATE byoa_grants SET wrong = wrong + 1 WHERE id = ?", grant)
    if found is None or found[1] + 1 >= WRONG_OF_GRANT:
        _decide(tx, account, grant, DENIED)
        return Verdict.DENIED
    return Verdict.WRONG


def _decide(tx: Tx, account: Account, grant: str, state: str) -> None:
    tx.count(
        "UPDATE byoa_grants SET state = ?, account = ?, account_name = ? WHERE id = ?",
        *(state, account.id, account.name, grant),
    )
    tx.count("DELETE FROM byoa_openings WHERE grant_id = ?", grant)


def _guessed_too_often(tx: Tx, account: Account, network: str, now: float) -> bool:
    limits = ((f"account {account.id}", GUESSES_OF_ACCOUNT), (f"network {network}", GUESSES_OF_ADDRESS))
    count = "SELECT COUNT(*) FROM byoa_guesses WHERE who = ? AND at > ?"
    return any(_number(tx.row(count, who, now - GUESS_WINDOW)) >= most for who, most in limits)


def _count_guess(tx: Tx, account: Account, network: str, now: float) -> None:
    for who in (f"account {account.id}", f"network {network}"):
        tx.count("INSERT INTO byoa_guesses (who, at) VALUES (?, ?)", who, now)


def _asking(row: Row) -> Asking:
    id, first, host, host_version, connector, machine, address, created, expires = row
    return Asking(id, first, Client(host, host_version, connector, machine), address, created, expires)


def _number(row: Row | None) -> int:
    return 0 if row is None else int(row[0])
