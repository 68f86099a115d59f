"""Install a connector into a scratch home, with a witness before its server and one around the launcher."""

import os
import stat
from pathlib import Path

from agent_connector.rehearse.evidence import LAUNCHER_FOLDER

_TEMPLATE = Path(__file__).parent / "templates" / "launcher.sh"
REAL = ".real"  # what the launcher itself is called while it is watched


def watch_launcher(launcher: str, records: str) -> None:
    """Put a script in the launcher's place that writes down every hook call below `records` and runs the launcher."""
    folder = os.path.join(records, LAUNCHER_FOLDER)
    os.makedirs(folder, exist_ok=True)
    os.rename(launcher, launcher + REAL)
    script = _TEMPLATE.read_text(encoding="utf-8").replace("@REAL@", launcher + REAL).replace("@LOG@", folder)
    Path(launcher).write_text(script, encoding="utf-8", newline="\n")
    os.chmod(launcher, stat.S_IRWXU)
