"""Judges one user-side text by all rules in order; what no rule claims was typed by a person."""

from autointeract.logs.event import Found
from autointeract.logs.rules.command import COMMAND_RULES
from autointeract.logs.rules.harness import HARNESS_RULES
from autointeract.logs.rules.injected import INJECTED_RULES
from autointeract.logs.rules.strip import strip_context

_NOT_TYPED = (*INJECTED_RULES, *HARNESS_RULES)


def judge_user_text(text: str, commands: bool = True) -> list[Found]:
    """What a user-side text is: one or two findings (a command and its words), or none where nothing was said.

    Args:
        commands: false where the format has no slash commands, so that "/tmp" is a message.
    """
    stripped = text.strip()
    if not stripped:
        return []
    for rule in _NOT_TYPED:
        found = rule(stripped)
        if found:
            return _rest_after_reminder(stripped, found)
    if commands and stripped[0] in "</":
        for command_rule in COMMAND_RULES:
            findings = command_rule(stripped)
            if findings:
                return findings
    words = strip_context(stripped)
    if not words:
        return [Found("injected", stripped, "context_only")]
    return [Found("human", words, "typed", () if words == stripped else ("context_removed",))]


def _rest_after_reminder(text: str, found: Found) -> list[Found]:
    # A reminder may stand before the person's words in one text: only what remains without it decides.
    if found.rule == "injected_tag":
        rest = strip_context(text)
        if rest and rest != text:
            return [again._replace(flags=(*again.flags, "context_removed")) for again in judge_user_text(rest)]
    return [found]
