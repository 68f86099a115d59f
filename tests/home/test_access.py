"""An access list of Windows as the mode that it stands for. The texts are as that system writes them."""

import pytest

from agent_connector.home.access import told

ME = "S-1-5-21-1-2-3-1001"
FULL = "(A;;FA;;;SY)(A;;FA;;;BA)"


@pytest.mark.parametrize(
    ("descriptor", "mode", "own"),
    [
        (f"O:{ME}D:{FULL}(A;;FA;;;{ME})", 0o700, True),
        (f"O:{ME}G:{ME}D:PAI{FULL}(A;OICI;FA;;;{ME})S:AI(AU;SA;FA;;;WD)", 0o700, True),
        (f"O:BAD:{FULL}(A;ID;FA;;;{ME})", 0o700, True),  # made by an elevated program
        (f"O:{ME}D:{FULL}(A;;FR;;;BU)", 0o755, True),
        (f"O:{ME}D:{FULL}(A;;0x1200a9;;;WD)", 0o755, True),
        (f"O:{ME}D:{FULL}(A;;0x1301bf;;;AU)", 0o777, True),
        (f"O:{ME}D:{FULL}(A;OICIIO;FA;;;BU)", 0o700, True),  # only for what is made inside
        (f"O:{ME}D:(D;;FA;;;BU){FULL}", 0o700, True),
        (f"O:{ME}D:(XA;;FA;;;S-1-5-21-9-9-9-1002;(Member_of {{SID(BA)}}))", 0o777, True),
        ("O:S-1-5-21-9-9-9-1002D:(A;;FA;;;SY)", 0o700, False),
        (f"O:{ME}D:NO_ACCESS_CONTROL", 0o777, True),
        (f"O:{ME}", 0o777, True),
        ("", 0o777, False),
    ],
)
def test_an_access_list_is_told_as_a_mode(descriptor: str, mode: int, own: bool) -> None:
    assert told(descriptor, ME) == (mode, own)


def test_the_machines_administrator_is_written_by_another_name() -> None:
    me = "S-1-5-21-1-2-3-500"
    assert told("O:LAD:(A;;FA;;;LA)", me) == (0o700, True)
    assert told("O:LAD:(A;;FA;;;LA)", ME) == (0o777, False)
