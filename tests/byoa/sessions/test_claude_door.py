"""A hook finds the pairer of its session, and nobody else does."""

import asyncio
import os
import socket
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_connector.byoa.sessions import claude_door
from agent_connector.byoa.sessions.claude_door import Caller, Door, DoorError
from agent_connector.runtime import byoa_door

WAIT = 60


def opened(
    folder: Path, visit: Callable[[Caller], None], story: Callable[[], object], names: tuple[str, ...] = ("p7",)
) -> object:
    """Run `story`, which is a hook's process and so may block, beside an open door."""

    async def run() -> object:
        door = Door(str(folder), visit)
        for name in names:
            assert await door.open(name)
        try:
            return await asyncio.to_thread(story)
        finally:
            await door.close()

    return asyncio.run(run())


def test_a_line_goes_there_and_one_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "door"
    got = opened(
        folder,
        lambda caller: caller.answer(caller.line.strip().upper()),
        lambda: byoa_door.ask(str(folder), ["p1", "p7"], b"hello", WAIT),
    )
    assert got == b"HELLO"
    assert list(folder.iterdir()) == []


def test_a_long_path_is_no_trouble(tmp_path: Path) -> None:
    folder = tmp_path / ("a" * 60) / ("b" * 60)
    before = Path.cwd()
    got = opened(folder, lambda caller: caller.answer(b"here"), lambda: byoa_door.ask(str(folder), ["p7"], b"x", WAIT))
    assert got == b"here"
    assert Path.cwd() == before


def test_a_large_line_and_a_large_answer(tmp_path: Path) -> None:
    folder = tmp_path / "door"
    large = b"x" * (3 << 20)
    got = opened(folder, lambda caller: caller.answer(large), lambda: byoa_door.ask(str(folder), ["p7"], large, WAIT))
    assert got == large


def test_an_answer_may_come_later_and_a_hook_may_leave(tmp_path: Path) -> None:
    folder = tmp_path / "door"
    gone = threading.Event()

    def visit(caller: Caller) -> None:
        caller.when_gone = gone.set
        if caller.line == b"wait\n":
            asyncio.get_running_loop().call_later(0.05, caller.answer, b"at last")

    def story() -> object:
        later = byoa_door.ask(str(folder), ["p7"], b"wait", WAIT)
        assert byoa_door.ask(str(folder), ["p7"], b"for ever", 0.5) == b""
        return later, gone.wait(WAIT)

    assert opened(folder, visit, story) == (b"at last", True)


def test_without_a_pairer_nothing_is_said(tmp_path: Path) -> None:
    assert byoa_door.ask(str(tmp_path / "none"), ["p7"], b"x", WAIT) == b""
    tmp_path.chmod(0o700)
    assert byoa_door.ask(str(tmp_path), ["p7", "s1"], b"x", WAIT) == b""
    (tmp_path / "p7").write_text("a file")
    assert byoa_door.ask(str(tmp_path), ["p7"], b"x", WAIT) == b""


def test_a_folder_that_others_may_enter_is_not_asked(tmp_path: Path) -> None:
    folder = tmp_path / "door"

    def story() -> object:
        folder.chmod(0o755)
        return byoa_door.ask(str(folder), ["p7"], b"x", WAIT)

    assert opened(folder, lambda caller: caller.answer(b"here"), story) == b""


def test_the_folder_is_made_private_and_a_link_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "door"
    folder.mkdir(mode=0o755)
    opened(folder, lambda caller: caller.answer(b""), lambda: None)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    link = tmp_path / "link"
    link.symlink_to(folder)
    with pytest.raises(DoorError, match="link"):
        opened(link, lambda caller: None, lambda: None)


def test_two_pairers_do_not_take_each_others_names(tmp_path: Path) -> None:
    async def run() -> tuple[bool, bool, bytes]:
        first = Door(str(tmp_path / "door"), lambda caller: caller.answer(b"first"))
        second = Door(str(tmp_path / "door"), lambda caller: caller.answer(b"second"))
        opened = await first.open("s1"), await second.open("s1")
        got = await asyncio.to_thread(byoa_door.ask, str(tmp_path / "door"), ["s1"], b"x", WAIT)
        await second.close()
        await first.close()
        return (*opened, got)

    assert asyncio.run(run()) == (True, False, b"first")


def test_what_a_killed_pairer_has_left_is_taken_over_and_tidied(tmp_path: Path) -> None:
    folder = tmp_path / "door"
    folder.mkdir(mode=0o700)
    for name in ("p7", "p8", "p9"):
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(folder / name))
        if name != "p9":
            os.utime(folder / name, (1, 1))
    got = opened(
        folder,
        lambda caller: caller.answer(b"new"),
        lambda: (byoa_door.ask(str(folder), ["p7"], b"x", WAIT), sorted(os.listdir(folder))),
    )
    assert got == (b"new", ["p7", "p9"])  # p9 may be of one that is just starting


def test_names_cannot_leave_the_folder() -> None:
    assert byoa_door.by_session("../../etc/passwd\0") == "setcpasswd"
    assert len(byoa_door.by_session("x" * 500)) <= 65


def test_a_caller_that_says_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude_door, "SAY_WITHIN", 0.05)
    folder = tmp_path / "door"

    def story() -> object:
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(folder / "p7"))
            link.settimeout(WAIT)
            return link.recv(10)

    assert opened(folder, lambda caller: caller.answer(b"here"), story) == b""


def test_on_windows_a_file_says_which_pipe_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No pipe of Windows is here: what listens is told apart, and a FIFO, which gives back what it gets, stands for it."""
    folder = tmp_path / "door"
    folder.mkdir(mode=0o700)
    listening: list[str] = []

    async def serve(protocol: object, address: str) -> list[object]:
        listening.append(address)
        return []

    async def run() -> None:
        asyncio.get_running_loop().start_serving_pipe = serve
        door = Door(str(folder), lambda caller: None)
        for name in ("p7", "sone"):
            assert await door._pipe(name)

    asyncio.run(run())
    assert len(listening) == 1
    assert listening[0].startswith(byoa_door.PIPES)
    assert {file.name: file.read_text() for file in folder.iterdir()} == {"p7": listening[0], "sone": listening[0]}

    with pytest.raises(OSError, match=r"(?i)no such"):
        byoa_door._over_pipe(str(folder), "p7", b"x\n", 1e9)
    monkeypatch.setattr(byoa_door, "PIPES", str(tmp_path))
    os.mkfifo(tmp_path / "pipe")
    (folder / "p7").write_text(str(tmp_path / "pipe"))
    assert byoa_door._over_pipe(str(folder), "p7", b"there and back\n", 1e9) == b"there and back"
    (folder / "p7").write_text("/etc/passwd")
    with pytest.raises(OSError, match="/etc/passwd"):
        byoa_door._over_pipe(str(folder), "p7", b"x\n", 1e9)
