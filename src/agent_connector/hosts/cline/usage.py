"""Cline's two stores: sessions of its CLI and of the newer extension, tasks of the older extension.

A session's messages carry the counts of their requests; the sums beside them, in the session's own file and in a
database, repeat these and are left alone.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects import vscode_tasks
from agent_connector.hosts.dialects.usage_places import name_of
from agent_connector.hosts.dialects.usage_values import (
    count,
    decode,
    dig,
    folder,
    mapping,
    moment,
    money,
    name,
    sequence,
)
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

SURE = "proven"
MERGE = "last"
NOTE = ""
SOURCES = (
    ("Cline CLI 3.0.65, run against a scripted model", "2026-11-30"),
    ("the extension's tasks: Cline's source, 3.89 and 4.1", "2026-11-30"),
)

MESSAGES = ".messages.json"
EXTENSION = "saoudrizwan.claude-dev"
WITHIN = frozenset(("openai", "litellm", "doubao", "fireworks", "hicap", "lmstudio", "qwen", "xai", "zai"))


def messages(data: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The answers of a session, or of one of its subagents, which has a file of its own in the same folder."""
    del state
    if not data:
        return
    whole = decode(data)
    rows = sequence(whole) or dig(whole, "messages")
    if not isinstance(rows, list):
        raise UnknownFormat("a session without a list of messages", str(count(dig(whole, "version")) or ""))
    folder_name, stem = name_of(source.path, 1), name_of(source.path).removesuffix(MESSAGES)
    manifest = mapping(decode(source.beside(f"{folder_name}.json")))
    session = name(manifest.get("session_id")) or folder_name or stem
    agent = "" if stem in (folder_name, session) else stem
    for number, row in enumerate(sequence(rows)):
        used = mapping(dig(row, "metrics"))
        if dig(row, "role") == "assistant" and any(money(value) for value in used.values()):
            yield _record(mapping(row), used, manifest, session, agent, f"{session}:{agent}:{number}", source)


def _record(
    row: dict[str, Any],
    used: dict[str, Any],
    manifest: dict[str, Any],
    session: str,
    agent: str,
    place: str,
    source: Source,
) -> Record:
    """The count of the input has what was read from the cache and written to it within."""
    if "inputTokens" not in used and "outputTokens" not in used:
        raise UnknownFormat("metrics of a message with counts of other names")
    prompt, read, written = (count(used.get(each)) for each in ("inputTokens", "cacheReadTokens", "cacheWriteTokens"))
    identity, stamp = name(row.get("id")), moment(row.get("ts"))
    return Record(
        key=f"{identity}:{stamp}" if identity and stamp else place,  # the same in a copy of the session
        session=session,
        time=stamp or source.modified,
        model=name(dig(row, "modelInfo", "id")) or name(manifest.get("model")),
        provider=name(dig(row, "modelInfo", "provider")) or name(manifest.get("provider")),
        project=folder(manifest.get("workspace_root")) or folder(manifest.get("cwd")),
        parent=name(manifest.get("parent_session_id")),
        input=max(0, prompt - read - written),
        cache_read=read,
        cache_write_5m=written,
        output=count(used.get("outputTokens")),
        cost=money(used.get("cost")),
        agent=agent,
    )


def within(used: dict[str, Any], time: int, provider: str) -> bool:
    """A task's row counts the input without the cache, but for providers whose own count is passed on."""
    del used, time
    return provider in WITHIN


READERS = {"session": Reader("document", 1, messages), "task": vscode_tasks.reader(within)}


def logs(machine: Machine) -> Sequence[Place]:
    """Sessions and the tasks of editors that have no storage of their own, and each editor's storage."""
    variables = machine.variables
    home = machine.config("CLINE_DIR", ".cline")
    data = variables.get("CLINE_DATA_DIR") or machine.join(home, "data")
    sandbox = variables.get("CLINE_SANDBOX_DATA_DIR")
    sessions = [variables.get("CLINE_SESSION_DATA_DIR") or machine.join(data, "sessions")]
    sessions += [machine.join(sandbox, "sessions")] if sandbox else []
    return (
        *(Place(each, f"*/*{MESSAGES}", "session") for each in sessions),
        Place(data, vscode_tasks.PATTERN, "task"),
        *vscode_tasks.places(machine, EXTENSION, "task"),
    )
