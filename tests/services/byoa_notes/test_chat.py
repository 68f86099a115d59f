"""A person, a browser and an agent: pair, approve, chat, stop, take over, revoke."""

from playwright.sync_api import expect
from tests.services.going import follow, leaving

REFUSED = "the server responded with a status of 4"


def test_an_agent_is_paired_and_answers_as_it_is_watched(visit, machine):
    ada = visit("ada")
    expect(ada.page.locator("#agent pre")).to_have_text(
        f"agent-connector byoa run --host gemini-cli --app {ada.app.origin}"
    )
    link, code = machine.run(machine.host.invitation(ada.app.origin))
    ada.page.goto(link)
    assert ada.page.locator("dd").all_inner_texts()[:3] == ["Ada", "scripted 1.0", "laptop"]
    ada.page.get_by_label("last four").fill("BBBB")
    follow(ada.page.get_by_role("button", name="Connect"))
    expect(ada.page.get_by_role("alert")).to_contain_text("not the last four letters")
    assert code[-4:] not in ada.page.content()
    ada.go("/byoa/connections")
    assert ada.page.get_by_role("button", name="Disconnect").count() == 0
    ada.approve((link, code))
    ada.expected(REFUSED)
    machine.until(lambda: ada.go("/byoa/connections") or ada.page.get_by_role("heading", level=2).count())
    expect(ada.page.get_by_role("heading", level=2)).to_have_text("scripted 1.0 on laptop new")

    ada.go("/")
    machine.attach()
    mine = ada.page.locator("[data-session]")
    expect(mine).to_contain_text("scripted on laptop")  # it comes by itself, the page is not loaded again
    expect(mine.locator(".place")).to_have_text("app · A session")
    ada.talk()
    ada.page.get_by_label("Message to your agent").fill("Which birds came?\nAll of them.")
    with leaving(ada.page):
        ada.page.keyboard.press("Enter")
    expect(ada.turn.locator(".end")).to_have_text("Waits for its turn")
    prompt = machine.begins()
    assert prompt.startswith(f"[From Notes ({ada.app.origin}) on behalf of Ada")
    assert prompt.endswith("Which birds came?\nAll of them.")
    machine.says("A heron")
    expect(ada.turn.locator(".said")).to_have_text("A heron")  # while the turn goes on
    expect(ada.turn).to_have_attribute("aria-busy", "true")
    expect(mine.locator(".state")).to_have_text("busy")
    machine.uses("byoa_notes")
    machine.says(" and a\nheron.")
    expect(ada.turn.locator(".answer p")).to_have_text(["A heron", "byoa_notes", " and a\nheron."])
    expect(ada.turn.get_by_role("button", name="Stop")).to_be_visible()
    machine.ends()
    expect(ada.turn.locator(".end")).to_have_text("Done.")
    expect(ada.turn.get_by_role("button", name="Stop")).to_have_count(0)
    expect(mine.locator(".state")).to_have_text("idle")
    ada.page.reload()
    expect(ada.turn.locator(".answer p")).to_have_text(["A heron", "byoa_notes", " and a\nheron."])


def test_five_wrong_tries_refuse_the_pairing(visit, machine):
    ada = visit("ada")
    link, _ = machine.run(machine.host.invitation(ada.app.origin))
    ada.page.goto(link)
    for _ in range(5):
        ada.page.get_by_label("last four").fill("BBBB")
        follow(ada.page.get_by_role("button", name="Connect"))
    expect(ada.page.get_by_role("heading")).to_have_text("Refused")
    ada.page.goto(link)
    expect(ada.page.get_by_role("alert")).to_contain_text("No agent waits with this code")
    machine.until(lambda: machine.host.said[-1].endswith("was refused on the page"))
    ada.expected(REFUSED)


def test_the_app_stops_what_runs_and_what_waits_and_the_person_comes_first(visit, machine):
    ada = visit("ada")
    ada.pair(machine)
    ada.ask("One")
    machine.begins()
    machine.says("Half of")
    ada.ask("Two")
    expect(ada.turn.locator(".end")).to_have_text("Waits for its turn")
    follow(ada.turn.get_by_role("button", name="Stop"))
    expect(ada.turn.locator(".end")).to_have_text("Stopped.")
    first = ada.page.locator(".turn").first
    expect(first.locator(".said")).to_have_text("Half of")  # also when the page was loaded in the middle of it
    follow(first.get_by_role("button", name="Stop"))
    expect(first.locator(".end")).to_have_text("Stopped.")
    assert machine.session.aborts == 1 and machine.session.prompts == []

    ada.ask("Three")
    machine.begins()
    machine.says("I was about to")
    machine.do(machine.session.reports.foreign_prompt)
    machine.do(machine.session.reports.taken_over)
    machine.says("what only the person may see")
    expect(ada.turn.locator(".end")).to_have_text("Interrupted: you typed something yourself, and you come first.")
    machine.ends()
    expect(ada.turn.locator(".said")).to_have_text("I was about to")
    assert "only the person" not in ada.page.content()

    ada.page.get_by_text("Settings of this session").click()
    ada.page.get_by_label("Model", exact=True).select_option("large")
    follow(ada.page.get_by_role("button", name="Change Model"))
    machine.until(lambda: machine.session.applied == [("model", "large")])


def test_a_revoked_session_goes_away_where_it_is_looked_at(visit, machine):
    ada, other = visit("ada"), visit("ada")
    ada.pair(machine)
    ada.ask("Are you there?")
    machine.begins()
    machine.says("Still here")
    expect(ada.turn.locator(".said")).to_have_text("Still here")
    other.go("/byoa/connections")
    follow(other.page.get_by_role("button", name="Disconnect"))
    expect(ada.page.locator("#gone")).to_be_visible()
    expect(ada.turn.locator(".end")).to_have_text("The session is gone.")
    expect(ada.page.get_by_label("Message to your agent")).to_be_disabled()
    expect(ada.page.locator("[data-session]")).to_have_count(0)
    machine.until(lambda: any("has revoked this pairing" in toast for toast in machine.host.shown.toasts))


def test_two_browsers_of_one_account_see_the_same(visit, machine):
    ada, other = visit("ada"), visit("ada")
    ada.pair(machine)
    other.page.goto(ada.page.url)
    ada.ask("From the one")
    expect(other.turn.locator(".question")).to_have_text("From the one")
    expect(other.page.locator("#nothing")).to_have_count(0)
    machine.begins()
    machine.says("To both")
    for browser in (ada, other):
        expect(browser.turn.locator(".said")).to_have_text("To both")
    follow(other.turn.get_by_role("button", name="Stop"))
    for browser in (ada, other):
        expect(browser.turn.locator(".end")).to_have_text("Stopped.")
    ada.page.get_by_label("Title").fill("Seen by both")
    follow(ada.page.get_by_role("button", name="Add"))
    follow(other.page.get_by_role("link", name="Show them"))
    expect(other.page.get_by_role("heading", name="Seen by both")).to_be_visible()


def test_an_app_that_starts_again_in_the_middle_of_a_turn_loses_nothing_and_shows_nothing_twice(visit, machine):
    ada = visit("ada")
    ada.pair(machine)
    ada.ask("Count")
    machine.begins()
    machine.says("one ")
    expect(ada.turn.locator(".said")).to_have_text("one ")
    ada.page.evaluate("window.same = 'page'")
    ada.app.stop()
    machine.says("two ")
    machine.uses("read")
    machine.says("three")
    ada.app.start()
    expect(ada.turn.locator(".answer p")).to_have_text(["one two ", "read", "three"])
    expect(ada.turn).to_have_attribute("aria-busy", "true")
    machine.ends()
    expect(ada.turn.locator(".end")).to_have_text("Done.")
    ada.forgiven("net::ERR")  # of a browser that tried again before the app was back
    assert ada.page.evaluate("window.same") == "page"  # it was not loaded again: its script went on by itself


def test_another_account_sees_nothing(visit, machine):
    ada, bob = visit("ada"), visit("bob")
    ada.page.get_by_label("Title").fill("Mine alone")
    follow(ada.page.get_by_role("button", name="Add"))
    note = ada.page.get_by_role("link", name="Mine alone").get_attribute("href")
    ada.pair(machine)
    ada.ask("A secret")
    session, turn = ada.page.locator("#agent").get_attribute("data-chosen"), ada.turn.get_attribute("data-turn")
    bob.go("/byoa/connections")
    assert bob.page.get_by_role("button", name="Disconnect").count() == 0
    bob.go(f"/?s={session}&q=alone")
    expect(bob.page.locator("#gone")).to_be_visible()
    assert bob.page.locator("[data-session], .turn, .notes li").count() == 0
    mark = bob.page.locator("[name=mark]").first.get_attribute("value")
    for path, fields in (
        ("/chat", {"session": session, "text": "from Bob"}),
        ("/chat/stop", {"turn": turn}),
        ("/chat/set", {"session": session, "setting": "model", "value": "large"}),
        (note, {"delete": "1"}),
    ):
        answer = bob.context.request.post(f"{bob.app.origin}{path}", form={"mark": mark, **fields})
        assert answer.status == 404, path
    heard = bob.page.evaluate(
        """async (address) => {
          const reader = (await fetch(address)).body.getReader();
          const { value } = await reader.read();
          await reader.cancel();
          return new TextDecoder().decode(value);
        }""",
        f"/chat/live?s={session}&from={turn}:0",
    )
    assert '"sessions": []' in heard and "secret" not in heard
    assert "A secret" in machine.begins() and machine.session.aborts == 0


def test_everything_but_the_stream_works_without_a_script(visit, machine):
    ada = visit("ada", java_script_enabled=False)
    for title, body in (("Herons", "One at the 50% pond"), ("Owls", "None")):
        ada.page.locator("details.new").evaluate("element => element.open = true")
        ada.page.get_by_label("Title").fill(title)
        ada.page.get_by_label("Text").fill(body)
        follow(ada.page.get_by_role("button", name="Add"))
    ada.page.get_by_role("searchbox").fill("50% heron")
    follow(ada.page.get_by_role("button", name="Search"))
    expect(ada.page.locator(".notes h2")).to_have_text(["Herons"])
    follow(ada.page.get_by_role("link", name="Herons"))
    ada.page.get_by_label("Text").fill("Two\nat the pond")
    follow(ada.page.get_by_role("button", name="Save"))
    assert ada.page.locator(".notes .text").first.text_content() == "Two\nat the pond"
    follow(ada.page.get_by_role("link", name="Owls"))
    follow(ada.page.get_by_role("button", name="Delete"))
    expect(ada.page.locator(".notes h2")).to_have_text(["Herons"])

    ada.approve(machine.run(machine.host.invitation(ada.app.origin)))
    machine.attach()
    machine.until(lambda: ada.go("/") or ada.page.locator("[data-session]").count())
    ada.ask("Which birds?")
    machine.begins()
    machine.says("Herons")
    machine.until(lambda: ada.page.reload() and ada.turn.locator(".said").count())
    expect(ada.turn.locator(".end")).to_have_text("At work")
    follow(ada.turn.get_by_role("button", name="Stop"))
    machine.until(lambda: ada.page.reload() and ada.turn.locator(".end").inner_text() == "Stopped.")
    follow(ada.page.get_by_role("button", name="Sign out"))
    expect(ada.page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_everything_works_by_keyboard(visit, machine):
    nobody = visit()
    page, keys = nobody.page, nobody.page.keyboard
    page.goto(f"{nobody.app.origin}/")
    expect(page.locator("#name")).to_be_focused()
    keys.type("ada")
    keys.press("Tab")
    keys.type(nobody.app.passwords["ada"])
    with leaving(page):
        keys.press("Enter")
    expect(page.get_by_role("heading", name="Your notes")).to_be_visible()
    tab_to(page, "#title")
    keys.type("By keyboard")
    with leaving(page):
        keys.press("Enter")
    expect(page.get_by_role("link", name="By keyboard")).to_be_visible()
    link, code = machine.run(machine.host.invitation(nobody.app.origin))
    page.goto(link)
    expect(page.get_by_label("last four")).to_be_focused()
    keys.type(code[-4:])
    with leaving(page):
        keys.press("Enter")
    expect(page.get_by_role("heading", name="Approved")).to_be_visible()
    machine.attach()
    nobody.go("/")
    expect(page.locator("[data-session]")).to_be_visible()
    tab_to(page, "[data-session] a")
    with leaving(page):
        keys.press("Enter")
    tab_to(page, "#text")
    keys.type("Hello")
    keys.press("Shift+Enter")
    keys.type("there")
    with leaving(page):
        keys.press("Enter")
    expect(nobody.turn.locator(".question")).to_have_text("Hello\nthere")
    expect(page.locator("#text")).to_be_focused()
    machine.begins()
    page.keyboard.press("Shift+Tab")
    expect(nobody.turn.get_by_role("button", name="Stop")).to_be_focused()
    with leaving(page):
        keys.press("Enter")
    expect(nobody.turn.locator(".end")).to_have_text("Stopped.")


FOCUS = """() => {
  const there = document.activeElement;
  return there === document.body || (there.matches(":focus-visible") && getComputedStyle(there).outlineStyle !== "none");
}"""


def tab_to(page, selector):
    """Tab until it has the focus, past the end and on from the beginning; what has the focus can be seen to have it."""
    for _ in range(40):
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUS), page.evaluate("document.activeElement.outerHTML")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"no way to {selector} by Tab")
