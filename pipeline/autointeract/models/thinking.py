"""Keeps a reasoning model's thinking apart from what it says."""

import re

_BLOCK = re.compile(r"\A\s*<(think|thinking|reasoning)>(.*?)</\1>\s*", re.DOTALL)
_OPEN = re.compile(r"\A\s*<(think|thinking|reasoning)>(.*)\Z", re.DOTALL)
_CLOSE = re.compile(r"\A(.*?)</(think|thinking|reasoning)>\s*", re.DOTALL)


def split_thinking(text: str) -> tuple[str, str | None]:
    """(what is visible, the thinking or null).

    Only thinking that opens the text is taken out, so that tags inside an answer stay data. A block that never closes
    is all thinking. A text whose opening tag the chat template swallowed is cut at the first closing tag, if no opening
    tag stands before it.
    """
    if "think" not in text and "reasoning>" not in text:
        return text, None
    if match := _BLOCK.match(text):
        return text[match.end() :], match.group(2).strip()
    if match := _OPEN.match(text):
        return "", match.group(2).strip()
    match = _CLOSE.match(text)
    if match and f"<{match.group(2)}>" not in match.group(1) and "```" not in match.group(1):
        return text[match.end() :], match.group(1).strip()
    return text, None
