"""Actions of Oh My Pi: commands that an extension registers, `/<connector>-<action>`. On the hook path."""

from agent_connector.hosts.dialects import pi_extension

AFFORDANCE = "command"  # what a person uses
INVOCATION = "plugin-command"  # how that runs our launcher

wire = pi_extension.command
