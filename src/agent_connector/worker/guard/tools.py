"""Is a tool call of an agent allowed? By the canonical name of the host's tool, or by its own where the table has that.

judge(host, tool, arguments, rules)              a tool of the host itself, under its own or its canonical name
judge(host, tool, arguments, rules, server="x")  a tool of an MCP server

It never raises; a tool that is in no table is denied.
"""

from agent_connector.hosts.dialects.values import mapping
from agent_connector.worker.guard import network, paths
from agent_connector.worker.guard.values import No, Rules, Verdict, allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    Arguments = Mapping[str, Any]

# Tools that neither touch files nor run anything: they think, plan, ask, wait, or call other tools, which are judged.
_HARMLESS = (
    "Agent Todo Skill Ask ToolSearch",
    # Claude Code
    "TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop BashOutput KillShell KillBash EnterPlanMode ExitPlanMode",
    "AskUserQuestion StructuredOutput SendMessage LSP ListMcpResourcesTool",
    # Codex
    "update_plan wait_agent close_agent send_input resume_agent multi_agent_v1wait_agent multi_agent_v1close_agent",
    "request_user_input spawn_agent",
    # Gemini CLI, Qwen Code
    "enter_plan_mode exit_plan_mode update_topic complete_task save_memory tool_search task_stop send_message todo_write",
    "list_background_processes read_background_output",
    # Copilot CLI
    "report_intent read_bash stop_bash list_bash store_memory read_agent list_agents update_todo",
    # OpenCode, Droid, Kimi, Pi and others
    "todoread plan_exit invalid ExitSpecMode SetTodoList Think WaitFor CreateGoal UpdateGoal GetGoal SetGoalBudget AgentSwarm",
)
HARMLESS = frozenset(name for names in _HARMLESS for name in names.split())
# Tools that are in no host's table of canonical names, as what they are.
ALSO = {
    "view_image": "Read",
    "ReadMediaFile": "Read",
    "show_file": "Read",
    "Monitor": "Bash",
    "monitor": "Bash",
    "exec_command": "Bash",
    "shell": "Bash",
    "local_shell": "Bash",
    "list_dir": "List",
}
# What is denied by name, with a reason that says more than "not in the table".
DENIED = {
    "write_stdin": ("pipe-to-shell", "what a running program is told cannot be judged"),
    "write_bash": ("pipe-to-shell", "what a running program is told cannot be judged"),
    "CronCreate": ("schedule", "it starts something that goes on after the run"),
    "ScheduleWakeup": ("schedule", "it starts something that goes on after the run"),
    "RemoteTrigger": ("schedule", "it starts something on another machine"),
    "EnterWorktree": ("git-force", "it makes another working folder of the repository"),
    "slack_post_message": ("network", "it sends what the agent says to other people"),
}
_PATHS = (
    "file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file", "filename", "file", "filepath",
    "target_directory", "dir_path", "directory", "paths", "file_paths", "files", "relative_path", "AbsolutePath", "TargetFile",
)  # fmt: skip
_COMMANDS = ("command", "cmd", "script", "CommandLine", "commands")
_FOLDERS = ("workdir", "cwd", "dir_path", "directory", "working_directory", "Cwd")
_PATCHES = ("patch", "input", "patchText", "command", "diff")
_PATCH_LINES = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")
_WINDOWS = ("powershell", "pwsh", "cmd")
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _./:=,-")
_MOST = 2_000  # paths of one call


def judge(host: str, tool: str, arguments: "Arguments", rules: Rules, server: "str | None" = None) -> Verdict:
    """The verdict on one call."""
    try:
        if server is not None:
            _server(server, rules)
        else:
            _own(host, tool, arguments, rules)
    except No as no:
        return no.verdict
    except (RecursionError, TypeError, ValueError, AttributeError) as error:
        return Verdict(False, "guard", f"the call cannot be judged: {error}")
    return allowed()


def is_harmless(host: str, tool: str) -> bool:
    """Whatever it is called with."""
    return _canonical(host, tool) in HARMLESS


def holds_command(arguments: "Arguments") -> bool:
    return any(name in arguments for name in _COMMANDS)


def shown(tool: str, arguments: "Arguments | None") -> str:
    """What a person is shown of the call: the command, the file, or the tool's name."""
    for name in (*_COMMANDS, *_PATHS, "url", "prompt"):
        value = (arguments or {}).get(name)
        if name in _COMMANDS and isinstance(value, list):
            value = ("; " if name == "commands" else " ").join(_texts(value))
        if isinstance(value, str) and value:
            return value if name in _COMMANDS else f"{tool} {value}"
    return tool


def _server(server: str, rules: Rules) -> None:
    if server not in rules.servers:
        raise No("unknown-server", f"the MCP server {server!r} was not configured by the worker")


def _own(host: str, tool: str, arguments: "Arguments", rules: Rules) -> None:
    canonical = _canonical(host, tool)
    if tool in DENIED:
        raise No(*DENIED[tool])
    judging = _JUDGES.get(canonical)
    if judging is not None:
        judging(tool, arguments, rules)
    elif canonical not in HARMLESS:
        raise No("unknown-tool", f"{tool} is not in the table of tools")


def _canonical(host: str, tool: str) -> str:
    hooks = __import__(f"agent_connector.hosts.{host.replace('-', '_')}.hooks", fromlist=["TOOLS"])
    return hooks.TOOLS.get(tool) or ALSO.get(tool, tool)


# ---- one kind of tool each


def _bash(tool: str, arguments: "Arguments", rules: Rules) -> None:
    commands = list(_commands(arguments))
    if not commands:
        raise No("unknown-argument", f"{tool} without a command is not in the table")
    from agent_connector.worker.guard import grammar

    folder = next(
        (arguments[name] for name in _FOLDERS if isinstance(arguments.get(name), str) and arguments[name]), None
    )
    if folder is not None:
        paths.readable(folder, (rules.cwd,), rules)
        rules = rules.at(paths.absolute(folder, rules.cwd))
    for command in commands:
        is_windows = isinstance(command, str) and (rules.windows or tool.lower() in _WINDOWS)
        if is_windows and not set(command) <= _PLAIN:
            raise No(
                "windows-shell",
                "the language of PowerShell and cmd is not judged: only a plain program with plain words is",
            )
        verdict = grammar.judge(command, rules) if isinstance(command, str) else grammar.judge_words(command, rules)
        if not verdict.allowed:
            raise No(verdict.rule, verdict.reason)


def _commands(arguments: "Arguments") -> "Iterator[str | list[str]]":
    """A text for a shell, or a list of words, or several of them (`commands`)."""
    for name in _COMMANDS:
        value = arguments.get(name)
        if isinstance(value, str) and value.strip():
            yield value
        elif isinstance(value, list) and value:
            if name == "commands":
                for one in _list(value):
                    yield from _commands(mapping(one) or {"command": one})
            else:
                yield [str(word) for word in _list(value)]


def _write(tool: str, arguments: "Arguments", rules: Rules) -> None:
    found = list(_files(arguments))
    if not found:
        raise No("unknown-argument", f"{tool}: which file it changes cannot be seen")
    for path in found:
        _plain(path)
        paths.writable(path, (rules.cwd,), rules)


def _read(tool: str, arguments: "Arguments", rules: Rules) -> None:
    """Without a path it is the workspace that is searched."""
    for path in _files(arguments, patches=False):
        _plain(path)
        paths.readable(path, (rules.cwd,), rules)
    pattern = arguments.get("pattern") or arguments.get("glob_pattern")
    if tool.lower() in ("glob", "find", "file_search") and isinstance(pattern, str) and pattern[:1] in ("/", "~", "."):
        paths.readable(pattern.partition("*")[0] or "/", (rules.cwd,), rules)


def _plain(path: str) -> None:
    if path[:1] == "~":
        raise No("outside-read", f"{path} is a person's home")
    if path[:5] == "file:" or "://" in path or "\0" in path:
        raise No("unknown-argument", f"{path} is no plain path")


def _files(arguments: "Arguments", patches: bool = True) -> "Iterator[str]":
    """Every path in the arguments: by the names that tools use, in lists of edits, and in the head lines of a patch."""
    count = 0
    for name, value in arguments.items():
        for one in _list(value) if isinstance(value, list) else (value,):
            count += 1
            if count > _MOST:
                raise No("too-long", "it is about too many files")
            if isinstance(one, str) and name in _PATHS:
                yield one
            elif isinstance(one, dict):
                inner = mapping(one)  # pyright: ignore[reportUnknownArgumentType]
                if name == "changes":
                    yield from map(str, inner)
                yield from _files(inner, patches)
            elif patches and isinstance(one, str) and name in _PATCHES:
                yield from _patched(one)


def _patched(text: str) -> "Iterator[str]":
    for line in text.splitlines():
        for mark in _PATCH_LINES:
            if line.strip().startswith(mark.strip() + " "):
                yield line.strip()[len(mark) :].strip()


def _fetch(tool: str, arguments: "Arguments", rules: Rules) -> None:
    """Every address in the arguments; one that is hidden in a text is found by its beginning."""
    found = [word for value in arguments.values() for text in _texts(value) for word in text.split() if "://" in word]
    given = [value for name in ("url", "urls", "uri") for value in _texts(arguments.get(name))]
    if not found and not given:
        raise No("unknown-argument", f"{tool}: which address it reaches cannot be seen")
    for url in (*given, *(word.strip("<>()[]\"',.;`") for word in found)):
        network.reachable(url, rules)


def _texts(value: "Any") -> "list[str]":
    if isinstance(value, str):
        return [value]
    return [one for one in _list(value) if isinstance(one, str)]


def _list(value: "Any") -> "list[Any]":
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def _search(tool: str, arguments: "Arguments", rules: Rules) -> None:
    if rules.network != "open":
        raise No("network", "a search sends the agent's words to a server that the network policy does not name")


_JUDGES: "dict[str, Callable[[str, Arguments, Rules], None]]" = {
    "Bash": _bash,
    "Write": _write,
    "Edit": _write,
    "NotebookEdit": _write,
    "Read": _read,
    "Grep": _read,
    "Glob": _read,
    "List": _read,
    "Fetch": _fetch,
    "Search": _search,
}
TABLED = tuple(_JUDGES)
