"""What the rule-based user hears in a behavior prompt: many wordings against a manner, and nothing by chance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autointeract import prompts
from autointeract.symbolic.manners import MANNERS, NAMES, dropped

AGAINST = {
    "courtesy": [
        "Leave out please and thanks unless the description has them.", "Never thank the assistant.",
        "No pleasantries.", "Don't be polite; developers are not.", "Skip courtesies such as please.",
        "Drop the niceties", "Be curt.",
        "Write without any gratitude or apologies.", "NO COURTESY AT ALL",
    ],
    "length": [
        "Keep it short.", "Be terse.", "One line is enough.", "Avoid long messages.", "Write in few words.",
        "Cut the padding.", "Do not ramble.", "Messages are fragments, never paragraphs.", "Use no filler.",
    ],
    "detail": [
        "Leave details out that the person would not bother to give.", "Don't over-specify.",
        "Hold things back until asked.", "Say less: fewer specifics.",
        "Be vague about what you want.", "Give the goal only.", "Never list all the steps.",
        "Let the assistant guess the rest.",
    ],
    "polish": [
        "Start in lower case.", "Skip capitals and full stops.", "Do not care about punctuation.", "Be sloppy.",
        "Type with typos.", "No need for proper grammar.", "Leave the final mark off.", "Avoid well-formed sentences.",
    ],
    "asking": [
        "Give commands rather than questions.", "Do not ask whether it could do it.", "Use the imperative.",
        "Avoid question marks.", "Tell the assistant what to do.", "Say what you want instead of asking if it can.",
        "Never write could you.", "Write orders.",
    ],
    "agreement": [
        "When the work is off, say so at once and bluntly.", "Push back when it is wrong.", "Do not accept by default.",
        "Don’t go along with everything.", "Ask for the next thing rather than commenting.", "Never just confirm.",
        "Be hard to please.", "Refuse what you did not ask for.",
    ],
    "preamble": [
        "No summaries of what the assistant did.", "Skip the preamble.", "Get to the point.", "Avoid recaps.",
        "Don't acknowledge the answer first.", "Never sound like an assistant.", "No introductions.",
        "Go straight into the request.",
    ],
}  # fmt: skip
NOT_AGAINST = [
    "Be polite and thank the assistant.", "Give every detail.", "Write long messages with background.",
    "Accept what the assistant did.", "Use capitals and full stops.", "You may ask questions.",
    "Do not leave out please.", "Never be brief.", "Do not push back.", "Do not be vague.", "Leave no detail out.",
    "Never skip punctuation.", "Begin with a summary.", "You play a developer who talks to a coding agent.", "",
]  # fmt: skip


def test_every_manner_has_many_wordings() -> None:
    assert set(AGAINST) == NAMES and all(len(rows) >= 8 for rows in AGAINST.values())


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, rows in AGAINST.items() for text in rows])
def test_an_instruction_against_a_manner_drops_it_and_no_other(name: str, text: str) -> None:
    assert dropped(text) == {name}


@pytest.mark.parametrize("text", NOT_AGAINST)
def test_what_is_not_against_is_not_heard(text: str) -> None:
    assert dropped(text) == frozenset()


@given(st.lists(st.sampled_from([text for rows in AGAINST.values() for text in rows]), max_size=6))
def test_instructions_add_up(rows: list[str]) -> None:
    assert dropped("\n".join(f"- {row}" for row in rows)) == frozenset().union(*(dropped(row) for row in rows))


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert dropped(text) <= NAMES


def test_the_seed_prompt_leaves_something_to_learn() -> None:
    # Its wording: short messages, no courtesy, no summaries. If it is rewritten, this list moves with it.
    assert dropped(prompts.load("behavior", ()).text) == {"courtesy", "length", "preamble"}
    assert all(0 < manner.shows <= 1 for manner in MANNERS)
