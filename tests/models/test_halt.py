"""A run that is told to stop: nothing waits on, what is in flight has its grace, and what it brings is kept."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from tests.models.http_server import HttpServer

from autointeract.errors import HaltedError, StoppedError
from autointeract.models import Call, Models, ModelsSettings, RoleSettings
from autointeract.models.reading import retry_after
from autointeract.models.settings import BudgetSettings, LimitSettings
from autointeract.models.simulated.faults import TRANSPORT
from autointeract.models.simulated.scripted import Step, http, say
from autointeract.records import Message

ASK = [Message(role="user", content="What is it?")]
PATIENT = LimitSettings(backoff_s=60.0, max_backoff_s=60.0, retries=7)
LONG_S = 20.0
"""A halted call must end far below this; only a call that waits on comes near it."""


def door(folder: Path, url: str, grace_s: float = 30.0, limits: LimitSettings = PATIENT, **more: Any) -> Models:
    role = RoleSettings(model="m", api_base=url, timeout_s=60.0)
    return Models(ModelsSettings(default=role, limits=limits, grace_s=grace_s, **more), folder=folder, seed=3)


async def halted(models: Models, server: HttpServer, count: int, requests: int) -> tuple[list[Any], float]:
    """What `count` calls end as when the door is halted after the server has seen `requests`, and how long it took."""
    calls = [models.complete("judge", ASK, call=Call(item=f"i{n}", purpose="test")) for n in range(count)]
    tasks = [asyncio.ensure_future(call) for call in calls]
    while len(server.log) < requests:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    begun = time.monotonic()
    models.halt("stopped by SIGINT")
    ends = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), LONG_S)
    return ends, time.monotonic() - begun


@pytest.mark.parametrize("name", ["http_500", "reset_before_headers", "http_429"])
async def test_calls_that_back_off_stop_at_once(name: str, tmp_path: Path) -> None:
    async with HttpServer([TRANSPORT[name]]) as server, door(tmp_path, server.url) as models:
        ends, _ = await halted(models, server, 3, 1)
        assert [type(end) for end in ends] == [HaltedError] * 3
        assert "SIGINT" in str(ends[0]) and isinstance(ends[0], StoppedError)
        seen = len(server.log)
        with pytest.raises(HaltedError):
            await models.complete("judge", ASK, call=Call(item="later", purpose="test"))
        assert len(server.log) == seen


async def test_a_dead_endpoint_is_not_tried_again(tmp_path: Path) -> None:
    async with HttpServer([say("x")]) as server:
        url = server.url
    async with door(tmp_path, url) as models:
        task = asyncio.ensure_future(models.complete("judge", ASK, call=Call(item="i", purpose="test")))
        await asyncio.sleep(0.3)
        models.halt("stopped by SIGTERM")
        with pytest.raises(HaltedError):
            await asyncio.wait_for(task, LONG_S)


async def test_a_paused_endpoint_and_a_full_one_let_go(tmp_path: Path) -> None:
    """Retry-After of an hour; and forty calls where one may be in flight."""
    wait = http(429, "slow down", retry_after=3600)
    for step in (wait, Step(headers={"x-hang": "1"})):
        one = LimitSettings(max_in_flight=1, start_in_flight=1)
        async with HttpServer([step]) as server, door(tmp_path, server.url, 0.0, one) as models:
            ends, _ = await halted(models, server, 40, 1)
            assert [type(end) for end in ends] == [HaltedError] * 40


async def test_what_is_in_flight_may_end_and_is_kept(tmp_path: Path) -> None:
    async with HttpServer([say("late").after(0.6)]) as server, door(tmp_path, server.url) as models:
        ends, _ = await halted(models, server, 2, 2)
        assert [end[0].text for end in ends] == ["late", "late"]
        models.halt(None)
        again = await models.complete("judge", ASK, call=Call(item="i0", purpose="test"))
        assert again[0].text == "late" and len(server.log) == 2


async def test_what_is_in_flight_is_dropped_after_the_grace(tmp_path: Path) -> None:
    async with HttpServer([Step(headers={"x-hang": "1"})]) as server, door(tmp_path, server.url, 0.3) as models:
        ends, seconds = await halted(models, server, 2, 2)
        assert [type(end) for end in ends] == [HaltedError] * 2 and seconds >= 0.25


async def test_calls_that_wait_for_money_let_go(tmp_path: Path) -> None:
    budget = BudgetSettings(tokens=6000)  # room for one worst case
    async with (
        HttpServer([Step(headers={"x-hang": "1"})]) as server,
        door(tmp_path, server.url, 0.2, budget=budget) as models,
    ):
        ends, _ = await halted(models, server, 3, 1)
        assert [type(end) for end in ends] == [HaltedError] * 3


def test_a_wrong_clock_makes_no_long_wait() -> None:
    """Retry-After as a date is read by the server's clock, whatever ours says."""
    headers = {"retry-after": "Wed, 02 Dec 2026 10:00:05 GMT", "date": "Wed, 02 Dec 2026 10:00:00 GMT"}
    for now in (0.0, 1.8e9, 4e9):
        assert retry_after(headers, now) == 5.0
    assert retry_after({"retry-after": headers["retry-after"], "date": "yesterday"}, 0.0) is None
