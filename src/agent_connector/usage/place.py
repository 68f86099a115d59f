"""Where a report works: our data root, or a copy of what usage keeps in it where that cannot be written to."""

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager

from agent_connector.errors import AgentConnectorError
from agent_connector.home import paths, progress, spare
from agent_connector.usage import index


@contextmanager
def ready(root: str, prepare: Callable[[str], object]) -> Generator[str]:
    """The root that `prepare`, which is given it, has brought up to date."""
    try:
        prepare(root)
    except AgentConnectorError as error:
        if not spare.barred(error):
            raise
    else:
        yield root
        return
    with spare.folder(_files(root)) as copy:
        progress.remark(
            f"{paths.usage_folder(root)} cannot be written to; this is worked out in a temporary folder, and nothing is kept"
        )
        prepare(copy)
        yield copy


def claim(root: str) -> None:
    """A `prepare` that reads nothing: the index can be written to."""
    with index.writing(root) as connection, index.transaction(connection):
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('claimed', 1)")


def _files(root: str) -> dict[str, str]:
    """The index and the prices: where they are, and where they belong in another root."""
    files = spare.database(paths.usage_index(root), os.path.relpath(paths.usage_index(root), root))
    for path in (paths.usage_prices(root), paths.fetched_prices(root)):
        files[path] = os.path.relpath(path, root)
    return files
