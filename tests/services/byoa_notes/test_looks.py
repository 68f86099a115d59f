"""Every page of the notes app, and of pairing in front of it: at three widths, light and dark, with long words in it."""

import pytest
from playwright.sync_api import expect
from tests.services.going import follow
from tests.services.looks import SCHEMES, WIDTHS, check

from agent_connector.byoa.protocol import Workspace
from agent_connector.testing.byoa import FakeSession

LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
NOTES = [
    (
        "Herons at the pond",
        "Two came back on Monday.\nOne of them stayed until the evening.\n\n- near the reeds\n- on the ice",
    ),
    (LONG, LONG * 3),
    ("Shopping", "Tea, paper, seeds for the feeder"),
    ("A thought on lists", "Short lists are read. " * 30),
]


def test_pages_fit_and_can_be_read(visit, machine, tmp_path):
    ada, nobody = visit("ada"), visit()
    looked = 0

    def look(visitor, name):
        nonlocal looked
        for width in WIDTHS:
            for scheme in SCHEMES:
                visitor.page.set_viewport_size({"width": width, "height": 900})
                visitor.page.emulate_media(color_scheme=scheme)
                check(visitor.page)
                visitor.page.screenshot(path=str(tmp_path / f"{name}-{width}-{scheme}.png"), full_page=True)
                looked += 1
        visitor.page.set_viewport_size({"width": 1280, "height": 900})

    nobody.go("/")
    look(nobody, "sign-in")
    nobody.page.get_by_label("Name").fill("ada")
    nobody.page.get_by_label("Password").fill("guess")
    follow(nobody.page.get_by_role("button", name="Sign in"))
    expect(nobody.page.get_by_role("alert")).to_be_visible()
    look(nobody, "sign-in-wrong")
    nobody.expected("status of 401")

    look(ada, "empty")
    for title, body in reversed(NOTES):
        ada.page.locator("details.new").evaluate("element => element.open = true")
        ada.page.get_by_label("Title").fill(title)
        ada.page.get_by_label("Text").fill(body)
        follow(ada.page.get_by_role("button", name="Add"))
    invitation = machine.run(machine.host.invitation(ada.app.origin))
    ada.page.goto(invitation[0])
    look(ada, "approve")
    ada.approve(invitation)
    machine.attach(FakeSession(title=LONG, workspace=Workspace("birds", None, "main", None)))
    ada.go("/")
    follow(ada.page.locator("[data-session] a"))
    expect(ada.page.locator("#nothing")).to_be_visible()
    look(ada, "session")
    ada.ask("Which birds came to the pond this week, and when?")
    machine.begins()
    machine.uses("byoa_notes")
    machine.says("Two herons, on Monday.\n\n1. near the reeds\n2. on the ice")
    machine.ends()
    expect(ada.turn.locator(".end")).to_have_text("Done.")
    ada.ask("And this?")
    machine.begins()
    machine.says(LONG)
    expect(ada.turn.locator(".said")).to_have_text(LONG)
    expect(ada.page.locator(".state")).to_have_text("busy")
    look(ada, "chat")
    follow(ada.page.get_by_role("link", name="Herons at the pond"))
    expect(ada.page.get_by_role("button", name="Save")).to_be_visible()
    look(ada, "note")
    ada.go("/nowhere")
    look(ada, "message")
    ada.expected("status of 404")
    ada.go("/byoa/connections")
    look(ada, "connections")
    assert looked == 9 * len(WIDTHS) * len(SCHEMES)


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_conversation_keeps_its_end_and_the_field_in_view(visit, machine, width):
    ada = visit("ada", viewport={"width": width, "height": 900})
    ada.pair(machine)
    ada.ask("Tell me everything")
    machine.begins()
    for number in range(60):
        machine.says(f"{number}\n")
    expect(ada.turn.locator(".said")).to_contain_text("59")
    end, field = ada.turn.locator(".end").bounding_box(), ada.page.locator("#text").bounding_box()
    talk = ada.page.locator("#talk").bounding_box()
    assert talk["y"] <= end["y"] <= talk["y"] + talk["height"] <= field["y"]
