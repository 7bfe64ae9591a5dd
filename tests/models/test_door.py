"""The door as a whole, over the scripted fake."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field

from autointeract.errors import BudgetError, ConfigError, ProviderError
from autointeract.models import Call, Models, ModelsSettings, PriceSettings, RoleSettings
from autointeract.models.settings import BudgetSettings, LimitSettings
from autointeract.models.simulated import registry
from autointeract.models.simulated.scripted import http, say, say_json, script
from autointeract.records import Message

CALL = Call(item="item", purpose="test")
ASK = [Message(role="system", content="You judge."), Message(role="user", content="What is it?")]
FAST = LimitSettings(backoff_s=0.001, max_backoff_s=0.01)


class Score(BaseModel):
    score: float = Field(ge=0, le=1)
    why: str


def door(folder: Path, name: str = "fake", **settings: Any) -> Models:
    chosen = {"default": RoleSettings(model=f"scripted/{name}"), "limits": FAST, **settings}
    return Models(ModelsSettings(**chosen), folder=folder, seed=7)


async def test_plain_reply_and_cache_hit(tmp_path: Path) -> None:
    with script("fake", [say("hello"), say("other")]) as seen:
        async with door(tmp_path) as models:
            (first,) = await models.complete("judge", ASK, call=CALL)
            (again,) = await models.complete("judge", ASK, call=CALL)
            assert (first.text, first.from_cache, again.text, again.from_cache) == ("hello", False, "hello", True)
            assert len(seen) == 1
            report = models.usage_report()
    assert (report["calls"], report["saved"]["calls"], report["money"]) == (1, 1, None)


async def test_structured_reply_is_repaired_once_then_a_fault(tmp_path: Path) -> None:
    with script("fake", [say("no idea"), say_json({"score": 0.5, "why": "x"}), say("bad"), say("worse")]) as seen:
        async with door(tmp_path) as models:
            (good,) = await models.complete("judge", ASK, reply=Score, call=CALL)
            assert good.value == Score(score=0.5, why="x") and good.usage.calls == 2
            (bad,) = await models.complete("judge", ASK, reply=Score, call=Call(item="b", purpose="test"))
            assert (bad.fault, bad.text, bad.value) == ("unparsable", "bad", None)
    assert len(seen) == 4 and seen[1]["messages"][-2] == {"role": "assistant", "content": "no idea"}


async def test_rate_limits_lose_nothing_and_refusals_of_the_request_are_not_retried(tmp_path: Path) -> None:
    with script("fake", [http(429)] * 20 + [say("at last"), http(400, "bad field")]) as seen:
        async with door(tmp_path) as models:
            (reply,) = await models.complete("judge", ASK, call=CALL)
            assert reply.text == "at last" and len(seen) == 21
            with pytest.raises(ProviderError, match="bad field"):
                await models.complete("judge", ASK, call=Call(item="b", purpose="test"))
            assert len(seen) == 22


async def test_dead_endpoint_says_so(tmp_path: Path) -> None:
    limits = LimitSettings(backoff_s=0.001, max_backoff_s=0.01, retries=2)
    with script("fake", [http(503, "down for maintenance")]) as seen:
        async with door(tmp_path, limits=limits) as models:
            with pytest.raises(ProviderError, match=r"failed 3 times.*down for maintenance"):
                await models.complete("judge", ASK, call=CALL)
    assert len(seen) == 3


async def test_unparsable_replies_stop_at_the_budget(tmp_path: Path) -> None:
    role = RoleSettings(model="scripted/fake", price=PriceSettings(input=1000, output=1000), max_tokens=31)
    with script("fake", [say("never json")]) as seen:
        async with door(tmp_path, default=role, budget=BudgetSettings(money=2.0)) as models:
            with pytest.raises(BudgetError):
                for number in range(100):
                    await models.complete("judge", ASK, reply=Score, call=Call(item=str(number), purpose="test"))
            spent = models.usage_report()["total"]["money"]
    assert 0 < spent <= 2.0 + 0.06 and len(seen) < 40
    async with door(tmp_path, default=role, budget=BudgetSettings(money=2.0)) as models:
        assert models.usage_report()["total"]["money"] == pytest.approx(spent)


async def test_samples_have_seeds_of_their_own(tmp_path: Path) -> None:
    role = RoleSettings(model="scripted/fake", native_n=False)
    with script("fake", lambda body: say(str(body["seed"]))) as seen:
        async with door(tmp_path, default=role) as models:
            replies = await models.complete("weak", ASK, n=3, call=CALL)
    assert len({reply.text for reply in replies}) == 3 == len(seen)


async def test_missing_role_and_unknown_role(tmp_path: Path) -> None:
    async with Models(ModelsSettings(), folder=tmp_path, seed=0) as models:
        with pytest.raises(ConfigError, match=r"'judge'.*models\.judge\.model"):
            await models.complete("judge", ASK, call=CALL)
        with pytest.raises(ConfigError, match="roles are simulator"):
            await models.complete("boss", ASK, call=CALL)
    assert not list(tmp_path.iterdir())


async def test_simulated_roles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_BY_ROLE", {})

    @registry.for_role("weak")
    def weak(request: registry.SimulatedRequest) -> registry.SimulatedReply:
        return registry.SimulatedReply(text=f"{request.model} {request.seed} {request.book}")

    settings = ModelsSettings(default=RoleSettings(model="simulated/weak"))
    async with Models(settings, folder=tmp_path, seed=1, answer_book=tmp_path / "tasks") as models:
        one, two = await models.complete("weak", ASK, n=2, call=CALL)
        assert one.text != two.text and one.text.startswith("weak ") and one.text.endswith("tasks")
        assert (await models.complete("weak", ASK, call=CALL))[0].text == one.text
        assert models.usage_report()["money"] == 0.0
        assert models.describe()["weak"] == {"model": "simulated/weak", "simulated": True}
