"""Which files may be read and which may be written. Over texts; links are followed where the caller gives a way to."""

import os

from agent_connector.worker.guard.values import No, Rules
from agent_connector.worker.guard.words import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# A part of a path by which it holds keys; `*` at an end stands for any rest.
SECRETS = (
    ".ssh", ".aws", ".azure", ".gnupg", ".kube", ".docker", ".netrc", "_netrc", ".pgpass", ".my.cnf", ".npmrc", ".pypirc",
    ".git-credentials", "git-credentials", ".gitcookies", ".env", ".env.local", ".env.production", ".env.development",
    ".envrc", ".htpasswd", ".vault-token", ".boto", ".s3cfg", ".gem", ".credentials*", "credentials*", ".byoa", ".appsuite",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.pem", "*.key", "*.p12", "*.pfx", "*.keystore", "*.kdbx", "auth.json",
    "oauth_creds*", "service-account*", "application_default_credentials*", "hosts.yml", "shadow", "shadow-", "gshadow",
    "sudoers*", "ssh_host_*", ".bash_history", ".zsh_history", ".python_history", ".node_repl_history",
)  # fmt: skip
SPARED = (
    ".py",
    ".js",
    ".ts",
    ".go",
    ".rs",
    ".java",
    ".rb",
    ".md",
    ".rst",
    ".html",
    ".css",
    ".c",
    ".h",
    ".cs",
    ".kt",
    ".swift",
)
SECRET_PATHS = ("/.config/gh", "/.config/gcloud", "/.config/git", "/.agent-connector/worker", "/.cargo/credentials")
SYSTEM = (
    "/usr",
    "/etc",
    "/opt",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix",
    "/System",
    "/Library",
    "/var/lib",
    "/run/systemd/resolve",
)
PROGRAMS = (
    "/bin",
    "/sbin",
    "/usr/bin",
    "/usr/sbin",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/usr/libexec",
    "/usr/lib/git-core",
)
FILES = ("/dev/null", "/dev/stdin", "/dev/zero", "/dev/urandom", "/dev/random", "/proc/cpuinfo", "/proc/meminfo",
         "/proc/version", "/proc/loadavg", "/proc/uptime", "/proc/filesystems")  # fmt: skip
WRITABLE = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty")
SHELL_FILES = (
    ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
    ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login", ".inputrc", ".gitconfig", "config.fish", "activate", ".envrc", ".pam_environment",
)  # fmt: skip
_NO_GIT = "what stands in .git is git's own: its hooks and settings run programs"


def absolute(text: str, cwd: str) -> str:
    """The path, `.` and `..` taken out. A pattern stays one."""
    return os.path.normpath(os.path.join(cwd, text))


def readable(text: str, cwds: "Iterable[str]", rules: Rules) -> None:
    """Raises No when `text`, a path as it was written, may not be read from one of `cwds`."""
    _known(text)
    for path, real in _paths(text, cwds, rules):
        _secret(path, rules)
        _secret(real, rules)
        if path in FILES or path[:8] == "/dev/fd/" or _within(real, (rules.workspace, *rules.temporary)):
            continue
        if not _within(real, SYSTEM) or _within(real, PROGRAMS):
            raise No("outside-read", f"{path} is neither in the workspace nor one of the system's files")


def writable(text: str, cwds: "Iterable[str]", rules: Rules, *, into: bool = False) -> None:
    """The same for what is written, made, moved or removed; `into`: a folder that only gets something more."""
    _known(text)
    folders = (rules.workspace, *rules.temporary)
    for path, real in _paths(text, cwds, rules):
        if path in WRITABLE or path[:8] == "/dev/fd/":
            continue
        _kept(path, rules)
        _kept(real, rules)
        if not _within(real, folders):
            raise No("outside-write", f"{path} is outside the workspace")
        if real in folders and not into:
            raise No("outside-write", f"{path} itself stays as it is")
        if real not in folders and any(_within(kept, (real,)) for kept in rules.protected) and not into:
            raise No("write-host-config", f"{path} holds an agent host's configuration")


def inside(text: str, cwds: "Iterable[str]", rules: Rules) -> None:
    """Raises No when `text` leads out of the run's own folders."""
    for path, real in _paths(text, cwds, rules):
        if not _within(real, (rules.workspace, *rules.temporary)):
            raise No("outside-write", f"{path} is outside the workspace")


def executable(text: str, cwds: "Iterable[str]", rules: Rules) -> list[str]:
    """The files that a command with a `/` in its name may be; each is in the workspace, whatever links say."""
    _known(text)
    found: list[str] = []
    for path, real in _paths(text, cwds, rules):
        if not _within(real, (rules.workspace,)) or "/.git/" in real:
            raise No("unknown-program", f"{path} is not in the workspace, and not in the table of programs")
        found += [one for one in (path, real) if one not in found]
    return found


def _known(text: str) -> None:
    if UNKNOWN in text:
        raise No("unknown-argument", "which file it is about is only known when it runs: write the path out")


def _paths(text: str, cwds: "Iterable[str]", rules: Rules) -> "Iterable[tuple[str, str]]":
    """As it is written, and where links lead."""
    for cwd in cwds:
        path = absolute(text, cwd)
        yield path, rules.real(path)


def _secret(path: str, rules: Rules) -> None:
    if _within(path, rules.secret):
        raise No("credential-read", f"{path} is the worker's own")
    folded = path.lower()
    if (folded[:6] == "/proc/" and folded not in FILES) or folded[:9] == "/dev/tcp/" or folded[:9] == "/dev/udp/":
        raise No("credential-read", f"{path} shows what other programs hold, or reaches the network")
    parts = folded.split("/")
    for part in parts:
        pattern = next((one for one in SECRETS if part and _matches(part, one)), None)
        if pattern and not (pattern.strip("*.") in ("credentials", "service-account") and part.endswith(SPARED)):
            raise No("credential-read", f"{path} is where keys or passwords are kept")
    if any(place in folded for place in SECRET_PATHS):
        raise No("credential-read", f"{path} is where keys or passwords are kept")


def _matches(part: str, secret: str) -> bool:
    """Could the part, which may be a pattern itself, be that name? A pattern that begins with `*` meets no dot files."""
    if any(mark in part for mark in "*?["):
        if secret[:1] == "." and part[:1] in "*?":
            return False
        if secret[:1] == "*":
            return part.endswith(secret[1:])
        fixed = part[: min(at for at in (part.find("*"), part.find("?"), part.find("[")) if at >= 0)]
        name = secret.strip("*")
        return len(fixed) > 0 and (name.startswith(fixed) or (fixed.startswith(name) and secret[-1:] == "*"))
    if secret[:1] == "*":
        return part.endswith(secret[1:]) and part != secret[1:]
    if secret[-1:] == "*":
        return part.startswith(secret[:-1])
    return part == secret


def _kept(path: str, rules: Rules) -> None:
    """Raises No for what nobody may write, in the workspace too."""
    parts = path.lower().split("/")
    if ".git" in parts or any(part[:2] == ".g" and "*" in part for part in parts):
        raise No("write-git", f"{path}: {_NO_GIT}")
    if parts[-1] in SHELL_FILES:
        raise No("write-shell-files", f"{path} is read by a shell or by git at its start")
    for kept in (*rules.protected, *rules.secret):
        if _within(path, (kept,)):
            raise No("write-host-config", f"{path} belongs to an agent host's configuration, or to the guard")
    if any(part in (".ssh", ".gnupg", ".agent-connector") for part in parts):
        raise No("outside-write", f"{path} is not the workspace's")


def _within(path: str, folders: "Iterable[str]") -> bool:
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)
