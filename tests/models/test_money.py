"""Budget, prices, usage and ledger: what is counted, and where it stops."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from autointeract.errors import BudgetError, ConfigError
from autointeract.models import Call, Models, ModelsSettings, PriceSettings, RoleSettings, Usage
from autointeract.models.ledger import Ledger
from autointeract.models.prices import cost
from autointeract.models.settings import BudgetSettings, LimitSettings
from autointeract.models.simulated.scripted import completion, http, say, script
from autointeract.models.usage import read_usage
from autointeract.records import Message

ASK = [Message(role="user", content="x" * 100)]
FAST = LimitSettings(backoff_s=0.001, max_backoff_s=0.01, retries=2)
PRICE = PriceSettings(input=100, output=200, cached=10)
ONE = (29 * 100 + 31 * 200) / 1e6
"""What one scripted call costs."""


class Need(BaseModel):
    need: int


def door(folder: Path, budget: BudgetSettings, **role: Any) -> Models:
    chosen = RoleSettings(**{"model": "scripted/fake", "price": PRICE, "max_tokens": 31, **role})
    return Models(ModelsSettings(default=chosen, limits=FAST, budget=budget), folder=folder, seed=0)


def call(item: object) -> Call:
    return Call(item=str(item), purpose="p")


async def run(models: Models, count: int, **more: Any) -> list[Any]:
    asked = (models.complete("judge", ASK, call=call(i), **more) for i in range(count))
    return await asyncio.gather(*asked, return_exceptions=True)


@pytest.mark.parametrize("in_flight", [1, 64])
@pytest.mark.parametrize("answer", ["good", "unparsable"])
async def test_money_stops_at_the_cap_whatever_is_in_flight(in_flight: int, answer: str, tmp_path: Path) -> None:
    cap = 50.5 * ONE
    with script("fake", [(say('{"need": 1}') if answer == "good" else say("never json")).after(0.001)]):
        async with door(tmp_path, BudgetSettings(money=cap)) as models:
            models._line.limits = FAST.model_copy(update={"max_in_flight": in_flight, "start_in_flight": in_flight})
            ends = await run(models, 200, reply=Need)
            spent = models.usage_report()["money"]
    stopped = [end for end in ends if isinstance(end, BudgetError)]
    assert stopped and not [end for end in ends if isinstance(end, Exception) and not isinstance(end, BudgetError)]
    assert spent <= cap + ONE and spent >= 0.8 * cap, (spent, cap)
    assert "models.budget.money" in str(stopped[0])


async def test_tokens_roles_and_a_second_run(tmp_path: Path) -> None:
    with script("fake", [say("x")]) as seen:
        async with door(tmp_path, BudgetSettings(tokens=60 * 10)) as models:
            await run(models, 30)
            assert models.usage_report()["total"]["tokens"] <= 600
        async with door(tmp_path, BudgetSettings(tokens=60 * 10)) as models:
            before = len(seen)
            with pytest.raises(BudgetError, match=r"models\.budget\.tokens"):
                await models.complete("judge", ASK, call=call("more"))
            assert len(seen) == before
            (hit,) = await models.complete("judge", ASK, call=call(0))  # a hit costs nothing
            assert hit.from_cache
        async with door(tmp_path, BudgetSettings(role_tokens={"judge": 0})) as models:
            with pytest.raises(BudgetError, match=r"models\.budget\.role_tokens\.judge"):
                await models.complete("judge", ASK, call=call("more"))
            await models.complete("writer", ASK, call=call("more"))


async def test_a_stop_keeps_what_was_paid(tmp_path: Path) -> None:
    with script("fake", [say("x")]) as seen:
        async with door(tmp_path, BudgetSettings(money=5.5 * ONE)) as models:
            await run(models, 20)
        paid = len(seen)
        async with door(tmp_path, BudgetSettings()) as models:
            replies = await run(models, 20)
            assert sum(reply.from_cache for (reply,) in replies) == paid > 0
            report = models.usage_report()
    assert len(seen) == 20 and report["saved"]["calls"] == paid
    assert report["saved"]["money"] == pytest.approx(paid * ONE) and report["total"]["money"] == pytest.approx(20 * ONE)


async def test_unknown_price_is_unknown_never_zero(tmp_path: Path) -> None:
    with script("fake", [say("x")]):
        async with door(tmp_path, BudgetSettings(tokens=10**6), price=None) as models:
            await run(models, 3)
            report = models.usage_report()
            assert report["money"] is None and report["by_role"]["judge"]["money"] is None and report["tokens"] == 180
        async with door(tmp_path, BudgetSettings(money=1), price=None) as models:
            with pytest.raises(ConfigError, match=r"'judge'.*models\.judge\.price.*budget\.tokens"):
                await models.complete("judge", ASK, call=call("x"))
        async with door(tmp_path, BudgetSettings(money=1, allow_unpriced=True), price=None) as models:
            assert len(await models.complete("judge", ASK, call=call("y"))) == 1


async def test_an_account_without_credit_stops_cleanly(tmp_path: Path) -> None:
    with script("fake", [http(402, "no credit")]):
        async with door(tmp_path, BudgetSettings()) as models:
            with pytest.raises(BudgetError, match="no credit left: top it up and run again"):
                await models.complete("judge", ASK, call=call("x"))


PROVIDERS: dict[str, tuple[dict[str, Any], tuple[int, int, int, int]]] = {
    "openai": (
        {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150,
         "prompt_tokens_details": {"cached_tokens": 80, "audio_tokens": 0},
         "completion_tokens_details": {"reasoning_tokens": 30}}, (100, 50, 30, 80)),
    "openai without details": ({"prompt_tokens": 100, "completion_tokens": 50}, (100, 50, 0, 0)),
    "responses": ({"input_tokens": 100, "output_tokens": 50, "input_tokens_details": {"cached_tokens": 80},
                   "output_tokens_details": {"reasoning_tokens": 30}}, (100, 50, 30, 80)),
    "anthropic": ({"input_tokens": 10, "output_tokens": 50, "cache_read_input_tokens": 80,
                   "cache_creation_input_tokens": 10}, (100, 50, 0, 80)),
    "anthropic without cache": ({"input_tokens": 100, "output_tokens": 50}, (100, 50, 0, 0)),
    "deepseek": ({"prompt_tokens": 100, "completion_tokens": 50, "prompt_cache_hit_tokens": 80,
                  "prompt_cache_miss_tokens": 20}, (100, 50, 0, 80)),
    "gemini": ({"promptTokenCount": 100, "candidatesTokenCount": 20, "thoughtsTokenCount": 30,
                "cachedContentTokenCount": 80, "totalTokenCount": 150}, (100, 50, 30, 80)),
    "gemini without cache": ({"promptTokenCount": 100, "candidatesTokenCount": 50}, (100, 50, 0, 0)),
    "vllm": ({"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150, "prompt_tokens_details": None},
             (100, 50, 0, 0)),
}  # fmt: skip


@pytest.mark.parametrize("name", PROVIDERS)
def test_usage_of_providers(name: str) -> None:
    data, (prompt, completion_tokens, reasoning, cached) = PROVIDERS[name]
    usage = read_usage(data)
    assert usage is not None and usage == Usage(calls=1, prompt_tokens=prompt, completion_tokens=completion_tokens,
                          reasoning_tokens=reasoning, cached_tokens=cached)  # fmt: skip
    assert cost(PRICE, usage) == pytest.approx(((prompt - cached) * 100 + cached * 10 + completion_tokens * 200) / 1e6)


NAMES = ["prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "promptTokenCount", "cached_tokens",
         "prompt_tokens_details", "candidatesTokenCount"]  # fmt: skip
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)


@given(st.recursive(LEAVES, lambda inner: st.dictionaries(st.sampled_from(NAMES), inner, max_size=6)))
def test_usage_never_lies(data: Any) -> None:
    usage = read_usage(data)
    if usage is not None:
        assert 0 <= usage.cached_tokens <= usage.prompt_tokens < 2**32
        assert 0 <= usage.reasoning_tokens <= usage.completion_tokens < 2**32


async def test_retries_and_repairs_are_charged_where_they_were_billed(tmp_path: Path) -> None:
    billed = completion(usage={"prompt_tokens": 7, "completion_tokens": 3})  # 200, but no choices
    with script("fake", [billed, say("bad"), say('{"need": 1}')]):
        async with door(tmp_path, BudgetSettings(money=1)) as models:
            await models.complete("judge", ASK, reply=Need, call=call("x"))
            whole = 2 * ONE + (7 * 100 + 3 * 200) / 1e6
            assert models._budget._money[""] == pytest.approx(whole) == models.usage_report()["money"]


def test_a_killed_run_leaves_its_ledger_and_its_replies(tmp_path: Path) -> None:
    program = f"""
import asyncio, os, signal
from pathlib import Path
from autointeract.models import *
from autointeract.models.simulated.scripted import script, say
from autointeract.records import Message
async def main():
    role = RoleSettings(model="scripted/fake", price=PriceSettings(input=1, output=1))
    with script("fake", [say("x")]):
        async with Models(ModelsSettings(default=role), folder=Path({str(tmp_path)!r}), seed=0) as models:
            for i in range(7):
                ask = [Message(role="user", content="x" * 100)]
                await models.complete("judge", ask, call=Call(item=str(i), purpose="p"))
            os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, timeout=60)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    path = next((tmp_path / "ledger").glob("*.jsonl"))
    path.write_bytes(path.read_bytes() + b'{"role": "judge", "torn')
    assert Ledger(tmp_path / "ledger").earlier["judge"].calls == 7

    async def again() -> None:
        with script("fake", [say("y")]) as seen:
            async with door(tmp_path, BudgetSettings(), max_tokens=4096) as models:
                replies = await run(models, 7)
            assert [reply.text for (reply,) in replies] == ["x"] * 7 and not seen

    asyncio.run(again())


async def test_two_runs_in_one_second_have_ledgers_of_their_own(tmp_path: Path) -> None:
    with script("fake", [say("x")]):
        for number in range(3):
            async with door(tmp_path, BudgetSettings()) as models:
                await models.complete("judge", ASK, call=call(number))
    assert len(list((tmp_path / "ledger").glob("*.jsonl"))) == 3
    assert Ledger(tmp_path / "ledger").earlier["judge"].calls == 3


async def test_totals_equal_lines(tmp_path: Path) -> None:
    with script("fake", [say("x")]):
        async with door(tmp_path, BudgetSettings()) as models:
            await run(models, 5)
            await run(models, 5)
    totals = Ledger(tmp_path / "ledger").earlier["judge"]
    next((tmp_path / "ledger").glob("*.totals.json")).unlink()
    lines = Ledger(tmp_path / "ledger").earlier["judge"]
    assert totals.view() == lines.view() and totals.calls == 5
    assert json.loads(json.dumps(totals.view()))["money"] == pytest.approx(5 * ONE)


def test_a_damaged_ledger_stops_no_run(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    line = {"role": "judge", "fault": None}
    ledger.write(line, Usage(prompt_tokens=3, completion_tokens=4), 0.5, False)
    ledger.close()
    (totals,) = tmp_path.glob("*.totals.json")
    (lines,) = tmp_path.glob("*.jsonl")
    lines.write_bytes(b'rubbish\n{"role": "x"}\n[1]\n' + lines.read_bytes() + b'{"role": "judge", "cac')
    for text in ("", "{", "[]", '{"names": ["calls"]}', '{"names": ["calls"], "spent": {"judge": [1, 2]}}'):
        totals.write_text(text)
        assert Ledger(tmp_path).earlier["judge"].tokens == 7
    totals.unlink()
    assert Ledger(tmp_path).report()["total"]["money"] == 0.5
