"""Tools of developers: tests, linters, builds and package managers. What publishes is denied by its own name."""

from agent_connector.worker.guard.values import No
from agent_connector.worker.guard.words import UNKNOWN, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.worker.guard.grammar import Judge

PUBLISH = "it publishes what was made, or changes what others use: that is a person's deed"
# They run the project's own code or look at it; options do nothing that the project could not.
TABLE = {
    **dict.fromkeys(
        [
            "pytest",
            "py.test",
            "mypy",
            "ruff",
            "black",
            "isort",
            "flake8",
            "pylint",
            "pyright",
            "bandit",
            "vulture",
            "pyupgrade",
            "autopep8",
        ],
        ("*", "project"),
    ),
    **dict.fromkeys(
        [
            "eslint",
            "prettier",
            "tsc",
            "jest",
            "vitest",
            "mocha",
            "ava",
            "stylelint",
            "rollup",
            "esbuild",
            "vite",
            "webpack",
            "biome",
        ],
        ("*", "project"),
    ),
    **dict.fromkeys(
        [
            "rustc",
            "rustfmt",
            "gofmt",
            "golangci-lint",
            "javac",
            "kotlinc",
            "swiftc",
            "clang-format",
            "clang-tidy",
            "cppcheck",
        ],
        ("*", "project"),
    ),
    **dict.fromkeys(
        [
            "tox",
            "shellcheck",
            "shfmt",
            "hadolint",
            "yamllint",
            "markdownlint",
            "rspec",
            "rubocop",
            "phpunit",
            "ctest",
            "ninja",
        ],
        ("*", "project"),
    ),
    **dict.fromkeys(
        ["strip", "ar", "ranlib", "pkg-config", "protoc", "flex", "bison", "sphinx-build"], ("*", "project")
    ),
}
_MAKES = ("--eval", "-E", "--file", "--makefile", "-f", "-C", "--directory", "-I", "--include-dir")
_COMPILERS = ("gcc", "g++", "cc", "c++", "clang", "clang++")
# program -> commands of it that are allowed; "!": they run a program, which is judged
_COMMANDS: "dict[str, dict[str, str]]" = {
    "npm": dict.fromkeys(["test", "t", "tst", "run", "run-script", "ci", "install", "i", "ls", "list", "outdated", "view", "why", "explain", "audit", "start", "prune", "dedupe", "pack", "version", "help", "root"], "")
    | {"exec": "!", "x": "!"},
    "pnpm": dict.fromkeys(["test", "t", "run", "install", "i", "add", "remove", "ls", "list", "outdated", "why", "audit", "start", "build", "lint", "dev", "typecheck"], "") | {"exec": "!"},
    "yarn": dict.fromkeys(["test", "run", "install", "add", "remove", "list", "why", "outdated", "build", "lint", "start", "dev", "typecheck", "format", "workspaces"], ""),
    "cargo": dict.fromkeys(["build", "b", "test", "t", "check", "c", "run", "r", "clippy", "fmt", "doc", "bench", "add", "remove", "update", "tree", "metadata", "new", "init", "fetch", "clean", "version", "search", "nextest"], ""),
    "go": dict.fromkeys(["build", "test", "vet", "run", "fmt", "mod", "list", "doc", "version", "generate", "fix", "tool", "work"], ""),
    "uv": dict.fromkeys(["sync", "add", "remove", "lock", "tree", "venv", "pip", "export", "version", "help", "python", "build", "init"], "") | {"run": "!"},
    "poetry": dict.fromkeys(["install", "add", "remove", "lock", "show", "check", "build", "env", "version", "update", "init"], "") | {"run": "!"},
    "pipenv": dict.fromkeys(["install", "sync", "lock", "graph", "check"], "") | {"run": "!"},
    "pdm": dict.fromkeys(["install", "add", "remove", "lock", "list", "sync", "build"], "") | {"run": "!"},
    "hatch": dict.fromkeys(["build", "test", "env", "fmt", "version"], "") | {"run": "!"},
    **dict.fromkeys(("pip", "pip3"), dict.fromkeys(["install", "list", "show", "freeze", "check", "download", "wheel", "index", "debug", "help", "uninstall"], "")),
    "bundle": dict.fromkeys(["install", "check", "list", "outdated", "update", "show"], "") | {"exec": "!"},
    "dotnet": dict.fromkeys(["build", "test", "run", "restore", "format", "clean", "list", "add", "new"], ""),
    "swift": dict.fromkeys(["build", "test", "run"], ""),
    "mix": dict.fromkeys(["test", "compile", "deps.get", "format", "credo", "dialyzer"], ""),
    "composer": dict.fromkeys(["install", "update", "test", "show", "validate", "dump-autoload"], ""),
    "rustup": dict.fromkeys(["show", "which"], ""),
    "pre-commit": dict.fromkeys(["run", "validate-config"], ""),
    "coverage": dict.fromkeys(["report", "html", "xml", "json", "combine", "erase"], "") | {"run": "python"},
    "mkdocs": dict.fromkeys(["build"], ""),
    "alembic": dict.fromkeys(["history", "current", "heads", "check"], ""),
}  # fmt: skip
_PUBLISHES = {
    "npm": "publish unpublish deprecate dist-tag owner adduser login logout token access team star org",
    "pnpm": "publish", "yarn": "publish npm login", "cargo": "publish yank owner login logout", "uv": "publish auth",
    "poetry": "publish", "pdm": "publish", "hatch": "publish", "dotnet": "nuget", "swift": "package-registry", "mix": "hex.publish",
    "mkdocs": "gh-deploy", "gh": "release pr repo api secret auth workflow gist ssh-key gpg-key", "glab": "release mr api auth",
    "lerna": "publish", "changeset": "publish", "flit": "publish", "bump2version": "", "jsr": "publish",
}  # fmt: skip
# An option of theirs that names a program to run, or another place to install from or to.
_REFUSED = {
    "cargo": ("--config", "-Z"),
    "go": ("-toolexec", "-exec", "-overlay", "-ldflags=-extld"),
    "npm": ("--script-shell", "--registry", "--userconfig", "--globalconfig", "-g", "--global"),
    "pip": ("--index-url", "-i", "--extra-index-url", "--target", "-t", "--prefix", "--root"),
    "pip3": ("--index-url", "-i", "--extra-index-url", "--target", "-t", "--prefix", "--root"),
    "pnpm": ("--script-shell", "-g", "--global"),
    "uv": ("--index-url", "--default-index", "--token"),
}
_NPX = frozenset(
    [
        "tsc",
        "eslint",
        "prettier",
        "jest",
        "vitest",
        "mocha",
        "ava",
        "stylelint",
        "rollup",
        "esbuild",
        "vite",
        "webpack",
        "biome",
        "tsx",
        "playwright",
        "cypress",
        "nyc",
        "c8",
    ]
)


def _commanded(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    """`npm test`: the first word that is no option is the command."""
    words = list(arguments)
    told = next((word.text for word in words if word.text[:1] != "-"), "")
    if told in _PUBLISHES.get(name, "").split():
        raise No("publish", PUBLISH)
    for word in words:
        bad = next((one for one in _REFUSED.get(name, ()) if word.text == one or word.text.startswith(one + "=")), None)
        if bad:
            raise No("unknown-option", f"{name} {bad} may run another program, or reach another place")
    while words and words[0].text[:1] in ("-", "+"):
        option = words.pop(0)
        if (
            option.text in ("-C", "--prefix", "--directory", "--project", "--manifest-path", "--cwd", "-p", "--package")
            and words
        ):
            judge.reads(words.pop(0))
    if not words:
        return
    first = words.pop(0)
    if not first.known:
        raise No("dynamic-command", f"which command of {name} it is, is only known when it runs")
    if first.text in _PUBLISHES.get(name, "").split():
        raise No("publish", PUBLISH)
    how = _COMMANDS.get(name, {}).get(first.text)
    if how is None:
        if (
            name in ("yarn", "pnpm")
            and first.text.replace(":", "").replace("-", "").isalnum()
            and first.text not in ("dlx", "exec", "config", "node")
        ):
            how = ""  # a script of the project's package file
        else:
            raise No("unknown-program", f"{name} {first.text} is not in the table")
    if how == "":
        _project(judge, name, first.text, words)
    elif how == "python":
        judge.command([Word("python3"), *words], piped)
    else:
        _inner(judge, name, words, piped)


def _project(judge: "Judge", name: str, command: str, words: "list[Word]") -> None:
    """What a tool of the project is told: paths among it are ones that may be read. Names of publishing scripts are not run."""
    script = words[0].text if command in ("run", "run-script") and words else command
    if any(part in ("publish", "release", "deploy", "push", "upload") for part in script.split(":")):
        raise No("publish", PUBLISH)
    if name == "go" and any("@" in word.text for word in words):
        raise No("unknown-program", "go would download a program and run it")
    if (
        name in ("uv", "go")
        and command in ("pip", "python", "tool", "env")
        and any(word.text in ("publish", "-w") for word in words)
    ):
        raise No("publish", PUBLISH)
    for word in words:
        if word.known and word.text[:1] in ("/", "~"):
            judge.reads(word)


def _inner(judge: "Judge", name: str, words: "list[Word]", piped: bool) -> None:
    """`uv run [options] program`"""
    while words and words[0].text[:1] == "-":
        option = words.pop(0).text
        if option in ("-c", "--call", "-m", "--module", "--with-editable", "--env-file", "-s", "--script"):
            raise No("inline-code", f"{name} {option} runs what is no file of the workspace")
        if option in ("--with", "--extra", "--group", "--python", "-p", "--package", "--only-group") and words:
            words.pop(0)
    if words:
        if words[0].known and words[0].text.endswith(".py"):
            words = [Word("python3"), *words]
        if name in ("npm", "pnpm") and words[0].text not in _NPX:
            raise No("unknown-program", f"{name} would download {words[0].text} and run it")
        judge.command(words, piped)


def _npx(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    words = list(arguments)
    while words and words[0].text in ("--no-install", "--no", "-y", "--yes", "--"):
        words.pop(0)
    if not words or words[0].text not in _NPX or not words[0].known:
        raise No(
            "unknown-program",
            f"{name} downloads a program and runs it: only known tools of developers are in the table",
        )
    for word in words[1:]:
        if word.known and word.text[:1] in ("/", "~"):
            judge.reads(word)


def _make(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    """Targets of the project's own file. Variables on the command line could name programs."""
    words = list(arguments)
    while words:
        word = words.pop(0)
        text = word.text
        if text[:2] == "-j":
            continue
        if text[:1] == UNKNOWN or word.split:
            raise No("unknown-argument", f"what {name} makes is only known when it runs")
        option = text.partition("=")[0]
        if name == "just" and text[:1] == "-":
            raise No("unknown-option", f"just {option} is not in the table")
        if "$(" in text or "`" in text or "${" in text or option[-1:] == "!":
            raise No("inline-code", f"{name} runs what stands in {text}")
        if option == "--eval" or text[:2] == "-E" or option == "--environment-overrides" or text in ("-e",):
            raise No("inline-code", f"{name} {option} runs a text")
        if option in _MAKES or (text[:2] in ("-f", "-C", "-I") and text[:2] != "--"):
            value = (
                Word(text.partition("=")[2])
                if "=" in text
                else Word(text[2:])
                if len(text) > 2 and text[1] != "-"
                else words.pop(0)
                if words
                else Word("")
            )
            if value.text in ("-", "") or value.text[:5] == "/dev/":
                raise No("pipe-to-shell", f"{name} that reads its rules from a pipe runs what nobody has looked at")
            judge.runs(value)
            if any(value.text and path.endswith("/" + value.text) for path in judge.written):
                raise No("script", f"{value.text} is written by the very command that runs it")
        elif text[:1] != "-" and "=" in text:
            variable = text.partition("=")[0].rstrip(":+?")
            if (
                variable in ("SHELL", ".SHELLFLAGS", "MAKEFLAGS", "MAKE", "PATH", "CC", "CXX", "LD", "AR")
                or variable[:4] == "GIT_"
            ):
                raise No("variable", f"{variable} names a program that {name} runs")
        elif text.partition(":")[0] in ("publish", "release", "deploy", "push", "upload"):
            raise No("publish", PUBLISH)
    if any(path.rpartition("/")[2].lower() in ("makefile", "gnumakefile", "justfile") for path in judge.written):
        raise No("script", "its rules are written by the very command that runs them")


def _compiler(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    words = list(arguments)
    while words:
        word = words.pop(0)
        if word.text[:1] == "@" or word.text.startswith(
            ("-wrapper", "-fplugin", "-specs", "-B", "--specs", "-Wl,-plugin")
        ):
            raise No("inline-code", f"{name} {word.text} runs another program")
        if word.text == "-o" and words:
            judge.writes(words.pop(0))
        elif word.text[:2] == "-o":
            judge.writes(Word(word.text[2:]))
        elif word.text[:1] != "-":
            judge.reads(word)


def _cmake(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    for word in arguments:
        if word.text in ("-E", "-P", "-C"):
            raise No("inline-code", f"{name} {word.text} runs a script")
        if word.text[:1] not in ("-", "") and "/" in word.text:
            judge.reads(word)


def java_build(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    for word in arguments:
        if any(
            part.startswith(("publish", "deploy", "release", "upload", "artifactory")) for part in word.text.split(":")
        ):
            raise No("publish", PUBLISH)
        if word.text in ("-I", "--init-script", "-b", "-s", "--settings", "-gs") or word.text.startswith(
            ("-Dexec.", "exec:")
        ):
            raise No("inline-code", f"{name} {word.text} runs what is named elsewhere")
        if not word.known:
            raise No("unknown-argument", f"what {name} makes is only known when it runs")


def _publisher(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    """Programs that mostly publish; what they only look at needs the network."""
    first = next((word.text for word in arguments if word.text[:1] != "-"), "")
    second = [word.text for word in arguments if word.text[:1] != "-"][1:2]
    if first in _PUBLISHES.get(name, "").split() and second not in (
        ["view"],
        ["list"],
        ["diff"],
        ["status"],
        ["checks"],
    ):
        raise No("publish", PUBLISH)
    raise No("network", f"{name} asks a server with a person's login")


_MAKERS = ("make", "gmake", "just")
SPECIAL = {
    **dict.fromkeys(_COMMANDS, _commanded),
    **dict.fromkeys(_MAKERS, _make),
    **dict.fromkeys(_COMPILERS, _compiler),
    **dict.fromkeys(("npx", "bunx", "pnpx"), _npx),
    **dict.fromkeys(("gradle", "mvn", "mvnw", "sbt", "rake"), java_build),
    **dict.fromkeys(("gh", "glab", "lerna", "changeset", "flit", "jsr"), _publisher),
    "cmake": _cmake,
}
