"""What the verbs of `telemetry` share: where the counts are, and options."""

import os

import click

from agent_connector.home import paths


def root() -> str:
    """The data root."""
    return paths.data_root(os.environ, os.path.expanduser("~"))


connector = click.option("-c", "--connector", default="", metavar="ID", help="Only this connector.")
layer = click.option("--layer", default="", metavar="LAYER", help="Only this layer: hook, serve or middleware.")
