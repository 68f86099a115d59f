"""Editing text that people own: only our nodes change, every other byte stays. Pure functions; `formats` is the door."""
