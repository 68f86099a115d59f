"""Kilo Code loads the plugins of Kilo CLI, and they are installed by its command."""

from agent_connector.hosts.kilo_cli import bundle as cli

FORMAT = cli.FORMAT
SURE = cli.SURE
ROOT = cli.ROOT
FOLDERS = cli.FOLDERS
WRAPPER = cli.WRAPPER
INSTALL = cli.INSTALL
KEPT = cli.KEPT

manifest = cli.manifest
