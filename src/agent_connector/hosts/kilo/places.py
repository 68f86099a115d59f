"""Where Kilo Code reads, and how it is recognised. On the hook path. Its backend is Kilo CLI, whose files it reads."""

from agent_connector.hosts.dialects import vscode
from agent_connector.hosts.dialects.evidence import evidence
from agent_connector.hosts.kilo_cli import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = places.SCOPES
CLIENT_NAMES = ()  # its backend calls itself as the command-line program does
EXTENSION = "kilocode.kilo-code"

files = places.files
running = places.in_editor


def installed(machine: "Machine") -> "Evidence | None":
    """What the extension stores in editors of VS Code's build."""
    editors = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
    stores = [machine.join(vscode.user_folder(machine, name), "globalStorage", EXTENSION) for name in editors]
    return evidence(machine, (), [(store, 0.9) for store in stores])
