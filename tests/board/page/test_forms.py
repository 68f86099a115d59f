"""What people do with the page's forms, without JavaScript."""

from collections.abc import Callable
from typing import Any

from agent_connector.board import keys, readers, runs, served, tasks
from agent_connector.board.store import Store
from agent_connector.board.values import BundleFile, Role

Run = Callable[..., None]


def test_a_task_is_made_changed_moved_and_talked_about(at_page: Run, store: Store, text_of: Any) -> None:
    async def work(owner: Any, member: Any) -> None:
        given = {"title": "Mend the gate", "description": "It squeaks.\r\nMuch.", "board": "garden", "priority": "7"}
        place = (await member.send("/do/add", given)).headers["location"]
        shown = text_of(await owner.get(place))
        assert "Mend the gate" in shown and "It squeaks.\nMuch." in shown
        task = place.removeprefix("/tasks/")
        changed = {**given, "task": task, "title": "Mend the old gate", "role": "carpenter"}
        assert (await owner.send("/do/edit", changed)).headers["location"] == place
        await owner.send("/do/comment", {"task": task, "body": "With oil, please"})
        await owner.send("/do/move", {"task": task, "status": "in_progress"})
        shown = text_of(await member.get(place))
        assert "Mend the old gate" in shown and "With oil, please" in shown and "by ada@example.com" in shown
        assert "Mend the old gate" in text_of(await member.get("/?board=garden"))
        assert "Mend the old gate" not in text_of(await member.get("/?board=main"))

    at_page(work)
    (task,) = store.read(tasks.page)[0]
    assert (task.status, task.status_by, task.role, task.priority) == ("in_progress", "ada@example.com", "carpenter", 7)


def test_what_was_typed_is_there_again_when_it_is_refused(at_page: Run, store: Store, text_of: Any) -> None:
    task = store.write(tasks.add, title="Mend the gate", by="x@example.com")

    async def work(owner: Any, member: Any) -> None:
        answer = await owner.send("/do/add", {"title": "", "description": "a long story", "priority": "3"})
        assert answer.status_code == 400
        assert "title: not a name" in text_of(answer.text) and "a long story" in answer.text
        answer = await owner.send("/do/edit", {"task": task.id, "title": "x", "board": "b", "priority": "many"})
        assert answer.status_code == 400 and "priority: not a whole number" in text_of(answer.text)
        answer = await owner.send("/do/comment", {"task": task.id, "body": "x" * 70_000})
        assert answer.status_code == 400 and "x" * 70_000 in answer.text
        answer = await owner.send("/do/comment", {"task": "gone", "body": "x"})
        assert answer.status_code == 404 and "no such task" in text_of(answer.text)
        assert (await owner.send("/do/nothing", {})).status_code == 404

    at_page(work)


def test_an_answer_and_the_move_are_one_step(at_page: Run, store: Store, text_of: Any) -> None:
    task = store.write(tasks.add, title="Mend the gate", by="x@example.com", status="blocked")
    run = store.write(runs.create, task.id, connector="lovelace")
    store.write(runs.change, run.id, status="awaiting_human")
    store.write(tasks.comment, task.id, "May I use oil?", by="worker")

    async def work(owner: Any, member: Any) -> None:
        shown = text_of(await member.get("/waiting"))
        assert "Mend the gate" in shown and "May I use oil?" in shown
        assert "1 need an answer" in " ".join(text_of(await member.get("/")).split())
        assert "It needs an answer" in await member.get(f"/tasks/{task.id}")
        fields = {"task": task.id, "body": "Yes, a little", "status": "todo", "from": "waiting"}
        refused = await member.send("/do/answer", {**fields, "body": "   "})
        assert refused.status_code == 400
        assert store.read(tasks.get, task.id).status == "blocked"  # neither of the two
        assert (await member.send("/do/answer", fields)).headers["location"] == "/waiting"
        shown = text_of(await member.get("/waiting"))
        assert "Nobody waits" in shown and "Answered" in shown and "Mend the gate" in shown
        assert "It needs an answer" not in await member.get(f"/tasks/{task.id}")

    at_page(work)
    found = store.read(tasks.get, task.id)
    assert (found.status, found.status_by) == ("todo", "bob@example.com")
    assert (found.comments[-1].author, found.comments[-1].body) == ("bob@example.com", "Yes, a little")
    assert found.comments[-1].created_at <= found.updated_at


def test_roles_are_versions_and_owners_make_them(at_page: Run, store: Store, text_of: Any) -> None:
    fields = {
        "name": "carpenter",
        "provider": "anthropic",
        "model": "m-1",
        "fallback_models": "m-2\r\n m-3, m-4\r\n",
        "capability_tier": "",
        "instructions": "Measure twice.\r\nCut once.",
    }

    async def work(owner: Any, member: Any) -> None:
        assert (await member.send("/do/set-role", fields)).status_code == 403
        assert "A new role" not in await member.get("/roles")
        assert (await owner.send("/do/set-role", fields)).headers["location"] == "/roles?name=carpenter"
        await owner.send("/do/set-role", {**fields, "instructions": "Measure three times."})
        shown = text_of(await member.get("/roles?name=carpenter"))
        assert "version 2" in shown and "Measure three times." in shown and "Cut once." in shown
        bad = await owner.send("/do/set-role", {**fields, "provider": "x" * 300, "instructions": "typed in vain"})
        assert bad.status_code == 400 and "typed in vain" in bad.text
        assert "carpenter" in await owner.get("/new")
        await owner.send("/do/retire-role", {"name": "carpenter"})
        assert "No roles yet" in await owner.get("/roles")
        await owner.get("/roles?name=nobody", 404)

    at_page(work)
    assert [role.fallback_models for role in store.read(served.role_versions, "carpenter")][-1] == ("m-2", "m-3", "m-4")
    assert store.read(served.role_versions, "carpenter")[-1].instructions == "Measure twice.\nCut once."


def test_a_bundle_is_edited_file_by_file(at_page: Run, store: Store, text_of: Any) -> None:
    def files() -> dict[str, str]:
        held = store.read(served.bundle, "default")
        return {file.path: file.content for file in held.files} if held else {}

    async def work(owner: Any, member: Any) -> None:
        new = {"name": "default", "path": "AGENTS.md", "content": "\r\n# Rules\r\n", "version": "", "was": ""}
        assert (await member.send("/do/save-file", new)).status_code == 403
        assert (await owner.send("/do/save-file", new)).headers["location"] == "/bundles?name=default&path=AGENTS.md"
        assert files() == {"AGENTS.md": "\n# Rules\n"}
        assert ">\n\n# Rules\n</textarea>" in await owner.get("/bundles?name=default&path=AGENTS.md")
        one = {"name": "default", "path": "a/b.md", "content": "b", "version": "1", "was": ""}
        await owner.send("/do/save-file", one)
        stale = await owner.send("/do/save-file", {**one, "content": "what I typed"})
        assert stale.status_code == 409 and "what I typed" in stale.text
        bad = await owner.send("/do/save-file", {**one, "version": "2", "path": "../x", "content": "out"})
        assert bad.status_code == 400 and "not a path inside a folder" in text_of(bad.text)
        await owner.send("/do/save-file", {**one, "version": "2", "was": "a/b.md", "path": "a/c.md"})
        assert files() == {"AGENTS.md": "\n# Rules\n", "a/c.md": "b"}
        await owner.send("/do/drop-file", {"name": "default", "path": "AGENTS.md", "version": "3"})
        assert files() == {"a/c.md": "b"}
        old = await owner.get("/bundles?name=default&version=1&path=AGENTS.md")
        assert "an older one" in old and "Save as" not in old
        await owner.get("/bundles?name=default&path=gone.md", 404)

    at_page(work)


def test_a_key_is_shown_once_and_revoked(at_page: Run, store: Store, text_of: Any) -> None:
    async def work(owner: Any, member: Any) -> None:
        minted = await member.send("/do/mint", {"name": "worker of bob"})
        key = minted.text.split('<code class="key">')[1].split("<")[0]
        prefix = key.split("_")[1]
        assert key not in await member.get("/keys") and prefix in await member.get("/keys")
        assert store.read(keys.caller, key)
        assert prefix not in await owner.get("/keys") and prefix in await owner.get("/keys?of=everyone")
        assert (await member.send("/do/mint", {"name": "x" * 100})).status_code == 400
        own = (await owner.send("/do/mint", {})).text.split('<code class="key">')[1].split("_")[1]
        assert (await member.send("/do/revoke", {"prefix": own})).status_code == 404
        assert prefix not in await member.get("/keys?of=everyone") or own not in await member.get("/keys?of=everyone")
        await owner.send("/do/revoke", {"prefix": prefix, "of": "everyone"})
        assert store.read(keys.caller, key) is None
        assert "revoked" in await member.get("/keys")

    at_page(work)


def test_people_are_the_owners_matter(at_page: Run) -> None:
    async def work(owner: Any, member: Any) -> None:
        await member.get("/people", 403)
        new = {"email": "eve@example.com", "password": "a good password"}
        assert (await member.send("/do/add-person", new)).status_code == 403
        assert (await owner.send("/do/add-person", new)).status_code == 303
        short = await owner.send("/do/add-person", {**new, "email": "mia@example.com", "password": "short"})
        assert short.status_code == 400 and "mia@example.com" in short.text and 'value="short"' not in short.text
        assert (await owner.send("/do/add-person", new)).status_code == 409
        await owner.send("/do/remove-person", {"email": "bob@example.com"})
        assert (await member.http.get("/")).status_code == 303

    at_page(work)


def test_a_role_of_a_task_that_is_not_served_stays_chosen(at_page: Run, store: Store) -> None:
    store.write(served.set_role, Role("", "carpenter", 0), by="x")
    store.write(served.push_bundle, "default", [BundleFile("a", "b")], by="x")
    task = store.write(tasks.add, title="x", by="x", role="smith")

    async def work(owner: Any, member: Any) -> None:
        assert '<option value="smith" selected>' in await owner.get(f"/tasks/{task.id}")

    at_page(work)


def test_a_log_is_shown_from_its_end_and_in_pages(at_page: Run, store: Store, text_of: Any) -> None:
    task = store.write(tasks.add, title="x", by="x")
    run = store.write(runs.create, task.id, connector="lovelace")
    for start in range(0, 1200, 200):
        events = [
            {
                "seq": seq,
                "ts": "2026-12-01T00:00:00Z",
                "type": "line",
                "channel": "stdout",
                "payload": {"text": f"n{seq}."},
            }
            for seq in range(start, start + 200)
        ]
        store.write(runs.append, run.id, events)
    assert store.read(readers.run, run.id).events == 1200

    async def work(owner: Any, member: Any) -> None:
        end = await owner.get(f"/runs/{run.id}")
        assert "n1199." in end and "n700." in end and "n699." not in end and 'data-last="1199"' in end
        start = await owner.get(f"/runs/{run.id}?after=-1")
        assert "n0." in start and "n499." in start and "n500." not in start and "data-log" not in start
        assert 'href="?after=499"' in start and "From the start" not in start
        assert "n500." in await owner.get(f"/runs/{run.id}?after=499")
        await owner.get("/runs/unknown", 404)

    at_page(work)
