"""A folder of text files as a bundle. Links are not followed: what is served is what lies in the folder."""

import os
from collections.abc import Iterator, Sequence

from agent_connector.board.served import MOST_BYTES, checked_files
from agent_connector.board.values import BundleFile
from agent_connector.errors import BoardRefused

LEFT_OUT = frozenset({".git", ".hg", ".svn", "__pycache__", ".DS_Store", "Thumbs.db"})


def read(folder: str) -> Sequence[BundleFile]:
    """By path; BoardRefused with the file that cannot be served."""
    if not os.path.isdir(folder):
        raise BoardRefused("there is no such folder", code="not_found", where=folder)
    return checked_files(sorted(_files(folder, ""), key=lambda file: file.path))


def _files(folder: str, below: str) -> Iterator[BundleFile]:
    with os.scandir(os.path.join(folder, below)) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            path = f"{below}/{entry.name}" if below else entry.name
            if entry.name in LEFT_OUT:
                continue
            if entry.is_symlink() or not (entry.is_dir() or entry.is_file()):
                raise BoardRefused("a link or a special file cannot be served", code="invalid", where=entry.path)
            if entry.is_dir():
                yield from _files(folder, path)
            else:
                yield BundleFile(path, _text(entry.path))


def _text(path: str) -> str:
    with open(path, "rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise BoardRefused(f"larger than {MOST_BYTES} bytes", code="invalid", where=path)
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise BoardRefused("not UTF-8 text", code="invalid", where=path) from None
