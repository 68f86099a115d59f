"""Everything that agents, workers and other people write is text; and no page can be made to do what it must not."""

from collections.abc import Callable
from typing import Any

from agent_connector.board import keys, page, presence, runs, served, tasks, users
from agent_connector.board.store import Store
from agent_connector.board.values import BundleFile, Role
from agent_connector.testing.board_stage import hashed

MARKUP = "<img src=x onerror=alert(1)>\"'><script>alert(1)</script>"
STEERS = "\u202egpj.exe\u2066 \x1b[31mred"
HOSTILE = f"{MARKUP} {{{{7*7}}}} {STEERS}"
SHORT = "<b>'\"&\u202e"[:-1]


def filled(store: Store) -> dict[str, str]:
    """A board with hostile words wherever somebody else's words go; the addresses of its pages."""
    user = store.write(users.add, "mallory+<b>@example.com".replace("<b>", ""), hashed())
    task = store.write(
        tasks.add, title=MARKUP, description=HOSTILE, status=SHORT, board=SHORT, role=SHORT, by=MARKUP, id="a/b ?#<&"
    )
    run = store.write(runs.create, task.id, connector=MARKUP, provider=MARKUP, model=MARKUP)
    event = {"seq": 1, "ts": "2026-12-01T00:00:00Z", "type": SHORT, "channel": SHORT, "payload": {"text": HOSTILE}}
    called = {**event, "seq": 2, "type": "called", "payload": {"tool": HOSTILE, "arguments": {MARKUP: HOSTILE}}}
    returned = {
        **event,
        "seq": 3,
        "type": "returned",
        "payload": {"output": [{"text": HOSTILE}, MARKUP], "failed": True},
    }
    store.write(runs.append, run.id, [event, called, returned])
    result = {
        "summary": HOSTILE,
        "reason": HOSTILE,
        "branch": HOSTILE,
        "diffStat": HOSTILE,
        "host": HOSTILE,
        "x": HOSTILE,
    }
    result |= {"escalation": {"kind": HOSTILE, "reason": HOSTILE}, "costSource": HOSTILE}
    store.write(runs.change, run.id, status="awaiting_human", cost=1.5, result=result)
    store.write(tasks.comment, task.id, HOSTILE, by=MARKUP)
    store.write(presence.came, MARKUP, author=MARKUP, version=MARKUP, hosts=[MARKUP])
    store.write(presence.beat, MARKUP, author=MARKUP, state=SHORT, runs=[MARKUP])
    store.write(served.set_role, Role("", MARKUP, 0, MARKUP, MARKUP, (MARKUP,), MARKUP, HOSTILE), by=MARKUP)
    store.write(served.push_bundle, MARKUP, [BundleFile("a'&b.md", HOSTILE + "</textarea>")], by=MARKUP)
    store.write(keys.mint, user.id, SHORT)
    more = {"task": "/tasks/a%2Fb%20%3F%23%3C%26", "run": f"/runs/{run.id}"}
    addresses = {name: more.get(name, place) for place, name in page.ADDRESSES.items()}
    from urllib.parse import quote

    named = quote(MARKUP, safe="")
    return addresses | {
        "role": f"/roles?name={named}",
        "bundle": f"/bundles?name={named}&path=a%27%26b.md",
        "everyone": "/keys?of=everyone",
        "of": f"/?board={quote(SHORT, safe='')}",
    }


def test_nothing_that_others_wrote_becomes_markup(at_page: Callable[..., None], store: Store, seen: Any) -> None:
    addresses = filled(store)
    plain: dict[str, list[str]] = {}

    async def work(owner: Any, member: Any) -> None:
        for name, address in addresses.items():
            text = await owner.get(address)
            found = seen(text)
            assert not any("onerror" in attrs for _, attrs in found.tags), name
            assert not found.all("img"), name
            assert [attrs.get("src") for attrs in found.all("script")] == ["/static/board.js"], name
            assert not set(text) & set("\u202e\u2066\x1b"), name
            plain[name] = [text]

    at_page(work)
    for name in ("board", "task", "run", "waiting", "workers", "role", "bundle"):
        assert "&lt;img src=x onerror=alert(1)&gt;" in plain[name][0], name


def test_every_page_forbids_what_it_does_not_need(at_page: Callable[..., None], store: Store, seen: Any) -> None:
    addresses = filled(store)

    async def work(owner: Any, member: Any) -> None:
        places = [*addresses.values(), "/login", "/setup?token=x", "/static/board.js", "/static/none", "/runs/none"]
        for place in places:
            answer = await owner.http.get(place)
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy and "script-src 'self';" in policy and "style-src 'self';" in policy
            assert "frame-ancestors 'none'" in policy and "unsafe" not in policy and "form-action 'self'" in policy
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["x-frame-options"] == "DENY"
            assert answer.headers["cache-control"] == ("max-age=300" if place.endswith(".js") else "no-store")
            if "html" not in answer.headers.get("content-type", ""):
                continue
            found = seen(answer.text)
            assert not found.all("style"), place
            assert not [
                attrs for _, attrs in found.tags if "style" in attrs or any(one.startswith("on") for one in attrs)
            ]
            for action, fields in found.forms:
                assert action.startswith("/") and fields.get("csrf"), (place, action)

    at_page(work)


def test_every_field_has_a_label_and_every_page_its_landmarks(
    at_page: Callable[..., None], store: Store, seen: Any
) -> None:
    addresses = filled(store)

    async def work(owner: Any, member: Any) -> None:
        for place in [*addresses.values(), "/setup?token=x"]:
            found = seen(await owner.get(place))
            fields = [attrs for name in ("input", "select", "textarea") for attrs in found.all(name)]
            for attrs in fields:
                hidden = attrs.get("type") == "hidden" or attrs.get("aria-hidden") == "true"
                assert hidden or "in-label" in attrs or attrs.get("id") in found.labelled, (place, attrs)
            ids = [attrs["id"] for _, attrs in found.tags if "id" in attrs]
            assert len(ids) == len(set(ids)), (place, [one for one in ids if ids.count(one) > 1])
            named = [attrs["aria-labelledby"] for _, attrs in found.tags if "aria-labelledby" in attrs]
            assert set(named) <= set(ids), place
            assert len(found.all("main")) == 1 and len(found.all("h1")) == 1, place
            assert found.all("a")[0] == {"class": "skip", "href": "#main"}, place
            assert found.all("html") == [{"lang": "en"}]

    at_page(work)
