"""The command `acme-db`."""

from acme_db.connector import connector
from agent_connector import create_cli

main = create_cli(connector, name="acme-db")
