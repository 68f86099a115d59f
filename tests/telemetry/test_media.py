"""Pictures and sound by published formulas; the examples are those of the makers' pages."""

import base64
import struct

import pytest

from agent_connector.telemetry import media
from agent_connector.telemetry.tokenizer import APPROX, HEURISTIC, Count


def png(width: int, height: int) -> str:
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"\x08\x02\0\0\0" + bytes(900)
    return base64.b64encode(head).decode()


def jpeg(width: int, height: int, exif: int = 0) -> bytes:
    app = b"\xff\xe1" + struct.pack(">H", exif + 2) + bytes(exif) if exif else b""
    return b"\xff\xd8" + app + b"\xff\xc0" + struct.pack(">HBHH", 17, 8, height, width) + bytes(40)


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (base64.b64decode(png(640, 480)), (640, 480)),
        (b"GIF89a" + struct.pack("<HH", 320, 200) + bytes(20), (320, 200)),
        (jpeg(1920, 1080), (1920, 1080)),
        (jpeg(800, 600, exif=20_000), (800, 600)),
        (b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + (1279).to_bytes(3, "little") + (719).to_bytes(3, "little"), (1280, 720)),
        (b"RIFF\0\0\0\0WEBPVP8 " + bytes(10) + struct.pack("<HH", 550, 368), (550, 368)),
        (b"RIFF\0\0\0\0WEBPVP8L" + bytes(5) + struct.pack("<I", 399 | 299 << 14) + bytes(9), (400, 300)),
        (b"nothing of the kind", None),
        (b"\xff\xd8\xff", None),
        (b"\x89PNG\r\n\x1a\n", None),
        (b"", None),
    ],
)
def test_sizes_are_read_from_the_head(data: bytes, size: tuple[int, int] | None) -> None:
    assert media.dimensions(data) == size


@pytest.mark.parametrize(
    ("family", "width", "height", "tokens"),
    [
        ("claude", 1000, 1000, 1296),  # 36 x 36 patches
        ("claude", 200, 200, 64),
        ("claude", 1, 1, 1),
        ("gpt", 1024, 1024, 1229),  # 32 x 32 patches, 1.2 tokens each
        ("gpt", 640, 480, 360),
        ("gemini", 640, 480, 1120),
    ],
)
def test_examples_of_the_makers(family: str, width: int, height: int, tokens: int) -> None:
    assert media.image(png(width, height), family) == Count(tokens, APPROX)


@pytest.mark.parametrize(("family", "most"), [("claude", 4784), ("gpt", 3000)])
@pytest.mark.parametrize("size", [(8000, 8000), (8000, 100), (3, 9000), (4032, 3024), (2576, 2576)])
def test_large_pictures_are_fitted_first(family: str, most: int, size: tuple[int, int]) -> None:
    assert 0 < media.image(png(*size), family).tokens <= most


def test_an_unknown_picture_or_family_is_a_labelled_guess() -> None:
    assert media.image("!!!not base64!!!", "claude").source == HEURISTIC
    assert media.image(png(640, 480), "qwen").source == HEURISTIC
    assert media.image(png(640, 480), "qwen").tokens > 0


def wav(seconds: int) -> str:
    rate = 16_000 * 2
    head = b"RIFF" + struct.pack("<I", 36 + rate * seconds) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 16_000, rate, 2, 16)  # fmt: skip
    return base64.b64encode(head + b"data" + struct.pack("<I", rate * seconds) + bytes(rate * seconds)).decode()


@pytest.mark.parametrize(("family", "tokens"), [("gemini", 320), ("gpt", 100)])
def test_sound_costs_by_the_second(family: str, tokens: int) -> None:
    count = media.audio(wav(10), family)
    assert count.source == APPROX
    assert abs(count.tokens - tokens) <= 1


def test_mp3_is_as_long_as_its_bit_rate_says() -> None:
    frame = b"\xff\xfb\x90\x00" + bytes(413)  # 128 kbit/s
    data = b"ID3\x04\0\0\0\0\0\x0a" + bytes(10) + frame
    assert media.seconds(data, 160_020) == pytest.approx(10, abs=0.01)
    assert media.seconds(frame, 160_000) == pytest.approx(10)


def test_unknown_sound_is_a_labelled_guess() -> None:
    count = media.audio(base64.b64encode(bytes(160_000)).decode(), "gemini")
    assert (count.tokens, count.source) == (320, HEURISTIC)
    assert media.audio(wav(10), "claude").source == HEURISTIC
