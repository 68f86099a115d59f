"""The scenes of tests/byoa/app, with PostgreSQL for a store."""

import pytest
from tests.byoa.app.conftest import play

from agent_connector.byoa.app.store.postgres import PostgresStore

__all__ = ["play"]


@pytest.fixture
def make_store(postgres_url):
    return lambda: PostgresStore(postgres_url)


@pytest.fixture
def patience() -> float:
    return 0.02
