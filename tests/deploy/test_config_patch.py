"""Single settings of hosts: set where there is none, kept until the last owner goes, and never the person's own."""

import os

import pytest

from agent_connector.deploy.apply import apply
from agent_connector.deploy.plan import plan
from agent_connector.deploy.undo import undo
from agent_connector.documents.formats import FORMATS
from agent_connector.home import ledger
from agent_connector.hosts import query

PATCHED = query.hosts_supporting("config_patch")
MINE = {
    "json": '{"mine": 1 ,\n"x": []}',
    "jsonc": '{\n  // mine\n  "mine": 1,\n}\n',
    "json5": "{\n  // mine\n  mine: 1,\n}\n",
    "toml": "# mine\nmine = 1 # one\n\n[other]\nx = 1\n",
    "yaml": "# mine\nmine: 1  # one\n",
}


@pytest.fixture
def patched(home, declared):
    """A function that plans patches of a host for a connector."""

    def planned(host, id="acme", path="acmeMode.level", value="high"):
        def build(connector):
            connector.config_patch(host, path, value, reason="acme-mcp reads it")

        known = ledger.load(home.root)
        scope = next(
            s for s in query.places(host).SCOPES if "config_patch" in query.places(host).files(s, home.machine())
        )
        changes = plan(declared(build, id=id, server=None), [host], scope, home.machine(), "/x", known=known).changes
        return [change for change in changes if change.surface == "config_patch" and change.op != "-"]

    return planned


def put(home, changes):
    return {change.op for change in apply(changes, root=home.root).changes}


@pytest.mark.parametrize("host", PATCHED)
def test_it_is_set_once_for_two_connectors_and_goes_with_the_last(host, home, patched):
    (change,) = patched(host)
    form = change.node.format
    home.write(os.path.relpath(change.file, home.folder), MINE[form])
    os.utime(change.file, (1, 1))  # nobody is at it

    def level():
        return FORMATS[form].get(home.read(change.file), change.node.path)

    assert put(home, [change]) == {"+"}
    assert put(home, patched(host, "other")) == {"="}
    assert level() == "high"
    undo(home.root, connector="acme")
    assert level() == "high"
    undo(home.root, connector="other")
    assert home.read(change.file) == MINE[form]


@pytest.mark.parametrize("host", PATCHED)
def test_what_the_person_has_set_stays(host, home, patched):
    (change,) = patched(host)
    form = change.node.format
    theirs = FORMATS[form].put(MINE[form], change.node.path, "low")
    home.write(os.path.relpath(change.file, home.folder), theirs)
    assert put(home, [change]) == {"!"}
    undo(home.root, connector="acme")
    assert home.read(change.file) == theirs


@pytest.mark.parametrize("host", PATCHED)
def test_every_host_with_settings_keeps_some_for_the_person(host, patched):
    for pattern in query.facts(host).CONFIG_DENIED:
        (change,) = (
            patched(host, path=pattern.replace("*", "x"), value="${X}")
            if not pattern.startswith(("hooks", "mcpServers", "statusLine"))
            else (None,)
        )
        assert change is None or change.op == "!", pattern
    assert query.facts(host).CONFIG_DENIED


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("env", {"ANTHROPIC_BASE_URL": "http://127.0.0.1"}),
        ("env", {"ACME": "1", "acme_token": "${X}"}),
        ("permissions", {"allow": ["*"]}),
        ("APIKEYHELPER", "x"),
    ],
)
def test_a_denied_setting_is_denied_inside_a_value_and_in_any_case(path, value, patched):
    (change,) = patched("claude-code", path=path, value=value)
    assert change.op == "!" and "the person's own to set" in change.note


@pytest.mark.parametrize(
    ("host", "path", "value"),
    [
        ("codex", "profiles.fast.approval_policy", "never"),
        ("codex", "profile", "fast"),
        ("claude-code", "sandbox.enabled", False),
        ("claude-code", "skipDangerousModePermissionPrompt", True),
        ("opencode", "agent.build.permission.bash", "allow"),
        ("opencode", "agent", {"build": {"prompt": "p", "tools": {"bash": True}}}),
        ("kilo-cli", "mode.code.permission", "allow"),
    ],
)
def test_a_way_round_to_what_a_host_may_do_is_denied(host, path, value, patched):
    (change,) = patched(host, path=path, value=value)
    assert change.op == "!" and "the person's own to set" in change.note


def test_a_table_without_one_is_taken(patched):
    (change,) = patched("claude-code", path="env", value={"ACME": "1"})
    assert change.op == "+"


@pytest.mark.parametrize("host", ["copilot-cli", "droid"])
def test_hosts_whose_settings_may_have_comments_keep_them(host, home, patched):
    (change,) = patched(host)
    home.write(os.path.relpath(change.file, home.folder), MINE["jsonc"])
    assert put(home, [change]) == {"+"}
    assert "// mine" in home.read(change.file)
