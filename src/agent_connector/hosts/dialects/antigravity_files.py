"""The files that every program of Antigravity reads. On the hook path."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.hosts.machine import Machine


def files(scope: str, machine: "Machine", folder: str) -> "dict[str, str]":
    """`folder` is the program's own below ~/.gemini, with a person's workflows."""
    if scope == "user":
        gemini = machine.join(machine.home, ".gemini")
        return {
            **_shared(machine, machine.join(gemini, "config")),
            "commands": machine.join(gemini, folder, "global_workflows"),
            "memory": machine.join(gemini, "GEMINI.md"),
        }
    if scope == "project" and machine.project:
        home = machine.join(machine.project, ".agents")
        return {
            **_shared(machine, home),
            "commands": machine.join(home, "workflows"),
            "memory": machine.join(machine.project, "AGENTS.md"),
        }
    return {}


def _shared(machine: "Machine", home: str) -> "dict[str, str]":
    hooks = machine.join(home, "hooks.json")
    return {
        "home": home,
        "server": machine.join(home, "mcp_config.json"),
        "hooks": hooks,
        "native_hooks": hooks,
        "skills": machine.join(home, "skills"),
        "subagents": machine.join(home, "agents"),
    }
