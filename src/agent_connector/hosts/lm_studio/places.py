"""Where LM Studio reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user",)
CLIENT_NAMES = ("lm-studio", "LM Studio*")


def installed(machine: "Machine") -> "Evidence | None":
    """The pointer file names another home; that it is there is enough to know the app."""
    return evidence(
        machine,
        ("lms",),
        (
            (machine.join(machine.home, ".lmstudio"), 0.9),
            (machine.join(machine.home, ".cache", "lm-studio"), 0.8),
            (machine.join(machine.home, ".lmstudio-home-pointer"), 0.7),
        ),
    )


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """There is one file, and it is the person's."""
    if scope != "user":
        return {}
    home, older = machine.join(machine.home, ".lmstudio"), machine.join(machine.home, ".cache", "lm-studio")
    if machine.exists(older) and not machine.exists(home):
        home = older
    return {"home": home, "server": machine.join(home, "mcp.json")}


def running(variables: "Mapping[str, str]") -> bool:
    """It leaves no mark that is documented."""
    return False
