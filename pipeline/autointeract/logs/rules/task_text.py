"""Texts that benchmark harnesses and agents without function calling put around, or in place of, a person's words."""

import re

_HARNESS = re.compile(
    r"\s*<uploaded_files>|.{0,200}I've uploaded a (?:python )?code repository|.{0,40}<pr_description>"
    r"|You are an AI assistant tasked with solving command-line tasks"
    r"|You are picking up work from a previous AI agent|The next agent has a few questions for you"
    r"|You are about to hand off your work to another AI agent|Here are the answers the other agent provided",
    re.S,
)
_WRAPPED = re.compile(
    r"Here's a running example of how to perform a task with the provided tools\..*?-{5,} NEW TASK DESCRIPTION -{5,}\n?"
    r"(.*?)\n?-{5,} END OF NEW TASK DESCRIPTION -{5,}",
    re.S,
)
_REMINDER = re.compile(r"\s*PLEASE follow the format strictly!.*\Z", re.S)
_AGENTS = ("terminus", "mini-swe-agent", "swe-agent", "oracle", "nop")


def is_harness(text: str) -> bool:
    """Whether a harness wrote it."""
    return _HARNESS.match(text) is not None


def harness_agent(name: str | None) -> bool:
    """Whether an agent only ever runs under a harness, so that every message to it is the harness's."""
    return bool(name) and name.lower().startswith(_AGENTS)


def unwrapped(text: str) -> str:
    """The task inside the worked example that OpenHands gives models without function calling; else `text` itself."""
    match = _WRAPPED.match(text)
    return _REMINDER.sub("", match.group(1)).strip() if match else text
