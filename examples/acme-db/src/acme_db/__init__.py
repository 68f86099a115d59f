"""The Acme database for AI agents."""
