"""Walk a host through the whole facet contract: the hosts of this package, and those that others add.

    @pytest.mark.parametrize("host", query.hosts())
    @pytest.mark.parametrize("check", hosts.CHECKS)
    def test_contract(host, check):
        check(host)

`walk(host)` runs them all and returns what is broken, a line each. A check asks the facets alone: it reads no disk
and starts nothing (but `hook_path_is_light`, which starts an interpreter); it raises AssertionError with a sentence.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from agent_connector.connector.model import Tool
from agent_connector.drive.events import Job
from agent_connector.hosts import query
from agent_connector.hosts.nodes import Block, Default, Item, Key, Refusal, Whole
from agent_connector.testing import host_samples as samples
from agent_connector.testing.host_hooks import HOOK_CHECKS
from agent_connector.testing.host_samples import LAUNCHER, MARKS, hook_use, machine, server_use

__all__ = ["CHECKS", "LAUNCHER", "MARKS", "hook_use", "machine", "server_use", "walk"]

SCOPES = ("system", "user", "project", "profile", "managed")
SURES = ("proven", "documented", "uncertain")
TRANSPORTS = ("stdio", "http", "sse", "ws")
FORMATS = ("json", "jsonc", "json5", "toml", "yaml")
PLATFORMS = tuple(samples.HOMES)


def walk(host: str) -> list[str]:
    """What is broken in `host`, a line each."""
    broken: list[str] = []
    for check in CHECKS:
        try:
            check(host)
        except AssertionError as wrong:
            broken.append(f"{host}: {check.__name__}: {wrong}")
    return broken


# ---- facts


def facts_are_whole(host: str) -> None:
    """Every fact is there, from a closed set of words, and every line is one line."""
    facts = query.facts(host)
    assert host == facts.ID, f"its id is {facts.ID!r}"
    assert facts.NAME and facts.VENDOR, "it needs a name and a vendor"
    assert facts.KIND in ("cli", "ide", "desktop", "extension"), f"KIND is {facts.KIND!r}"
    assert facts.PARADIGM in ("json-stdio", "plugin", "script-files", "mcp-only"), f"PARADIGM is {facts.PARADIGM!r}"
    assert set(facts.SURFACES) == set(query.SURFACES), f"surfaces differ: {set(facts.SURFACES) ^ set(query.SURFACES)}"
    for surface, (support, sure, line) in facts.SURFACES.items():
        assert support in ("native", "skip-warn", "disabled"), f"{surface} is {support!r}"
        assert sure in SURES, f"{surface} is {sure!r}"
        _one_line(surface, line)
    for transport, (sure, line) in facts.TRANSPORTS.items():
        assert transport in TRANSPORTS and sure in SURES, f"transport {transport!r}, {sure!r}"
        _one_line(transport, line)
    for surface, scope, line in facts.STEPS:
        assert surface in query.SURFACES and scope in ("", *SCOPES), f"a step of {surface!r} in {scope!r}"
        assert facts.SURFACES[surface][0] == "native", f"a step of {surface}, which it does not take"
        _one_line("step", line)
    assert set(facts.LOADS_HOOKS_OF) <= set(query.hosts()), f"it loads hooks of {facts.LOADS_HOOKS_OF}"
    assert facts.SOURCES, "a fact without a source is a rumour"
    for what, date in (*facts.SOURCES, *facts.QUIRKS):
        _one_line("source", what)
        assert len(date) == 10 and date[4] == date[7] == "-", f"{date!r} is no date of a source"


def _one_line(what: str, line: str) -> None:
    assert line and "\n" not in line, f"{what}: {line!r} is not one line"


def facets_match_facts(host: str) -> None:
    """What the facts call native has code and a place; what they do not has neither code nor a claim."""
    scopes = [query.places(host).files(scope, machine()) for scope in query.places(host).SCOPES]
    for surface in query.SURFACES:
        native = query.surface_support(host, surface).support == "native"
        there = bool(query.SURFACE_PREDICATES[surface](host))
        assert native == there, f"{surface}: the facts say {native}, the code {there}"
        placed = surface in ("memory", "native_hooks") or any(surface in files for files in scopes)
        assert placed or not native, f"{surface} has no place in any scope"


# ---- places


def places_are_pure(host: str) -> None:
    """On three systems: every path lies below the home, the project or a named folder, in that system's style."""
    places = query.places(host)
    assert set(places.SCOPES) <= set(SCOPES) and places.SCOPES, f"SCOPES are {places.SCOPES}"
    assert all(isinstance(name, str) for name in places.CLIENT_NAMES), "CLIENT_NAMES are no texts"
    assert not places.files("no such scope", machine()), "an unknown scope has files"
    for platform in PLATFORMS:
        for scope in places.SCOPES:
            files = places.files(scope, machine(platform))
            assert files and files == places.files(scope, machine(platform)), f"{platform} {scope}: {files}"
            assert "home" in files, f"{platform} {scope}: no config folder to show"
            for surface, path in files.items():
                _place(platform, scope, surface, path)
    if "project" in places.SCOPES:
        assert not places.files("project", machine(project=False)), "files of a project that there is not"


def _place(platform: str, scope: str, surface: str, path: str) -> None:
    where = f"{platform} {scope} {surface}: {path}"
    roots = {"user": samples.HOMES[platform], "project": samples.PROJECTS[platform]}
    assert path.startswith(roots.get(scope, path[:1])), f"{where} is outside its scope"
    if platform == "win32" and scope in roots:
        assert "/" not in path, f"{where} mixes separators"


def places_know_themselves(host: str) -> None:
    """Nothing is found on an empty machine, something on a full one, and an empty environment runs no host."""
    places = query.places(host)
    for platform in PLATFORMS:
        assert places.installed(machine(platform)) is None, f"found on an empty {platform} machine"
        full = machine(platform, exists=lambda path: True, which=lambda program: f"/bin/{program}")
        evidence = places.installed(full)
        assert evidence is not None, f"not found on a full {platform} machine"
        assert 0.5 <= evidence["confidence"] <= 1 and evidence["found"], f"{platform}: {evidence}"
    assert places.running({}) is False, "it runs in an empty environment"
    assert places.running({"PATH": "/bin", "HOME": "/home/user", "TERM": "xterm"}) is False, "it runs everywhere"


# ---- servers


def servers_are_told(host: str) -> None:
    """Every transport gives an entry, or a refusal with a reason; a secret never stands in it."""
    register = query.register(host)
    if register is None:
        return
    assert register.FORMAT in FORMATS and register.PATH, f"FORMAT {register.FORMAT!r}, PATH {register.PATH}"
    assert register.REFERENCE in ("native", "pass-through", "none"), f"REFERENCE {register.REFERENCE!r}"
    for transport in TRANSPORTS:
        entry = register.entry(server_use(transport=transport))
        if transport in query.facts(host).TRANSPORTS:
            assert isinstance(entry, dict), f"{transport} is a transport of it, yet: {getattr(entry, 'reason', entry)}"
        else:
            assert isinstance(entry, Refusal), f"{transport} is no transport of it, yet it has an entry"
        if isinstance(entry, Refusal):
            _one_line(transport, entry.reason)
    told = register.entry(server_use(args=("serve", "${env:ACME_DSN}"), extra={"x-acme": True}))
    assert isinstance(told, dict), "a reference in an argument is refused"
    assert told.get("x-acme") is True, "`extra` is not merged into the entry"
    if register.REFERENCE == "native":
        said = register.reference("ACME_DSN", None)
        assert said and said in str(told), f"{said} is its spelling of a reference, yet the entry is {told}"


# ---- content


def content_is_files(host: str) -> None:
    """Commands, skills and subagents are whole files below their folder, in the folder's style."""
    content = query.content(host)
    values = {"command": samples.COMMAND, "skill": samples.SKILL, "subagent": samples.SUBAGENT}
    for member, value in values.items():
        render = getattr(content, member, None)
        if render is None:
            continue
        for folder in ("/home/user/there", r"C:\Users\user\there"):
            nodes = render(value, folder)
            assert nodes, f"{member} writes nothing"
            for node in nodes:
                _whole(member, folder, node)


def _whole(member: str, folder: str, node: Any) -> None:
    assert isinstance(node, Whole), f"{member} gives {type(node).__name__}"
    assert node.file.startswith(folder), f"{member} writes {node.file}, outside {folder}"
    assert "\\" not in folder or "/" not in node.file, f"{node.file} mixes separators"
    assert node.text.endswith("\n"), f"{node.file} does not end with a newline"


def restrictions_are_kept_or_said(host: str) -> None:
    """What a subagent may use is in its file, or refused, or the facet says that it is not (`UNRESTRICTED`)."""
    content = query.content(host)
    render = getattr(content, "subagent", None)
    if render is None:
        return
    free = replace(samples.SUBAGENT, allow=None, deny=())
    named = (Tool("acme-db", "query"),)
    dropped = [
        _texts(render(one, "/home/user/there")) == _texts(render(free, "/home/user/there"))
        for one in (replace(free, allow=named), replace(free, deny=named))
    ]
    said = getattr(content, "UNRESTRICTED", False)
    assert any(dropped) == said, f"UNRESTRICTED is {said}; dropped: allow {dropped[0]}, deny {dropped[1]}"


def _texts(nodes: Any) -> list[object]:
    return [node.text if isinstance(node, Whole) else node.reason for node in nodes]


def memory_has_a_target(host: str) -> None:
    """A file or a refusal, in every scope, whatever is there already."""
    memory = getattr(query.content(host), "memory", None)
    if memory is None:
        return
    for scope in query.places(host).SCOPES:
        for there in (machine(), machine(exists=lambda path: True)):
            target = memory(scope, there)
            whole = isinstance(target, Refusal) or (target.endswith(".md") and target.startswith("/"))
            assert whole, f"{scope}: {target!r} is no path of a Markdown file"
    assert isinstance(memory("no such scope", machine()), Refusal), "an unknown scope has a memory file"


# ---- status line and headless runs


def statusline_is_wired(host: str) -> None:
    """A node that sets the command, and a context out of any payload."""
    facet = query.statusline(host)
    if facet is None:
        return
    assert isinstance(facet.MAX_LINES, int) and isinstance(facet.OPTIONS, tuple), "MAX_LINES or OPTIONS are wrong"
    nodes = facet.wire("/home/user/settings", f"{LAUNCHER} statusline x --connector acme-db", {})
    assert nodes and all(isinstance(node, Key | Default | Item | Block | Whole) for node in nodes), f"{nodes}"
    assert isinstance(facet.context({}), dict), "the context of an empty payload is no dict"


def headless_runs_and_reads(host: str) -> None:
    """A command line with the prompt in it, a stand-in model where the host takes one, and a reader of any line."""
    facet = query.headless(host)
    if facet is None:
        return
    plain = facet.argv(Job("say hi", "/p", program="/bin/host"))
    assert plain[0] == "/bin/host" and all(isinstance(word, str) for word in plain), f"argv is {plain}"
    assert "say hi" in " ".join(plain), f"the prompt is not in {plain}"
    assert isinstance(facet.environment(Job("x", "/p")), dict), "environment is no dict"
    files, tools = getattr(facet, "HOME_FILES", {}), getattr(facet, "MODEL_TOOLS", {})
    assert not any(name.startswith(("/", "..")) for name in files), f"HOME_FILES leave the home: {files}"
    assert all(isinstance(names, tuple) for names in tools.values()), f"MODEL_TOOLS are no tuples of names: {tools}"
    stand_in = Job("x", "/p", endpoint="http://127.0.0.1:65000", resume="a-session", model="a/b", approvals="all")
    told = f"{facet.argv(stand_in)} {facet.environment(stand_in)}"
    if getattr(facet, "ENDPOINT", None):
        assert "127.0.0.1:65000" in told or "@MODEL@" in str(files), "a stand-in model is not told"
    assert "a-session" in told or not facet.resume("a-session"), "the session to go on with is not told"
    _system_and_budget(facet)
    for line in ("", "no JSON", "[]", "{}", "null", '{"type": 7}', '{"type": "no such type"}', "{" * 50):
        assert not list(facet.read(line)), f"{line!r} is read as something"


def _system_and_budget(facet: Any) -> None:
    """A system text reaches the host, with the prompt; a limit in money does where the host takes one."""
    told = " ".join(facet.argv(Job("say hi", "/p", system="Be brief.")))
    assert "Be" in told and "brief." in told and "say" in told, f"the system text or the prompt is not in {told}"
    if budget := getattr(facet, "BUDGET", None):
        line = facet.argv(Job("x", "/p", budget_usd=0.25))
        assert budget(Job("x", "/p")) == [] and set(budget(Job("x", "/p", budget_usd=0.25))) <= set(line), f"{line}"


KEY_HEADERS = ("x-api-key", "authorization", "x-goog-api-key")
FACTS = ("run", "endpoint", "resume", "system", "budget", "usage", "acp", "keys", "login")
TOLD_OVER_ACP = (None, "turn", "calls")


def headless_knows_its_keys(host: str) -> None:
    """Who may name it, where its model is, by what key, and how sure each fact is."""
    facet = query.headless(host)
    if facet is None:
        return
    assert facet.PROVIDERS and all(word == word.casefold() for word in facet.PROVIDERS), f"{facet.PROVIDERS}"
    if facet.UPSTREAM is not None:
        assert facet.ENDPOINT and facet.UPSTREAM.startswith("https://"), f"UPSTREAM {facet.UPSTREAM!r}"
        assert facet.KEYS, "its model's API takes a key"
    _one_line("TELLS", facet.TELLS)
    assert facet.KEY_HEADER in KEY_HEADERS, f"KEY_HEADER is {facet.KEY_HEADER!r}"
    keys = (*facet.KEYS, *getattr(facet, "ACP_KEYS", ()))
    assert all(name == name.upper() for name in keys), f"KEYS are no variables: {keys}"
    assert getattr(facet, "ACP_UPSTREAM", "https://").startswith("https://"), "ACP_UPSTREAM"
    assert not any(name.startswith(("/", "..")) for name in facet.LOGIN), f"LOGIN leaves the home: {facet.LOGIN}"
    assert set(facet.SURE) <= set(FACTS) and set(facet.SURE.values()) <= set(SURES), f"SURE is {facet.SURE}"
    has = {
        "run": True,
        "system": True,
        "endpoint": bool(facet.ENDPOINT),
        "resume": bool(facet.resume("s")),
        "budget": hasattr(facet, "BUDGET"),
        "acp": bool(facet.ACP),
        "keys": bool(facet.KEYS),
        "login": bool(facet.LOGIN),
    }
    wrong = [fact for fact, there in has.items() if there != (fact in facet.SURE)]
    assert not wrong, f"SURE says otherwise than the code: {wrong}"
    assert getattr(facet, "ACP_USAGE", None) in TOLD_OVER_ACP


CHECKS: tuple[Callable[[str], None], ...] = (
    facts_are_whole,
    facets_match_facts,
    places_are_pure,
    places_know_themselves,
    servers_are_told,
    *HOOK_CHECKS,
    content_is_files,
    restrictions_are_kept_or_said,
    memory_has_a_target,
    statusline_is_wired,
    headless_runs_and_reads,
    headless_knows_its_keys,
)
