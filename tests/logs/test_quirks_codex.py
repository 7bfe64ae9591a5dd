"""Codex: what stands in its user messages besides words, and where words stand besides its user messages."""

import json
from typing import Any

import pytest
from quirks_support import acts, sessions, typed

HOME = "/home/quillon/src/harbour"
ENVIRONMENT = f"<environment_context>\n  <cwd>{HOME}</cwd>\n</environment_context>"
AGENTS = f"# AGENTS.md instructions for {HOME}\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>"
TEMPLATE = "---\ndescription: make it\n---\n\n## User Input\n\n```text\n{}\n```\n\nYou **MUST** consider it.\n"
REQUEST = "\n\n## My request for Codex:\n"


def line(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": "2026-02-03T09:00:00.000Z", "type": kind, "payload": payload}


def item(role: str, *blocks: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": block} for block in blocks]
    return line("response_item", {"type": "message", "role": role, "content": content})


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return line("event_msg", {"type": kind, **fields})


def says(text: str) -> list[dict[str, Any]]:
    return [item("user", text), event("user_message", message=text), item("assistant", "yes")]


def meta(**fields: Any) -> dict[str, Any]:
    return line("session_meta", {"id": "0199a213-81c0-7800-8aa1-bbab2a035a53", "cwd": HOME, "source": "cli", **fields})


START = [meta(), item("developer", "<permissions instructions>x"), item("user", AGENTS, ENVIRONMENT)]


@pytest.mark.parametrize(
    "text",
    [
        "<hook_prompt hook_run_id='1'>keep going</hook_prompt>", "<goal_context>\nContinue.\n</goal_context>",
        '<codex_internal_context source="goal">\nx\n</codex_internal_context>', "<skill>\n<name>lint</name>\n</skill>",
        "<user_action>\n  <context>User initiated a review task.</context>\n</user_action>",
        "<subagent_notification>\n{}\n</subagent_notification>", "<model_switch>\nx\n</model_switch>", ENVIRONMENT,
        "You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another LLM.",
        "Another language model started to solve this problem and produced a summary of its thinking process.",
        "Warning: apply_patch was requested via shell. Use the apply_patch tool instead.",
        "PLEASE IMPLEMENT THIS PLAN:\n# Plan\n1. x", "# Context from my IDE setup:\n\n## Active file: a.py" + REQUEST,
        "<turn_aborted>\nThe user interrupted.\n</turn_aborted>",
        "---\ndescription: make it\n---\n\nWhat was typed: $ARGUMENTS\n",
    ],
)  # fmt: skip
def test_what_the_harness_says_as_user_is_nobodys(text, tmp_path):
    found = sessions(tmp_path, [*START, *says("begin"), item("user", text), *says("go on")])
    assert typed(found) == ["begin", "go on"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<system_instruction>\nYou work inside a host.\n</system_instruction>\n\nfix it", "fix it"),
        ("# Context from my IDE setup:\n\n## Open tabs:\n- a.py: a.py" + REQUEST + "why?\n", "why?"),
        ("# Files mentioned by the user:\n\n## a.png: /tmp/a.png" + REQUEST + "like this", "like this"),
        ("# Files mentioned by the user:\n## a: b" + REQUEST + "# Context from my IDE setup:\n## c" + REQUEST + "both",
         "both"),
        (TEMPLATE.format("add a dark theme"), "add a dark theme"),
        (TEMPLATE.format("with\r\nbreaks").replace("\n", "\r\n"), "with\n\nbreaks"),
        ("/prompts:speckit.specify a theme", "/prompts:speckit.specify a theme"),
        ("what is <environment_context> in my log?", "what is <environment_context> in my log?"),
        ("<div>\n  why is this not centred\n</div>", "<div>\n  why is this not centred\n</div>"),
    ],
)  # fmt: skip
def test_words_are_found_inside_other_text_once(text, words, tmp_path):
    found = sessions(tmp_path, [*START, *says(text), *says("next")])
    assert [" ".join(said.split()) for said in typed(found)] == [" ".join(words.split()), "next"]


def test_images_leave_no_tags_and_no_turn_of_their_own(tmp_path):
    picture = {"type": "input_image", "image_url": "data:image/png;base64,AA"}
    content = [{"type": "input_text", "text": '<image name=[Image #1] path="/tmp/a.png">'}, picture,
               {"type": "input_text", "text": "</image>"}, {"type": "input_text", "text": "cut off here"}]  # fmt: skip
    alone = [{"type": "input_text", "text": "<image>"}, picture, {"type": "input_text", "text": "</image>"}]
    rows = [line("response_item", {"type": "message", "role": "user", "content": part}) for part in (content, alone)]
    assert typed(sessions(tmp_path, [*START, *rows])) == ["cut off here"]


def test_answers_to_a_question_are_picks_and_words(tmp_path):
    answers = {"q1": {"answers": ["Small (Recommended)"]}, "q2": {"answers": ["Other", "user_note: the harbour only"]}}
    call = {"type": "function_call", "name": "request_user_input", "arguments": "{}", "call_id": "c1"}
    output = {"type": "function_call_output", "call_id": "c1", "output": json.dumps({"answers": answers})}
    rows = [*START, *says("plan it"), line("response_item", call), line("response_item", output)]
    found = sessions(tmp_path, rows)
    assert typed(found) == ["plan it", "the harbour only"] and acts(found) == ["button", "button"]


def test_pressing_the_plan_button_is_an_approval(tmp_path):
    found = sessions(tmp_path, [*START, *says("plan it"), *says("Implement the plan."), *says("thanks")])
    assert typed(found) == ["plan it", "thanks"] and acts(found) == ["approval"]


def test_a_file_of_events_alone_has_both_sides(tmp_path):
    rows = [meta(), event("user_message", message="one"), event("agent_message", message="a"),
            event("user_message", message="two"), event("agent_message", message="b")]  # fmt: skip
    found = sessions(tmp_path, rows)
    assert typed(found) == ["one", "two"] and found[0].assistant_turns() == 2


def test_the_same_words_twice_are_two_turns_and_steering_without_an_event_is_one(tmp_path):
    found = sessions(tmp_path, [*START, *says("continue"), item("user", "wait"), *says("continue")])
    assert typed(found) == ["continue", "wait", "continue"]


def test_rolled_back_turns_stay_as_behaviour_with_a_flag(tmp_path):
    rows = [*START, *says("one"), *says("two"), event("thread_rolled_back", num_turns=1), *says("two, better")]
    found = sessions(tmp_path, rows)
    assert typed(found) == ["one", "two", "two, better"]
    assert ["fork" in turn.flags for turn in found[0].human_turns()] == [False, True, False]


def test_a_fork_keeps_its_own_id_and_a_subagent_has_no_person(tmp_path):
    parent = "0199a213-0000-7800-8aa1-bbab2a035a00"
    (fork,) = sessions(tmp_path, [meta(forked_from_id=parent), meta(id=parent), *says("words")])
    assert fork.native_id.endswith("5a53") and fork.related == [parent]
    source = {"subagent": {"thread_spawn": {"parent_thread_id": parent, "depth": 1}}}
    assert typed(sessions(tmp_path, [meta(source=source), *says("Explore and return JSON")])) == []
    assert typed(sessions(tmp_path, [meta(thread_source="subagent"), *says("Explore and return JSON")])) == []
