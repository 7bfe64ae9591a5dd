"""ATIF trajectories (harbor): `{"schema_version": "ATIF-v...", "steps": [{"source": "user" | "agent" | ...}]}`."""

from typing import Any

from autointeract.logs.event import Event, RawSession, parse_time
from autointeract.logs.jsontext import as_dict, as_list, text_of
from autointeract.logs.rules import judge_user_text
from autointeract.logs.rules.task_text import harness_agent, is_harness, unwrapped

NAME = "atif"


def sniff_row(row: dict[str, Any]) -> bool:
    """The schema version says so."""
    return str(row.get("schema_version", "")).startswith("ATIF") and isinstance(row.get("steps"), list)


def read_row(row: dict[str, Any], number: int) -> RawSession | None:
    """One trajectory; turns are numbered by step. Steps copied from an earlier context are not read again."""
    agent = row.get("agent")
    name = agent.get("name") if isinstance(agent, dict) else None
    session = RawSession(NAME, str(row.get("session_id") or ""), agent=str(name) if name else None)
    for index, step in enumerate(row["steps"], 1):
        if not isinstance(step, dict):
            continue
        at, source, text = parse_time(step.get("timestamp")), step.get("source"), text_of(step.get("message"))
        add = session.events.append
        if step.get("is_copied_context"):
            add(Event(index, "", None, text, "copied_context", at))
        elif source == "user":
            text = unwrapped(text)
            if harness_agent(session.agent) or is_harness(text):
                add(Event(index, "user", "injected", text, "harness_task", at))
                continue
            for found in judge_user_text(text):
                add(Event(index, "user", found.kind, found.text, found.rule, at, flags=found.flags))
        elif source == "agent":
            _agent_step(session, step, text, index, at)
        else:
            add(Event(index, "", None, text, f"{source}_step", at))
    return session


def _agent_step(session: RawSession, step: dict[str, Any], text: str, index: int, at: Any) -> None:
    add = session.events.append
    thought = text_of(step.get("reasoning_content"))
    if thought.strip():
        add(Event(index, "assistant", "thinking", thought, "thinking", at))
    if text.strip():
        add(Event(index, "assistant", "text", text, "assistant_text", at))
    for call in as_list(step.get("tool_calls")):
        if isinstance(call, dict):
            tool = {
                "name": str(call.get("function_name") or ""), "arguments": call.get("arguments"),
                "id": str(call.get("tool_call_id") or ""),
            }  # fmt: skip
            add(Event(index, "assistant", "tool_call", "", "tool_call", at, tool=tool))
    observation = step.get("observation")
    for result in as_list(as_dict(observation).get("results")):
        if isinstance(result, dict):
            tool = {"id": str(result.get("source_call_id") or ""), "is_error": False}
            add(Event(index, "tool", "tool_result", text_of(result.get("content")), "tool_result", at, tool=tool))
