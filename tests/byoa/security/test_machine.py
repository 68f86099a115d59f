"""Attacks on the person's machine: other users of it, its logs, its files. The real driver, real files, a real port."""

import asyncio
import json
import logging
import os
import socket
import stat
from pathlib import Path

import pytest
import uvicorn
from starlette.requests import Request

from agent_connector.byoa.app import Account, Byoa, SqliteStore
from agent_connector.byoa.core.pairer import Pairer
from agent_connector.byoa.driver import loop
from agent_connector.byoa.driver.files import RealFiles
from agent_connector.byoa.driver.http import HttpxPort
from agent_connector.testing.byoa import Browser, FakeHost, FakeSession, MemoryFiles, ScriptedApp, World

NOTES = "https://notes.example"
CREDENTIAL = "credentials/fake-host/https_notes.example.json"


class Machine(World):
    """The world of an app with the files of a real disk."""

    def __init__(self, app: ScriptedApp, root: Path) -> None:
        self.real = RealFiles(str(root))
        super().__init__(app, files=MemoryFiles())

    def _pairer(self) -> Pairer:
        return Pairer(self.host, self.real, self.clock, self.random, version="1.0")


@pytest.fixture
def machine(tmp_path):
    world = Machine(ScriptedApp(NOTES), tmp_path / ".byoa")
    world.pair(NOTES)
    return world, tmp_path / ".byoa"


posix = pytest.mark.parametrize("system", [pytest.param("posix")] if os.name == "posix" else [])


def restarted(world):
    world.restart()
    world.open(FakeSession())
    world.run(5)
    return [request for _, request in world.sent if request.url.endswith("/register")]


def test_attack_what_is_written_is_for_nobody_else(machine):
    """Whatever the umask of the program is."""
    world, root = machine
    old = os.umask(0)
    try:
        world.pairer.disconnect("notes")
        world.run(2)
        world.pair(NOTES)
    finally:
        os.umask(old)
    found = [root, *root.rglob("*")]
    assert len(found) >= 4
    assert {oct(stat.S_IMODE(path.stat().st_mode)) for path in found if path.is_file()} <= {"0o600"}
    assert oct(stat.S_IMODE((root / CREDENTIAL).parent.stat().st_mode)) == "0o700"


@posix
@pytest.mark.parametrize("attack", ["group reads", "folder open", "linked file", "linked folder", "other name", "fifo"])
def test_attack_a_credential_that_others_could_have_touched(machine, attack, tmp_path, system):
    """It is not used, its token leaves the machine in no request, and `status` names the file."""
    world, root = machine
    file = root / CREDENTIAL
    folder = file.parent
    if attack == "group reads":
        file.chmod(0o640)
    elif attack == "folder open":
        folder.chmod(0o755)
    elif attack == "linked file":
        file.rename(tmp_path / "moved.json")
        file.symlink_to(tmp_path / "moved.json")
    elif attack == "linked folder":
        folder.rename(tmp_path / "moved")
        folder.symlink_to(tmp_path / "moved")
    elif attack == "fifo":
        file.unlink()
        os.mkfifo(file, 0o600)
    else:
        file.rename(folder / "https_bank.example.json")
    before = len(world.sent)
    assert restarted(world) == []
    assert len(world.sent) == before, "a token of a file that is not trusted was sent"
    assert "credentials/fake-host/" in world.status()


@posix
@pytest.mark.parametrize("mode", [0o622, 0o606, 0o666])
def test_attack_a_policy_that_others_write(machine, mode, system):
    world, root = machine
    policy = root / "policy.json"
    policy.write_text('{"share": {"*": ["path", "branch"]}}', "utf-8")
    policy.chmod(mode)
    register = restarted(world)[-1]
    assert json.loads(register.body)["session"]["workspace"] == {}
    assert "policy.json" in world.status()


@posix
def test_attack_a_link_where_the_credential_is_to_be_written(tmp_path, system):
    """A link that waits in its place is replaced, not written through."""
    root = tmp_path / ".byoa"
    (root / CREDENTIAL).parent.mkdir(parents=True, mode=0o700)
    victim = tmp_path / "victim"
    victim.write_text("mine", "utf-8")
    (root / CREDENTIAL).symlink_to(victim)
    world = Machine(ScriptedApp(NOTES), root)
    world.pair(NOTES)
    assert victim.read_text("utf-8") == "mine"
    assert not (root / CREDENTIAL).is_symlink() and stat.S_IMODE((root / CREDENTIAL).stat().st_mode) == 0o600


def test_attack_reading_tokens_from_logs(tmp_path, caplog, capfd):
    """A whole run over a real port with every logger at its lowest level: pair, chat, revoke, fail. No secret anywhere."""
    caplog.set_level(logging.DEBUG)
    door = socket.create_server(("127.0.0.1", 0))
    origin, ada = f"http://127.0.0.1:{door.getsockname()[1]}", Account("1", "Ada")

    def account_of(request: Request) -> Account | None:
        return ada if request.headers.get("remote-user") == "ada" else None

    async def story():
        byoa = Byoa(SqliteStore(), account_of, id="notes", name="Notes", origin=origin, hold=1)
        server = uvicorn.Server(uvicorn.Config(byoa, log_level="trace", log_config=None))
        serving = asyncio.ensure_future(server.serve(sockets=[door]))
        http, host, said = HttpxPort(), FakeHost(), []
        made = Pairer(host, RealFiles(str(tmp_path / ".byoa")), loop.SystemClock(), loop.SystemRandom(), version="1.0")
        driver = loop.Driver(made, host, http)
        session = FakeSession()
        session.handle = made.attach(session)
        while not server.started:
            await asyncio.sleep(0.01)
        running = asyncio.ensure_future(driver.run())
        secrets = []
        async for say in driver.connect(origin):
            said.append(say.text)
            if not say.done:
                lines = dict(line.split(maxsplit=1) for line in say.text.splitlines() if line.startswith("  "))
                browser = Browser(byoa, origin, headers={"remote-user": "ada"})
                page = await browser.get(lines["open"])
                typed = {"letters": lines["code"][-4:], "decision": "approve"}
                await browser.submit(page, page.form("letters"), typed)
        (file,) = (tmp_path / ".byoa").rglob("*.json")
        secrets.append(json.loads(file.read_text("utf-8"))["token"])
        while not (found := await byoa.sessions_of(ada)):
            await asyncio.sleep(0.05)
        await found[0].chat("a-private-question")
        while not session.prompts:
            await asyncio.sleep(0.05)
        session.answer("a-private-answer")
        driver.wake()
        said.append(await driver.status())
        said.append(repr(made) + repr(vars(made)) + repr(made._apps) + repr([vars(app) for app in made._apps.values()]))
        (connection,) = await byoa.connections_of(ada)
        await byoa.revoke(ada, connection.id)
        while "revoked" not in said[-1]:
            await asyncio.sleep(0.1)
            said.append(await driver.status())
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await http.close()
        server.should_exit = True
        await serving
        return secrets, said

    secrets, said = asyncio.run(story())
    out, err = capfd.readouterr()
    everything = "\n".join([caplog.text, out, err, *said])
    assert len(caplog.records) > 20, "nothing was logged: the test sees nothing"
    for secret in (*secrets, "a-private-answer"):
        assert secret not in everything
