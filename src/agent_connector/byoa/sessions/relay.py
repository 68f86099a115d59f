"""A program of its own, standard library only: the MCP server as a host starts it. It carries bytes and knows nothing.

    python -I -S relay.py ADDRESS      with the key of the meeting in BYOA_RELAY_KEY

The server itself lives in the process that has the session; this one brings its standard input and output there.
"""

import os
import socket
import sys
import threading
from typing import Any, cast

KEY = "BYOA_RELAY_KEY"
CHUNK = 1 << 16


def main(address: str, key: str) -> int:
    """Until either side ends."""
    if sys.platform == "win32":
        return _over_pipe(address, key)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
        link.connect(address)
        link.sendall(f"{key}\n".encode())
        threading.Thread(target=_up, args=(link,), daemon=True).start()
        while piece := link.recv(CHUNK):
            _write(piece)
    # The other thread may sit in a read that nothing ends: do not wait for it.
    os._exit(0)


def _up(link: socket.socket) -> None:
    try:
        while piece := os.read(0, CHUNK):
            link.sendall(piece)
        link.shutdown(socket.SHUT_WR)
    except OSError:
        os._exit(1)


def _write(piece: bytes) -> None:
    left = memoryview(piece)
    while left:
        left = left[os.write(1, left) :]


def _over_pipe(address: str, key: str) -> int:
    """A named pipe takes a read and a write at once only when it is used asynchronously."""
    import asyncio

    async def carry() -> None:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        pipe = cast("Any", loop).create_pipe_connection  # only the loop of Windows has it
        transport = cast("asyncio.WriteTransport", (await pipe(lambda: protocol, address))[0])
        transport.write(f"{key}\n".encode())

        def up() -> None:
            while piece := os.read(0, CHUNK):
                loop.call_soon_threadsafe(transport.write, piece)
            loop.call_soon_threadsafe(transport.close)

        threading.Thread(target=up, daemon=True).start()
        while piece := await reader.read(CHUNK):
            _write(piece)

    asyncio.run(carry())
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], os.environ.get(KEY, "")))
