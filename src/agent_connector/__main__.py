"""`python -m agent_connector`: the same as the script `agent-connector`."""

import sys

from agent_connector.cli.main import main

sys.exit(main())
