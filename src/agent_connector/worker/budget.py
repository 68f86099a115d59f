"""Money: reserved before a run, settled after it; the caps count both."""

from datetime import datetime

from agent_connector.worker.config import Ergonomics
from agent_connector.worker.state import State

NO_BOARD = ""


def day_of(wall: float) -> str:
    """The local day, as people mean it: 2026-11-30."""
    return datetime.fromtimestamp(wall).astimezone().strftime("%Y-%m-%d")


def reached(state: State, caps: Ergonomics, board: str, day: str, instance: str) -> str | None:
    """Which cap one more run would pass, in words; None when there is room for it."""
    rows = (
        ("spendCapUsd", caps.spend_cap_usd, "instance", instance),
        ("spendCapPerDayUsd", caps.spend_cap_per_day_usd, "day", day),
        ("spendCapPerBoardUsd", caps.spend_cap_per_board_usd, "board", board or NO_BOARD),
    )
    for name, cap, column, value in rows:
        if cap is None:
            continue
        spent = state.spent(column, value)
        if spent + caps.run_reserve_usd > cap:
            return (
                f"{name} is ${cap:.2f}; ${spent:.2f} are spent or reserved, and a run needs ${caps.run_reserve_usd:.2f}"
            )
    return None
