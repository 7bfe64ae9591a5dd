"""The human-turn rules: each is one small named function from a text to what it is, or null where it does not apply."""

from autointeract.logs.rules.command import COMMAND_RULES
from autointeract.logs.rules.injected import INJECTED_RULES
from autointeract.logs.rules.strip import strip_context
from autointeract.logs.rules.tool_result import judge_tool_result
from autointeract.logs.rules.user_text import judge_user_text

__all__ = ["COMMAND_RULES", "INJECTED_RULES", "judge_tool_result", "judge_user_text", "strip_context"]
