"""Counting what connectors cost: rows, tokens, books and reports."""
