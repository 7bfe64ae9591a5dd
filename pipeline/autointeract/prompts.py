"""Loads and renders prompts/: every text a model reads is a Markdown file with front matter.

A prompt file looks like this:

    ---
    role: judge
    variables: [conversation, profile]
    reply: RealismVerdict
    ---
    Instructions for the model ...

A rendered prompt is two messages: the system message holds the instructions (after the learned text, if there is one),
the user message holds the variables as one fenced JSON block. Nothing is ever substituted into text, so braces, Jinja
syntax or instructions inside logs, tasks and profiles stay data. Real models read the block; simulated ones parse it.
"""

import json
from functools import cache
from typing import Any

from pydantic import BaseModel

from autointeract import assets
from autointeract.errors import ConfigError
from autointeract.records import Message, digest

FENCE = "```"


class Prompt:
    """One prompt file.

    Attributes:
        name: file name without `.md`.
        role: the model role it is written for.
        variables: names of the variables it must be given.
        reply: name of the reply model, or null for free text.
        text: the instructions.
        digest: of the whole file; part of the digest of every stage that uses it.
    """

    def __init__(self, name: str, role: str, variables: tuple[str, ...], reply: str | None, text: str):
        self.name, self.role, self.variables, self.reply, self.text = name, role, variables, reply, text
        self.digest = digest([name, role, list(variables), reply, text])

    def render(self, variables: dict[str, Any], learned: str | None = None) -> list[Message]:
        """The two messages for these variables (plain JSON data).

        Args:
            learned: text that goes before the instructions (a behavior prompt).

        Raises:
            ConfigError: a variable is missing or unknown.
        """
        if set(variables) != set(self.variables):
            raise ConfigError(f"prompt {self.name}: needs variables {sorted(self.variables)}, got {sorted(variables)}")
        system = f"{learned.rstrip()}\n\n{self.text}" if learned else self.text
        data = {name: variables[name] for name in self.variables}
        # One line a variable: `indent` would take the pure Python encoder, which costs more than a whole call.
        lines = [
            f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in {"prompt": self.name, **data}.items()
        ]
        block = "{" + ",\n ".join(lines) + "}"
        return [
            Message(role="system", content=system),
            Message(role="user", content=f"{FENCE}json\n{block}\n{FENCE}"),
        ]


@cache
def load(name: str, variables: tuple[str, ...], reply: type[BaseModel] | None = None) -> Prompt:
    """The prompt file `name`, checked against what its caller passes and expects; called at import time by the caller.

    Raises:
        ConfigError: the file is missing or malformed, or its front matter does not match.
    """
    path = assets.path("prompts", f"{name}.md")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: a prompt file is UTF-8 text, and this one is not: save it as UTF-8") from None
    head, body = _split(text, str(path))
    declared = tuple(_list(head.get("variables", "[]")))
    expected = reply.__name__ if reply else None
    if declared != variables:
        raise ConfigError(
            f"{path}: front matter declares variables {list(declared)}, its caller passes {list(variables)}"
        )
    if head.get("reply") != expected:
        raise ConfigError(f"{path}: front matter declares reply {head.get('reply')!r}, its caller expects {expected!r}")
    if "role" not in head:
        raise ConfigError(f"{path}: front matter names no role")
    return Prompt(name, head["role"], declared, expected, body)


def parse_variables(content: str) -> dict[str, Any] | None:
    """The variables block of a rendered user message, `prompt` (the name) included; null if there is none.

    The block is the last fenced JSON block: no line of indented JSON can begin with a fence, so data cannot end it
    early.
    """
    start = content.rfind(f"{FENCE}json\n")
    end = content.rfind(f"\n{FENCE}")
    if start < 0 or end <= start:
        return None
    try:
        data = json.loads(content[start + len(FENCE) + 5 : end])
    except ValueError:
        return None
    return data if isinstance(data, dict) and "prompt" in data else None


def _split(text: str, where: str) -> tuple[dict[str, str], str]:
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[0] != "---" or "---" not in lines[1:]:
        raise ConfigError(f"{where}: a prompt file begins with front matter between two --- lines")
    end = lines.index("---", 1)
    pairs = [line.partition(":") for line in lines[1:end] if line.strip()]
    return {key.strip(): value.strip() for key, _, value in pairs}, "\n".join(lines[end + 1 :]).strip() + "\n"


def _list(text: str) -> list[str]:
    return [part.strip() for part in text.strip("[] ").split(",") if part.strip()]
