"""User-side texts of Codex that hold a person's words inside other text: expanded prompts, IDE context, image tags."""

import re

from autointeract.logs.event import Found

_TEMPLATE = re.compile(
    r"^## User Input\s*\n+```(?:text)?[ \t]*\n(.*?)\n?```\s*\n+You \*\*MUST\*\* consider", re.S | re.M
)
_REQUEST = re.compile(r"^## My request for Codex:?[ \t]*\n?", re.M)
_IMAGE = re.compile(r"</?image\b[^>]*>")
_SHELL = re.compile(r"\s*<user_shell_command>.*?<command>\s*(.*?)\s*</command>", re.S)
_LITERAL = re.compile(r"^\s*\$ARGUMENTS\s*$", re.M)


def codex_text(text: str) -> list[Found] | None:
    """The person's part of such a text; null where the text is of none of these forms."""
    text = text.replace("\r\n", "\n")
    shell = _SHELL.match(text)
    if shell:
        return [Found("command", "!" + shell.group(1), "user_shell")]
    template = _TEMPLATE.search(text)
    if template:
        return _typed(template.group(1))
    if _LITERAL.search(text) and len(text) > 400:
        return [Found("command", "", "template_without_words", ("reaches_model",))]
    if text.lstrip().startswith("# Context from my IDE setup:"):
        request = list(_REQUEST.finditer(text))
        words = text[request[-1].end() :].strip() if request else ""
        return (
            [Found("human", words, "ide_request", ("context_removed",))]
            if words
            else [Found("injected", text, "ide_context")]
        )
    if "<image" in text or "</image" in text:
        words = _IMAGE.sub("", text).strip()
        if words != text.strip():
            return [Found("human", words, "typed", ("has_image",))] if words else []
    return None


def _typed(words: str) -> list[Found]:
    words = words.strip()
    act = Found("command", "", "prompt_template", ("reaches_model",))
    if not words or words == "$ARGUMENTS":
        return [act]
    return [act, Found("human", words, "template_input", ("command_args",))]
