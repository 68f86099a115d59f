"""Claude Code, mode at-stop: an app's prompt is the answer to a Stop, its end the next one, and the person wins."""

import json
from pathlib import Path

import pytest
from tests.byoa.sessions.claude_play import Play, recorded

from agent_connector.byoa.protocol import Delta, Started, ToolStep


def test_a_message_waits_for_the_end_of_the_persons_turn_and_its_answer_is_one_delta() -> None:
    play = Play()
    turn = play.chat("What is new?")
    assert play.app.session.acknowledged == 1
    assert play.app.turns[turn].events == []
    play.typed()
    stop = play.stop("For the person alone.")
    assert stop.prompt is not None
    line, _, text = stop.prompt.partition("\n\n")
    assert line.startswith(f"[From Notes ({play.app.origin}) on behalf of Ada, via agent-connector; not typed")
    assert text == "What is new?"
    assert play.app.turns[turn].events == [Started()]
    play.tool("Bash")
    play.stop("Nothing.", again=True)
    assert play.end(turn) == "done"
    assert play.app.turns[turn].text == "Nothing."
    assert sum(isinstance(event, Delta) for event in play.app.turns[turn].events) == 1
    assert play.app.turns[turn].tools == ["Bash"]


def test_waiting_for_a_stop_does_not_wear_out_the_message() -> None:
    play = Play()
    turn = play.chat()
    play.world.run(600)
    assert play.end(turn) is None
    assert play.stop().prompt is not None


def test_a_message_that_comes_while_a_stop_is_held_is_taken_at_once() -> None:
    play = Play()
    stop = play.stop()
    assert stop.held
    play.chat()
    play.settle()
    assert stop.prompt is not None


def test_a_prompt_of_the_person_ends_the_hold() -> None:
    play = Play()
    stop = play.stop()
    play.typed()
    assert stop.said == [None]
    turn = play.chat()
    assert play.end(turn) is None
    assert play.app.turns[turn].events == []


def test_a_hook_that_is_gone_gets_no_turn() -> None:
    play = Play()
    stop = play.stop()
    play.session.gone(stop.said.append)  # not this one: another hook's answer
    assert play.session.holding
    answer = play.session._hold[0]
    play.session.gone(answer)
    turn = play.chat()
    assert stop.said == []
    assert play.app.turns[turn].events == []


def test_what_is_handed_over_when_the_hold_has_just_ended_is_given_at_the_next_stop() -> None:
    play = Play()
    first = play.stop()
    play.app.chat("What is new?")
    play.world.settle()  # handed over; what was put off is not done yet
    play.session.release()
    play.settle()
    assert first.said == [None]
    assert play.stop(prompt="p2").prompt is not None


def test_no_more_answers_in_a_row_than_the_host_takes() -> None:
    play = Play(cap=2)
    turns = [play.chat(str(number)) for number in range(3)]
    assert play.stop().prompt is not None
    assert play.stop("one", again=True).prompt is not None
    assert play.stop("two", again=True).said == [None]
    assert play.session.let_go
    assert [play.end(turn) for turn in turns] == ["done", "done", None]
    play.typed("p2")
    assert play.stop(prompt="p2").prompt is not None
    assert not play.session.let_go


def test_answers_of_other_hooks_count_in_the_row_too() -> None:
    play = Play(cap=2)
    play.stop()
    play.stop(again=True)
    play.chat()
    assert play.stop(again=True).said == [None]


@pytest.mark.parametrize(
    ("mode", "starts"), [("bypassPermissions", False), ("dontAsk", False), ("new", False), ("auto", True)]
)
def test_where_nobody_is_asked_no_turn_starts(mode: str, starts: bool) -> None:
    play = Play()
    play.chat()
    assert (play.stop(permission_mode=mode).prompt is not None) is starts
    assert ("approvals are bypassed" in play.world.status()) is not starts


def test_a_session_without_a_person_before_it_holds_nothing() -> None:
    play = Play()
    play.chat()
    assert play.stop(attended="0").said == [None]


def test_what_subagents_do_is_nobodys_turn() -> None:
    play = Play()
    turn = play.chat()
    play.stop()
    play.tool("Read", agent_id="a1")
    play.hear("StopFailure", agent_id="a1", prompt_id="p1")
    play.stop("Done.", again=True)
    assert play.app.turns[turn].tools == []
    assert play.end(turn) == "done"


def test_a_failed_answer_ends_the_turn() -> None:
    play = Play()
    turn = play.chat()
    play.stop()
    play.hear("StopFailure", prompt_id="p1")
    assert play.end(turn) == "error host_error"


def test_a_turn_that_was_broken_off_unseen_gives_nothing_to_its_app() -> None:
    play = Play()
    turn = play.chat()
    play.stop()
    play.typed("p2")
    assert play.end(turn) == "interrupted taken_over"
    play.stop("For the person.", prompt="p2")
    assert play.app.turns[turn].text == ""


def test_a_tool_of_a_later_prompt_is_not_the_apps() -> None:
    play = Play()
    turn = play.chat()
    play.stop()
    play.tool("Bash", "p2")
    assert play.end(turn) == "interrupted taken_over"
    assert play.app.turns[turn].tools == []


def test_a_stop_that_is_not_the_one_after_ours_is_not_the_apps() -> None:
    """As above, in a version that does not number its prompts."""
    play = Play()
    turn = play.chat()
    play.stop(prompt="")
    play.stop("For the person.", prompt="", again=False)
    assert play.end(turn) == "interrupted taken_over"
    assert play.app.turns[turn].text == ""


def test_a_new_conversation_closes_the_turn_and_takes_none_along() -> None:
    play = Play()
    running, waiting = play.chat("one"), play.chat("two")
    play.stop()
    play.hear("SessionEnd", reason="clear")
    play.world.run(1)
    assert play.end(running) == play.end(waiting) == "error session_closed"
    play.hear("SessionStart", session_id="two", source="clear")
    play.world.run(2)
    assert len(play.app.sessions) == 2
    assert play.stop("x", session_id="two", prompt="p2").held
    fresh = play.chat()
    play.settle()
    play.stop("Fresh.", session_id="two", prompt="p2", again=True)
    assert play.app.turns[fresh].text == "Fresh."


def test_a_prompt_for_the_old_conversation_is_not_given_to_the_new_one() -> None:
    play = Play()
    play.stop()
    turn = play.app.chat("for the old one")
    play.world.settle()
    play.session.release()
    play.hear("SessionStart", session_id="two", source="resume")
    assert play.stop(session_id="two", prompt="p2").prompt is None
    play.world.run(1)
    assert play.end(turn) == "error session_closed"


def test_blocked_is_told_while_the_host_asks_its_person() -> None:
    play = Play(hold=1)
    for event, fields, state in (
        ("PermissionRequest", {"tool_name": "Bash"}, "blocked"),
        ("PostToolUse", {"tool_name": "Bash"}, "busy"),
        ("Notification", {"notification_type": "permission_prompt"}, "blocked"),
        ("Notification", {"notification_type": "idle_prompt"}, "busy"),
    ):
        play.hear(event, **fields)
        play.world.run(4)
        assert play.app.session.state == state


def test_stop_by_the_app_drops_the_rest_and_the_next_turn_waits_for_the_host() -> None:
    play = Play()
    first, second = play.chat("one"), play.chat("two")
    play.stop()
    play.app.stop(first)
    play.world.settle()
    assert play.end(first) == "interrupted stopped"
    assert play.app.turns[second].events == []
    assert "two" in (play.stop("too late", again=True).prompt or "")
    assert play.app.turns[first].text == ""


def test_stop_by_the_app_of_what_was_just_handed_over_keeps_the_hold() -> None:
    play = Play()
    stop = play.stop()
    first = play.app.chat("one")
    play.world.settle()
    play.app.stop(first)
    play.world.settle()
    play.settle()
    assert stop.held
    play.chat("two")
    play.settle()
    assert "two" in (stop.prompt or "")


def test_stop_by_the_app_of_what_waits_for_the_next_stop_lets_the_next_turn_in() -> None:
    play = Play()
    play.stop()
    first = play.app.chat("one")
    play.world.settle()
    play.session.release()
    play.settle()
    play.app.stop(first)
    play.chat("two")
    assert "two" in (play.stop(prompt="p2").prompt or "")


def test_stop_by_the_app_before_the_stop_came() -> None:
    play = Play()
    first, second = play.chat("one"), play.chat("two")
    play.app.stop(first)
    play.world.settle()
    assert "two" in (play.stop().prompt or "")
    assert play.end(first) == "interrupted stopped"
    assert play.end(second) is None


@pytest.mark.parametrize(
    ("name", "end", "text"),
    [("joined", "interrupted taken_over", ""), ("broken-off", "interrupted taken_over", ""), ("queued", "done", "A2")],
)
@pytest.mark.parametrize("announced_late", [False, True])
def test_recorded_turns_with_a_person_in_them(
    tmp_path: Path, name: str, end: str, text: str, announced_late: bool
) -> None:
    """The transcript tells whether the host joined what the person typed, which no hook does."""
    hooks, rows = recorded(name)
    if announced_late:  # typed while the answer was written: the host announces it before the Stop
        again = next((i for i, hook in enumerate(hooks) if hook.get("stop_hook_active")), None)
        if again is not None and hooks[again + 1]["hook_event_name"] == "UserPromptSubmit":
            hooks[again], hooks[again + 1] = hooks[again + 1], hooks[again]
    play = Play()
    file = tmp_path / "transcript.jsonl"
    file.write_text("")
    turn = play.chat("Do it")
    for hook in hooks[:-1]:
        if hook["hook_event_name"] == "Stop" and hook is not hooks[2]:
            play.session.look()
        asked = play.heard({**hook, "session_id": "one", "transcript_path": str(file)})
        if asked.prompt:
            line = asked.prompt.partition("\n")[0]
            with file.open("a") as stream:
                stream.writelines(json.dumps(row).replace("@LINE@", line) + "\n" for row in rows)
    assert play.end(turn) == end
    assert play.app.turns[turn].text == text


def test_a_turn_that_is_broken_off_ends_before_anything_else_happens(tmp_path: Path) -> None:
    hooks, rows = recorded("broken-off")
    play = Play()
    file = tmp_path / "transcript.jsonl"
    file.write_text("")
    turn = play.chat("Do it")
    stop = next(hook for hook in hooks if hook["hook_event_name"] == "Stop")
    prompt = play.heard({**stop, "session_id": "one", "transcript_path": str(file)}).prompt
    assert prompt is not None
    text = "".join(json.dumps(row).replace("@LINE@", prompt.partition("\n")[0]) + "\n" for row in rows)
    end = text.index("[Request interrupted")
    file.write_text(text[:end])
    play.session.look()
    assert play.end(turn) is None
    file.write_text(text)
    play.session.look()
    assert play.end(turn) == "interrupted taken_over"


@pytest.mark.parametrize("first", [True, False])
def test_another_hook_that_keeps_the_same_turn_going_takes_it_over(tmp_path: Path, first: bool) -> None:
    """The host gives the agent what both say; each stands in a row of its own, as it was recorded."""
    play = Play()
    file = tmp_path / "transcript.jsonl"
    file.write_text("")
    turn = play.chat()
    prompt = play.stop(transcript_path=str(file)).prompt
    said = [f"Stop hook feedback:\n{text}" for text in ("run the linter", prompt)][:: 1 if first else -1]
    rows = [{"type": "user", "isMeta": True, "message": {"role": "user", "content": text}} for text in said]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    play.stop("Both are done.", again=True)
    assert play.end(turn) == "interrupted taken_over"
    assert play.app.turns[turn].text == ""


def test_the_row_of_an_earlier_turn_may_be_written_late(tmp_path: Path) -> None:
    """A busy host writes it down when the next turn has begun already."""
    play = Play()
    file = tmp_path / "transcript.jsonl"
    file.write_text("")
    first, second = play.chat("one"), play.chat("two")
    given = play.stop(transcript_path=str(file)).prompt
    later = play.stop("One.", again=True, transcript_path=str(file)).prompt
    texts = [f"Stop hook feedback:\n{prompt}" for prompt in (given, later)]
    rows = [{"type": "user", "isMeta": True, "message": {"role": "user", "content": text}} for text in texts]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    play.stop("Two.", again=True, transcript_path=str(file))
    assert (play.end(first), play.end(second)) == ("done", "done")
    assert play.app.turns[second].text == "Two."


def test_a_prompt_that_waited_since_before_the_turn_takes_its_later_calls(tmp_path: Path) -> None:
    file = tmp_path / "transcript.jsonl"
    file.write_text("")
    play = Play()
    turn = play.chat("message")
    prompt = play.stop(transcript_path=str(file)).prompt
    with file.open("a") as stream:
        said = {"type": "user", "isMeta": True, "message": {"content": f"Stop hook feedback:\n{prompt}"}}
        stream.write(json.dumps(said) + "\n")
    play.tool("own", transcript_path=str(file))
    with file.open("a") as stream:
        stream.write(json.dumps({"type": "attachment", "attachment": {"type": "queued_command"}}) + "\n")
    play.tool("foreign", transcript_path=str(file))
    play.settle()
    told = [event.name for event in play.app.turns[turn].events if isinstance(event, ToolStep)]
    assert (told, play.end(turn)) == (["own"], "interrupted taken_over")


def test_without_a_transcript_an_announced_prompt_takes_the_turn_over() -> None:
    play = Play()
    turn = play.chat()
    play.stop()
    play.typed()
    play.stop("Whose is this?", again=True)
    assert play.end(turn) == "interrupted taken_over"
    assert play.app.turns[turn].text == ""
