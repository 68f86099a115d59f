"""Origins and the URLs inside them (section 1, and the file names of section 4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_connector.byoa.protocol import ProtocolError, parse_origin, within

CANONICAL = {
    "https://Workspaces.Example": "https://workspaces.example",
    "HTTPS://workspaces.example.:443/": "https://workspaces.example",
    "https://workspaces.example:8443": "https://workspaces.example:8443",
    "https://bücher.example": "https://xn--bcher-kva.example",
    "https://BÜCHER。example": "https://xn--bcher-kva.example",
    "http://127.0.0.1:4100": "http://127.0.0.1:4100",
    "http://LOCALHOST:80": "http://localhost",
    "http://[::1]:4100": "http://[::1]:4100",
    "https://[2001:DB8:0::1]": "https://[2001:db8::1]",
}


@pytest.mark.parametrize(("text", "canonical"), CANONICAL.items())
def test_section_1_the_canonical_form(text: str, canonical: str) -> None:
    assert str(parse_origin(text)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "http://workspaces.example",
        "http://127.0.0.2",
        "http://localhost.example",
        "http://[::2]",
        "ftp://workspaces.example",
        "https://user@workspaces.example",
        "https://user:pass@workspaces.example",
        "https://workspaces.example/path",
        "https://workspaces.example?",
        "https://workspaces.example#x",
        "https://workspaces.example\\@other.example",
        "https://work\tspaces.example",
        "https://workspaces.example\n",
        "https://workspaces.example:0",
        "https://workspaces.example:65536",
        "https://workspaces.example:",
        "https://straße.example",
        "https://a..example",
        "https://-a.example",
        "https://0x7f000001",
        "https://2130706433",
        "https://127.1",
        "https://[::1%25lo]",
        "https://",
        "https://" + "a." * 1500 + "example",
        "workspaces.example",
        "",
    ],
)
def test_section_1_what_is_no_origin(text: str) -> None:
    with pytest.raises(ProtocolError):
        parse_origin(text)


@given(st.sampled_from(sorted(CANONICAL)))
def test_the_canonical_form_is_stable(text: str) -> None:
    origin = parse_origin(text)
    assert parse_origin(str(origin)) == origin


@pytest.mark.parametrize(
    ("origin", "key"),
    [
        ("https://workspaces.example", "https_workspaces.example"),
        ("http://127.0.0.1:4100", "http_127.0.0.1_4100"),
        ("http://[::1]:4100", "http____1__4100"),
    ],
)
def test_section_4_the_name_of_a_file(origin: str, key: str) -> None:
    assert parse_origin(origin).key == key


ORIGIN = parse_origin("https://workspaces.example")


@pytest.mark.parametrize("text", ["/byoa/poll", "https://WORKSPACES.example:443/byoa/poll"])
def test_section_1_paths_and_own_urls_are_the_same(text: str) -> None:
    assert within(ORIGIN, text, "poll") == "https://workspaces.example/byoa/poll"


@pytest.mark.parametrize(
    "text",
    [
        "//other.example/poll",
        "https://other.example/poll",
        "http://workspaces.example/poll",
        "https://workspaces.example:8443/poll",
        "https://workspaces.example@other.example/",
        "https://workspaces.example//other.example",
        "/poll#x",
        "/po ll",
        "/poll\r\nX: y",
        "/\\other.example",
        "/pöll",
        "poll",
        "javascript:alert(1)",
        "",
    ],
)
def test_section_1_another_origin_anywhere_is_refused(text: str) -> None:
    with pytest.raises(ProtocolError):
        within(ORIGIN, text, "poll")
