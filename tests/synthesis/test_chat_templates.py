"""Prompts go through chat templates: strict alternation, system first, tool calls with arguments as mappings.

The templates are written for this test, each after what a family of models insists on; the real ones are tried where
the exports are tested.
"""

import asyncio
import json
from typing import Any

import jinja2
import pytest

from autointeract.records import Message
from autointeract.synthesis.settings import SynthesisSettings
from autointeract.synthesis.shape import form_problem
from synthesis_world import run_stage, sample_tasks, workspace

STRICT = (
    "{% for m in messages %}"
    "{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise('roles must alternate') }}{% endif %}"
    "<{{ m.role }}>{{ m.content.strip() }}</{{ m.role }}>"
    "{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
)
TOOLS = (
    "{% for m in messages %}"
    "{% if m.role == 'system' and not loop.first %}{{ raise('system comes first') }}{% endif %}"
    "<|{{ m.role }}|>{{ m.content }}"
    "{% if m.tool_calls is defined %}{% for c in m.tool_calls %}<tool name={{ c.function.name }}>"
    "{% for k, v in c.function.arguments.items() %}<{{ k }}>{{ v }}</{{ k }}>{% endfor %}</tool>"
    "{% endfor %}{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def render(template: str, prompt: list[Message]) -> str:
    def complain(text: str) -> None:
        raise ValueError(text)

    messages: list[dict[str, Any]] = []
    for message in prompt:
        data = message.to_openai()
        for call in data.get("tool_calls", []):
            call["function"]["arguments"] = json.loads(call["function"]["arguments"])
        messages.append(data)
    found = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(template)
    return found.render(messages=messages, add_generation_prompt=True, **{"raise": complain})


@pytest.fixture(scope="module")
def prompts(tmp_path_factory):
    where = workspace(tmp_path_factory.mktemp("chat"), sample_tasks(10))
    asyncio.run(run_stage(where, SynthesisSettings(rounds=2)))
    return [row.prompt for row in where.trajectories.rows()]


@pytest.mark.parametrize("template", [STRICT, TOOLS], ids=["strict", "tools"])
def test_every_accepted_prompt_renders_and_asks_for_an_answer(prompts, template):
    assert prompts
    for prompt in prompts:
        text = render(template, prompt)
        assert text.endswith(("<assistant>", "<|assistant|>"))
        for message in prompt:
            assert message.content.strip()[:40] in text


def test_a_tool_conversation_renders():
    call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls {{x}}"}'}}
    prompt = [
        Message(role="system", content="s"), Message(role="user", content="fix {% raw %}"),
        Message(role="assistant", content="", tool_calls_json=json.dumps([call])),
        Message(role="tool", content="a.py", tool_call_id="c1", name="bash"),
        Message(role="assistant", content="Found it."), Message(role="user", content="go on"),
    ]  # fmt: skip
    assert form_problem(prompt) is None
    text = render(TOOLS, prompt)
    assert "<command>ls {{x}}</command>" in text and "fix {% raw %}" in text
