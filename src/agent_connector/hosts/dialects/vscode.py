"""Where VS Code keeps a person's own files. On the hook path."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.hosts.machine import Machine


def user_folder(machine: "Machine", product: str = "Code") -> str:
    """The `User` folder of VS Code, or of another product of the same build ("Code - Insiders", "VSCodium" ...)."""
    if machine.platform == "darwin":
        return machine.join(machine.home, "Library", "Application Support", product, "User")
    if machine.platform == "win32":
        return machine.join(machine.config("APPDATA", "AppData", "Roaming"), product, "User")
    return machine.join(machine.config("XDG_CONFIG_HOME", ".config"), product, "User")
