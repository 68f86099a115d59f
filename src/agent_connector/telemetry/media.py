"""Tokens of images and audio, by the formulas that model makers publish. Pixels and seconds are read from the head of
the file; base64 is never tokenized.

Sources (read 2026-11-30):
- Claude, platform.claude.com "Images and vision": patches of 28 pixels, one token each; first fitted into 2576 pixels on
  the long edge and 4784 patches (1568 and 1568 before Opus 4.7).
- GPT, developers.openai.com "Images and vision": patches of 32 pixels, 1.2 tokens each; at detail "high", which agents
  send, first fitted into 2048 pixels on the long edge and 2500 patches. Audio, "Realtime costs": a token per 100 ms.
- Gemini, ai.google.dev "Media resolution" and "Tokens": 1120 tokens an image by default from Gemini 3 on; 32 tokens
  a second of audio.
"""

import base64
import binascii
from dataclasses import dataclass
from math import ceil, sqrt

from agent_connector.telemetry.tokenizer import APPROX, HEURISTIC, Count

_HEAD = 1 << 16  # base64 characters that are looked at for size and length
_SECOND = 16_000  # bytes of a second of sound whose format is not known: 128 kbit/s


@dataclass(frozen=True, slots=True)
class Patches:
    """An image costs `price` tokens for each square of `size` pixels, after it was fitted into `edge` and `most`."""

    size: int
    edge: int
    most: int
    price: float


_PATCHES = {"claude": Patches(28, 2576, 4784, 1.0), "gpt": Patches(32, 2048, 2500, 1.2)}
_FLAT = {"gemini": 1120}
_AUDIO = {"gpt": 10.0, "gemini": 32.0}  # tokens a second


def image(data: str, family: str) -> Count:
    """Tokens of a base64 image."""
    if family in _FLAT:
        return Count(_FLAT[family], APPROX)
    size = dimensions(head(data))
    width, height = size or (1024, 1024)
    rule = _PATCHES.get(family, _PATCHES["claude"])
    return Count(patched(width, height, rule), APPROX if size and family in _PATCHES else HEURISTIC)


def patched(width: int, height: int, rule: Patches) -> int:
    """Tokens of an image under a patch rule."""
    scale = min(1.0, rule.edge / max(width, height, 1))
    if ceil(width * scale / rule.size) * ceil(height * scale / rule.size) > rule.most:
        scale = min(scale, sqrt(rule.most * rule.size**2 / (width * height)))
        across, down = width * scale / rule.size, height * scale / rule.size
        scale *= min(max(int(across), 1) / across, max(int(down), 1) / down)
    patches = ceil(round(width * scale / rule.size, 6)) * ceil(round(height * scale / rule.size, 6))
    return ceil(max(patches, 1) * rule.price)


def audio(data: str, family: str) -> Count:
    """Tokens of base64 audio. Families that take none are counted by the dearest published rate."""
    size = len(data) * 3 // 4 - data[-2:].count("=")
    length = seconds(head(data), size)
    tokens = ceil((length or size / _SECOND) * _AUDIO.get(family, 32.0))
    return Count(tokens, APPROX if length and family in _AUDIO else HEURISTIC)


def head(data: str) -> bytes:
    """The first bytes behind base64."""
    part = data[:_HEAD]
    try:
        return base64.b64decode(part[: len(part) // 4 * 4])
    except (binascii.Error, ValueError):
        return b""


def dimensions(data: bytes) -> tuple[int, int] | None:
    """(width, height) of a PNG, GIF, JPEG or WebP file, None for others."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return _big(data[16:20]), _big(data[20:24])
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        return _little(data[6:8]), _little(data[8:10])
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp(data)
    return _jpeg(data) if data[:2] == b"\xff\xd8" else None


def _big(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _webp(data: bytes) -> tuple[int, int] | None:
    if data[12:16] == b"VP8X":
        return _little(data[24:27]) + 1, _little(data[27:30]) + 1
    if data[12:16] == b"VP8 ":
        return _little(data[26:28]) & 0x3FFF, _little(data[28:30]) & 0x3FFF
    if data[12:16] == b"VP8L":
        bits = _little(data[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return None


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """Walk the segments to the one that starts a frame."""
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        kind = data[at + 1]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def seconds(data: bytes, size: int) -> float:
    """Length of a WAV or MP3 file of `size` bytes, 0 for others."""
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        at = data.find(b"fmt ")
        rate = int.from_bytes(data[at + 16 : at + 20], "little") if at > 0 else 0
        return max(size - 44, 0) / rate if rate else 0.0
    at = 0
    if data[:3] == b"ID3" and len(data) > 10:
        at = 10 + (data[6] << 21 | data[7] << 14 | data[8] << 7 | data[9])
    if len(data) > at + 3 and data[at] == 0xFF and data[at + 1] & 0xE6 == 0xE2:
        return _mp3(data[at + 1], data[at + 2], size - at)
    return 0.0


_LAYER3 = (
    (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0),
    (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0),
)


def _mp3(version: int, rates: int, size: int) -> float:
    """Length of MPEG layer III sound at the first frame's bit rate."""
    first = version & 0x18 == 0x18
    rate = _LAYER3[0 if first else 1][rates >> 4]
    return size * 8 / (rate * 1000) if rate else 0.0
