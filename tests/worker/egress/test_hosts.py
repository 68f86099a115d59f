"""The way to other hosts: names that were allowed, at the address that was checked, and nothing else."""

import asyncio
import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.worker.egress.conftest import site

from agent_connector.errors import SandboxError
from agent_connector.worker.egress import allow

ALLOWED = ("pkgs.example.net", "git.example.org:8443", "*.cdn.example")


def connect(target: str, *headers: str) -> bytes:
    lines = "".join(f"{header}\r\n" for header in headers)
    return f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{lines}\r\n".encode()


@pytest.mark.parametrize(
    "target",
    [
        "pkgs.example.net:443",
        "Pkgs.Example.net.:443",
        "pkgs.example.net:80",
        "git.example.org:8443",
        "a.b.cdn.example:443",
    ],
)
def test_an_allowed_host_is_reached_at_the_address_that_was_checked(target: str) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"back:" + await reader.readexactly(4))

    async def main() -> None:
        async with site(echo, network="hosts", hosts=ALLOWED) as here:
            reader, writer = await here.send(connect(target))
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
            writer.write(b"\r\n\r\nTLS!")  # the far side reads a head first
            assert await reader.read() == b"back:TLS!"
            writer.close()
            assert here.dialled == [("93.184.215.14", int(target.rpartition(":")[2]))] and len(here.resolved) == 1

    asyncio.run(main())


HOSTILE = [
    "evil.example:443", "pkgs.example.net.evil.example:443", "evilpkgs.example.net:443", "pkgs.example.net:22", "pkgs.example.net:8443", "git.example.org:443",
    "cdn.example:443", "127.0.0.1:443", "127.1:443", "0x7f000001:443", "2130706433:443", "0177.0.0.1:443", "[::1]:443", "::1:443",
    "[::ffff:127.0.0.1]:443", "localhost:443", "pkgs.example.net", "pkgs.example.net:", "pkgs.example.net:-1", "pkgs.example.net:443443", "pkgs.example.net:\uff14\uff14\uff13",
    "pkgs.example.net@evil.example:443", "evil.example#pkgs.example.net:443", "93.184.215.14:443", ":443", "http://evil.example/", "http://127.0.0.1/",
    "http://pkgs.example.net:22/", "http://pkgs.example.net@evil.example/", "http://[::1]/", "https://pkgs.example.net/", "ftp://pkgs.example.net/", "http://[bad/",
]  # fmt: skip


@pytest.mark.parametrize("target", HOSTILE)
def test_everything_else_is_refused_and_told_once(target: str) -> None:
    async def main() -> None:
        async with site(network="hosts", hosts=ALLOWED) as here:
            data = connect(target) if not target.partition(":")[0] in ("http", "https", "ftp") else b""
            data = data or f"GET {target} HTTP/1.1\r\nHost: pkgs.example.net\r\n\r\n".encode()
            for _ in range(2):
                answer = await here.ask(data)
                assert answer.startswith(("HTTP/1.1 403", "HTTP/1.1 400")) or answer == ""
            assert here.dialled == here.resolved == here.asked == []
            assert len(here.said) == (0 if answer == "" else 1)

    asyncio.run(main())


PRIVATE = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255",
    "192.0.2.1", "198.18.0.1", "240.0.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1",
    "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "no address",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_that_leads_into_a_private_network_is_refused_whatever_else_it_leads_to(address: str) -> None:
    async def main() -> None:
        async with site(network="hosts", hosts=ALLOWED, addresses=("93.184.215.14", address)) as here:
            assert (await here.ask(connect("pkgs.example.net:443"))).startswith("HTTP/1.1 403")
            assert here.dialled == [] and address in here.said[0]

    asyncio.run(main())


@given(st.ip_addresses(v=4))
def test_an_address_in_an_address_counts(inner: object) -> None:
    assert allow.public(f"::ffff:{inner}") == allow.public(str(inner))
    if not allow.public(str(inner)):
        assert not allow.public(f"64:ff9b::{inner}")


def test_without_hosts_there_are_none_but_for_a_login_of_the_runs_own() -> None:
    async def main() -> None:
        for key, network in (("key", "model"), (None, "model"), ("key", "none")):
            async with site(network=network, hosts=ALLOWED, key=key) as here:
                if key is None:
                    here.egress.add("run", "https://api.model.example", None, "authorization")
                assert (await here.ask(connect("pkgs.example.net:443"))).startswith("HTTP/1.1 403")
                reader, writer = await here.send(connect("api.model.example:443"))
                expected = b"HTTP/1.1 200" if key is None else b"HTTP/1.1 403"
                assert (await reader.readuntil(b"\r\n\r\n")).startswith(expected)
                assert bool(here.door.environment()) is (key is None)
                writer.close()

    asyncio.run(main())


def test_another_user_of_this_machine_cannot_use_the_port() -> None:
    async def main() -> None:
        async with site(network="hosts", hosts=ALLOWED) as here:
            for headers in (
                (),
                ("Proxy-Authorization: Basic !",),
                (f"Proxy-Authorization: Basic {basic('run:wrong')}",),
            ):
                assert (await here.ask(connect("pkgs.example.net:443", *headers), by="tcp")).startswith("HTTP/1.1 407")
            assert here.dialled == []
            named = here.door.environment()["HTTPS_PROXY"].removeprefix("http://").partition("@")[0]
            reader, writer = await here.send(
                connect("pkgs.example.net:443", f"Proxy-Authorization: Basic {basic(named)}"), by="tcp"
            )
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
            writer.close()

    asyncio.run(main())


def basic(pair: str) -> str:
    return base64.b64encode(pair.encode()).decode()


def test_an_unencrypted_request_is_for_the_host_that_was_checked() -> None:
    async def main() -> None:
        async with site(network="hosts", hosts=ALLOWED) as here:
            head = "POST http://pkgs.example.net/simple?q HTTP/1.1\r\nHost: evil.example\r\nProxy-Authorization: Basic x\r\nContent-Length: 2\r\n\r\n"
            second = "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n"
            answer = await here.ask(head.encode() + b"ok" + second.encode())
            assert answer.endswith("hello") and answer.count("HTTP/1.1") == 1
            assert here.asked[0].startswith("POST /simple?q HTTP/1.1\r\n") and "evil" not in here.asked[0]
            assert (
                "host: pkgs.example.net" in here.asked[0].lower() and "proxy-authorization" not in here.asked[0].lower()
            )

    asyncio.run(main())


@pytest.mark.parametrize("entry", ["127.0.0.1", "[::1]", "10.0.0.1:80", "localhost", "https://pkgs.example.net", "pkgs.example.net/x", "*", "*.org:0", "a b.c",
                                   "pkgs.example.net:https", "pkgs.example.net:70000", "", "x.1"])  # fmt: skip
def test_an_entry_that_is_no_host_is_an_error_of_the_configuration(entry: str) -> None:
    with pytest.raises(SandboxError) as raised:
        allow.parse([entry])
    assert raised.value.where == "sandbox.allowHosts"
