"""User-side text that no person typed, told by how it begins. One rule a kind of sender.

Sources: real Claude Code, Codex, Gemini CLI and Entire transcripts (docs/how-to/ingest-my-logs.md lists the rules).
"""

import re

from autointeract.logs.event import Found

_TAGS = re.compile(
    r"<(?:local-command-caveat|local-command-stdout|local-command-stderr|bash-stdout|bash-stderr|task-notification|"
    r"system-reminder|system[_-]instructions?|ci-monitor-event|agent-notification|tool_result|tool_use_error|"
    r"environment_context|environment_details|user_instructions|user-prompt-submit-hook|session-start-hook|post-tool-use-hook|"
    r"subagent_notification|permissions instructions|collaboration_mode|skill|turn_aborted|user_shell_command|"
    r"system_notification|INSTRUCTIONS|EXTREMELY_IMPORTANT|hook_context|background-task)\b"
)
_PEERS = re.compile(r"<(?:teammate-message|agent-message|cross-session-message|relay|peer-message)\b")
_LEADS = (
    "Caveat: The messages below were generated",
    "Base directory for this skill:",
    "[Image: source",
    "# AGENTS.md instructions",
    "Tool loaded.",
    "[SYSTEM NOTIFICATION",
    "Stop hook feedback:",
    "<!-- injected",
    "The following is the Codex agent history ",
)
_HOOKS = re.compile(
    r"(?:Operation stopped by hook:|[A-Za-z]+ (?:operation )?blocked by hook:|\S*UserPromptSubmit\S* hook\b)"
)
_CONTINUE = ("System: Please continue.", "Please continue the conversation from where we left it off without asking")
_COMPACTION = ("This session is being continued", "This conversation is being continued from a previous")
_PLAN = "Implement the following plan:\n\n#"
_PLAN_TAIL = "from before exiting plan mode"
_BUILD = re.compile(
    r"(?:[^\n.!?]{1,120}\n+)?Implement the plan as specified(?:, it is attached for your reference)?\.[^\n]{0,80}\s+"
    r"To-?do's from the plan have already been created[^\n]*",
    re.I,
)
_FIX = re.compile(
    r"For the code present, we get this error:\s*```.*```\s*"
    r"(?:How can I resolve this\? If you propose a fix, please make it concise\.|"
    r"Fix it, verify, and then give a concise explanation\.)\s*(?:@\S+(?: \([\d-]+\))?\s*)*",
    re.S,
)
_INTERRUPT = re.compile(r"\[Request (?:interrupted|cancelled|aborted)(?: by user)?[^\]\n]{0,40}\]")


def interrupt(text: str) -> Found | None:
    """`[Request interrupted by user ...]` and nothing else: the person stopped the assistant."""
    return Found("interrupt", "", "interrupt") if text.startswith("[") and _INTERRUPT.fullmatch(text) else None


def compaction(text: str) -> Found | None:
    """The summary that a compacted or continued session starts with; written by the model."""
    return Found("compaction", text, "compaction") if text.startswith(_COMPACTION) else None


def injected_tag(text: str) -> Found | None:
    """Text that opens with a tag of the harness (output of local commands, reminders, notifications, tool results)."""
    return Found("injected", text, "injected_tag") if text.startswith("<") and _TAGS.match(text) else None


def peer_message(text: str) -> Found | None:
    """A message of another agent or session."""
    if (text.startswith("<") and _PEERS.match(text)) or text.startswith("Another Claude session sent a message"):
        return Found("injected", text, "peer_message")
    return None


def injected_lead(text: str) -> Found | None:
    """Boiler-plate of the harness without a tag (caveats, skill bodies, AGENTS.md, image notes)."""
    return Found("injected", text, "injected_lead") if text.startswith(_LEADS) else None


def hook_message(text: str) -> Found | None:
    """What a hook wrote when it blocked a prompt."""
    return Found("injected", text, "hook_message") if _HOOKS.match(text) else None


def auto_continue(text: str) -> Found | None:
    """A continuation that the harness sends by itself."""
    return Found("injected", text, "auto_continue") if text.startswith(_CONTINUE) else None


def plan_handoff(text: str) -> Found | None:
    """The plan that Claude Code hands to a fresh session after the person approved it; written by the model."""
    if text.startswith(_PLAN) or (text.startswith(_PLAN[:-3]) and _PLAN_TAIL in text[-600:]):
        return Found("handoff", text, "plan_handoff", ("plan_mode",))
    return None


def plan_button(text: str) -> Found | None:
    """What Cursor sends when the person presses the button that builds a plan."""
    return Found("approval", "", "plan_button", ("reaches_model",)) if _BUILD.fullmatch(text) else None


def fix_button(text: str) -> Found | None:
    """What Cursor sends when the person presses the button beside an error: the error and a fixed question."""
    if text.startswith("For the code present") and _FIX.fullmatch(text):
        return Found("button", text, "fix_button", ("reaches_model",))
    return None


def warmup(text: str) -> Found | None:
    """The warm-up request that some versions send before the person types."""
    return Found("injected", text, "warmup") if text in ("Warmup", "warmup") else None


INJECTED_RULES = (
    interrupt, compaction, injected_tag, peer_message, injected_lead, hook_message, auto_continue, plan_handoff,
    plan_button, fix_button, warmup,
)  # fmt: skip
"""In the order in which they are asked; the first that answers decides."""
