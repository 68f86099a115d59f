"""The scene of the app's tests: a real app, a real pairer, and time that stands still."""

from tests.byoa.app.conftest import make_store, patience, play

__all__ = ["make_store", "patience", "play"]
