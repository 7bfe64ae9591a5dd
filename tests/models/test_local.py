"""A real model over real HTTP, through both transports. Only shapes are asserted: what it says is worth nothing."""

import asyncio
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from autointeract.errors import ConfigError
from autointeract.models import Call, Models, ModelsSettings, RoleSettings
from autointeract.models.local_server import LocalServer
from autointeract.models.settings import LimitSettings
from autointeract.records import Message

ASK = [Message(role="system", content="You are terse."), Message(role="user", content="Name a colour.")]


class Verdict(BaseModel):
    score: int = Field(ge=1, le=5)
    kind: Literal["good", "bad"]
    why: str = Field(max_length=20)


def door(folder: Path, server: LocalServer, transport: Any = "direct", **role: Any) -> Models:
    model = f"openai/{server.alias}" if transport == "litellm" else server.alias
    chosen = RoleSettings(**{"model": model, "transport": transport, "api_base": server.url, "max_tokens": 24,
                             "api_key_env": "TEST_ENDPOINT_KEY", "timeout_s": 100.0, **role})  # fmt: skip
    limits = LimitSettings(max_in_flight=4, backoff_s=0.1, max_backoff_s=1.0, retries=20)
    return Models(ModelsSettings(default=chosen, limits=limits), folder=folder, seed=1)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_ENDPOINT_KEY", "any-value-will-do")


@pytest.mark.parametrize("transport", ["direct", "litellm"])
async def test_samples_usage_and_schema(transport: str, local_model: LocalServer, tmp_path: Path) -> None:
    async with door(tmp_path, local_model, transport) as models:
        replies = await models.complete("weak", ASK, n=3, call=Call(item="a", purpose="p"))
        assert len(replies) == 3 and all(reply.text or reply.fault for reply in replies)
        assert sum(reply.usage.completion_tokens for reply in replies) > 0
        assert 0 < sum(reply.usage.prompt_tokens for reply in replies) < 500
        (judged,) = await models.complete("judge", ASK, reply=Verdict, call=Call(item="b", purpose="p"))
        assert judged.fault in (None, "truncated") and (judged.value is None) == (judged.fault is not None)
        (again,) = await models.complete("judge", ASK, reply=Verdict, call=Call(item="b", purpose="p"))
        assert judged.fault is not None or (again.from_cache and again.value == judged.value)


async def test_equal_seeds_give_equal_text(local_model: LocalServer, tmp_path: Path) -> None:
    texts = []
    for run in ("one", "two"):
        async with door(tmp_path / run, local_model, temperature=1.0) as models:
            (reply,) = await models.complete("weak", ASK, call=Call(item="a", purpose="p"))
            texts.append(reply.text)
    assert texts[0] == texts[1]


async def test_a_prompt_that_is_too_long_is_truncated_not_a_fault_of_the_provider(
    local_model: LocalServer, tmp_path: Path
) -> None:
    long = [Message(role="user", content="many words " * 5000)]
    async with door(tmp_path, local_model) as models:
        (reply,) = await models.complete("weak", long, call=Call(item="a", purpose="p"))
    assert reply.fault == "truncated" and "context window" in reply.fault_detail


async def test_a_crashed_engine_that_comes_back_loses_nothing(tmp_path: Path) -> None:
    try:
        server = LocalServer(slots=2, context=4096)
    except ConfigError:
        pytest.skip("the local extra is not installed")
    with server:
        async with door(tmp_path, server, stop=["\n"]) as models:
            work = [asyncio.create_task(models.complete("weak", ASK, call=Call(item=str(i), purpose="p")))
                    for i in range(12)]  # fmt: skip
            await asyncio.sleep(0.3)
            await asyncio.to_thread(server.stop, True)
            await asyncio.to_thread(server.start)
            assert len(await asyncio.gather(*work)) == 12


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.gguf").write_bytes(b"nope")
    with pytest.raises(ConfigError, match=r"no GGUF file|not installed"):
        LocalServer(tmp_path / "x.gguf")
