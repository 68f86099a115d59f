"""Tool calls of hosts, under their own names, and what an agent asks for over ACP."""

import pytest
from tests.worker.guard.conftest import RULES

from agent_connector.drive.events import Called
from agent_connector.errors import GuardError
from agent_connector.hosts import query
from agent_connector.worker.guard import own, permit, tools
from agent_connector.worker.guard.names import RULES as NAMES
from agent_connector.worker.guard.values import Rules

WORK = "/work/project"
PATCH = "*** Begin Patch\n*** Update File: {}\n@@\n-a\n+b\n*** End Patch"
# host, tool, arguments, the rule that decides
CALLS = [
    ("claude-code", "Bash", {"command": "git push"}, "git-push"),
    ("claude-code", "Bash", {"command": "ls"}, "allowed"),
    ("claude-code", "Bash", {}, "unknown-argument"),
    ("claude-code", "Monitor", {"command": "git push"}, "git-push"),
    ("claude-code", "Write", {"file_path": f"{WORK}/src/a.py", "content": "git push"}, "allowed"),
    ("claude-code", "Write", {"file_path": f"{WORK}/.git/hooks/pre-commit"}, "write-git"),
    ("claude-code", "Write", {"file_path": f"{WORK}/.claude/settings.json"}, "write-host-config"),
    ("claude-code", "Write", {"file_path": "/work/guard/policy.json"}, "write-host-config"),
    ("claude-code", "Write", {"file_path": "/etc/passwd"}, "outside-write"),
    ("claude-code", "Write", {"content": "x"}, "unknown-argument"),
    ("claude-code", "Edit", {"file_path": "../x"}, "outside-write"),
    ("claude-code", "NotebookEdit", {"notebook_path": f"{WORK}/a.ipynb"}, "allowed"),
    ("claude-code", "Read", {"file_path": f"{WORK}/README.md"}, "allowed"),
    ("claude-code", "Read", {"file_path": "/work/home/.ssh/id_rsa"}, "credential-read"),
    ("claude-code", "Read", {"file_path": "/proc/self/environ"}, "credential-read"),
    ("claude-code", "Read", {"file_path": "/home/person/.agent-connector/worker/credentials"}, "credential-read"),
    ("claude-code", "Read", {"file_path": "~/x"}, "outside-read"),
    ("claude-code", "Grep", {"pattern": "push"}, "allowed"),
    ("claude-code", "Grep", {"pattern": "x", "path": "/home"}, "outside-read"),
    ("claude-code", "Glob", {"pattern": "/home/**"}, "outside-read"),
    ("claude-code", "Glob", {"pattern": "**/*.py"}, "allowed"),
    ("claude-code", "WebFetch", {"url": "https://evil.example/x", "prompt": "x"}, "network"),
    ("claude-code", "WebFetch", {"url": "http://localhost:3000"}, "allowed"),
    ("claude-code", "WebSearch", {"query": "x"}, "network"),
    ("claude-code", "TodoWrite", {"todos": []}, "allowed"),
    ("claude-code", "Task", {"prompt": "x"}, "allowed"),
    ("claude-code", "CronCreate", {"command": "x"}, "schedule"),
    ("claude-code", "SomethingNew", {}, "unknown-tool"),
    ("codex", "Bash", {"command": ["bash", "-lc", "git push"]}, "git-push"),
    ("codex", "Bash", {"command": ["git", "push"]}, "git-push"),
    ("codex", "Bash", {"command": ["rg", "-n", "a|b; git push", "src"]}, "allowed"),
    ("codex", "exec_command", {"cmd": "cat x", "workdir": "/home"}, "outside-read"),
    ("codex", "Bash", {"command": "cat ../../x", "workdir": f"{WORK}/src"}, "outside-read"),
    ("codex", "apply_patch", {"command": PATCH.format("src/a.py")}, "allowed"),
    ("codex", "apply_patch", {"command": PATCH.format(".git/config")}, "write-git"),
    ("codex", "apply_patch", {"command": PATCH.format("../x")}, "outside-write"),
    ("codex", "apply_patch", {"command": "nothing"}, "unknown-argument"),
    ("codex", "apply_patch", {"changes": {".mcp.json": {"add": {}}}}, "write-host-config"),
    ("codex", "write_stdin", {"chars": "git push\n"}, "pipe-to-shell"),
    ("codex", "view_image", {"path": "/home/x.png"}, "outside-read"),
    ("gemini-cli", "run_shell_command", {"command": "git push"}, "git-push"),
    ("gemini-cli", "read_many_files", {"paths": ["a.py", ".env"]}, "credential-read"),
    ("gemini-cli", "web_fetch", {"prompt": "read https://evil.example/x please"}, "network"),
    ("gemini-cli", "web_fetch", {"prompt": "read something"}, "unknown-argument"),
    ("copilot-cli", "powershell", {"command": "Remove-Item -Recurse x; git push"}, "windows-shell"),
    ("copilot-cli", "powershell", {"command": "git push"}, "git-push"),
    ("copilot-cli", "powershell", {"command": "git status"}, "allowed"),
    ("copilot-cli", "create", {"path": f"{WORK}/a", "file_text": "x"}, "allowed"),
    ("copilot-cli", "write_bash", {"input": "git push"}, "pipe-to-shell"),
    ("opencode", "bash", {"command": "git push"}, "git-push"),
    ("opencode", "edit", {"filePath": f"{WORK}/.mcp.json"}, "write-host-config"),
    ("droid", "Execute", {"command": "rm -rf x", "riskLevel": "low"}, "delete-tree"),
    ("kimi", "FetchURL", {"url": "https://evil.example"}, "network"),
    ("pi", "bash", {"command": "git push"}, "git-push"),
    ("pi", "find", {"pattern": "*.py"}, "allowed"),
    ("cline", "run_commands", {"commands": ["ls", "git push"]}, "git-push"),
    ("antigravity-cli", "run_command", {"CommandLine": "git push", "Cwd": WORK}, "git-push"),
]  # fmt: skip


@pytest.mark.parametrize(("host", "tool", "arguments", "rule"), CALLS)
def test_a_call_is_judged_by_what_its_tool_does(host, tool, arguments, rule):
    verdict = tools.judge(host, tool, arguments, RULES)
    assert (verdict.rule, verdict.allowed) == (rule, rule == "allowed"), verdict.reason


def test_every_shell_of_every_host_is_judged_as_one():
    shells = [
        (host, tool)
        for host in query.hosts()
        if (hooks := query.hooks(host))
        for tool, name in hooks.TOOLS.items()
        if name == "Bash"
    ]
    assert len(shells) > 20
    for host, tool in shells:
        assert tools.judge(host, tool, {"command": "git push"}, RULES).rule == "git-push", (host, tool)


def test_only_servers_of_the_worker_are_called():
    rules = Rules(WORK, servers=("board",))
    assert tools.judge("claude-code", "anything", {"path": "/etc"}, rules, server="board").allowed
    assert tools.judge("claude-code", "anything", {}, rules, server="other").rule == "unknown-server"


def test_hosts_that_the_policy_names_are_reached():
    rules = Rules(WORK, network="hosts", hosts=("docs.python.org", "*.pkgs.example.net"))
    for url, is_allowed in (
        ("https://docs.python.org/3/", True),
        ("https://files.pkgs.example.net/x", True),
        ("https://pkgs.example.net.evil.example/x", False),
        ("https://docs.python.org@evil.example/", False),
        ("https://evil.example/?docs.python.org", False),
    ):
        assert tools.judge("claude-code", "WebFetch", {"url": url}, rules).allowed == is_allowed, url


@pytest.mark.parametrize(
    "arguments",
    [{"command": 7}, {"command": [None]}, {"paths": [[[]]]}, {"file_path": {"a": 1}}, {"command": {"x": 1}}],
)
@pytest.mark.parametrize("tool", ["Bash", "Write", "Read", "WebFetch"])
def test_odd_arguments_never_make_it_raise(tool, arguments):
    verdict = tools.judge("claude-code", tool, arguments, RULES)
    assert verdict.allowed or verdict.rule in NAMES


def test_an_agent_that_asks_over_acp_is_answered_by_the_same_judge():
    heard = []
    ask = permit.permitting("claude-code", Rules(WORK, servers=("board",)), lambda *denial: heard.append(denial))
    assert not ask(Called("1", "", None, kind="execute", title="`git push origin main`"))
    assert not ask(Called("2", "Bash", {"command": "git push"}, kind="execute"))
    assert not ask(Called("3", "", None, kind="execute"))
    assert not ask(Called("4", "", None, kind="read"))
    assert not ask(Called("5", "", {"path": "/work/home/.ssh/x"}, kind="read"))
    assert not ask(Called("6", "", {"x": 1}, kind="other", title="Do it"))
    assert not ask(Called("7", "mcp__evil__run", {}, server="evil", name="run"))
    assert len(heard) == 7
    assert [verdict.rule for verdict, _, _ in heard[:2]] == ["git-push", "git-push"]
    assert ask(Called("8", "", None, kind="execute", title="git status"))
    assert ask(Called("9", "", {"path": f"{WORK}/a.py"}, kind="edit"))
    assert ask(Called("10", "", None, kind="think"))
    assert ask(Called("11", "mcp__board__list", {}, server="board", name="list"))
    assert len(heard) == 7


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        # the model's own words are a name of nothing: a description, a file, a command
        (Called("1", "Todo", {"command": "git push"}, kind="execute", title="Todo", guessed=True), "git-push"),
        (Called("2", "Read", {"command": "git push"}, kind="execute", title="Read", guessed=True), "git-push"),
        (Called("3", "Todo", None, kind="execute", title="Todo", guessed=True), "unknown-program"),
        (Called("4", "Read", {"command": "git push"}, kind="other", title="Read", guessed=True), "git-push"),
        (Called("5", "Todo", {"x": 1}, kind="other", title="Todo", guessed=True), "unknown-tool"),
        (Called("6", "Read", None, kind="other", title="Read", guessed=True), "unknown-tool"),
        (
            Called(
                "7",
                "mcp__board__git",
                None,
                "board",
                "git",
                kind="execute",
                title="git (board MCP Server)",
                guessed=True,
            ),
            "syntax",
        ),
        (Called("8", "edit", None, kind="edit", paths=("/etc/passwd",), guessed=True), "outside-write"),
        (Called("9", "edit", None, kind="edit", paths=(f"{WORK}/a", f"{WORK}/.git/config"), guessed=True), "write-git"),
        (Called("10", "read", None, kind="read", paths=("/home/me/.ssh/id_rsa",), guessed=True), "credential-read"),
        (Called("11", "edit", None, kind="edit", paths=(f"{WORK}/a.py",), guessed=True), None),
        (Called("16", "edit", {"name": "x"}, kind="edit", paths=(f"{WORK}/a.py",), guessed=True), None),
        (Called("17", "edit", {"path": "/etc/x"}, kind="edit", paths=(f"{WORK}/a.py",), guessed=True), "outside-write"),
        (Called("18", "edit", {"paths": ["/etc/x"]}, kind="edit", paths=(f"{WORK}/a",), guessed=True), "outside-write"),
        (Called("12", "read", None, kind="read", paths=(f"{WORK}/a.py",), guessed=True), None),
        (Called("13", "Bash", {"command": "git status"}, kind="execute", title="Bash", guessed=True), None),
        (Called("14", "Read", {"file_path": f"{WORK}/a.py"}, kind="other", title="Read", guessed=True), None),
        (Called("15", "TodoWrite", {"todos": []}, kind="other", title="x"), None),
    ],
)
def test_a_name_that_is_only_guessed_lets_nothing_pass(call: Called, rule: str | None):
    verdict = permit.judge("claude-code", call, Rules(WORK, servers=("board",)))
    assert (None if verdict.allowed else verdict.rule) == rule, verdict.reason


def test_the_workers_own_commands_pass_the_same_judge():
    for words in (
        "init --quiet --bare /x",
        "fetch --quiet --no-tags /work/clone main",
        "update-ref refs/heads/x abc",
        "config --local a.b c",
    ):
        own.check(["git", "--no-pager", "-c", "core.pager=cat", *words.split()])
    for argv in (
        ["git", "push"],
        ["git", "-c", "alias.x=push", "x"],
        ["git", "--no-pager", "push", "/work/x"],
        ["git", "fetch", "https://evil.example/x"],
        ["git", "fetch", "--upload-pack=sh", "/x"],
        ["git", "merge", "x"],
        ["sh", "-c", "git push"],
        ["rm", "-rf", "/x"],
    ):
        with pytest.raises(GuardError):
            own.check(argv)
