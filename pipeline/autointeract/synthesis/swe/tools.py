"""The tools an agent has: `bash` and `edit`. A bad call gives the agent a message that says what was wrong with it."""

import json
import shlex
from typing import Any

from autointeract import prompts
from autointeract.records import clean_text
from autointeract.synthesis.settings import SweSettings
from autointeract.synthesis.swe.workbench import Session

BASH = prompts.load("tool_bash", (), None)
EDIT = prompts.load("tool_edit", (), None)
TOOLS: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {
            "name": "bash",
            "description": BASH.text.strip(),
            "parameters": {
                "type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "edit",
            "description": EDIT.text.strip(),
            "parameters": {
                "type": "object",
                "properties": {"path": {"type": "string"}, "old": {"type": "string"}, "new": {"type": "string"}},
                "required": ["path", "old", "new"],
            },
        },
    },
]  # fmt: skip
_EDIT = """
import sys, pathlib
path, old, new = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
if not old:
    if path.exists():
        sys.exit("the file exists: give the text to replace")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(new)
else:
    text = path.read_text()
    count = text.count(old)
    if count != 1:
        sys.exit(f"old occurs {count} times; it must occur exactly once")
    path.write_text(text.replace(old, new))
print("done")
"""


async def use(call: dict[str, Any], session: Session, limits: SweSettings) -> str:
    """Runs one tool call and gives what the agent is shown."""
    function = call.get("function") or {}
    name, raw = function.get("name"), function.get("arguments")
    try:
        arguments = json.loads(raw) if isinstance(raw, str) else raw
    except ValueError as error:
        return f"error: the arguments of {name} are not JSON ({error})"
    needed = {"bash": ("command",), "edit": ("path", "old", "new")}.get(str(name))
    if needed is None:
        return f"error: there is no tool {name!r}; there are bash and edit"
    if not isinstance(arguments, dict) or any(not isinstance(arguments.get(key), str) for key in needed):
        return f"error: {name} needs {', '.join(needed)}, each a text"
    if name == "bash":
        command = arguments["command"]
    else:
        command = shlex.join(["python3", "-c", _EDIT, arguments["path"], arguments["old"], arguments["new"]])
    if len(command) > 100_000:
        return "error: the call is too long; write the file in smaller pieces"
    ran = await session.run(clean_text(command), limits.command_s, limits.output_chars)
    late = f"\n[stopped after {limits.command_s:g} s]" if ran.late else ""
    return f"{ran.output}{late}\n[exit code {ran.code}]".lstrip("\n")
