"""A port for a server that is started later, or that comes back where it was."""

import random
import socket

PORTS = range(20_000, 30_000)  # below those that systems give to whoever connects somewhere


def free_port() -> int:
    """Nobody listens there, and no connection gets it by chance before it is bound."""
    for port in random.sample(PORTS, 100):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError(f"no port of {PORTS} is free")
