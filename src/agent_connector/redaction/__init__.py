"""Hiding secrets in everything that leaves: texts, values, and streams that come in pieces."""

from agent_connector.redaction.redactor import Redactor, Stream

__all__ = ["Redactor", "Stream"]
