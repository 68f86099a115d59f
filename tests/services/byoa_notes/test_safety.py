"""What others try at the notes app: markup in names and texts, forms from elsewhere, foreign names, guesses, old cookies."""

import http.client
import http.server
import threading
from contextlib import contextmanager
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import expect
from tests.services.going import SECONDS, follow

from agent_connector.byoa.protocol import Setting, Workspace
from agent_connector.testing.byoa import FakeSession

MARKUP = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>\"'><b>bold"


def asked(app, path, method="GET", body=None, **headers):
    """A request with these headers, as any program may send it."""
    place = urlsplit(app.origin)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=SECONDS)
    connection.putrequest(method, path, skip_host=True)
    given = {"host": place.netloc, "content-type": "application/x-www-form-urlencoded", **headers}
    for name, value in given.items():
        connection.putheader(name.replace("_", "-"), value)
    data = (body or "").encode()
    connection.putheader("content-length", str(len(data)))
    connection.endheaders(data)
    answer = connection.getresponse()
    answer.text = answer.read().decode("utf-8", "replace")
    connection.close()
    return answer


def test_names_and_texts_are_text(visit, machine):
    ada = visit("ada")
    ada.page.get_by_label("Title").fill(MARKUP)
    ada.page.get_by_label("Text").fill(MARKUP)
    follow(ada.page.get_by_role("button", name="Add"))
    machine.host.shown.machine_name = MARKUP[:60]
    hostile = Workspace(MARKUP[:60], None, MARKUP[:60], None)
    settings = (Setting("model", MARKUP[:60], (MARKUP[:60], "b"), "b"),)
    ada.pair(machine, FakeSession(title=MARKUP[:60], workspace=hostile, choices=settings))
    other = visit("ada")
    other.page.goto(ada.page.url)
    ada.ask(MARKUP)
    assert machine.begins().endswith(MARKUP)
    machine.says(MARKUP)
    machine.uses("<b>tool</b>")
    machine.says(MARKUP)
    machine.ends()
    for browser in (ada, other):  # one has it from the page, and both have it from the script
        expect(browser.turn.locator(".end")).to_have_text("Done.")
        assert browser.turn.locator(".said").first.text_content() == MARKUP
        assert browser.turn.locator(".tool").text_content() == "<b>tool</b>"
        assert MARKUP[:60] in browser.page.locator("[data-session]").inner_text()
    ada.page.reload()
    assert ada.turn.locator(".said").first.text_content() == MARKUP
    for path in (f"/?q={quote(MARKUP)}", "/notes/1", "/byoa/connections", f"/?s={quote(MARKUP)}"):
        ada.go(path)
        assert ada.page.locator("img, b, main script, aside script").count() == 0
    for browser in (ada, other):
        assert browser.page.evaluate("window.hacked") is None
        assert browser.page.locator("img, #agent b, body script").count() == 0


def test_a_script_that_got_in_would_do_nothing(visit):
    ada = visit("ada")
    answer = ada.page.goto(ada.page.url)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    # Trusted types: the page's own script could not make markup out of text if it tried.
    with pytest.raises(Exception, match="TrustedHTML"):
        ada.page.evaluate("document.body.innerHTML = '<b>x</b>'")
    with pytest.raises(Exception, match="TrustedScript"):
        ada.page.evaluate("document.body.setAttribute('onclick', 'window.hacked = 1')")
    ada.complaints.clear()  # it says so for each


def test_it_answers_to_its_own_name_alone(app):
    port = app.origin.rpartition(":")[2]
    for path in ("/", "/sign-in", "/static/live.js", "/byoa/pair", "/byoa/mcp", "/.well-known/byoa"):
        assert asked(app, path).status != 421
        for name in (f"evil.example:{port}", f"localhost:{port}", "127.0.0.1", f"127.0.0.1.evil.example:{port}", ""):
            answer = asked(app, path, host=name)
            assert answer.status == 421 and "Notes" not in answer.text, (path, name)


@contextmanager
def elsewhere(page):
    """A page of somebody else, on another port of this machine: to cookies that is the same site."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *words):
            """Nothing is told."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_form_from_elsewhere_changes_nothing(visit, machine):
    ada = visit("ada")
    ada.pair(machine)
    mark = ada.page.locator("[name=mark]").first.get_attribute("value")
    chosen = ada.page.locator("#agent").get_attribute("data-chosen")
    tries = {
        "/notes": {"title": "forged", "mark": mark},
        "/chat": {"session": chosen, "text": "forged", "mark": mark},
        "/sign-out": {"mark": mark},
        "/sign-in": {"name": "bob", "password": ada.app.passwords["bob"]},
    }
    for path, fields in tries.items():  # even with the right mark, which nobody can have
        inputs = "".join(f"<input name='{name}' value='{value}'>" for name, value in fields.items())
        form = f"<form method='post' action='{ada.app.origin}{path}'>{inputs}<button>go</button></form>"
        with elsewhere(form) as address:
            ada.page.goto(address)
            with ada.page.expect_response(lambda answer: answer.request.method == "POST") as heard:
                follow(ada.page.get_by_role("button"))
            assert heard.value.status == 403, path
            if path == "/notes":  # so it was not the cookie that was missing
                assert "notes-" in heard.value.request.all_headers()["cookie"]
    ada.go("/")
    ada.complaints.clear()  # of what was refused, once for each
    assert ada.page.locator(".who").inner_text() == "Ada"
    assert ada.page.locator(".notes li").count() == 0 and machine.session.prompts == []


def test_a_page_elsewhere_can_neither_frame_nor_read_it(visit):
    ada = visit("ada")
    with elsewhere(f"<iframe src='{ada.app.origin}/'></iframe>") as address:
        ada.page.goto(address)
        frame = ada.page.frames[1]
        assert "Your notes" not in frame.content()
        read = ada.page.evaluate(
            "address => fetch(address, {credentials: 'include'}).then(a => a.text(), () => 'refused')",
            f"{ada.app.origin}/",
        )
        assert read == "refused"
        ada.page.goto("about:blank")
    ada.complaints.clear()


def test_without_the_mark_of_the_page_nothing_is_changed(visit):
    ada = visit("ada")
    for mark in ({}, {"mark": ""}, {"mark": "0" * 64}):
        answer = ada.context.request.post(f"{ada.app.origin}/notes", form={"title": "forged", **mark})
        assert answer.status == 403
    bob = visit("bob")
    mark = bob.page.locator("[name=mark]").first.get_attribute("value")
    answer = ada.context.request.post(f"{ada.app.origin}/notes", form={"title": "forged", "mark": mark})
    assert answer.status == 403
    ada.page.reload()
    assert ada.page.locator(".notes li").count() == 0


def test_a_cookie_is_kept_from_scripts_and_ends_with_signing_out(visit):
    ada = visit("ada")
    (cookie,) = ada.context.cookies()
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax"
    assert ada.page.evaluate("document.cookie") == ""
    stolen = f"{cookie['name']}={cookie['value']}"
    assert asked(ada.app, "/", cookie=stolen).status == 200
    for forged in (cookie["value"][:-1], f"x{cookie['value']}", cookie["value"].partition(".")[0], "."):
        assert asked(ada.app, "/", cookie=f"{cookie['name']}={forged}").status == 303
    follow(ada.page.get_by_role("button", name="Sign out"))
    expect(ada.page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert asked(ada.app, "/", cookie=stolen).status == 303
    assert asked(ada.app, "/chat/live", cookie=stolen).status == 401


def test_passwords_cannot_be_guessed_for_long(visit):
    nobody = visit()
    for _ in range(10):
        assert asked(nobody.app, "/sign-in", "POST", "name=ada&password=guess").status == 401
    right = f"name=ada&password={nobody.app.passwords['ada']}"
    assert asked(nobody.app, "/sign-in", "POST", right).status == 401
    assert asked(nobody.app, "/sign-in", "POST", f"name=bob&password={nobody.app.passwords['bob']}").status == 303


def test_signing_in_leads_nowhere_else(visit):
    nobody = visit()
    for goal in ("//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"):
        nobody.go(f"/sign-in?next={quote(goal, safe='')}")
        nobody.page.get_by_label("Name").fill("ada")
        nobody.page.get_by_label("Password").fill(nobody.app.passwords["ada"])
        follow(nobody.page.get_by_role("button", name="Sign in"))
        expect(nobody.page.get_by_role("heading", name="Your notes")).to_be_visible()
        assert nobody.page.url == f"{nobody.app.origin}/"
        nobody.context.clear_cookies()


def test_a_form_that_is_too_large_is_not_read(visit):
    ada = visit("ada")
    mark = ada.page.locator("[name=mark]").first.get_attribute("value")
    answer = ada.context.request.post(
        f"{ada.app.origin}/notes", form={"mark": mark, "title": "x", "body": "y" * 2_000_000}
    )
    assert answer.status == 413
    answer = ada.context.request.post(
        f"{ada.app.origin}/notes", form={"mark": mark, "title": "x", "body": "y" * 200_000}
    )
    assert answer.status == 422 and "100,000" in answer.text()
