"""connector.yml: its defaults, its example, and every way in which it can be wrong, said with the line."""

import os
import re
from dataclasses import fields, replace
from importlib import resources
from pathlib import Path

import pytest

from agent_connector.errors import WorkerError
from agent_connector.worker import config_page, config_rules, places
from agent_connector.worker.config import Allow, Config, Ergonomics, Guard, Hitl, Log, Sandbox, load

EXAMPLE = resources.files("agent_connector.worker").joinpath("connector.example.yml").read_text("utf-8")


def written(tmp_path: Path, text: str) -> str:
    (tmp_path / "home").mkdir(exist_ok=True)
    (tmp_path / "work").mkdir(exist_ok=True)
    folder = tmp_path / "home/.agent-connector/worker"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "connector.yml").write_text(text.replace("WORK", str(tmp_path / "work")), "utf-8")
    return str(folder / "connector.yml")


def loaded(tmp_path: Path, text: str) -> Config:
    return load(written(tmp_path, text), {}, str(tmp_path / "home"))


def refused(tmp_path: Path, text: str) -> str:
    with pytest.raises(WorkerError) as caught:
        loaded(tmp_path, text)
    return str(caught.value)


def test_one_key_is_enough_and_the_rest_is_as_documented(tmp_path: Path):
    made = loaded(tmp_path, "sandboxDir: WORK\n")
    own = os.path.dirname(made.path)
    assert made == Config(
        sandbox_dir=os.path.realpath(tmp_path / "work"),
        state_path=os.path.join(own, "worker-state.db"),
        ergonomics=Ergonomics(
            kill_switch_file=os.path.join(own, "STOP"),
            max_concurrency=1,
            spend_cap_usd=None,
            spend_cap_per_day_usd=None,
            spend_cap_per_board_usd=None,
            run_reserve_usd=2.0,
            auto_push=False,
        ),
        path=made.path,
        connector_id=None,
        bundle_name="default",
        board=None,
        poll_status=("todo",),
        running_status=None,
        done_status=None,
        failed_status=None,
        poll_interval_ms=15000,
        poll_limit=50,
        run_timeout_ms=600000,
        stall_timeout_ms=300000,
        lease_seconds=120,
        kill_grace_ms=10000,
        adapter="claude-code",
        allow_insecure=False,
        inherit_home=False,
        sandbox=Sandbox("auto", "model", ()),
        guard=Guard((), False),
        hitl=replace(Hitl(), blocked_status="blocked", resume_status="todo", answerers=()),
        log=Log(100, 1000, 20000),
    )
    assert made.holder.startswith("worker-")


def test_the_example_loads_and_names_every_key_with_its_default(tmp_path: Path):
    bare = loaded(tmp_path, "sandboxDir: WORK\n")
    text = EXAMPLE.replace("~/agent-work", "WORK")
    assert loaded(tmp_path, text) == bare
    everything = re.sub(
        r"^(\s*)# (\w+: )", r"\1\2", text, flags=re.MULTILINE
    )  # and what stands behind a `#` is right too
    full = loaded(tmp_path, everything)
    named = set(re.findall(r"^(?:  )?(\w+):", everything, flags=re.MULTILINE)) - set(config_rules.SECTIONS)
    assert named == {key.rpartition(".")[2] for key in config_rules.RULES}
    assert (full.connector_id, full.ergonomics.spend_cap_per_board_usd) == ("worker-1", 200.0)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("git push origin", "a push is never allowed"),
        ("*", "would allow everything"),
        ("/bin/zsh *", "would allow everything"),
        ("git *", "every git command"),
        ("make 'all", "is not understood"),
    ],
)
def test_a_line_that_would_unlock_what_never_may_be_is_refused_at_once(tmp_path: Path, command: str, why: str):
    rows = "sandboxDir: WORK\nguard:\n  allow:\n    - {repo: shop, command: make plan}\n    - repo: other\n"
    said = refused(tmp_path, f'{rows}      command: "{command}"\n')
    assert "connector.yml:6: guard.allow[1].command: " in said and why in said and "allow[0]" not in said


def test_every_attribute_has_a_rule_and_every_rule_an_attribute():
    sections = {"": Config, "sandbox": Sandbox, "guard": Guard, "hitl": Hitl, "ergonomics": Ergonomics, "log": Log}
    for name, made in sections.items():
        attributes = {field.name for field in fields(made)} - {"path", *sections}
        assert {config_rules.attribute(key) for key in config_rules.section(name)} == attributes, name


def test_the_page_of_keys_is_up_to_date_and_its_defaults_are_those_of_the_example():
    page = Path(__file__).parents[2] / "docs/reference/worker-keys.md"
    assert page.read_text("utf-8") == config_page.page(), "stale: run `make docs`"
    assert "| `runReserveUsd` | `2.00` | a number of USD above 0 |" in page.read_text("utf-8")
    said = {key: config_page.default(key).strip("`") for key in config_rules.RULES}
    assert (said["pollStatus"], said["allowInsecure"], said["log.maxEvents"], said["board"]) == (
        "[todo]",
        "false",
        "20000",
        "unset",
    )


def test_everything_can_be_said(tmp_path: Path):
    os.mkdir(tmp_path / "work")
    os.mkdir(tmp_path / "work/.git")
    made = loaded(
        tmp_path,
        "sandboxDir: WORK\nadapter: OpenAI\nstatePath: ~/s.db\nkillGraceMs: 0\nsandbox: {kind: none, network: hosts,"
        " allowHosts: ['*.Example.com', 'a.b:8443']}\nguard: {allow: [{repo: r, command: make x}]}\n"
        "ergonomics: {killSwitchFile: ../halt, maxConcurrency: 4, spendCapUsd: 7, autoPush: false}\nboard: null\n",
    )
    assert (made.adapter, made.state_path, made.kill_grace_ms) == ("codex", str(tmp_path / "home/s.db"), 0)
    assert made.sandbox == Sandbox("none", "hosts", ("*.example.com", "a.b:8443"))
    assert made.guard.allow == (Allow("r", "make x"),)
    assert made.ergonomics.kill_switch_file == str(tmp_path / "home/.agent-connector/halt")
    assert (made.ergonomics.max_concurrency, made.ergonomics.spend_cap_usd) == (4, 7.0)


def test_all_problems_are_said_at_once_with_their_lines(tmp_path: Path):
    said = refused(
        tmp_path,
        "sandboxDirr: /x\npollStatus: todo\npollLimit: 201\nadapter: clude\nallowInsecure: 'yes'\nlog:\n  batchSise: 3\n"
        "guard:\n  allow:\n    - {repo: r, comand: x}\nsandbox: [a]\n",
    )
    for line, *words in (
        (1, "sandboxDirr", "did you mean sandboxDir?"),
        (1, "sandboxDir", "missing"),
        (2, "pollStatus", "found the text 'todo'", "a list"),
        (3, "pollLimit", "the number 201", "1 to 200"),
        (4, "adapter", "'clude'", "claude, claude-code"),
        (5, "allowInsecure", "'yes'", "true or false"),
        (7, "log.batchSise", "did you mean batchSize?"),
        (10, "guard.allow[0].comand", "did you mean command?"),
        (11, "sandbox", "found a list", "keys with values"),
    ):
        found = [row for row in said.split("\n") if f"connector.yml:{line}: {words[0]}: " in row]
        assert found and all(word in found[0] for word in words[1:]), (line, words, said)
    assert "things are wrong" in said


def test_an_adapter_over_acp_is_known_by_any_word_for_its_host_and_an_unknown_one_says_which_there_are(tmp_path: Path):
    path = tmp_path / "connector.yml"
    (tmp_path / "work").mkdir()
    for word, host in (("acp:claude-code", "acp:claude-code"), ("ACP:Anthropic", "acp:claude-code")):
        path.write_text(f"sandboxDir: {tmp_path / 'work'}\nadapter: {word}\n")
        assert load(str(path), {}, str(tmp_path / "home")).adapter == host
    for word in ("acp:clude", "acp:amp"):  # the latter is known, and speaks no ACP
        said = refused(tmp_path, f"sandboxDir: WORK\nadapter: {word}\n")
        assert f"'{word}'" in said and "one of acp:antigravity-cli, acp:augment, acp:claude-code, " in said
        assert "acp:amp," not in said and " claude-code" not in said


@pytest.mark.parametrize("value", ["true", "yes", "'true'", "1", "on", "[x]"])
def test_a_push_by_itself_is_refused_with_the_reason(tmp_path: Path, value: str):
    said = refused(tmp_path, f"sandboxDir: WORK\nergonomics:\n  autoPush: {value}\n")
    assert "connector.yml:3: ergonomics.autoPush: the worker never pushes" in said


@pytest.mark.parametrize("key", ["runTimeoutMs", "stallTimeoutMs", "leaseSeconds", "pollIntervalMs"])
@pytest.mark.parametrize("value", ["0", "-1", "null", "", "true", ".inf", "1.5", "never"])
def test_no_value_switches_a_timeout_off(tmp_path: Path, key: str, value: str):
    assert f"connector.yml:2: {key}: found" in refused(tmp_path, f"sandboxDir: WORK\n{key}: {value}\n")


@pytest.mark.parametrize("value", ["0", "-1", ".nan", ".inf", "true", "'5'"])
def test_money_is_a_number_above_zero(tmp_path: Path, value: str):
    said = refused(tmp_path, f"sandboxDir: WORK\nergonomics: {{spendCapUsd: {value}, runReserveUsd: {value}}}\n")
    assert said.count("allowed: a number of USD above 0") == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sandbox: {allowHosts: [a.example]}", ("sandbox.allowHosts", "network: hosts")),
        ("sandbox: {network: hosts, allowHosts: ['https://a']}", ("sandbox.allowHosts", "host names")),
        ("leaseSeconds: 10", ("killGraceMs", "two thirds")),
        ("ergonomics: {spendCapUsd: 1}", ("ergonomics.spendCapUsd", "less than runReserveUsd (2)")),
        ("doneStatus: todo", ("doneStatus", "pollStatus")),
        ("hitl: {resumeStatus: blocked}", ("hitl.resumeStatus", "blockedStatus")),
        ("ergonomics: {maxConcurrency: 2}", ("ergonomics.maxConcurrency", "no git repository")),
        ("statePath: WORK/state.db", ("sandboxDir", "could then change")),
        ("ergonomics: {killSwitchFile: WORK/STOP}", ("sandboxDir", "could then change")),
    ],
)
def test_what_does_not_fit_together_is_refused(tmp_path: Path, text: str, words: tuple[str, ...]):
    said = refused(tmp_path, f"sandboxDir: WORK\n{text}\n")
    assert all(word in said for word in words), said


@pytest.mark.parametrize(
    "where",
    [
        "home",
        ".",
        "home/.agent-connector",
        "home/.agent-connector/worker",
        "home/.agent-connector/worker/w",
        "home/.ssh/w",
    ],
)
def test_a_folder_with_keys_is_no_place_to_work_even_through_a_link(tmp_path: Path, where: str):
    for folder in ("home/.agent-connector/worker/w", "home/.ssh/w", "links"):
        os.makedirs(tmp_path / folder, exist_ok=True)
    link = tmp_path / "links/to"
    link.symlink_to(tmp_path / where)
    for named in (tmp_path / where, link):
        assert "where keys are kept" in refused(tmp_path, f"sandboxDir: {named}\n")


def test_files_that_the_environment_names_are_kept_apart_too(tmp_path: Path):
    path = written(tmp_path, "sandboxDir: WORK/here\n")
    os.mkdir(tmp_path / "work/here")
    (tmp_path / "work/credentials").write_text("{}")
    for name in ("work/credentials", "work/here/credentials"):
        with pytest.raises(WorkerError, match="where keys are kept"):
            load(path, {places.CREDENTIALS: str(tmp_path / name)}, str(tmp_path / "home"))
    assert load(path, {}, str(tmp_path / "home")).sandbox_dir.endswith("here")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sandboxDir: [\n", r"connector\.yml:\d+: not valid YAML"),
        ("sandboxDir: WORK\nboard: a\nboard: b\n", r"connector\.yml:3: not valid YAML: .*duplicate key"),
        ("- a\n", "found a list; allowed: keys with values"),
        ("", "sandboxDir: it is missing"),
        ("a: " * 40 + "b", "not valid YAML"),
        ("[" * 400, "not valid YAML"),
        ("x" * 300_000, "larger than"),
        ("sandboxDir: !!python/object/apply:os.system [id]\n", "sandboxDir: found"),
    ],
)
def test_what_is_no_configuration_is_said_in_words(tmp_path: Path, text: str, said: str):
    assert re.search(said, refused(tmp_path, text))


def test_a_folder_or_a_file_that_is_not_there_names_the_next_step(tmp_path: Path):
    assert "agent-connector worker setup" in refused(tmp_path, "sandboxDir: /nowhere/at/all\n")
    with pytest.raises(WorkerError, match="agent-connector worker setup"):
        load(str(tmp_path / "none.yml"), {}, str(tmp_path))


def test_where_the_files_lie(tmp_path: Path):
    home = str(tmp_path)
    own = os.path.join(home, ".agent-connector/worker")
    assert places.credentials_file({}, home) == os.path.join(own, "credentials")
    assert places.state_file({}, home) == os.path.join(own, "worker-state.db")
    moved = {"AGENT_CONNECTOR_DATA_DIR": str(tmp_path / "data")}
    assert places.config_file(moved, home) == str(tmp_path / "data/worker/connector.yml")
    os.mkdir(tmp_path / ".appsuite")
    assert places.config_file({}, home) == os.path.join(home, ".appsuite/connector.yml")
    assert places.kill_switch_file({}, home) == os.path.join(home, ".appsuite/STOP")
    os.makedirs(own)
    assert places.folder({}, home) == own
    told = {places.CONFIG: "~/c.yml", places.CREDENTIALS: str(tmp_path / "k")}
    assert (places.config_file(told, home), places.credentials_file(told, home)) == (home + "/c.yml", home + "/k")
    assert places.kill_switch_file(told, home) == home + "/STOP"
