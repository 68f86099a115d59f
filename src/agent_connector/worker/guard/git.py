"""git: the commands that look, and those that change the agent's own clone. Push is never allowed.

Every option is in a table: git takes shortened long options, so that a list of forbidden ones would not do.
"""

from agent_connector.worker.guard import options
from agent_connector.worker.guard.git_table import TABLE
from agent_connector.worker.guard.values import No
from agent_connector.worker.guard.words import UNKNOWN, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.worker.guard.grammar import Judge

PUSH = "nothing leaves the machine by an agent's hand: a person pushes what the run made"
_SETTINGS = ("user.name", "user.email", "color.ui", "core.quotepath", "advice.", "commit.gpgsign", "init.defaultbranch",
             "core.abbrev", "diff.renames", "diff.algorithm", "log.date", "column.ui")  # fmt: skip
_FORCE = "it overwrites without asking"
_WHY: "dict[str, tuple[str, str]]" = {
    **dict.fromkeys(["push", "send-pack", "http-push", "receive-pack", "send-email", "request-pull"], ("git-push", PUSH)),
    **dict.fromkeys(["fetch", "clone", "ls-remote", "submodule", "fetch-pack", "http-fetch", "remote-https", "remote-ext", "daemon", "upload-pack", "archive", "bundle"],
                    ("git-network", "it talks to another repository, or packs this one")),
    **dict.fromkeys(["merge", "pull", "rebase", "merge-tree", "merge-file", "subtree", "octopus"],
                    ("git-merge", "what is merged into what is a person's decision")),
    **dict.fromkeys(["credential", "credential-store", "credential-cache", "credential-manager", "askpass"],
                    ("credential-read", "it gives out, or keeps, passwords")),
    **dict.fromkeys(["hook", "filter-branch", "filter-repo", "difftool", "mergetool", "web--browse", "instaweb", "gui", "citool"],
                    ("git-hooks", "it runs programs that git's settings name")),
    **dict.fromkeys(["gc", "prune", "reflog", "repack", "update-ref", "symbolic-ref", "replace", "fast-import", "pack-refs", "maintenance", "worktree"],
                    ("git-force", "it rewrites what git keeps")),
}  # fmt: skip


# what an option means that is not in the table
_OTHERWISE = {
    "config": ("git-config", "git config changes git's settings, or shows all of them"),
    "clean": ("delete-tree", "git clean deletes every file that git does not know"),
}


def judge(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    """`git ...`: options of git itself, then a command with its own."""
    rest = _own(judge, list(arguments))
    if not rest:
        return
    first, words = rest[0], rest[1:]
    if not first.known:
        raise No("dynamic-command", "which git command it is, is only known when it runs")
    command = first.text
    if command in _WHY and command not in TABLE:
        raise No(*_WHY[command])
    spec = TABLE.get(command)
    if spec is None:
        raise No("git-other", f"`git {command}` is not in the table; it may be an alias")
    _forbidden(command, words)
    try:
        got = options.read(f"git {command}", words, spec)
    except No as no:
        why = _WHY.get(command) or _OTHERWISE.get(command)
        if why and no.verdict.rule == "unknown-option":
            raise No(*why) from None
        raise
    for _, value, use in got.given:
        if value is not None and use == "r" and value.text != "-":
            judge.reads(value)
        if value is not None and use == "w":
            judge.writes(value)
    _SPECIAL.get(command, _any)(judge, command, got)


def _own(judge: "Judge", words: "list[Word]") -> "list[Word]":
    """The options before the command. `-c`, `--exec-path` and the like name programs that git runs."""
    while words and words[0].text[:1] in ("-", UNKNOWN):
        word = words.pop(0)
        if word.text[:1] == UNKNOWN:
            raise No("dynamic-command", "which git command it is, is only known when it runs")
        if word.text in (
            "--no-pager",
            "-P",
            "--no-optional-locks",
            "--literal-pathspecs",
            "--version",
            "-v",
            "--help",
            "-h",
            "--no-replace-objects",
        ):
            continue
        if word.text == "-C" and words:
            folder = words.pop(0)
            if not folder.known:
                raise No("unknown-argument", "in which folder git works is only known when it runs: write it out")
            judge.reads(folder)
            judge.enters(folder)
            continue
        if word.text == "-c" and words and _is_harmless(words[0]):
            words.pop(0)
            continue
        if "push" in (one.text for one in words) or any("push" in one.text for one in words[:1]):
            raise No("git-push", PUSH)
        raise No("git-config", f"git {word.text.replace(UNKNOWN, '?')} changes which programs and files git uses")
    return words


def _is_harmless(setting: Word) -> bool:
    """User, colours and the like; anything else may name a program."""
    key = setting.text.partition("=")[0].lower()
    return setting.known and any(key == one or (one[-1] == "." and key.startswith(one)) for one in _SETTINGS)


def _forbidden(command: str, words: "list[Word]") -> None:
    """Names the rule where an option is known to be forbidden; the table denies it, and shortened ones, anyway."""
    for word in words:
        text = word.text
        if text == "--":
            return
        if command == "clean":
            return
        if text in ("--force", "--force-with-lease", "--force-create", "-D", "--discard-changes") or (
            text[:1] == "-" and text[1:2] not in ("-", "") and text[1:].isalpha() and _force_letter(command, text)
        ):
            raise No(
                "discard" if command in ("checkout", "switch") and text[1:2] == "f" else "git-force",
                f"{text}: {_FORCE}",
            )
        if text in ("--hard", "--keep", "--merge") and command == "reset":
            raise No("discard", f"git reset {text} throws uncommitted work away")
        if text in ("--no-verify", "--no-hooks") or (text == "-n" and command == "commit"):
            raise No("git-hooks", f"{text} leaves out the repository's own checks")
        if text.partition("=")[0] in (
            "--ext-diff",
            "--textconv",
            "--open-files-in-pager",
            "--exec",
            "--receive-pack",
            "--upload-pack",
            "--interactive",
        ):
            raise No("git-hooks", f"{text} runs programs that are named elsewhere")
        if (
            text.partition("=")[0] in ("--edit-description", "--set-upstream-to", "--unset-upstream", "-u")
            and command == "branch"
        ):
            raise No("git-config", f"{text} changes git's settings")


def _force_letter(command: str, text: str) -> bool:
    letters = {"branch": "fDMC", "tag": "f", "checkout": "fB", "switch": "fC", "mv": "f", "rm": "rf"}.get(command, "")
    return any(letter in letters for letter in text[1:])


# ---- commands that need a second look


def _any(judge: "Judge", command: str, got: options.Read) -> None:
    return


def _looks(judge: "Judge", command: str, got: options.Read) -> None:
    """`--no-index` compares any two files."""
    if got.has("--no-index"):
        for word in got.operands:
            judge.reads(word)


def _remote(judge: "Judge", command: str, got: options.Read) -> None:
    if got.operands and got.operands[0].text not in ("get-url", "show"):
        raise No("git-remote", f"git remote {got.operands[0].text} changes where the repository goes")
    if got.operands and got.operands[0].text == "show" and len(got.operands) > 1:
        raise No("git-network", "git remote show asks the other repository")


def _config(judge: "Judge", command: str, got: options.Read) -> None:
    """Only reading one setting that holds no key."""
    asked = [value.text for name, value, _ in got.given if value is not None and name.startswith("--get")]
    words = [word.text for word in got.operands]
    if words[:1] == ["get"]:
        asked, words = words[1:], []
    if len(asked) != 1 or words:
        raise No("git-config", "git config changes git's settings, or shows all of them")
    if any(
        part in asked[0].lower() for part in ("credential", "token", "password", "extraheader", "url", UNKNOWN, "*")
    ):
        raise No("credential-read", f"the setting {asked[0]} may hold a password")


def _stash(judge: "Judge", command: str, got: options.Read) -> None:
    first = got.operands[0].text if got.operands else "push"
    if first not in ("push", "pop", "apply", "list", "show", "save", "branch"):
        raise No("discard", f"git stash {first} throws kept work away")


def _merges(judge: "Judge", command: str, got: options.Read) -> None:
    if not got.given or got.operands:
        raise No(*_WHY[command])


def _clean(judge: "Judge", command: str, got: options.Read) -> None:
    """Only to see what would go."""
    if not got.has("-n", "--dry-run"):
        raise No("delete-tree", "git clean deletes every file that git does not know")


def _listed(judge: "Judge", command: str, got: options.Read) -> None:
    if got.operands[:1] and got.operands[0].text not in ("list", "show"):
        raise No("git-force", f"git {command} {got.operands[0].text} rewrites what git keeps")


def _bisect(judge: "Judge", command: str, got: options.Read) -> None:
    words = [word.text for word in got.operands]
    if words[:1] in (["run"], ["visualize"], ["view"]):
        raise No("wrapper", f"git bisect {words[0]} runs another program")


def _checkout(judge: "Judge", command: str, got: options.Read) -> None:
    """`git checkout .` throws all changes away; of single files that is what `restore` does."""
    if any(word.text.rstrip("/") in (".", ":", "*", ":/") for word in got.operands) and not got.has("--staged", "-S"):
        raise No("discard", f"git {command} of everything throws uncommitted work away: name the files")


def _moves(judge: "Judge", command: str, got: options.Read) -> None:
    for word in got.operands:
        judge.writes(word)


def _removes(judge: "Judge", command: str, got: options.Read) -> None:
    for word in got.operands:
        if word.glob or word.text.rstrip("/") in (".", ""):
            raise No("delete-tree", "git rm of a pattern or of everything: name the files")
        judge.writes(word)


def _notes(judge: "Judge", command: str, got: options.Read) -> None:
    if got.operands[:1] and got.operands[0].text not in ("list", "show", "add", "append"):
        raise No("git-force", f"git notes {got.operands[0].text} is not in the table")


def _adds(judge: "Judge", command: str, got: options.Read) -> None:
    for word in got.operands:
        if not word.glob:
            judge.reads(word)


_SPECIAL = {
    "diff": _looks, "grep": _looks, "remote": _remote, "config": _config, "stash": _stash, "merge": _merges, "rebase": _merges,
    "clean": _clean, "reflog": _listed, "worktree": _listed, "bisect": _bisect, "checkout": _checkout, "restore": _checkout,
    "mv": _moves, "rm": _removes, "notes": _notes, "add": _adds, "apply": _adds,
}  # fmt: skip
