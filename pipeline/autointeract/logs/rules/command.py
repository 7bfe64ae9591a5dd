"""Commands a person gave: acts, whose arguments may be words the person typed."""

import re

from autointeract.logs.event import Found

_NAME = re.compile(r"<command-name>\s*/?([^<]*?)\s*</command-name>")
_ARGS = re.compile(r"<command-args>(.*?)</command-args>", re.S)
_BASH = re.compile(r"\s*<bash-input>(.*?)</bash-input>", re.S)
_BARE = re.compile(r"/([A-Za-z][\w:.-]*)")
_TYPED = re.compile(r"/([A-Za-z][\w:-]*)(?:\s+(.*))?", re.S)
INTERFACE = frozenset(
    [
        "add-dir",
        "agents",
        "allowed-tools",
        "bashes",
        "bug",
        "clear",
        "compact",
        "config",
        "context",
        "copy",
        "cost",
        "doctor",
        "exit",
        "export",
        "extra-usage",
        "fast",
        "feedback",
        "fork",
        "help",
        "hooks",
        "ide",
        "install-github-app",
        "keybindings",
        "login",
        "logout",
        "mcp",
        "memory",
        "migrate-installer",
        "model",
        "output-style",
        "permissions",
        "plugin",
        "privacy-settings",
        "quit",
        "reload-plugins",
        "release-notes",
        "remote-control",
        "rename",
        "resume",
        "rewind",
        "sandbox",
        "skills",
        "stats",
        "status",
        "statusline",
        "stickers",
        "tasks",
        "terminal-setup",
        "theme",
        "todos",
        "upgrade",
        "usage",
        "vim",
        "approvals",
        "diff",
        "new",
        "undo",
        "mention",
        "editor",
        "read-only",
        "drop",
        "add",
        "tokens",
        "ls",
        "lint",
        "run",
        "test",
        "git",
        "web",
        "voice",
        "paste",
        "map",
        "reset",
    ]
)
"""Commands of the tools themselves: their arguments steer the interface and are no message to the assistant."""


def slash_command(text: str) -> list[Found]:
    """A stored slash command: an act, and its arguments as human text where they are a message. Empty = not one."""
    if "<command-name>" not in text or not text.startswith(("<command-name>", "<command-message>")):
        return []
    match = _NAME.search(text)
    name = match.group(1) if match else ""
    args_match = _ARGS.search(text)
    args = args_match.group(1).strip() if args_match else ""
    if name in INTERFACE:
        return [Found("command", f"/{name} {args}".rstrip(), "interface_command")]
    act = Found("command", f"/{name}", "slash_command", ("reaches_model",))
    return [act, Found("human", args, "command_args", ("command_args",))] if args else [act]


def bash_input(text: str) -> list[Found]:
    """`!command` typed in the prompt: a shell escape, an act."""
    match = _BASH.match(text) if "<bash-input>" in text else None
    return [Found("command", "!" + match.group(1).strip(), "bash_input")] if match else []


def bare_command(text: str) -> list[Found]:
    """A slash command stored as typed: without arguments (`/model`), or one of the interface with some."""
    if not text.startswith("/"):
        return []
    if _BARE.fullmatch(text):
        flags = () if text[1:] in INTERFACE else ("reaches_model",)
        return [Found("command", text, "bare_command", flags)]
    match = _TYPED.fullmatch(text)
    if match and match.group(1) in INTERFACE:
        return [Found("command", text, "interface_command")]
    return []


COMMAND_RULES = (slash_command, bash_input, bare_command)
