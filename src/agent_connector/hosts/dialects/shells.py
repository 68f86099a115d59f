"""A guarded command (see `runtime/launchers/command.py`) in the words of the shell that a host runs it by."""

_CMD = "cmd /d /c "


def for_powershell(command: str) -> str:
    """On Windows PowerShell would read cmd's brackets itself: they go to it in one word. Another command stays."""
    if command[: len(_CMD)] != _CMD:
        return command
    return _CMD + "'" + command[len(_CMD) :].replace("'", "''") + "'"


def is_for_windows(command: str) -> bool:
    return command[: len(_CMD)] == _CMD
