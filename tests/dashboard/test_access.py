"""Who may see the page."""

import pytest
from starlette.testclient import TestClient
from tests.dashboard.conftest import PORT, TOKEN

from agent_connector.dashboard import app


@pytest.fixture
def stranger(root) -> TestClient:
    """A browser without the cookie."""
    return TestClient(app.make(str(root), TOKEN, PORT), base_url=f"http://127.0.0.1:{PORT}", follow_redirects=False)


def test_the_token_becomes_a_cookie_and_leaves_the_address(stranger: TestClient) -> None:
    answer = stranger.get(f"/?token={TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=strict", "Path=/", str(PORT)))
    assert stranger.get("/").status_code == 200


@pytest.mark.parametrize("address", ["/", "/?token=", "/?token=" + "x" * 43, "/style.css", "/?since=7d"])
def test_without_it_nothing_is_shown(stranger: TestClient, address: str) -> None:
    answer = stranger.get(address)
    assert answer.status_code == 403 and "set-cookie" not in answer.headers
    assert "What it costs" not in answer.text


@pytest.mark.parametrize(
    "name", ["evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:8765", "localhost.evil:8765", ""]
)
def test_another_name_for_this_machine_gets_nothing(page: TestClient, name: str) -> None:
    assert page.get("/", headers={"host": name}).status_code == 421
    assert page.get(f"/?token={TOKEN}", headers={"host": name}).status_code == 421


@pytest.mark.parametrize("name", ["localhost:8765", "127.0.0.1:8765", "[::1]:8765"])
def test_our_own_names_are_taken(page: TestClient, name: str) -> None:
    cookies = "; ".join(f"{key}={value}" for key, value in page.cookies.items())
    assert page.get("/style.css", headers={"host": name, "cookie": cookies}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:8765", "http://127.0.0.1:9"])
def test_another_page_may_not_ask(page: TestClient, origin: str) -> None:
    assert page.get("/", headers={"origin": origin}).status_code == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_changed(page: TestClient, method: str) -> None:
    assert page.request(method, "/").status_code == 405


def test_every_answer_forbids_scripts_frames_and_keeping(page: TestClient) -> None:
    for answer in (page.get("/"), page.get("/gone"), page.get("/", headers={"host": "evil.example"})):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
