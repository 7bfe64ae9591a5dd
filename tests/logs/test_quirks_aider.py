"""aider's history: which `#### ` block is the model's, which the person's said again, and what is a command."""

import pytest
from quirks_support import acts, sessions, typed

START = "# aider chat started at 2026-02-01 09:00:00\n\n> {}  \n> Aider v0.86.1  \n> Model: m with diff format  \n\n"
ASK = "#### mend the loom  \n\n"
TOKENS = "\n\n> Tokens: 2k sent, 1k received.  \n\n"
PLAN = "Tighten the warp first, then thread the shuttle through every second heddle."


def history(*parts: str, launch: str = "/opt/bin/aider") -> str:
    return START.format(launch) + "".join(parts)


def block(text: str) -> str:
    return "".join(f"#### {line}  \n" for line in text.split("\n")) + "\n"


LONG = "\n".join(
    f"{number}. Step {number} of the loom: turn the beam by {number} teeth and check it." for number in range(9)
)


@pytest.mark.parametrize(
    "answer",
    [
        f"I need loom.py.{TOKENS}> Add loom.py to the chat? (Y)es/(N)o [Yes]: y  \n\n{PLAN}",
        f"Hm, the person wants the loom mended. Let me think.\n\n{PLAN}",
        f"{PLAN}{TOKENS}#### y",
    ],
)  # fmt: skip
def test_the_last_reply_logged_again_is_not_the_persons(answer, tmp_path):
    text = history(ASK, answer, TOKENS if not answer.endswith("y") else "  \n\n", block(PLAN), "Done.", TOKENS)
    found = sessions(tmp_path, text)
    assert typed(found) == ["mend the loom"]
    assert [event.rule for raw in found for event in raw.events if event.kind == "injected"] == ["architect_echo"]


def test_a_reply_with_quoted_lines_is_known_by_its_ends(tmp_path):
    first, last = LONG.split("\n")[:4], LONG.split("\n")[4:]
    answer = "\n".join([*first, "> a quoted remark", *last])
    assert typed(sessions(tmp_path, history(ASK, answer, TOKENS, block(answer)))) == ["mend the loom"]
    own = "\n".join(reversed(LONG.split("\n")))
    assert typed(sessions(tmp_path, history(ASK, answer, TOKENS, block(own)))) == ["mend the loom", own]


@pytest.mark.parametrize(
    "between", ["> ^C again to exit  \n\n", "> litellm.RateLimitError: later  \n\n", "Half an ans\n\n"]
)
def test_words_sent_again_are_said_again(between, tmp_path):
    assert typed(sessions(tmp_path, history(ASK, between, ASK, "Done.", TOKENS))) == ["mend the loom"] * 2


@pytest.mark.parametrize("command", ["/ex", "/grep warp in loom.py", "/mv a b", "/drop[", "/a mend it", "/tokens"])
def test_aider_sends_nothing_to_the_model_that_begins_with_a_slash(command, tmp_path):
    found = sessions(tmp_path, history(block(command), "> Invalid command  \n\n", ASK))
    assert typed(found) == ["mend the loom"] and acts(found) == ["command"]


def test_the_beginning_of_a_message_command_is_that_command(tmp_path):
    found = sessions(tmp_path, history(block("/arch mend the loom"), block("mend the loom"), "Done.", TOKENS))
    assert typed(found) == ["mend the loom"]


def test_comments_watched_in_files_are_handed_over_by_aider(tmp_path):
    watched = block(
        'Find the "AI" comments below (marked with █) in the code files I\'ve shared with you.\nloom.py:\n⋮'
    )
    found = sessions(tmp_path, history("> Processing your request...  \n\n", watched, "Done.", TOKENS, ASK))
    assert typed(found) == ["mend the loom"]
    (raw,) = sessions(tmp_path, history("> Processing your request...  \n\nI changed loom.py.", TOKENS, ASK))
    assert [event.kind for event in raw.events if event.role == "assistant"] == ["text"]


@pytest.mark.parametrize(("launch", "asked"), [("/opt/bin/aider --yes-always", []), ("/opt/bin/aider", ["approval"])])
def test_questions_that_aider_answers_itself_are_no_acts(launch, asked, tmp_path):
    text = history("> Create new file? (Y)es/(N)o [Yes]: y  \n\n", ASK, "Done.", TOKENS, launch=launch)
    assert acts(sessions(tmp_path, text)) == asked
