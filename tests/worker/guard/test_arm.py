"""The hook as hosts run it: it denies in the host's own dialect, reports it, and fails closed whatever is missing."""

import asyncio
import json
import os
import subprocess

import pytest

from agent_connector.errors import GuardError, WorkerError
from agent_connector.hosts import query
from agent_connector.worker.config import Allow
from agent_connector.worker.guard import arm, policy
from agent_connector.worker.guard.denials import LONGEST, MOST, Denials
from agent_connector.worker.guard.ways import UNGUARDED, WAYS

HOOKED = [host for host, way in WAYS.items() if way.shape not in ("opencode", "pi")]


@pytest.fixture
def run(tmp_path):
    """Folders of one run, its rules, and what was heard."""

    class Run:
        def __init__(self) -> None:
            self.work, self.home, self.guard = (str(tmp_path / name) for name in ("work", "home", "guard"))
            for folder in (self.work, self.home, self.guard):
                os.mkdir(folder, 0o700)
            self.heard = []
            self.rules = policy.rules(self.work, self.home)
            self.listener = self.denials()

        def denials(self) -> Denials:
            self.listener = Denials(lambda verdict, tool, command: self.heard.append((verdict.rule, tool, command)))
            return self.listener

        def arm(self, host: str) -> arm.Armed:
            channel = self.listener.path or str(tmp_path / "nobody" / "denials")
            return arm.arm(host, self.guard, self.home, self.rules, channel)

    return Run()


def command_of(armed: arm.Armed) -> str:
    """What the host was told to run."""
    files = [word for word in (*armed.argv, *armed.environment.values(), *armed.locked) if os.path.isfile(word)]
    for file in files:
        with open(file, encoding="utf-8") as stream:
            text = stream.read()
        if file.endswith(".toml"):
            import tomllib

            return tomllib.loads(text)["hooks"][0]["command"]
        return found(json.loads(text))
    import tomllib

    return found(tomllib.loads(armed.argv[1]))


def found(value):
    if isinstance(value, dict):
        for name in ("command", "bash"):
            if isinstance(value.get(name), str):
                return value[name]
        value = list(value.values())
    return next((one for item in value if (one := found(item))), None) if isinstance(value, list) else None


def payload(host: str, command: str, cwd: str) -> str:
    hooks = query.hooks(host)
    tool = next(name for name, canonical in hooks.TOOLS.items() if canonical == "Bash")
    sample = query.samples(host).payload(
        hooks.EVENTS["PreToolUse"], "PreToolUse", None, tool, {"cwd": cwd, "input": {"command": command}}
    )
    return json.dumps(sample)


async def ask(command: str, given: str) -> subprocess.CompletedProcess:
    return await asyncio.to_thread(
        subprocess.run, ["/bin/sh", "-c", command], input=given, capture_output=True, text=True, timeout=60, check=False
    )


def says_no(host: str, done: subprocess.CompletedProcess) -> bool:
    """In the host's own dialect: its facet's reply to a denial, but for the words."""
    from agent_connector.connector.light import Event, deny

    hooks = query.hooks(host)
    reply = hooks.reply(Event("PreToolUse", host, hooks.EVENTS["PreToolUse"], {}), deny("@"))
    if reply.exit_code:
        return done.returncode == reply.exit_code and bool(done.stderr.strip())
    shape = json.dumps(reply.output).split("@")
    return done.returncode == 0 and all(part in json.dumps(json.loads(done.stdout)) for part in shape)


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini-cli", "copilot-cli", "kimi", "cursor"])
def test_a_host_hears_no_in_its_own_words_and_the_worker_is_told(run, host):
    async def scene():
        async with run.denials():
            command = command_of(run.arm(host))
            denied = await ask(command, payload(host, "git push origin", run.work))
            allowed = await ask(command, payload(host, "git status", run.work))
        return denied, allowed

    denied, allowed = asyncio.run(scene())
    assert says_no(host, denied), denied
    assert "git-push" in denied.stdout + denied.stderr
    assert not says_no(host, allowed) if allowed.stdout else allowed.returncode == 0, allowed
    assert allowed.returncode == 0
    assert [(rule, command) for rule, _, command in run.heard] == [("git-push", "git push origin")]


@pytest.mark.parametrize("broken", ["policy", "channel", "payload", "tool", "package", "python", "folder"])
def test_whatever_is_missing_the_answer_is_no(run, broken):
    async def scene():
        async with run.denials() as listener:
            command = command_of(run.arm("claude-code"))
            given = payload("claude-code", "git status", run.work)
            if broken == "policy":
                os.unlink(os.path.join(run.guard, "policy.json"))
            elif broken == "channel":
                listener._server.close()
                os.unlink(listener.path)
            elif broken == "payload":
                given = given[:-10]
            elif broken == "tool":
                given = json.dumps({"hook_event_name": "PreToolUse", "tool_input": {"command": "git status"}})
            elif broken == "package":
                command = command.replace("agent_connector.worker.guard.hook", "agent_connector.worker.guard.gone")
            elif broken == "python":
                command = command.replace(command.split()[0], "/nonexistent/python", 1)
            else:
                os.rename(run.guard, run.guard + "-gone")
            done = await ask(command, given)
            if broken == "folder":
                os.rename(run.guard + "-gone", run.guard)
            return done

    assert says_no("claude-code", asyncio.run(scene()))


@pytest.mark.parametrize("host", HOOKED)
def test_every_way_answers_no_by_the_shell_alone(run, host):
    """The hook's program is gone: what the host has registered denies."""
    command = command_of(run.arm(host))
    command = command.replace(command.split(" -I ")[0].split()[-1], "/nonexistent/python", 1)
    assert says_no(host, asyncio.run(ask(command, "{}")))


def config_of(module: str):
    with open(module, encoding="utf-8") as stream:
        return json.loads(next(line for line in stream if line.startswith("const CONFIG"))[len("const CONFIG = ") :])


@pytest.mark.parametrize("host", [host for host, way in WAYS.items() if way.shape in ("opencode", "pi")])
def test_a_plugin_is_told_in_plain_words_what_is_allowed(run, host):
    async def scene():
        async with run.denials():
            run.arm(host)
            config = config_of(os.path.join(run.guard, f"{arm.NAME}.js"))
            denied = await ask(config["command"], payload(host, "git push", run.work))
            allowed = await ask(config["command"], payload(host, "git status", run.work))
            os.unlink(os.path.join(run.guard, "policy.json"))
            return denied, allowed, await ask(config["command"], "{}")

    denied, allowed, broken = (json.loads(done.stdout) for done in asyncio.run(scene()))
    assert denied["guard"] == broken["guard"] == "denied"
    assert "git-push" in denied["reason"]
    assert allowed == {"guard": "allowed"}


def policy_of(run) -> str:
    with open(os.path.join(run.guard, "policy.json"), encoding="utf-8") as stream:
        return stream.read()


def test_nothing_of_the_guard_lies_where_the_agent_writes_but_what_is_said_to(run):
    for host, way in WAYS.items():
        armed = run.arm(host)
        assert bool(armed.locked) == (way.kind == "home"), host
        assert set(armed.locked) <= set(armed.readable)
        assert all(os.stat(file).st_mode & 0o222 == 0 for file in armed.locked)
        folders = {run.guard, os.path.dirname(json.loads(policy_of(run))["channel"])}
        assert folders <= set(armed.readable)
        protected = json.loads(policy_of(run))["rules"]["protected"]
        assert set(map(os.path.realpath, (*folders, *armed.locked))) <= set(protected)


def test_a_link_that_an_earlier_run_left_is_not_followed(run):
    outside = os.path.join(run.work, "mine")
    os.makedirs(os.path.join(run.home, ".factory"))
    with open(outside, "w", encoding="utf-8") as stream:
        stream.write("mine")
    os.symlink(outside, os.path.join(run.home, ".factory", "hooks.json"))
    run.arm("droid")
    with open(outside, encoding="utf-8") as stream:
        assert stream.read() == "mine"


def test_a_host_that_cannot_be_guarded_is_refused_with_the_reason(run):
    for host, reason in UNGUARDED.items():
        with pytest.raises(GuardError) as caught:
            run.arm(host)
        assert reason in str(caught.value)
    driven = {host for host in query.hosts() if query.headless(host)}
    assert driven == set(WAYS) | set(UNGUARDED)


def test_the_channel_can_only_add_denials_and_is_bounded(run):
    async def scene():
        async with run.denials() as listener:

            async def send(data: bytes) -> None:
                try:
                    _, writer = await asyncio.open_unix_connection(listener.path)
                    writer.write(data)
                    await writer.drain()
                    writer.close()
                    await writer.wait_closed()
                except OSError:
                    return

            for data in (
                b"",
                b"\n",
                b"nothing",
                b"[]\n",
                b"\xff\xfe\n",
                b"x" * (LONGEST * 2),
                b'{"rule": "allowed", "allowed": true}\n',
            ):
                await send(data)
            await send(
                json.dumps({"rule": "git-push", "reason": "r" * 9_000, "tool": "Bash", "command": "c"}).encode() + b"\n"
            )
            while len(run.heard) < 2:
                await asyncio.sleep(0.01)
            for _ in range(MOST + 20):
                await send(b'{"rule": "git-push"}\n')

    asyncio.run(scene())
    assert ("guard", "", "") in run.heard  # a rule that nobody knows is the guard's own
    assert ("git-push", "Bash", "c") in run.heard
    assert len(run.heard) <= MOST
    assert not os.path.exists(os.path.dirname(run.listener.path))


@pytest.mark.parametrize("length", [10, 200])
def test_the_channels_folder_is_private_and_gone_at_the_end(run, tmp_path, monkeypatch, length):
    """Also where the folder for temporary files has a name that is longer than that of a socket may be."""
    temporary = tmp_path / ("t" * length)
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))

    async def scene() -> str:
        async with run.denials() as listener:
            folder = os.path.dirname(listener.path)
            assert os.stat(folder).st_mode & 0o777 == 0o700
            assert os.listdir(folder) == [os.path.basename(listener.path)]
            return folder

    assert not os.path.exists(asyncio.run(scene()))
    assert os.listdir(temporary) == []


def test_a_channel_that_cannot_be_made_leaves_nothing_and_says_so(run, tmp_path, monkeypatch):
    monkeypatch.setattr("agent_connector.worker.sockets.LONGEST", 4096)
    temporary = tmp_path / ("t" * 200)
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))

    async def scene() -> None:
        async with run.denials():
            pass

    with pytest.raises(GuardError, match="cannot be made"):
        asyncio.run(scene())
    assert os.listdir(temporary) == []


def test_a_person_allows_by_repository_and_never_a_push(tmp_path):
    repository = tmp_path / "shop"
    repository.mkdir()
    allow = (Allow("shop", "terraform plan"), Allow(str(repository), "./x.sh *"), Allow("other", "ssh host"))
    rules = policy.rules(str(tmp_path / "clone"), str(tmp_path), allow=allow, repository=str(repository))
    assert rules.allow == (("terraform", "plan"), ("./x.sh", "*"))
    for command in (
        "git push",
        "git push *",
        "docker push x",
        "git *",
        "git -c a=b *",
        "*",
        "sh -c *",
        "'",
        "git send-pack",
    ):
        with pytest.raises(WorkerError):
            policy.rules(str(tmp_path), str(tmp_path), allow=[Allow("*", command)])


def test_every_hosts_own_files_of_a_project_are_protected(tmp_path):
    kept = policy.project_files(str(tmp_path))
    for name in (
        ".claude/settings.json",
        ".mcp.json",
        ".cursor/hooks.json",
        ".gemini/settings.json",
        ".opencode/plugins",
        ".codex/hooks.json",
        ".factory/settings.local.json",
    ):
        assert any(os.path.join(str(tmp_path), name).startswith(path) for path in kept), name
    assert str(tmp_path) not in kept


def test_a_report_that_is_nested_too_deep_reports_nothing(run):
    run.denials()._tell(b"[" * (LONGEST - 1))
    assert run.heard == []
