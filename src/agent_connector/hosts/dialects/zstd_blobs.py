"""Compressed values inside a host's database, unpacked only up to a size that a host would write."""

import zstandard

LARGEST = 64 * 1024 * 1024
PIECE = 256 * 1024
WINDOW = 128 * 1024 * 1024  # zstd's own default limit of `--long`: a frame that asks for more asks for our memory


def unpacked(blob: bytes, largest: int = LARGEST) -> bytes | None:
    """What `blob` holds; None when it is no zstd or larger than `largest`.

    It is read piece by piece, since the size that a frame claims is the writer's word: memory would be taken for it.
    """
    data = bytearray()
    try:
        reader = zstandard.ZstdDecompressor(max_window_size=WINDOW).stream_reader(blob, read_across_frames=True)
        while piece := reader.read(PIECE):
            data += piece
            if len(data) > largest:
                return None
    except (zstandard.ZstdError, MemoryError):
        return None
    return bytes(data)
