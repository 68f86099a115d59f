"""Credentials, tool caches and the policy through the file port, and what is refused of them (section 4)."""

from dataclasses import dataclass

from agent_connector.byoa.core.ports import FilePort, StoredFile
from agent_connector.byoa.protocol import (
    DEFAULT_POLICY,
    NOTHING_SHARED,
    POLICY,
    Credential,
    Origin,
    Policy,
    ProtocolError,
    ToolCache,
    credential_path,
    parse_credential,
    parse_policy,
    parse_tool_cache,
    tools_path,
)

OTHERS = 0o077
OTHERS_WRITE = 0o022
SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class Credentials:
    """What could be read of a folder, and a line on each file that could not."""

    found: tuple[Credential, ...]
    problems: tuple[str, ...] = ()


def private(file: StoredFile, path: str) -> str:
    """The text of a file that only this user can read; else `ProtocolError`."""
    if not file.own:
        raise ProtocolError("belongs to somebody else or is a link", path)
    if file.mode & OTHERS:
        raise ProtocolError(f"others may read or write it (mode {file.mode & 0o777:04o}, must be 0600)", path)
    if file.folder_mode & OTHERS:
        raise ProtocolError(f"others may enter its folder (mode {file.folder_mode & 0o777:04o}, must be 0700)", path)
    return file.text


class Store:
    def __init__(self, files: FilePort, host: str) -> None:
        self._files = files
        self._host = host

    def credentials(self, host: str | None = None) -> Credentials:
        folder = f"credentials/{host or self._host}"
        found: list[Credential] = []
        problems: list[str] = []
        for name in sorted(self._files.list(folder)):
            if not name.endswith(SUFFIX):
                continue
            path = f"{folder}/{name}"
            try:
                file = self._files.read(path)
                if file is not None:
                    found.append(parse_credential(_bytes(private(file, path)), name.removesuffix(SUFFIX)))
            except ProtocolError as problem:
                problems.append(str(problem) if problem.where == path else f"{path}: {problem}")
            except OSError as problem:
                problems.append(f"{path}: {problem.strerror or problem}")
        return Credentials(tuple(found), tuple(problems))

    def paired_elsewhere(self, app_id: str, origin: Origin) -> Origin | None:
        """Another origin that holds this id by right of being first, by whatever host of the machine."""
        for host in sorted(self._files.list("credentials")):
            for credential in self.credentials(host).found:
                if credential.app.id == app_id and credential.origin != origin and not credential.newcomer:
                    return credential.origin
        return None

    def keep(self, credential: Credential) -> None:
        self._files.write_private(credential_path(self._host, credential.origin), credential.dump().decode())

    def forget(self, origin: Origin) -> None:
        self._files.remove(credential_path(self._host, origin))
        self.forget_tools(origin)

    def forget_tools(self, origin: Origin) -> None:
        self._files.remove(tools_path(self._host, origin))

    def keep_tools(self, cache: ToolCache) -> None:
        self._files.write_private(tools_path(self._host, cache.origin), cache.dump().decode())

    def tools(self, origin: Origin) -> ToolCache | str | None:
        """The cached list; a string says why it cannot be used, None: there is none."""
        path = tools_path(self._host, origin)
        try:
            file = self._files.read(path)
            return None if file is None else parse_tool_cache(_bytes(private(file, path)), origin.key)
        except ProtocolError as problem:
            return str(problem) if problem.where == path else f"{path}: {problem}"
        except OSError as problem:
            return f"{path}: {problem.strerror or problem}"

    def policy(self) -> tuple[Policy, str | None]:
        """What is shared, and what is wrong with the file: then it is nothing."""
        try:
            file = self._files.read(POLICY)
            if file is None:
                return DEFAULT_POLICY, None
            if not file.own or (file.mode | file.folder_mode) & OTHERS_WRITE:
                return NOTHING_SHARED, f"{POLICY}: others may write it; nothing is shared"
            return parse_policy(_bytes(file.text)), None
        except ProtocolError as problem:
            return NOTHING_SHARED, f"{POLICY}: {problem}; nothing is shared"
        except OSError as problem:
            return NOTHING_SHARED, f"{POLICY}: {problem.strerror or problem}; nothing is shared"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
