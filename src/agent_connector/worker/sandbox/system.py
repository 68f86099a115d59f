"""The parts of a Linux system that every program needs, and that hold nothing of a person's. Read-only in every run."""

import os
import sys

FOLDERS = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
)
# Of /etc only what names people, hosts, certificates and locales. Tokens lie in the rest: npmrc, pip.conf, ssh, shadow.
ETC = (
    "alternatives",
    "bash.bashrc",
    "bash_completion.d",
    "ca-certificates",
    "ca-certificates.conf",
    "crypto-policies",
    "debian_version",
    "default/locale",
    "fonts",
    "gai.conf",
    "group",
    "host.conf",
    "hostname",
    "hosts",
    "inputrc",
    "java-11-openjdk",
    "java-17-openjdk",
    "java-21-openjdk",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "locale.alias",
    "locale.conf",
    "localtime",
    "lsb-release",
    "machine-id",
    "magic",
    "manpath.config",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "passwd",
    "perl",
    "pki/ca-trust",
    "pki/tls/certs",
    "pki/tls/cert.pem",
    "profile",
    "profile.d",
    "protocols",
    "python3",
    "resolv.conf",
    "rpc",
    "services",
    "shells",
    "ssl/cert.pem",
    "ssl/certs",
    "ssl/openssl.cnf",
    "terminfo",
    "timezone",
    "xdg",
)
_ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def etc() -> tuple[str, ...]:
    """What of ETC this machine has."""
    return tuple(path for path in (os.path.join("/etc", name) for name in ETC) if os.path.exists(path))


def python() -> str:
    """The interpreter for the helpers that run inside: the base of ours, which needs no environment."""
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))


def helper(module: str) -> tuple[str, ...]:
    """The start of a command that runs `main` of one of our modules, compiled once; standard library otherwise."""
    start = "import sys; sys.path.insert(0, sys.argv.pop(1)); from agent_connector.worker.sandbox.{0} import main; main(sys.argv[1:])"
    return (python(), "-I", "-S", "-c", start.format(module), _ROOT)


def python_folders() -> tuple[str, ...]:
    """What has to be readable for `python` to start, beyond FOLDERS."""
    folder = os.path.realpath(sys.base_prefix)
    return () if inside(folder, FOLDERS) else (folder,)


def inside(path: str, folders: "tuple[str, ...]") -> bool:
    """Is `path`, as it is written, one of `folders` or below one?"""
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)
