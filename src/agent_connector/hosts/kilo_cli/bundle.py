"""An npm package that Kilo loads as a plugin, and its command that installs one."""

from agent_connector.hosts.dialects import npm_plugin

FORMAT = npm_plugin.FORMAT
SURE = "documented"
ROOT = npm_plugin.ROOT
SERVERS = npm_plugin.SERVERS
FOLDERS = npm_plugin.FOLDERS
WRAPPER = npm_plugin.WRAPPER
INSTALL = (("kilo", "plugin", "{bundle}", "--global"),)
KEPT = "Kilo has no command that takes a plugin out: remove it from `plugin` in its config"

manifest = npm_plugin.manifest
