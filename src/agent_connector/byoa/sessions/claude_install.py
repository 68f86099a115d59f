"""The bundled connector of Claude Code, as a declaration that the normal deployment takes."""

from pathlib import Path

from agent_connector.connector.load import Loaded
from agent_connector.deploy.sources import Wanted, obtain

HOST = "claude-code"
CONNECTOR = "byoa"
DECLARATION = Path(__file__).parent / "declared" / "byoa_claude.py"


def loaded(root: str, *, dry: bool = False) -> Loaded:
    return obtain(Wanted(str(DECLARATION)), root, dry=dry)
