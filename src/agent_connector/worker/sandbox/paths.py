"""Which paths a run may be given, and which the worker itself may touch for it. Links are always resolved.

A folder with keys is refused as workspace, readable or writable folder whatever the configuration says, and so is one
that holds such a folder.
"""

import os
from collections.abc import Iterable, Mapping

from agent_connector.errors import SandboxError
from agent_connector.home.system import person_home
from agent_connector.worker import places
from agent_connector.worker.sandbox.policy import Policy

# Below the person's home, beside those that the worker's own folders must stay clear of: where keys and logins lie.
KEYS = (
    ".azure",
    ".bitcoin",
    ".boto",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".composer/auth.json",
    ".config/anthropic",
    ".config/doctl",
    ".config/git/credentials",
    ".config/glab-cli",
    ".config/goose",
    ".config/hub",
    ".config/op",
    ".config/rclone",
    ".config/sops",
    ".copilot",
    ".cursor",
    ".databrickscfg",
    ".electrum",
    ".factory",
    ".fly",
    ".gem/credentials",
    ".gemini",
    ".git-credentials",
    ".gradle/gradle.properties",
    ".huggingface",
    ".cache/huggingface/token",
    ".kaggle",
    ".local/share/amp",
    ".local/share/keyrings",
    ".local/share/opencode",
    ".m2/settings.xml",
    ".mozilla",
    ".my.cnf",
    ".netlify",
    ".netrc",
    ".npmrc",
    ".password-store",
    ".pgpass",
    ".pi",
    ".pypirc",
    ".qwen",
    ".terraform.d",
    ".vault-token",
    ".wrangler",
    ".yarnrc.yml",
    "Library/Keychains",
    "AppData/Roaming/gcloud",
    "AppData/Roaming/GitHub CLI",
    "AppData/Roaming/Microsoft/Credentials",
)
# Variables that move such a folder or file.
MOVED = (
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "AZURE_CONFIG_DIR",
    "CLAUDE_CONFIG_DIR",
    "CLOUDSDK_CONFIG",
    "CODEX_HOME",
    "DOCKER_CONFIG",
    "GEMINI_CLI_HOME",
    "GH_CONFIG_DIR",
    "GNUPGHOME",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "KUBECONFIG",
    "NETRC",
    "NPM_CONFIG_USERCONFIG",
    "PGPASSFILE",
)
# Hosts install their program into their folder of logins; the program may be read.
PROGRAMS = (".claude/local", ".codex/packages", ".cursor/bin", ".factory/bin", ".gemini/bin", ".qwen/bin")


def credentials(variables: Mapping[str, str], home: str) -> tuple[str, ...]:
    """Every folder and file with keys in it, whether it is there or not."""
    below = (os.path.join(home, *name.split("/")) for name in KEYS)
    moved = (part for name in MOVED for part in variables.get(name, "").split(os.pathsep) if os.path.isabs(part))
    return tuple(dict.fromkeys((*places.secret_folders(variables, home), *below, *moved)))


def check(policy: Policy, variables: Mapping[str, str] | None = None, home: str | None = None) -> None:
    """SandboxError when the policy would show keys. The run's private home is ours: it may lie in a folder of ours."""
    home = home or person_home()
    keys = credentials(os.environ if variables is None else variables, home)
    programs = tuple(os.path.join(home, *name.split("/")) for name in PROGRAMS)
    for word, paths in (
        ("workspace", (policy.workspace,)),
        ("writable", policy.writable),
        ("readable", policy.readable),
    ):
        for path in paths:
            if word == "readable" and any(places.within(path, one) for one in programs):
                continue
            _refuse(places.clash(path, keys), word, path)
    _refuse(next((one for one in keys if places.within(one, policy.home)), None), "home", policy.home)
    for path in policy.shown:
        if places.within(home, path):
            raise SandboxError(
                f"{path} holds the person's home", where="sandbox", remedy="name the folders in it instead"
            )


def _refuse(key: str | None, word: str, path: str) -> None:
    if key is not None:
        remedy = "choose a folder that neither holds keys nor lies among them"
        raise SandboxError(f"{path} cannot be {word} in a sandbox: keys lie in {key}", where="sandbox", remedy=remedy)


def allowed(path: str, policy: Policy, *, write: bool = False, keys: Iterable[str] | None = None) -> str:
    """`path` without links, when the worker may touch it for a run with `policy`; else SandboxError.

    It is right as long as nobody swaps a link in meanwhile: touch a run's folders while nothing of the run lives.
    """
    real = os.path.realpath(path)
    if not any(places.within(real, folder) for folder in (policy.changeable if write else policy.shown)):
        raise SandboxError(f"{path} leads out of the run's folders, to {real}", where="sandbox")
    keys = credentials(os.environ, person_home()) if keys is None else keys
    cut = next((one for one in (*policy.hidden, *keys) if places.within(real, one)), None)
    if cut is not None and not places.within(policy.home, cut):
        raise SandboxError(f"{path} leads to {cut}, which no run may see", where="sandbox")
    return real
