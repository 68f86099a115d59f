"""Every promise that is tested on SQLite, on PostgreSQL."""

from types import ModuleType

from tests.byoa.app import test_doors, test_pairing, test_stores, test_turns

HERE = {"test_a_file_is_private_and_still_there_after_a_restart", "test_the_bell_wakes_who_listened_before_the_ring"}


def promises(module: ModuleType) -> dict[str, object]:
    return {name: test for name, test in vars(module).items() if name.startswith("test_") and name not in HERE}


for module in (test_doors, test_pairing, test_stores, test_turns):
    globals().update(promises(module))
