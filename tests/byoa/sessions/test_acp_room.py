"""A session over ACP with a real agent process: what the person sees, and what the app gets."""

import asyncio

import pytest
from tests.byoa.sessions.conftest import Stage

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.sessions import acp_session
from agent_connector.errors import HostError


def test_an_app_chats_and_sees_its_turn_alone(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.type("my own secret")
        await stage.shows("said my own secret")
        turn = await stage.chat("What is new?")
        assert await stage.ended(turn) == "done"
        recorded = stage.port.app.turns[turn]
        assert recorded.text.startswith(
            "heard: [From Notes (https://notes.example) on behalf of Ada, via agent-connector"
        )
        assert recorded.text.endswith("What is new?")
        assert all(b"secret" not in one.body for one in stage.port.app.requests)
        assert stage.screen.has("prompt [From Notes (https://notes.example) on behalf of Ada")

    play(story)


def test_stop_ends_the_turn_in_the_agent(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("take long")
        await stage.port.until(lambda: stage.port.app.turns[turn].text)
        stage.port.stop(turn)
        assert await stage.ended(turn) == "interrupted stopped"
        await stage.shows("said  stopped")
        assert stage.port.app.turns[turn].text == "working"

    play(story)


def test_the_person_takes_over(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("take long")
        await stage.port.until(lambda: stage.port.app.turns[turn].text)
        stage.type("I have a private question")
        assert await stage.ended(turn) == "interrupted taken_over"
        await stage.shows("said I have a private question")
        assert stage.screen.has("said  stopped") and stage.port.app.turns[turn].text == "working"
        again = await stage.chat("Still there?")
        assert await stage.ended(again) == "done"
        assert all(b"private" not in one.body for one in stage.port.app.requests)

    play(story)


def test_prompts_of_the_person_wait_for_each_other(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        for text in ("this takes long", "second", "third"):
            stage.type(text)
        await stage.shows("said working")
        stage.room.session.abort()
        await stage.shows("said third")
        said = [line for line in stage.screen.lines if line in ("said second", "said third")]
        assert said == ["said second", "said third"]

    play(story)


@pytest.mark.parametrize(("typed", "told"), [("1", "answer yes"), ("2", "answer no")])
def test_the_person_is_asked_here(play, typed: str, told: str) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("please ask")
        await stage.shows("ask rm -rf secret")
        assert stage.room.session.blocked
        stage.type("maybe")
        await stage.port.until(lambda: stage.screen.lines.count("ask rm -rf secret") == 2)
        stage.type(typed)
        assert await stage.ended(turn) == "done"
        assert stage.port.app.turns[turn].text == told
        assert stage.port.app.turns[turn].tools == ["execute"]
        assert all(b"rm -rf" not in one.body for one in stage.port.app.requests)

    play(story)


def test_a_question_is_let_go_when_its_turn_is_stopped(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("please ask")
        await stage.shows("ask rm -rf secret")
        stage.port.stop(turn)
        assert await stage.ended(turn) == "interrupted stopped"
        await stage.shows("said cancelled")
        assert not stage.room.session.questions

    play(story)


def test_the_apps_tools_are_in_the_session(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("use your tools")
        assert await stage.ended(turn) == "done"
        assert stage.port.app.turns[turn].text == "byoa_notes: found x"
        assert stage.port.app.turns[turn].tools == ["byoa_notes"]
        assert stage.port.app.mcp.calls == [("search", {"q": "x"})]

    play(story)


def test_a_new_conversation_is_a_new_session_to_the_app(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("take long")
        await stage.port.until(lambda: stage.port.app.turns[turn].text)
        first = stage.port.app.session
        stage.type("/byoa new")
        assert await stage.ended(turn) == "error session_closed"
        await stage.joined(2)
        assert stage.port.app.session.info.key != first.info.key
        again = await stage.chat("use your tools")
        assert await stage.ended(again) == "done"

    play(story)


def test_a_revoked_app_is_out(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.port.app.revoke()
        stage.port.chat("still me")
        await stage.shows("note Notes (https://notes.example) has revoked this pairing")
        stage.type("/byoa status")
        await stage.shows("as Ada: revoked")
        stage.type("hello")
        await stage.shows("said hello")

    play(story)


def test_disconnect_and_connect_in_the_session(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.type("/byoa disconnect notes")
        await stage.shows("note disconnected from Notes")
        stage.type("/byoa connect notes.example")
        await stage.port.until(
            lambda: stage.screen.lines.count("note paired with Notes (https://notes.example) as Ada") == 2
        )
        turn = await stage.chat("Me again")
        assert await stage.ended(turn) == "done"

    play(story)


def test_only_settings_of_the_list_are_offered_and_set(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        offered = stage.port.app.session.info.settings
        assert offered == (wire.Setting("model", "Model", ("small", "large"), "small"),)
        for setting, value in (("mode", "bypassPermissions"), ("sandbox", "off"), ("model", "large")):
            stage.port.set(setting, value)
        await stage.shows("note Model is large now, as an app chose")
        turn = await stage.chat("which model")
        assert await stage.ended(turn) == "done"
        assert stage.port.app.turns[turn].text == "large"
        stage.type("/byoa status")
        await stage.shows("a setting that was not offered was dropped")
        assert stage.room.session.offers.mode == "default"

    play(story)


def test_no_app_turn_starts_where_approvals_are_bypassed(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.type("/byoa status")
        await stage.shows("approvals are bypassed in this session: no app turn starts")
        assert not stage.port.app.turns[turn].events
        stage.type("/byoa mode default")
        assert await stage.ended(turn) == "done"

    play(story, how="bypassed")


def test_the_person_is_asked_where_a_model_would_judge(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("which mode")
        assert await stage.ended(turn) == "done"
        assert stage.port.app.turns[turn].text == "default"
        stage.type("/byoa mode auto")  # as the person wishes
        await stage.shows("note mode auto")
        stage.type("which mode")
        await stage.shows("said auto")

    play(story, how="judged")


def test_no_app_turn_starts_where_its_text_may_act(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.type("/byoa status")
        await stage.shows("nobody has proven that files and commands in its text stay inert")
        stage.type("I may")
        await stage.shows("said I may")
        assert not stage.port.app.turns[turn].events and stage.port.app.session.state == "blocked"

    play(story, proven=False)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("nothing", "done"),
        ("refuse", "error rejected"),
        ("cut", "error host_error"),
        ("fail", "error host_error"),
    ],
)
def test_every_end_has_its_word(play, text: str, end: str) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat(text)
        assert await stage.ended(turn) == end
        again = await stage.chat("and now?")
        assert await stage.ended(again) == "done"

    play(story)


def test_what_subagents_say_stays_here(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("ask a subagent")
        assert await stage.ended(turn) == "done"
        assert stage.port.app.turns[turn].text == "outer"

    play(story)


def test_an_agent_that_dies_is_started_again(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("please die")
        assert await stage.ended(turn) == "error host_error"
        await stage.shows("note Scripted has ended (exit code 3)\n  a bad end\n`/byoa restart` starts it again")
        stage.type("anybody?")
        await stage.shows("note Scripted is not running")
        stage.type("/byoa restart")
        await stage.joined(2)
        again = await stage.chat("Back?")
        assert await stage.ended(again) == "done"

    play(story)


def test_an_agent_that_dies_and_leaves_its_pipes_open(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("leave an orphan")
        assert await stage.ended(turn) == "error host_error"
        await stage.shows("note Scripted has ended (exit code 4)")

    play(story)


def test_an_agent_that_gives_no_sign_is_given_up(play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acp_session, "BEGIN_WITHIN", 0.2)
    monkeypatch.setattr(acp_session, "CANCEL_WITHIN", 0.2)

    async def story(stage: Stage) -> None:
        turn = await stage.chat("you are deaf")
        await stage.shows("note Scripted has given no sign")
        assert await stage.ended(turn) == "error host_error"
        await stage.shows("note Scripted does not let go of its turn")
        stage.type("/byoa restart")
        await stage.joined(2)

    play(story)


def test_an_agent_that_does_not_let_go_of_a_stopped_turn(play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acp_session, "CANCEL_WITHIN", 0.2)

    async def story(stage: Stage) -> None:
        turn = await stage.chat("be stubborn")
        await stage.port.until(lambda: stage.port.app.turns[turn].text)
        stage.port.stop(turn)
        assert await stage.ended(turn) == "interrupted stopped"
        await stage.shows("note Scripted does not let go of its turn")
        assert stage.room.session.host_session_id is None

    play(story)


def test_an_agent_that_is_signed_out_is_an_error_that_says_what_to_do(play) -> None:
    async def story(stage: Stage) -> None:
        with pytest.raises(HostError, match=r"(?s)Authentication required.*sign in"):
            await stage.running

    play(story, how="signed out")


def test_without_a_terminal_lines_are_worked_off_and_no_app_joins(play) -> None:
    async def story(stage: Stage) -> None:
        for line in ("first", "please ask", None):
            stage.type(line)
        await stage.running
        assert stage.screen.has("said first") and stage.screen.has("said answer no")
        assert not stage.port.app.sessions

    play(story, interactive=False)


def test_ctrl_c_stops_a_turn_and_leaves_when_it_comes_twice(play, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("take long")
        await stage.port.until(lambda: stage.port.app.turns[turn].text)
        stage.room.interrupt()
        assert await stage.ended(turn) == "interrupted stopped"
        assert not stage.running.done()
        stage.room.interrupt()
        await stage.running

    play(story)


def test_the_person_leaves(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("take long")
        await stage.port.until(lambda: stage.port.app.turns[turn].text)
        agent = stage.room.agent
        stage.type("/byoa leave")
        await stage.running
        assert await asyncio.wait_for(agent.gone(), 10) is not None

    play(story)


def test_a_pairing_is_kept(play) -> None:
    async def first(stage: Stage) -> None:
        await stage.joined()
        assert stage.screen.has("note Pair with https://notes.example")

    async def second(stage: Stage) -> None:
        await stage.shows("is ready")
        assert not stage.screen.has("note Pair with https://notes.example")
        stage.type("/byoa status")
        await stage.shows("Notes (https://notes.example) as Ada")

    play(first)
    play(second)
