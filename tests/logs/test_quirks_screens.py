"""Claude Code's screen as text: what ends a message, what is folded, what was never sent, what a person decided."""

import pytest
from quirks_support import acts, sessions, typed

SCREEN = """╭─── Claude Code v2.1.9 ───╮
│   C:\\Users\\orla\\kite    │
╰──────────────────────────╯

❯ sort the gulls by wing
  span
{}
⏺ Sorted.

✻ Baked for 31s

❯ thanks
"""
FIRST = "sort the gulls by wing\nspan"


@pytest.mark.parametrize(
    "between",
    [
        "\n✻ Thinking…\n\n  The user wants an order.\n", "\n  Ran 2 shell commands (ctrl+o to expand)\n",
        "\n  Read 1 file, searched for 2 patterns, listed 3 directories, ran\n  1 shell command (ctrl+o to expand)\n",
        "\n※ recap: sorting gulls. (disable recaps in /config)\n", "\n∴ Thought for 4s (ctrl+o to show thinking)\n",
        "\n⏺ Compact summary (ctrl+r to expand)\n  ⎿  Read gulls.py (3 lines)\n",
    ],
)  # fmt: skip
def test_what_follows_a_message_without_a_mark_is_not_the_persons(between, tmp_path):
    (found,) = sessions(tmp_path, SCREEN.format(between))
    assert typed([found]) == [FIRST, "thanks"] and acts([found]) == []
    assert found.evidence == [("home", "orla")]


def test_thinking_and_folded_calls_belong_to_the_assistant(tmp_path):
    between = "\n✻ Thinking…\n\n  Hm.\n\n  Ran 1 shell command (ctrl+o to expand)\n"
    (found,) = sessions(tmp_path, SCREEN.format(between))
    assert [event.kind for event in found.events if event.role == "assistant"] == ["thinking", "tool_call", "text"]
    assert found.assistant_turns() == 1


def test_the_input_line_was_not_sent(tmp_path):
    rule = "─" * 60
    between = f"\n⏺ Nesting… (9s · ↓ 40 tokens)\n\n{rule}\n❯ now the terns\n  too\n{rule}\n  esc to interrupt\n"
    (found,) = sessions(tmp_path, SCREEN.format(between))
    assert typed([found]) == [FIRST, "thanks"] and found.assistant_turns() == 1


def test_quotes_in_a_pasted_log_are_no_further_messages(tmp_path):
    log = "> it fails\n\n> kite-app@0.1.0 dev\n> vite\n\nError: no wind\n\n● Let me look.\n\n> and now?\n"
    found = sessions(tmp_path, log)
    assert typed(found) == ["it fails\n\n> kite-app@0.1.0 dev\n> vite\n\nError: no wind", "and now?"]


def test_refusals_behind_a_no_break_space_approvals_and_answers(tmp_path):
    between = (
        "\n⏺ Update(a.py)\n  ⎿ \xa0User rejected update to a.py\n       1 -  x\n\n●User approved Claude's plan:\n"
        "  ⎿ \xa0Plan: tidy\n\n● User answered Claude's questions:\n  ⎿ \xa0· Which side? → The\n     left\n"
        "     · How many? → Two\n"
    )
    (found,) = sessions(tmp_path, SCREEN.format(between))
    assert typed([found]) == [FIRST, "thanks"] and acts([found]) == ["approval", "button", "button"]
    assert [event.text for event in found.events if event.kind == "button"] == ["The left", "Two"]
    assert sum(event.kind == "rejection" for event in found.events) == 1


def test_a_plan_handed_over_is_no_message(tmp_path):
    box = "╭──────────╮\n│ Plan to implement     │\n│ # Nest    │\n│ Twigs.    │\n╰──────────╯\n\n⏺ On it.\n"
    (found,) = sessions(tmp_path, f" ▐▛███▜▌   Claude Code v2.1.33\n\n{box}")
    assert typed([found]) == [] and [event.text for event in found.events if event.kind == "handoff"] == [
        "# Nest\nTwigs."
    ]
    plan = "❯ Implement the following plan:\n\n  # Nest\n\n  Twigs.\n\n⏺ On it.\n"
    assert typed(sessions(tmp_path, plan)) == []


def test_a_screen_that_went_through_a_markdown_editor(tmp_path):
    text = (
        "\\* Claude Code v2.0.75\n\n\\> build it\\! \n\n● Read(nest\\_box.py)\n\n ⎿ Read 3 lines\n\n"
        "\\> fine\\_by\\_me ● Done\\.\n"
    )
    (found,) = sessions(tmp_path, text)
    assert typed([found]) == ["build it!", "fine_by_me"]
    assert [event.text for event in found.events if event.kind == "text"] == ["Done."]


CURSOR = "# Kites\n_Exported on 3/4/2026 at 10:00:00 GMT+1 from Cursor (2.1.4)_\n\n---\n\n**User**\n\n{}\n\n---\n"
BUILD = (
    "Implement the plan as specified{}\n\nTo-do's from the plan have already been created. Do not create them again."
)


@pytest.mark.parametrize(
    "words",
    [
        BUILD.format("."), BUILD.format(", it is attached for your reference. Do NOT edit the plan file itself."),
        "Kite tail\n\n" + BUILD.format("."), BUILD.format(".").replace("\n\n", " "),
    ],
)  # fmt: skip
def test_cursors_button_that_builds_a_plan_is_an_approval(words, tmp_path):
    (found,) = sessions(tmp_path, CURSOR.format(words))
    assert typed([found]) == [] and acts([found]) == ["approval"]
    assert typed(sessions(tmp_path, CURSOR.format("Implement the plan as specified, but in blue."))) != []
