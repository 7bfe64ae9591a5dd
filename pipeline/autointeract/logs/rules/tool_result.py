"""A person's words and acts that are stored inside a tool result: refusals with a reason, answers, approvals."""

import re
from typing import Any

from autointeract.logs.event import Found

_REFUSED = (
    "user doesn't want to proceed",
    "user doesn’t want to proceed",
    "User rejected tool use",
    "The user rejected",
)
_SAID = re.compile(r"the user (?:said|provided the following reason for the rejection|responded):\s*", re.I)
_NOTE = re.compile(r"\s*\n+Note: The user's next message may contain a correction.*", re.S)
_CLARIFY = "The user wants to clarify these questions"
_ANSWERED = ("User has answered your questions", "Your questions have been answered", "User has answered:")
_PAIR = re.compile(r'"((?:[^"\\]|\\.)*)"\s*=\s*"((?:[^"\\]|\\.)*?)"(?=[,.;]|\s|$)')
_APPROVED = ("User has approved your plan", "User has approved exiting plan mode", "User approved the plan")


def rejection(content: str, is_error: bool) -> Found | None:
    """A refused tool use; the text is the reason the person typed ("" where they gave none)."""
    if not is_error or not any(mark in content for mark in _REFUSED):
        return None
    said = _SAID.search(content)
    reason = _NOTE.sub("", content[said.end() :]).strip() if said else ""
    if reason.startswith(_CLARIFY):
        return Found("button", "", "wants_to_clarify")
    return Found("rejection", reason, "rejection_reason" if reason else "rejection")


def plan_approval(content: str) -> Found | None:
    """The person accepted a plan."""
    return Found("approval", "", "plan_approval") if content.startswith(_APPROVED) else None


def answers(content: str, options: frozenset[str], result: Any = None) -> list[Found]:
    """Answers to the assistant's questions: options picked are a button, anything else was typed.

    Args:
        options: labels the assistant offered.
        result: the structured tool result, whose `answers` hold the exact texts where the version stores them.
    """
    if not content.startswith(_ANSWERED):
        return []
    structured = result.get("answers") if isinstance(result, dict) else None
    if isinstance(structured, dict):
        given = [value for value in structured.values() if isinstance(value, str)]
    else:
        given = [match.group(2).replace('\\"', '"') for match in _PAIR.finditer(content)]
    return [_answer(text.strip(), options) for text in given if text.strip()] or [Found("button", "", "answer_picked")]


def _answer(text: str, options: frozenset[str]) -> Found:
    picked = not options or text in options or all(part.strip() in options for part in text.split(","))
    return Found("button", text, "answer_picked") if picked else Found("human", text, "answer_typed", ("answer",))


def judge_tool_result(
    content: str, is_error: bool, options: frozenset[str] = frozenset(), result: Any = None
) -> list[Found]:
    """The person's acts in a tool result; empty where there are none."""
    if is_error:
        found = rejection(content, is_error)
        return [found] if found else []
    found = plan_approval(content)
    return [found] if found else answers(content, options, result)
