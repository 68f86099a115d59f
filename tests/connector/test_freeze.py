"""The rules of a declaration: each broken one is found, all of them at once, with path, found and allowed."""

import pytest

from agent_connector import Connector, ConnectorError, http, sse, stdio, ws
from agent_connector.connector.freeze import freeze, slow_matchers
from agent_connector.connector.model import Scope, Source, Tool

HOSTS = ("claude-code", "codex", "cursor")
SOURCE = Source("file", "/x/acme.py", "acme")


def frozen(connector, **more):
    return freeze(connector, SOURCE, hosts=HOSTS, **more)


def problems(connector, **more):
    with pytest.raises(ConnectorError) as caught:
        frozen(connector, **more)
    return {problem.path: (problem.found, problem.allowed) for problem in caught.value.problems}


def acme(**fields):
    return Connector(**{"id": "acme", "server": stdio("acme-mcp"), **fields})


def test_a_full_declaration_is_frozen_as_written():
    connector = acme(targets=["codex"], alias="acme_db", version="1.2", description="The Acme database")

    @connector.hook("PreToolUse", matcher="q|w", timeout=3, on_error="deny")
    async def guard(event): ...

    connector.memory("Use it.")
    connector.memory("And this.", name="more")
    connector.command("migrate", prompt="Plan: $ARGUMENTS", description="Plan")
    connector.skill("schema", description="d", body="b", files={"refs/a.md": "A"})
    connector.subagent("dba", description="d", prompt="p", tools={"allow": ["q", "host:Read", "gh/*"], "deny": []})
    connector.config_patch("claude-code", "env.FLAG", "1", reason="needed", docs_url="https://x")
    connector.platform("codex", hooks=False, scope="project", extra={"a": 1}, server={"timeout": 9})
    connector.telemetry(model_family="claude", store="project")
    model = frozen(connector)
    assert (model.server_name, model.targets, model.version) == ("acme_db", ("codex",), "1.2")
    assert (model.hooks[0].handler.is_async, model.hooks[0].timeout, model.hooks[0].on_error) == (True, 3.0, "deny")
    assert [memory.name for memory in model.memory] == ["memory", "more"]
    assert model.subagents[0].allow == (Tool("acme_db", "q"), Tool(None, "Read"), Tool("gh", "*"))
    assert model.platform("codex").scope is Scope.PROJECT
    assert model.surfaces("codex") == ("server", "commands", "skills", "subagents", "memory")
    assert model.surfaces("claude-code")[-1] == "config_patch"
    assert model.telemetry.store == "project"


def test_scopes_are_ordered():
    assert Scope.SYSTEM < Scope.USER < Scope.PROJECT < Scope.PROFILE < Scope.MANAGED
    assert Scope.of("project").word == "project"


def test_a_hosts_own_handlers_stand_in_for_the_general_ones_of_that_event():
    connector = acme()
    for host in (None, "codex"):
        connector.hook("PreToolUse", host=host)(lambda event: None)
    connector.hook("Stop")(lambda event: None)
    model = frozen(connector)
    assert [(h.event, h.host) for h in model.hooks_for("codex")] == [("PreToolUse", "codex"), ("Stop", None)]
    assert [(h.event, h.host) for h in model.hooks_for("cursor")] == [("PreToolUse", None), ("Stop", None)]


def test_all_broken_rules_are_said_at_once_with_path_found_and_allowed():
    connector = Connector(id="Acme DB", server=stdio("", env={"A": "${env:1}"}), targets=["codexx"])
    connector.hook("PreToolUze")(lambda event: None)
    connector.command("x", prompt="", description="")
    connector.config_patch("codex", "hooks.Stop", 1, reason="")
    found = problems(connector)
    assert set(found) == {
        "id",
        "server.command",
        "server.env.A",
        "targets[0]",
        "hook[0].event",
        "command[0].prompt",
        "config_patch[0].path",
        "config_patch[0].reason",
    }
    assert found["id"] == ("'Acme DB'", "lower-case letters, digits and single hyphens inside, at most 64 characters")
    assert "did you mean 'codex'?" in found["targets[0]"][1]
    assert "did you mean 'PreToolUse'?" in found["hook[0].event"][1]


def test_the_error_reads_as_a_list_with_the_file_first():
    with pytest.raises(ConnectorError) as caught:
        frozen(Connector(id="A"))
    text = str(caught.value)
    assert text.startswith("/x/acme.py: the declaration breaks 2 rules\n  - id: found 'A'; allowed: lower-case")


SERVERS = [
    (stdio("x", timeout=-1), "server.timeout"),
    (stdio("x", startup_timeout=True), "server.startup_timeout"),
    (stdio("x", env={"1A": "v"}), "server.env.1A"),
    (stdio("x", env={"A": 3}), "server.env.A"),
    (stdio("x", "a", 3), "server.args"),
    (stdio("x", "${env:}"), "server.args[0]"),
    (stdio("x", env={"ACME_TOKEN": "abc"}), "server.env.ACME_TOKEN"),
    (stdio("x", include_tools=["a"], exclude_tools=["a"]), "server.exclude_tools"),
    (stdio("x", enabled="yes"), "server.enabled"),
    (http("acme.com/mcp"), "server.url"),
    (http("ftp://acme.com"), "server.url"),
    (ws("https://acme.com"), "server.url"),
    (sse("https://[bad"), "server.url"),
    (http("https://x", headers={"Authorization": "Bearer abc"}), "server.headers.Authorization"),
    (http("https://x", headers={"Bad Name": "1"}), "server.headers.Bad Name"),
    (http("https://x", headers={"X": "1\r\nY: 2"}), "server.headers.X"),
    (stdio("x", "a", "b\0"), "server.args[1]"),
    (stdio("x", env={"A": "b\ud800"}), "server.env.A"),
    (http("https://x", bearer="not a name"), "server.bearer"),
    (http("https://x", bearer="T", headers={"authorization": "${env:T}"}), "server.bearer"),
    ({"transport": "stdio", "command": "x", "url": "https://x"}, "server.url"),
    ({"transport": "pipe", "command": "x"}, "server.transport"),
    ({"comand": "x"}, "server.comand"),
    ("npx acme", "server"),
]


@pytest.mark.parametrize(("server", "path"), SERVERS, ids=[f"{n}-{path}" for n, (_, path) in enumerate(SERVERS)])
def test_each_rule_of_a_server(server, path):
    assert path in problems(acme(server=server))


def test_a_secret_is_never_repeated_in_the_error():
    found = problems(acme(server=stdio("x", env={"API_KEY": "sk-12345"})))
    assert found == {"server.env.API_KEY": ("a secret as a literal", "a reference, such as ${env:API_KEY}")}
    assert frozen(acme(server=stdio("x", env={"API_KEY": "${env:API_KEY}"}))).server.env["API_KEY"]


@pytest.mark.parametrize(
    ("server", "path"),
    [
        (http("https://me:sk-12345@example.com/mcp"), "server.url"),
        (sse("https://example.com/mcp?lang=en&api_key=sk-12345"), "server.url"),
        (stdio("x", "--api-key", "sk-12345"), "server.args[1]"),
        (stdio("x", "--access_token=sk-12345"), "server.args[0]"),
        (stdio("x", "--dsn=postgres://me:sk-12345@db/acme"), "server.args[0]"),
        (stdio("x", "postgres://me:sk-12345@db/acme"), "server.args[0]"),
        (stdio("x", env={"DSN": "postgres://me:sk-12345@db/acme"}), "server.env.DSN"),
    ],
)
def test_a_secret_in_an_address_or_an_argument_is_found(server, path):
    found = problems(acme(server=server))
    assert list(found) == [path]
    assert found[path][0] == "a secret as a literal"
    assert "sk-12345" not in str(found)


@pytest.mark.parametrize(
    "server",
    [
        http("https://${env:USER}:${env:PASSWORD}@example.com/mcp?api_key=${env:KEY}&page_token="),
        http("https://${env:ACME_HOST}/mcp"),
        http("https://me@example.com:8443/mcp?lang=en"),
        stdio("x", "--dsn=postgres://me@db/acme", env={"DSN": "postgres://me:${env:PASSWORD}@db/acme"}),
        stdio(
            "x", "--api-key", "${env:KEY}", "--token=${env:TOKEN}", "--password", "--verbose", "token", "v", "--token"
        ),
    ],
)
def test_what_only_looks_like_a_secret_is_taken(server):
    assert frozen(acme(server=server)).server


def test_what_goes_into_a_hosts_file_as_it_is_holds_no_secret():
    connector = acme(server=http("https://x"))
    connector.platform("claude-code", extra={"oauth": {"clientSecret": "sk-12345", "scopes": ["a"]}})
    connector.platform("codex", extra={"headers": [{"X-Api-Key": "sk-12345"}], "maxTokens": "9"})
    spelled = {"clientSecret": "{env:ACME_SECRET}", "clientId": "acme", "api_key": "$ACME_KEY"}
    connector.platform("cursor", extra={"oauth": spelled})
    connector.config_patch("claude-code", "env.ACME_TOKEN", "sk-12345", reason="r")
    connector.config_patch("claude-code", "env.ACME_MODE", "fast", reason="r")
    found = problems(connector)
    assert sorted(found) == [
        "config_patch[0].value",
        "platform[0].extra.oauth.clientSecret",
        "platform[1].extra.headers[0].X-Api-Key",
    ]
    assert set(found.values()) == {("a secret as a literal", "the host's own reference to a variable")}


def test_an_unknown_event_is_one_problem():
    assert list(problems(declare("hook", event="PreTolUse", matcher="a"))) == ["hook[0].event", "hook[0].handler"]


def declare(kind, **fields):
    connector = acme()
    getattr(connector, kind)(**fields)
    return connector


PARTS = [
    ("hook", {"event": "PreToolUse", "matcher": "a("}, "hook[0].matcher"),
    ("hook", {"event": "PreToolUse", "matcher": None}, "hook[0].handler"),
    ("hook", {"event": "PreToolUse"}, "hook[0].handler"),
    ("hook", {"event": "Stop", "matcher": "a"}, "hook[0].matcher"),
    ("hook", {"event": "Stop", "timeout": 0}, "hook[0].timeout"),
    ("hook", {"event": "Stop", "timeout": 601}, "hook[0].timeout"),
    ("hook", {"event": "PostToolUse", "on_error": "deny"}, "hook[0].on_error"),
    ("hook", {"event": "Stop", "host": "vim"}, "hook[0].host"),
    ("native_hook", {"host": "vim", "event": "X"}, "native_hook[0].host"),
    ("native_hook", {"host": "codex", "event": ""}, "native_hook[0].event"),
    ("memory", {"text": "  "}, "memory[0].text"),
    ("memory", {"text": "a", "file": "b"}, "memory[0].file"),
    ("memory", {"file": "nowhere.md"}, "memory[0].file"),
    ("memory", {"text": "<!-- agent-connector:begin x/y -->"}, "memory[0].text"),
    ("command", {"name": "Bad Name", "prompt": "p"}, "command[0].name"),
    ("command", {"name": "c", "prompt": "p", "description": "two\nlines"}, "command[0].description"),
    ("skill", {"name": "s", "body": "b"}, "skill[0].description"),
    ("skill", {"name": "s", "body": "b", "description": "d" * 1025}, "skill[0].description"),
    ("skill", {"name": "a--b", "body": "b", "description": "d"}, "skill[0].name"),
    ("skill", {"name": "s", "body": "b", "description": "d", "files": {"../x": "1"}}, "skill[0].files.../x"),
    ("skill", {"name": "s", "body": "b", "description": "d", "files": {"SKILL.md": "1"}}, "skill[0].files.SKILL.md"),
    ("subagent", {"name": "s", "prompt": "p"}, "subagent[0].description"),
    ("subagent", {"name": "s", "prompt": "p", "description": "d", "tools": {"only": []}}, "subagent[0].tools.only"),
    (
        "subagent",
        {"name": "s", "prompt": "p", "description": "d", "tools": {"allow": ["a b"]}},
        "subagent[0].tools.allow[0]",
    ),
    ("statusline", {"host": "vim"}, "statusline[0].host"),
    ("action", {"id": "a"}, "action[0].label"),
    ("action", {"id": "A b", "label": "x"}, "action[0].id"),
    ("config_patch", {"host": "codex", "path": "a..b", "value": 1, "reason": "r"}, "config_patch[0].path"),
    ("config_patch", {"host": "codex", "path": "mcpServers.x", "value": 1, "reason": "r"}, "config_patch[0].path"),
    ("config_patch", {"host": "codex", "path": "statusLine", "value": 1, "reason": "r"}, "config_patch[0].path"),
    ("config_patch", {"host": "codex", "path": "a", "value": None, "reason": "r"}, "config_patch[0].value"),
    ("config_patch", {"host": "codex", "path": "a", "value": 1, "reason": ""}, "config_patch[0].reason"),
    ("config_patch", {"host": "codex", "path": "a", "value": object(), "reason": "r"}, "config_patch[0].value"),
    (
        "config_patch",
        {"host": "codex", "path": "a", "value": 1, "reason": "r", "docs_url": "see docs"},
        "config_patch[0].docs_url",
    ),
    ("platform", {"host": "vim", "hooks": False}, "platform[0].host"),
    ("platform", {"host": "codex", "hook": False}, "platform[0].hook"),
    ("platform", {"host": "codex", "hooks": "no"}, "platform[0].hooks"),
    ("platform", {"host": "codex", "scope": "galaxy"}, "platform[0].scope"),
    ("platform", {"host": "codex", "server": {"url": "https://x"}}, "platform[0].server.url"),
    ("telemetry", {"store": "cloud"}, "telemetry.store"),
    ("telemetry", {"keep_days": 0}, "telemetry.keep_days"),
    ("telemetry", {"model_family": "GPT 5"}, "telemetry.model_family"),
]


@pytest.mark.parametrize(("kind", "fields", "path"), PARTS, ids=[f"{n}-{path}" for n, (_, _, path) in enumerate(PARTS)])
def test_each_rule_of_a_part(kind, fields, path):
    assert path in problems(declare(kind, **fields))


def test_a_name_stands_once():
    connector = acme()
    for _ in range(2):
        connector.command("c", prompt="p")
        connector.statusline(lambda ctx: "")
        connector.action("a", label="A")(lambda ctx: None)
        connector.platform("codex")
    found = problems(connector)
    assert set(found) == {"command[1].name", "statusline[1].host", "action[1].id", "platform[1].host"}


@pytest.mark.parametrize("handler", [lambda: None, lambda a, b: None, lambda *, x: None, 3])
def test_a_handler_that_cannot_be_called_with_one_value(handler):
    connector = acme()
    connector.hook("Stop")(handler)
    assert "hook[0].handler" in problems(connector)


@pytest.mark.parametrize(
    "handler", [lambda e: None, lambda e, x=1: None, lambda *a: None, lambda e, *, k=1: None, print]
)
def test_a_handler_that_can(handler):
    connector = acme()
    connector.hook("Stop")(handler)
    assert frozen(connector).hooks[0].handler.ordinal == 0


def test_a_method_and_a_callable_object_are_handlers():
    class Guard:
        def __call__(self, event): ...

        def check(self, event): ...

    connector = acme()
    connector.hook("Stop")(Guard())
    connector.hook("Stop")(Guard().check)
    assert len(frozen(connector).hooks) == 2


def test_a_hosts_own_action_takes_the_label_of_the_general_one():
    connector = acme()
    connector.action("go", label="Go")(lambda ctx: None)
    connector.action("go", host="codex")(lambda ctx: None)
    assert [action.label for action in frozen(connector).actions] == ["Go", "Go"]


def test_what_the_package_says_stands_in_for_what_the_declaration_leaves_out():
    connector = Connector(server=stdio("x"))
    model = frozen(connector, defaults={"id": "acme", "version": "3.1", "description": "d"})
    assert (model.id, model.version, model.description) == ("acme", "3.1", "d")
    assert problems(Connector(server=stdio("x"))) == {
        "id": ("nothing", "lower-case letters, digits and single hyphens inside, at most 64 characters")
    }


def test_texts_may_stand_in_files_that_are_read_at_install():
    connector = acme()
    connector.memory(file="m.md")
    texts = {"m.md": "From the file.\n"}
    assert frozen(connector, read=texts.__getitem__).memory[0].text == "From the file.\n"


def test_nothing_at_all_is_a_problem():
    assert set(problems(Connector(id="acme"))) == {"server"}


def test_a_slow_matcher_is_named():
    connector = acme()
    connector.hook("PreToolUse", matcher=".*_write")(lambda event: None)
    connector.hook("PreToolUse", matcher="a|b")(lambda event: None)
    assert slow_matchers(frozen(connector)) == (".*_write",)
