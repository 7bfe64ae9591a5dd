"""User-side texts of Codex that hold a person's words inside other text, or none at all though the role is user.

Expanded prompts, context that the editor or the desktop app puts above the words, image tags, the harness's own
fragments (goals, hooks, reviews, notices) and what compaction writes.
"""

import re

from autointeract.logs.event import Found

_TEMPLATE = re.compile(
    r"^## User Input\s*\n+```(?:text)?[ \t]*\n(.*?)\n?```\s*\n+You \*\*MUST\*\* consider", re.S | re.M
)
_REQUEST = re.compile(r"^## My request for Codex:?[ \t]*\n?", re.M)
_CONTEXT = re.compile(
    r"# (?:Context from my IDE setup|Files mentioned by the user|Response annotations|Selected text|"
    r"In app browser|Applications mentioned by the user|Diff comments|Code comments)\b[^\n]*:"
)
_IMAGE = re.compile(r"</?image\b[^>]*>")
_SHELL = re.compile(r"\s*<user_shell_command>.*?<command>\s*(.*?)\s*</command>", re.S)
_LITERAL = re.compile(r"^\s*\$ARGUMENTS\s*$", re.M)
_FRONT_MATTER = re.compile(r"---\n.*?\n---\n", re.S)
_FRAGMENT = re.compile(
    r"<(?:hook_prompt|goal_context|codex_internal_context|user_action|model_switch|personality_spec|personality|"
    r"realtime_conversation|skills_instructions|plugins_instructions|apps_instructions|recommended_plugins|"
    r"multi_agent_mode|token_budget|memory_summary|AGENTS\.md INSTRUCTIONS FOR)\b"
)
_NOTICES = (
    "Warning: The maximum number of unified exec processes",
    "Warning: apply_patch was requested via ",
    "Warning: Your account was flagged for ",
    "You are performing a CONTEXT CHECKPOINT COMPACTION",
    "You have exceeded the maximum number of tokens, please stop coding",
)
_SUMMARY = "Another language model started to solve this problem and produced a summary"
_PLAN_BUTTON = "Implement the plan."
_PLAN = ("PLEASE IMPLEMENT THIS PLAN:", "A previous agent produced the plan below")


def codex_text(text: str) -> list[Found] | None:
    """The person's part of such a text; null where the text is of none of these forms."""
    text = text.replace("\r\n", "\n")
    start = text.lstrip()
    shell = _SHELL.match(text)
    if shell:
        return [Found("command", "!" + shell.group(1), "user_shell")]
    if start.startswith("<") and _FRAGMENT.match(start):
        return [Found("injected", text, "codex_fragment")]
    if start.startswith(_NOTICES):
        return [Found("injected", text, "codex_notice")]
    if start.startswith(_SUMMARY):
        return [Found("compaction", text, "compaction")]
    if start.startswith(_PLAN):
        return [Found("handoff", text, "plan_handoff", ("plan_mode",))]
    if start.rstrip() == _PLAN_BUTTON:
        return [Found("approval", "", "plan_approved", ("reaches_model",))]
    template = _TEMPLATE.search(text)
    if template:
        return _typed(template.group(1))
    if "$ARGUMENTS" in text and (_FRONT_MATTER.match(start) or (len(text) > 400 and _LITERAL.search(text))):
        return [Found("command", "", "template_without_words", ("reaches_model",))]
    if _CONTEXT.match(start):
        return _below_context(start)
    if "<image" in text or "</image" in text:
        words = _IMAGE.sub("", text).strip()
        if words != text.strip():
            return [Found("human", words, "typed", ("has_image",))] if words else []
    return None


def _below_context(text: str) -> list[Found]:
    # The marker ends the context; another context may follow it before the words do.
    while _CONTEXT.match(text):
        request = _REQUEST.search(text)
        if request is None:
            return [Found("injected", text, "ide_context")]
        text = text[request.end() :].strip()
    words = _IMAGE.sub("", text).strip()
    return [Found("human", words, "ide_request", ("context_removed",))] if words else []


def _typed(words: str) -> list[Found]:
    words = words.strip()
    act = Found("command", "", "prompt_template", ("reaches_model",))
    if not words or words == "$ARGUMENTS":
        return [act]
    return [act, Found("human", words, "template_input", ("command_args",))]
