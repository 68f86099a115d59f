"""Run the board: bind, say where it is, serve until interrupted."""

import asyncio
import errno
import ipaddress
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import uvicorn

from agent_connector.board import retention
from agent_connector.board.app import application
from agent_connector.board.store import Store
from agent_connector.errors import BoardError

PORT = 8700
_GRACE = 5  # seconds for streams that are open when it ends
_WAITING = 2048  # connections that may wait to be taken


@dataclass(frozen=True, slots=True)
class Listening:
    """Where, and for whom. `names` are what a Host header may say beside loopback's; `proxies` whose word on a client's
    address is taken."""

    host: str = "127.0.0.1"
    port: int = PORT
    names: Sequence[str] = ()
    proxies: Sequence[str] = ()
    certificate: str | None = None
    certificate_key: str | None = None
    keep_logs: float = retention.KEPT  # days; 0: for ever

    def url(self, port: int) -> str:
        """What a person opens."""
        name = self.names[0] if self.names else self.host
        name = f"[{name}]" if ":" in name else name
        return f"{'https' if self.certificate else 'http'}://{name}:{port}"


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def run(
    store: Store,
    listening: Listening,
    ready: Callable[[str], object],
    until: Callable[[], object] | None = None,
) -> None:
    """Until interrupted, or until `until` returns. `ready` gets the address, once connections are taken."""
    with bind(listening.host, listening.port) as listener:
        config = uvicorn.Config(
            application(store, allow_hosts=(listening.host, *listening.names), keep_logs=listening.keep_logs),
            log_level="warning",
            access_log=False,  # an address may hold the token of the first start
            server_header=False,
            backlog=_WAITING,
            proxy_headers=bool(listening.proxies),
            forwarded_allow_ips=list(listening.proxies),
            timeout_graceful_shutdown=_GRACE,
            ssl_certfile=listening.certificate,
            ssl_keyfile=listening.certificate_key,
        )
        server = uvicorn.Server(config)
        if until is not None:
            threading.Thread(target=_end_after, args=(until, server), daemon=True).start()
        ready(listening.url(listener.getsockname()[1]))
        try:
            asyncio.run(server.serve([listener]))
        except KeyboardInterrupt:
            return


def _end_after(until: Callable[[], object], server: uvicorn.Server) -> None:
    until()
    server.should_exit = True


def bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named, or asyncio takes its connections for something else than TCP and lets each answer wait for 40 ms (Nagle).
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host.strip("[]"), port))
        listener.listen(_WAITING)  # who opens the address before the server is up waits, and is not refused
    except OSError as error:
        listener.close()
        other = "--port" if error.errno == errno.EADDRINUSE else "--host and --port"
        raise BoardError(
            f"{host}:{port} cannot be used: {error.strerror or error}", remedy=f"Name another with {other}."
        ) from None
    return listener
