"""An agent-connector package."""
