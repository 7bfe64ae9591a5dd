"""Tables B, C and D of real failures, each against a real local HTTP server, through the direct transport."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field
from tests.models.http_server import HttpServer

from autointeract.errors import BudgetError, ConfigError, ProviderError
from autointeract.models import Call, Models, ModelsSettings, Reply, RoleSettings
from autointeract.models.settings import LimitSettings
from autointeract.models.simulated.faults import CONTENT, FINAL, TEXTS, TOLERABLE, TOOLS, TRANSPORT
from autointeract.models.simulated.scripted import Script, Step, completion, http, say
from autointeract.records import Message, clean_text

ASK = [Message(role="system", content="You judge."), Message(role="user", content="What is it?")]
FAST = LimitSettings(backoff_s=0.002, max_backoff_s=0.02, retries=3)


class Score(BaseModel):
    model_config = ConfigDict(extra="forbid")
    score: float = Field(ge=0, le=1)
    why: str


def call(item: str = "item") -> Call:
    return Call(item=item, purpose="test")


def door(folder: Path, server: HttpServer, limits: LimitSettings = FAST, **role: Any) -> Models:
    chosen = RoleSettings(**{"model": "m", "api_base": server.url, "timeout_s": 5.0, **role})
    return Models(ModelsSettings(default=chosen, limits=limits), folder=folder, seed=3)


async def ask(folder: Path, steps: Script, reply: type[BaseModel] | None = None, **role: Any) -> tuple[Reply[Any], int]:
    async with HttpServer(steps) as server, door(folder, server, **role) as models:
        (got,) = await models.complete("judge", ASK, reply=reply, call=call())
        return got, len(server.log)


@pytest.mark.parametrize("name", TRANSPORT)
async def test_transient_faults_are_cured_by_a_retry(name: str, tmp_path: Path) -> None:
    got, requests = await ask(tmp_path, [TRANSPORT[name], say("cured")])
    assert (got.text, got.fault, requests) == ("cured", None, 2)


@pytest.mark.parametrize("name", [name for name in TRANSPORT if name != "http_429"])  # which is never given up
async def test_transient_faults_that_last_are_the_providers(name: str, tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match=r"judge: model m at http.* failed 4 times"):
        await ask(tmp_path, [TRANSPORT[name]])


@pytest.mark.parametrize("name", FINAL)
async def test_final_faults_are_raised_at_once(name: str, tmp_path: Path) -> None:
    kind = {"http_401": ConfigError, "http_403": ConfigError, "http_404": ConfigError, "http_402": BudgetError,
            "insufficient_quota_429": BudgetError}.get(name, ProviderError)  # fmt: skip
    async with HttpServer([FINAL[name]]) as server, door(tmp_path, server) as models:
        with pytest.raises(kind):
            await models.complete("judge", ASK, call=call())
        assert len(server.log) == 1


@pytest.mark.parametrize("name", CONTENT)
async def test_content_faults_are_labelled_and_never_cached(name: str, tmp_path: Path) -> None:
    step, label = CONTENT[name]
    async with HttpServer([step]) as server, door(tmp_path, server) as models:
        (got,) = await models.complete("judge", ASK, reply=Score, call=call())
        assert (got.fault, got.value) == (label, None) and got.fault_detail
        before = len(server.log)
        await models.complete("judge", ASK, reply=Score, call=call())
        assert len(server.log) == 2 * before == (4 if label == "unparsable" else 2)
        assert models.cache.faults()[0]["fault"] == label


@pytest.mark.parametrize("name", list(CONTENT)[:12])
async def test_content_faults_of_plain_replies(name: str, tmp_path: Path) -> None:
    step, label = CONTENT[name]
    got, _ = await ask(tmp_path, [step])
    assert got.fault == label


@pytest.mark.parametrize("name", TOLERABLE)
async def test_odd_answers_are_understood(name: str, tmp_path: Path) -> None:
    got, requests = await ask(tmp_path, [TOLERABLE[name]], reply=Score)
    assert got.fault is None and requests == 1 and isinstance(got.value, Score)
    assert got.value.score == 0.5 and got.value.why.replace("\n", "") == "fine"
    assert 0 < got.usage.prompt_tokens < 1000 and 0 < got.usage.completion_tokens < 1000
    assert got.usage.cached_tokens <= got.usage.prompt_tokens


@pytest.mark.parametrize("name", TEXTS)
async def test_texts_arrive_cleaned_and_can_be_sent_back(name: str, tmp_path: Path) -> None:
    text = TEXTS[name]
    async with HttpServer([say(text)]) as server, door(tmp_path, server) as models:
        (got,) = await models.complete("judge", ASK, call=call())
        assert got.text == clean_text(text)
        turn = Message(role="user", content=text)  # as it was, surrogates and all
        await models.complete("judge", [*ASK, turn], call=call("back"))
        assert server.log[-1][2]["messages"][-1]["content"] == clean_text(text)


@pytest.mark.parametrize("name", TOOLS)
async def test_tool_calls_always_have_one_shape(name: str, tmp_path: Path) -> None:
    got, _ = await ask(tmp_path, [TOOLS[name]])
    (tool_call,) = got.tool_calls
    assert got.fault is None
    assert isinstance(tool_call["function"]["name"], str) and isinstance(tool_call["function"]["arguments"], str)
    assert tool_call["id"] and tool_call["type"] == "function"


async def test_thinking_is_kept_apart(tmp_path: Path) -> None:
    for step in (say("<think>secret</think>\nhello"), completion({"content": "hello", "reasoning": "secret"})):
        got, _ = await ask(tmp_path, [step])
        assert (got.text, got.thinking) == ("hello", "secret")
        (tmp_path / "cache" / "replies.sqlite").unlink()


async def test_hang_and_slow_drip_end_at_the_deadline(tmp_path: Path) -> None:
    for header in ("x-hang", "x-drip"):
        slow = Step(headers={header: "1", "content-type": "application/json"}, body=completion({"content": "x"}).body)
        got, requests = await ask(tmp_path / header, [slow, say("cured")], timeout_s=0.3)
        assert (got.text, requests) == ("cured", 2)


async def test_a_long_answer_arrives_whole(tmp_path: Path) -> None:
    got, _ = await ask(tmp_path, [say("x" * 5_000_000)])
    assert len(got.text) == 5_000_000


async def test_engine_death_and_return(tmp_path: Path) -> None:
    limits = LimitSettings(backoff_s=0.1, max_backoff_s=0.2, retries=20)
    async with HttpServer([say("up").after(0.2)]) as server, door(tmp_path, server, limits) as models:
        work = [asyncio.create_task(models.complete("judge", ASK, call=call(str(i)))) for i in range(20)]
        await asyncio.sleep(0.1)
        await server.die()
        await asyncio.sleep(0.5)
        await server.start()
        assert [reply.text for (reply,) in await asyncio.gather(*work)] == ["up"] * 20


async def test_a_dead_provider_is_named(tmp_path: Path) -> None:
    server = HttpServer([])
    await server.start()
    await server.die()
    async with door(tmp_path, server) as models:
        with pytest.raises(ProviderError, match=r"is the server up\?") as caught:
            await models.complete("judge", ASK, call=call())
        assert models.usage_report()["calls"] == 1 and models.usage_report()["tokens"] == 0
    assert str(caught.value).count("Connect call failed") <= 1 and server.url in str(caught.value)


async def test_a_503_of_some_seconds_loses_nothing(tmp_path: Path) -> None:
    limits = LimitSettings(backoff_s=0.1, max_backoff_s=0.5, retries=30)
    began: list[float] = []

    def answer(_: dict[str, Any]) -> Step:
        now = asyncio.get_running_loop().time()
        began.append(now)
        return http(503) if now - began[0] < 1.5 else say("up")

    async with HttpServer(answer) as server, door(tmp_path, server, limits) as models:
        replies = await asyncio.gather(*(models.complete("judge", ASK, call=call(str(i))) for i in range(30)))
    assert [reply.text for (reply,) in replies] == ["up"] * 30


async def test_an_endpoint_that_ignores_n_is_asked_one_by_one(tmp_path: Path) -> None:
    steps: Script = lambda body: completion({"content": f"{body['seed']}"})  # noqa: E731
    async with HttpServer(steps) as server, door(tmp_path, server) as models:
        replies = await models.complete("judge", ASK, n=4, call=call())
        assert len({reply.text for reply in replies}) == 4
        assert [body.get("n") for _, _, body in server.log] == [4, None, None, None]
        await models.complete("judge", ASK, n=2, call=call("next"))
        assert [body.get("n") for _, _, body in server.log][4:] == [None, None]


async def test_an_endpoint_that_refuses_n_is_asked_one_by_one(tmp_path: Path) -> None:
    steps: Script = lambda body: http(400, "only one choice") if body.get("n") else say("x")  # noqa: E731
    async with HttpServer(steps) as server, door(tmp_path, server) as models:
        assert [r.text for r in await models.complete("judge", ASK, n=3, call=call())] == ["x"] * 3


async def test_native_n_is_one_request_and_one_prompt_is_paid(tmp_path: Path) -> None:
    async with HttpServer([say("x")]) as server, door(tmp_path, server) as models:
        replies = await models.complete("judge", ASK, n=4, call=call())
        assert len(server.log) == 1 and sum(reply.usage.prompt_tokens for reply in replies) == 29
        assert sum(reply.usage.completion_tokens for reply in replies) == 31
        more = await models.complete("judge", ASK, n=5, call=call())
        assert [reply.from_cache for reply in more] == [True] * 4 + [False] and len(server.log) == 2


async def test_an_endpoint_without_schema_support_is_prompted(tmp_path: Path) -> None:
    def answer(body: dict[str, Any]) -> Step:
        if "response_format" in body:
            return http(400, "response_format json_schema is not supported")
        return say('{"score": 1, "why": "x"}')

    async with HttpServer(answer) as server, door(tmp_path, server) as models:
        for item in ("a", "b"):
            (got,) = await models.complete("judge", ASK, reply=Score, call=call(item))
            assert got.value == Score(score=1, why="x")
        assert len(server.log) == 3
        assert '"score"' in server.log[-1][2]["messages"][0]["content"]


async def test_content_that_changes_nothing_of_load_does_not_throttle(tmp_path: Path) -> None:
    async with HttpServer([http(400)]) as server, door(tmp_path, server) as models:
        await asyncio.gather(
            *(models.complete("judge", ASK, call=call(str(i))) for i in range(50)), return_exceptions=True
        )
        limiter = models._line._limiters[server.url]
        assert limiter.limit >= FAST.start_in_flight and limiter.busy == 0


async def test_everything_that_decides_a_reply_is_in_the_cache_key(tmp_path: Path) -> None:
    tool = {"type": "function", "function": {"name": "run", "parameters": {"type": "object", "properties": {}}}}
    other = [Message(role="system", content="You judge harshly."), ASK[1]]
    variants: list[tuple[dict[str, Any], dict[str, Any], list[Message]]] = [
        ({}, {}, ASK), ({}, {}, other), ({}, {"tools": [tool]}, ASK), ({}, {"reply": Score}, ASK),
        ({"temperature": 0.3}, {}, ASK), ({"max_tokens": 9}, {}, ASK), ({"extra_body": {"top_k": 3}}, {}, ASK),
        ({"model": "m2"}, {}, ASK), ({"stop": ["x"]}, {}, ASK),
    ]  # fmt: skip
    async with HttpServer([say('{"score": 1, "why": "x"}')]) as server:
        for role, extra, messages in variants * 2:
            async with door(tmp_path, server, **role) as models:
                await models.complete("judge", messages, call=call(), **extra)
        assert len(server.log) == len(variants)
        async with door(tmp_path, server) as models:  # sample, round, turn, purpose, role
            await models.complete("judge", ASK, n=2, call=call())
            await models.complete("writer", ASK, call=call())
            for change in ({"round": 1}, {"turn": 1}, {"purpose": "p"}, {"item": "j"}):
                await models.complete("judge", ASK, call=call().model_copy(update=change))
        assert len(server.log) == len(variants) + 6
        async with HttpServer([say("y")]) as elsewhere, door(tmp_path, elsewhere) as models:
            (got,) = await models.complete("judge", ASK, call=call())
            assert got.text == "y"


async def test_a_callers_changes_do_not_reach_the_cache_or_other_callers(tmp_path: Path) -> None:
    async with HttpServer([TOOLS["tool_ok"].after(0.05)]) as server, door(tmp_path, server) as models:
        both = await asyncio.gather(*(models.complete("judge", ASK, call=call()) for _ in range(2)))
        both[0][0].tool_calls[0]["function"]["name"] = "changed"
        (again,) = await models.complete("judge", ASK, call=call())
        assert both[1][0].tool_calls[0]["function"]["name"] == again.tool_calls[0]["function"]["name"] == "run"
        assert len(server.log) == 1


async def test_single_flight_survives_the_first_caller(tmp_path: Path) -> None:
    async with HttpServer([say("x").after(0.2)]) as server, door(tmp_path, server) as models:
        first = asyncio.create_task(models.complete("judge", ASK, call=call()))
        await asyncio.sleep(0.05)
        others = [asyncio.create_task(models.complete("judge", ASK, call=call())) for _ in range(5)]
        await asyncio.sleep(0.05)
        first.cancel()
        assert [r.text for (r,) in await asyncio.gather(*others)] == ["x"] * 5
        assert len(server.log) == 2 and not models._flights


async def test_ledger_lines_hold_counts_and_no_text(tmp_path: Path) -> None:
    async with HttpServer([http(503), say("a text")]) as server, door(tmp_path, server) as models:
        await models.complete("judge", ASK, call=call("the item"))
        await models.complete("judge", ASK, call=call("the item"))
    (path,) = (tmp_path / "ledger").glob("*.jsonl")
    first, second = map(json.loads, path.read_text().splitlines())
    assert (first["item"], first["retries"], first["cache"], second["cache"]) == ("the item", 1, False, True)
    assert first["latency_s"] > 0 and first["money"] is None and "a text" not in path.read_text()


async def test_a_model_with_another_name_for_the_length_limit(tmp_path: Path) -> None:
    def answer(body: dict[str, Any]) -> Step:
        if "max_tokens" in body:
            return http(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        return say(f"{body['max_completion_tokens']}")

    async with HttpServer(answer) as server, door(tmp_path, server, max_tokens=77) as models:
        for item in ("a", "b"):
            (got,) = await models.complete("judge", ASK, call=call(item))
            assert got.text == "77"
        assert len(server.log) == 3


async def test_the_context_window_bounds_the_answer(tmp_path: Path) -> None:
    async with HttpServer([say("x")]) as server, door(tmp_path, server, max_tokens=4000, context_tokens=3000) as models:
        await models.complete("judge", [Message(role="user", content="x" * 3000)], call=call())
        assert 1000 < server.log[0][2]["max_tokens"] < 2000


async def test_room_for_thinking_is_added(tmp_path: Path) -> None:
    role = {"max_tokens": 100, "thinking_tokens": 900, "reasoning_effort": "low", "extra_body": {"top_k": 5}}
    async with HttpServer([say("x")]) as server, door(tmp_path, server, **role) as models:
        await models.complete("judge", ASK, call=call())
        body = server.log[0][2]
        assert (body["max_tokens"], body["reasoning_effort"], body["top_k"]) == (1000, "low", 5)
