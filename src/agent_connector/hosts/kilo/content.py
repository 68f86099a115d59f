"""Commands, skills, subagents and memory of Kilo Code: those of Kilo CLI, its backend."""

from agent_connector.hosts.kilo_cli import content

command = content.command
skill = content.skill
subagent = content.subagent
memory = content.memory
