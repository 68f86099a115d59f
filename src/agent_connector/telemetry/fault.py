"""A fault of the counting itself, as a line in hooks.log for `doctor`: its kind and place, never a text of a message."""

import json
import os
import time

from agent_connector.home import paths


class Faults:
    """Writes the first fault of a process; the others are the same one again."""

    def __init__(self, root: str, connector: str) -> None:
        self.root = root
        self.connector = connector
        self.told = False

    def note(self, error: BaseException) -> None:
        """Remember that a message could not be counted."""
        if self.told:
            return
        self.told = True
        row = {
            "t": time.time_ns() // 1_000_000,
            "verb": "serve",
            "what": "a message could not be counted",
            "connector": self.connector,
            "error": type(error).__name__,
            "trace": place(error),
        }
        try:
            descriptor = os.open(paths.hooks_log(self.root), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            os.write(descriptor, json.dumps(row).encode() + b"\n")
            os.close(descriptor)
        except OSError:
            return


def place(error: BaseException) -> str:
    """Files, lines and functions of the traceback; not the error's own words, which may be those of a message."""
    parts: list[str] = []
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        parts.append(f"{os.path.basename(code.co_filename)}:{step.tb_lineno} {code.co_name}")
        step = step.tb_next
    return " > ".join(parts)
