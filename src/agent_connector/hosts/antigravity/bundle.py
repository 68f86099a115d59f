"""Antigravity reads the plugins that its CLI installs."""

from agent_connector.hosts.antigravity_cli import bundle as cli

FORMAT = cli.FORMAT
SURE = cli.SURE
ROOT = cli.ROOT
FOLDERS = cli.FOLDERS
INSTALL = cli.INSTALL
REMOVE = cli.REMOVE

manifest = cli.manifest
