"""ChatGPT exports: `conversations.json`, each conversation a tree; the path to `current_node` is the chat."""

from typing import Any

from autointeract.logs.event import Event, RawSession, parse_time
from autointeract.logs.jsontext import as_list, has_image, text_of
from autointeract.logs.readers.openai_chat import account_of

NAME = "chatgpt"


def sniff_row(row: dict[str, Any]) -> bool:
    """A `mapping` of nodes that have parents."""
    mapping = row.get("mapping")
    return isinstance(mapping, dict) and any(
        isinstance(node, dict) and "parent" in node for node in list(mapping.values())[:5]
    )


def read_row(row: dict[str, Any], number: int) -> RawSession | None:
    """One conversation; turns are numbered along its path, from its first message.

    Messages off the path were replaced (an edited prompt, a reply drawn again): they make no turn and are numbered
    after those of the path.
    """
    mapping = row["mapping"]
    session = RawSession(NAME, str(row.get("conversation_id") or row.get("id") or ""), agent="chatgpt")
    session.started_at = parse_time(row.get("create_time"))
    account = account_of(row)
    if account:
        session.evidence.append(("account", account))
    path = [(name, node) for name, node in _path(mapping, row.get("current_node")) if _said(node)]
    for index, (name, node) in enumerate(path, 1):
        _message(session, node["message"], index, str(node["message"].get("id") or name))
    walked = {name for name, _ in path}
    others = [node for name, node in mapping.items() if name not in walked and _said(node)]
    for index, node in enumerate(others, len(path) + 1):
        content = node["message"].get("content")
        text = text_of(content.get("parts")) if isinstance(content, dict) else ""
        session.events.append(Event(index, _role(node["message"]), None, text, "off_the_path"))
    return session


def _said(node: Any) -> bool:
    return isinstance(node, dict) and isinstance(node.get("message"), dict)


def _role(message: dict[str, Any]) -> str:
    author = message.get("author")
    role = author.get("role") if isinstance(author, dict) else None
    return role if isinstance(role, str) else ""


def _path(mapping: dict[str, Any], leaf: Any) -> list[tuple[str, dict[str, Any]]]:
    if leaf not in mapping:
        # Without a current node: the latest message that nothing follows.
        parents = {node.get("parent") for node in mapping.values() if isinstance(node, dict)}
        ends = [name for name, node in mapping.items() if _said(node) and name not in parents]
        leaf = max(reversed(ends), key=lambda name: mapping[name]["message"].get("create_time") or 0, default=None)
    path: list[tuple[str, dict[str, Any]]] = []
    seen: set[str] = set()
    while isinstance(leaf, str) and leaf in mapping and leaf not in seen and isinstance(mapping[leaf], dict):
        seen.add(leaf)
        path.append((leaf, mapping[leaf]))
        leaf = mapping[leaf].get("parent")
    return path[::-1]


def _message(session: RawSession, message: dict[str, Any], index: int, record: str) -> None:
    role, content = _role(message), message.get("content")
    content = content if isinstance(content, dict) else {}
    kind = content.get("content_type")
    metadata = message.get("metadata")
    hidden = isinstance(metadata, dict) and bool(metadata.get("is_visually_hidden_from_conversation"))
    at = parse_time(message.get("create_time"))
    text = text_of(content.get("parts")) or text_of(content.get("text"))
    add = session.events.append
    if role == "user":
        if hidden or kind == "user_editable_context":
            add(
                Event(
                    index,
                    "user",
                    "injected",
                    text or text_of(content.get("user_instructions")),
                    "hidden_context",
                    at,
                    record,
                )
            )
        elif kind in ("text", "multimodal_text", None):
            image = ("has_image",) if has_image(content.get("parts")) else ()
            if text.strip():
                add(Event(index, "user", "human", text.strip(), "typed", at, record, flags=image))
            elif image:
                add(Event(index, "user", "button", "", "image_only", at, record, flags=image))
        else:
            add(Event(index, "user", "injected", text, f"{kind}_content", at, record))
    elif role == "assistant" and not hidden:
        recipient = message.get("recipient") or "all"
        if kind == "thoughts":
            thoughts = content.get("thoughts")
            words = "\n".join(text_of(t.get("content")) for t in as_list(thoughts) if isinstance(t, dict))
            if words.strip():
                add(Event(index, "assistant", "thinking", words, "thinking", at, record))
        elif recipient != "all":
            tool = {"name": str(recipient), "arguments": text, "id": record}
            add(Event(index, "assistant", "tool_call", "", "tool_call", at, record, tool))
        elif text.strip() and kind in ("text", "multimodal_text", "code"):
            add(Event(index, "assistant", "text", text, "assistant_text", at, record))
    elif role == "tool":
        tool = {"id": "", "is_error": kind == "system_error"}
        add(Event(index, "tool", "tool_result", text, "tool_message", at, record, tool))
    else:
        add(Event(index, "", None, text, f"{role}_message", at, record))
