"""FAULTS: how real endpoints were seen to fail, as steps of the scripted fake and of the tests' HTTP server.

Each name maps to one step. Faults of the connection itself (resets, hangs, an engine's death) are `broken` or late
steps here; the tests' HTTP server makes them real.
"""

import gzip
import json
from typing import Any

from autointeract.models.simulated.scripted import Step, call_tool, completion, http, say

GOOD = '{"score": 0.5, "why": "fine"}'
"""The answer that faulty wrappings below hold; reply model: a score in [0, 1] and a text `why`."""


def _raw(body: bytes, status: int = 200, kind: str = "application/json") -> Step:
    return Step(status, {"content-type": kind}, body)


def _without(name: str, value: Any = ...) -> Step:
    data = json.loads(completion({"content": GOOD}).body)
    if value is ...:
        del data[name]
    else:
        data[name] = value
    return _raw(json.dumps(data).encode())


def _usage(usage: Any) -> Step:
    return _without("usage", usage)


_TOKENS = {"prompt_tokens": 29, "completion_tokens": 31, "total_tokens": 60}

TRANSPORT: dict[str, Step] = {
    "http_429": http(429),
    "http_500": http(500),
    "http_502_html": _raw(b"<html><h1>Bad gateway</h1></html>", 502, "text/html"),
    "http_503": http(503),
    "http_504": http(504),
    "http_529": http(529),
    "http_408": http(408),
    "truncated_json": _raw(completion({"content": GOOD}).body[:80]),
    "empty_body": _raw(b""),
    "html_200": _raw(b"<html>Please sign in to the network.</html>", kind="text/html"),
    "error_in_200": _raw(b'{"error": {"message": "upstream failed", "code": 502}}'),
    "bad_gzip": Step(
        200, {"content-type": "application/json", "content-encoding": "gzip"}, gzip.compress(b"{}" * 99)[:-20]
    ),
    "choices_empty": _without("choices", []),
    "choices_missing": _without("choices"),
    "choices_null": _without("choices", None),
    "message_null": _without("choices", [{"index": 0, "message": None}]),
    "reset_midbody": Step(body=completion({"content": GOOD}).body, broken=True),
    "reset_before_headers": Step(broken=True),
}
"""Transient: a retry cures them."""

FINAL: dict[str, Step] = {
    "http_400": http(400),
    "http_401": http(401),
    "http_402": http(402),
    "http_403": http(403),
    "http_404": http(404),
    "http_413": http(413),
    "insufficient_quota_429": http(429, "You exceeded your current quota", code="insufficient_quota"),
}
"""A retry cannot cure them."""

CONTENT: dict[str, tuple[Step, str]] = {
    "content_null": (completion({"content": None}), "empty"),
    "content_missing": (completion({}), "empty"),
    "content_empty": (completion({"content": ""}), "empty"),
    "content_blank": (completion({"content": " \n\t"}), "empty"),
    "length_empty": (completion({"content": ""}, finish="length"), "truncated"),
    "length_cut": (completion({"content": GOOD[:20]}, finish="length"), "truncated"),
    "content_filter": (completion({"content": ""}, finish="content_filter"), "refused"),
    "content_filter_400": (http(400, "blocked", code="content_filter"), "refused"),
    "context_length": (http(400, "This model's maximum context length is 4096 tokens"), "truncated"),
    "refusal_field": (completion({"content": None, "refusal": "I will not."}), "refused"),
    "reasoning_only": (completion({"content": None, "reasoning_content": "hm"}), "empty"),
    "reasoning_cut": (completion({"content": None, "reasoning_content": "hm"}, finish="length"), "truncated"),
    "think_unclosed": (say("<think>I wonder whether"), "empty"),
    "refusal_text": (say("I'm sorry, but I can't help with that."), "refused"),
    "prose_only": (say("It is good, I think."), "unparsable"),
    "json_cut": (say(GOOD[:20]), "unparsable"),
    "empty_object": (say("{}"), "unparsable"),
    "missing_keys": (say('{"score": 0.5}'), "unparsable"),
    "null_values": (say('{"score": null, "why": null}'), "unparsable"),
    "score_out_of_range": (say('{"score": 11, "why": "x"}'), "unparsable"),
    "score_true": (say('{"score": true, "why": "x"}'), "unparsable"),
    "nan": (say('{"score": NaN, "why": "x"}'), "unparsable"),
    "infinity": (say('{"score": Infinity, "why": "x"}'), "unparsable"),
}
"""Content faults and their labels, for a structured reply; a plain reply shares the first ten."""

TOLERABLE: dict[str, Step] = {
    "plain": say(GOOD),
    "wrong_content_type": _raw(completion({"content": GOOD}).body, kind="text/plain"),
    "invalid_utf8": _raw(completion({"content": GOOD}).body.replace(b"chatcmpl-1", b"\xff\xfe")),
    "content_parts": completion({"content": [{"type": "text", "text": GOOD[:9]}, {"type": "text", "text": GOOD[9:]}]}),
    "wrong_model": say(GOOD, model="judge-2026-11-turbo"),
    "model_null": _without("model", None),
    "id_missing": _without("id"),
    "finish_unknown": completion({"content": GOOD}, finish="eos"),
    "finish_null": completion({"content": GOOD}, finish=None),
    "usage_missing": _without("usage"),
    "usage_null": _usage(None),
    "usage_partial": _usage({"total_tokens": 60}),
    "usage_zero": _usage({"prompt_tokens": 0, "completion_tokens": 0}),
    "usage_negative": _usage({"prompt_tokens": -7, "completion_tokens": -3}),
    "usage_huge": _usage({"prompt_tokens": 10**15, "completion_tokens": 10**15}),
    "usage_null_fields": _usage({"prompt_tokens": None, "completion_tokens": None}),
    "usage_strings": _usage({"prompt_tokens": "29", "completion_tokens": "31"}),
    "usage_cached": _usage({**_TOKENS, "prompt_tokens_details": {"cached_tokens": 20}}),
    "usage_cached_over": _usage({**_TOKENS, "prompt_tokens_details": {"cached_tokens": 999}}),
    "choices_duplicate": completion({"content": GOOD}, {"content": "second"}),
    "tool_calls_null": completion({"content": GOOD, "tool_calls": None}),
    "reasoning_field": completion({"content": GOOD, "reasoning_content": "Let me think."}),
    "think_tags": say(f"<think>Let me see: {{}}</think>\n\n{GOOD}"),
    "json_fenced": say(f"```json\n{GOOD}\n```"),
    "json_prose": say(f"Here it is: {GOOD} Hope this helps!"),
    "json_fenced_prose": say(f"\n\nSure:\n```json\n{GOOD}\n```\nHope this helps"),
    "json_two_objects": say(f'{{"example": 1}} and then {GOOD}'),
    "json_in_list": say(f"[{GOOD}]"),
    "json_wrapped": say(f'{{"result": {GOOD}}}'),
    "double_encoded": say(json.dumps(GOOD)),
    "single_quotes": say(GOOD.replace('"', "'")),
    "trailing_commas": say(GOOD.replace("}", ",}")),
    "json_comments": say(GOOD.replace(', "why"', ', // a comment\n"why"')),
    "raw_newlines": say(GOOD.replace("fine", "fi\nne")),
    "bom": say("\ufeff" + GOOD),
    "extra_keys": say(GOOD.replace("}", ', "more": [1]}')),
    "case_keys": say(GOOD.replace("score", "Score").replace("why", "WHY")),
    "numbers_as_strings": say(GOOD.replace("0.5", '"0.5"')),
    "fraction": say(GOOD.replace("0.5", '"1/2"')),
    "percent": say(GOOD.replace("0.5", '"50%"')),
}
"""Odd, and still the answer GOOD."""

TEXTS: dict[str, str] = {
    "surrogate": "ok \ud83d end",
    "surrogate_pair_split": "\ud83d \ude00",
    "nul": "a\x00b",
    "u2028": "a\u2028b\u0085c\x0bd",
    "ansi": "\x1b[2J\x1b[31mred",
    "special_tokens": "<|im_end|><|endoftext|>[INST]",
    "html_script": "<script>alert(1)</script>",
    "template_braces": "{x} {{y}} {% raw %} $z ${w} %s",
    "path_traversal": "../../etc/passwd",
    "cyrillic": "Привет 你好 🙂",
}
"""Texts that break careless programs; sent as JSON escapes, they must arrive cleaned and otherwise as they are."""

TOOLS: dict[str, Step] = {
    "tool_ok": call_tool("run", {"cmd": "ls"}),
    "tool_args_unterminated": call_tool("run", '{"cmd": "ls'),
    "tool_args_list": call_tool("run", [1, 2]),
    "tool_args_null": call_tool("run", "null"),
    "tool_args_blank": call_tool("run", ""),
    "tool_args_object": completion(
        {
            "content": None,
            "tool_calls": [{"id": "c", "type": "function", "function": {"name": "run", "arguments": {"cmd": "ls"}}}],
        },
        finish="tool_calls",
    ),
    "tool_unknown": call_tool("launch_rocket", {}),
    "tool_calls_list": completion({"content": None, "tool_calls": [["run", "{}"]]}, finish="tool_calls"),
    "tool_name_missing": completion(
        {"content": None, "tool_calls": [{"id": "c", "function": {"arguments": "{}"}}]}, finish="tool_calls"
    ),
}
"""Tool calls, good and bad: all must arrive as calls in OpenAI's shape, for the caller to run or to answer."""
