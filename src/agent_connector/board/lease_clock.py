"""The time that leases are measured by: it goes on as the clock does, and stays where it is when that jumps.

Whoever looks notes in one row what the clock showed and how far this time had come. From there it goes on with the clock, but
no further than what may have passed since: a clock that is put ahead ends a lease `MOST` seconds early and not more, one that
is put back holds none longer than until the next look. A board that serves looks every `EVERY` seconds while a lease is held,
whoever claims looks too. While nobody does, no time passes: a lease then lasts so much longer, never shorter.
"""

from typing import NamedTuple

from sqlalchemy import case, exists, or_, select, update

from agent_connector.board.engine import Tx
from agent_connector.board.schema import lease_clock, leases

EVERY = 2.0  # seconds between two looks
MOST = 5.0  # seconds that may have passed since the last one, for all that is known without a clock
SECOND = 1_000_000
_DUE = SECOND  # after which a look is noted


class Now(NamedTuple):
    """The same moment by this time and by the clock."""

    steady: int
    wall: int

    def ends(self, until: int) -> int:
        """What the clock shows when this time is `until`, if it goes on as it is."""
        return self.wall + until - self.steady


def now(tx: Tx) -> Now:
    return _read(tx)[0]


def look(tx: Tx, most: float = MOST) -> Now:
    """Note where the clock is; `most` are the seconds that may have passed since it was noted. Who is at it already, does it."""
    found, passed = _read(tx, most)
    if not 0 <= passed < _DUE:
        _note(tx, round(most * SECOND))
    return found


def look_if_held(tx: Tx, most: float) -> None:
    """The same, where a lease is running: else there is nothing to measure, and the disk may sleep."""
    held = exists().where(leases.c.connector.is_not(None), leases.c.until > now(tx).steady)
    if tx.connection.scalar(select(held)):
        look(tx, most)


def _read(tx: Tx, most: float = MOST) -> tuple[Now, int]:
    """Now, and how far the clock has gone since it was noted."""
    noted = select(lease_clock.c.wall, lease_clock.c.steady, tx.now.label("now"))
    wall, steady, clock = (int(value) for value in tx.connection.execute(noted).one())
    passed = clock - wall
    return Now(steady + min(max(0, passed), round(most * SECOND)), clock), passed


def _note(tx: Tx, most: int) -> None:
    wall = tx.now
    passed = wall - lease_clock.c.wall
    due = or_(passed >= _DUE, passed < 0)
    which = select(lease_clock.c.id).where(due).with_for_update(skip_locked=True)
    steady = lease_clock.c.steady + case((passed < 0, 0), (passed > most, most), else_=passed)
    tx.connection.execute(update(lease_clock).where(lease_clock.c.id.in_(which)).values(wall=wall, steady=steady))
