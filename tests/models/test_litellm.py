"""The litellm transport: same contract as the direct one, quiet, and a good guest in the process."""

import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field
from tests.models.http_server import HttpServer

from autointeract.errors import AutoInteractError, BudgetError, ConfigError, ProviderError
from autointeract.models import Call, Models, ModelsSettings, PriceSettings, RoleSettings
from autointeract.models.settings import BudgetSettings, LimitSettings
from autointeract.models.simulated.faults import CONTENT, FINAL, TOLERABLE, TOOLS, TRANSPORT
from autointeract.models.simulated.scripted import http, say
from autointeract.records import Message

ASK = [Message(role="user", content="What is it?")]
FAST = LimitSettings(backoff_s=0.002, max_backoff_s=0.02, retries=2)


class Score(BaseModel):
    score: float = Field(ge=0, le=1)
    why: str


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_ENDPOINT_KEY", "k" * 20)


def door(folder: Path, server: HttpServer, **role: Any) -> Models:
    chosen = {"model": "openai/m", "transport": "litellm", "api_base": server.url, "api_key_env": "TEST_ENDPOINT_KEY",
              "timeout_s": 5.0, **role}  # fmt: skip
    return Models(ModelsSettings(default=RoleSettings(**chosen), limits=FAST), folder=folder, seed=3)


@pytest.mark.parametrize("name", TRANSPORT)
async def test_transient_faults_are_cured_by_exactly_one_retry(name: str, tmp_path: Path) -> None:
    async with HttpServer([TRANSPORT[name], say("cured")]) as server, door(tmp_path, server) as models:
        (got,) = await models.complete("judge", ASK, call=Call(item="i", purpose="p"))
        assert (got.text, got.fault, len(server.log)) == ("cured", None, 2)


@pytest.mark.parametrize("name", FINAL)
async def test_final_faults_are_raised_at_once(name: str, tmp_path: Path) -> None:
    kind = {"http_401": ConfigError, "http_403": ConfigError, "http_404": ConfigError, "http_402": BudgetError,
            "insufficient_quota_429": BudgetError}.get(name, ProviderError)  # fmt: skip
    async with HttpServer([FINAL[name]]) as server, door(tmp_path, server) as models:
        with pytest.raises(kind):
            await models.complete("judge", ASK, call=Call(item="i", purpose="p"))
        assert len(server.log) == 1


@pytest.mark.parametrize("name", CONTENT)
async def test_content_faults_have_the_same_labels(name: str, tmp_path: Path) -> None:
    step, label = CONTENT[name]
    async with HttpServer([step]) as server, door(tmp_path, server) as models:
        (got,) = await models.complete("judge", ASK, reply=Score, call=Call(item="i", purpose="p"))
        assert got.fault == label


# litellm itself fails on content in parts and on bytes that are no UTF-8; the door then says so after its retries.
@pytest.mark.parametrize("name", [n for n in TOLERABLE if n not in ("content_parts", "invalid_utf8")])
async def test_odd_answers_are_understood(name: str, tmp_path: Path) -> None:
    async with HttpServer([TOLERABLE[name]]) as server, door(tmp_path, server) as models:
        (got,) = await models.complete("judge", ASK, reply=Score, call=Call(item="i", purpose="p"))
        assert got.fault is None and got.value is not None and got.value.score == 0.5
        assert 0 < got.usage.prompt_tokens < 1000 and got.usage.cached_tokens <= got.usage.prompt_tokens


@pytest.mark.parametrize("name", [n for n in TOOLS if n not in ("tool_calls_list",)])
async def test_tool_calls_have_the_same_shape(name: str, tmp_path: Path) -> None:
    async with HttpServer([TOOLS[name]]) as server, door(tmp_path, server) as models:
        (got,) = await models.complete("judge", ASK, call=Call(item="i", purpose="p"))
        assert got.fault is None and isinstance(got.tool_calls[0]["function"]["arguments"], str)


async def test_retry_after_is_read_through_litellm(tmp_path: Path) -> None:
    async with HttpServer([http(429, retry_after=1), say("x")]) as server, door(tmp_path, server) as models:
        await models.complete("judge", ASK, call=Call(item="i", purpose="p"))
        assert server.log[1][0] - server.log[0][0] >= 1.0


async def test_known_prices_come_from_the_local_table(tmp_path: Path) -> None:
    settings = ModelsSettings(default=RoleSettings(model="openai/gpt-4o-mini"), budget=BudgetSettings(money=1))
    models = Models(settings, folder=tmp_path, seed=0)
    models.endpoint("judge")
    price = models._prices["judge"]
    assert isinstance(price, PriceSettings) and price.cached is not None
    assert (round(price.input, 6), round(price.output, 6), round(price.cached, 6)) == (0.15, 0.6, 0.075)
    unknown = Models(ModelsSettings(default=RoleSettings(model="openai/never-heard-of")), folder=tmp_path, seed=0)
    unknown.endpoint("judge")
    assert unknown._prices["judge"] is None


async def test_it_is_quiet_and_shows_no_prompt(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secret = [Message(role="user", content="PRIVATE-PROMPT-TEXT")]
    async with HttpServer([http(500), http(400), say("PRIVATE-REPLY")]) as server, door(tmp_path, server) as models:
        for item in ("a", "b"):
            try:
                await models.complete("judge", secret, call=Call(item=item, purpose="p"))
            except AutoInteractError:
                pass
    out, errors = capfd.readouterr()
    assert out == "" and "PRIVATE" not in errors
    assert not any("PRIVATE" in record.getMessage() for record in caplog.records)


def test_the_package_leaves_logging_and_litellm_alone_until_they_are_needed() -> None:
    program = """
import logging, sys
handler = logging.StreamHandler()
logging.basicConfig(handlers=[handler], level=logging.WARNING)
import autointeract.models
assert logging.getLogger().handlers == [handler] and logging.getLogger().level == logging.WARNING
heavy = {"litellm", "aiohttp", "pandas", "dspy", "openai", "torch", "json_repair", "zstandard"} & set(sys.modules)
assert not heavy, heavy
from autointeract.models.transports.by_litellm import _load
_load()
assert logging.getLogger().handlers == [handler] and logging.getLogger().level == logging.WARNING
"""
    ended = subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": ":".join(sys.path)},
                           capture_output=True, text=True, timeout=100)  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == ""
