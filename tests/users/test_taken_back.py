"""What a person said and went back behind: evidence of how they write, no part of the conversation."""

from typing import Any

from users_support import session

from autointeract.records import Session, TurnLabel
from autointeract.users import instances
from autointeract.users.corpus import of_session
from autointeract.users.measures import session_evidence
from autointeract.users.surface import count_words
from autointeract.users.turns import final_branch, typed_turns


def branched(*texts: str) -> Session:
    """A session of these typed turns; those that begin with "~" were taken back, with what the agent did on them."""
    row = session("s", "u", [text.removeprefix("~") for text in texts])
    marks = [text.startswith("~") for text in texts for _ in range(4)]
    turns = [t.model_copy(update={"flags": ["fork"] if mark else []}) for t, mark in zip(row.turns, marks, strict=True)]
    return row.model_copy(update={"turns": turns})


def evidence(row: Session, reaction: Any = "new_request"):
    labels = {
        turn.index: TurnLabel(
            session_id="s", turn_index=turn.index, intent="create", reaction=reaction, specificity=1,
            words=count_words(turn.text), labeller="rules",
        )
        for turn in typed_turns(row)
    }  # fmt: skip
    return session_evidence(row, labels)


def test_no_later_turn_has_it_before_it_and_its_own_branch_it_has() -> None:
    row = branched("sort it", "~now by nmae", "~and quickly", "now by name", "thanks")
    found = {turn.text: turn for turn in typed_turns(row)}
    assert [turn.text for turn in found.values() if turn.taken_back] == ["now by nmae", "and quickly"]
    assert found["and quickly"].earlier == ["sort it", "now by nmae"]
    assert found["now by name"].earlier == ["sort it"] and found["now by name"].number == 1
    assert found["thanks"].earlier == ["sort it", "now by name"] and found["thanks"].number == 2
    # What the agent did on the abandoned branch is not what the rewrite reacts to.
    assert found["now by name"].before == found["now by nmae"].before == "Step 0 is done: the change is in place."


def test_a_first_message_sent_too_early_leaves_the_rewrite_the_first() -> None:
    turns = list(typed_turns(branched("~sort th", "sort the list")))
    assert [(turn.number, turn.reactive, turn.taken_back) for turn in turns] == [(0, False, True), (0, False, False)]


def test_instances_and_their_prefixes_hold_the_conversation_alone() -> None:
    row = branched("sort it", "~now by nmae", "now by name", "thanks")
    points = list(instances.points(row))
    assert [(row.turns[p.turn_index].text, p.number, p.last) for p in points] == [
        ("now by name", 1, False), ("thanks", 2, True),
    ]  # fmt: skip
    built = instances.build(row, points[1], "test", None, 1000, 1000)
    assert [m.content for m in built.prefix if m.role == "user"] == ["sort it", "now by name"]
    assert "nmae" not in built.model_dump_json()
    assert [item.text for item in of_session(row)] == ["sort it", "now by name", "thanks"]
    assert not any(turn.flags for turn in final_branch(row))


def test_its_words_count_and_its_request_does_not_count_twice() -> None:
    once = branched("sort it", "sort it by name then")
    twice = branched("sort it", "~sort it by name then", "sort it by name then")
    for reaction in ("new_request", "change_requirement", "correct"):
        one, two = evidence(once, reaction), evidence(twice, reaction)
        assert one.intents == two.intents == {"create": 2} and one.reveal == two.reveal
        for name in ("vagueness", "pushback", "requirement_change"):
            assert one.values[name] == two.values[name], name
        assert two.turns == one.turns + 1
        for name in ("verbosity", "expertise", "later_words"):
            assert two.values[name].count == one.values[name].count + 1, name


def test_without_the_flag_nothing_changes() -> None:
    row = session("s", "u", ["sort it", "now by name", "thanks"])
    assert final_branch(row) == row.turns
    assert [turn.number for turn in typed_turns(row)] == [0, 1, 2] and not any(t.taken_back for t in typed_turns(row))
    assert [point.number for point in instances.points(row)] == [1, 2]
