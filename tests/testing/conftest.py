"""The fixtures that authors get."""

pytest_plugins = ["agent_connector.testing.pytest_plugin"]
