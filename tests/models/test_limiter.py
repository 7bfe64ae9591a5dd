"""The limiter: nothing lost, no spike after a pause, concurrency comes back. Storms run against a real HTTP server.

`AUTOINTERACT_CHAOS_S` is the length of the storm in seconds (`make chaos`: 180).
"""

import asyncio
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.models.http_server import HttpServer

from autointeract.errors import ConfigError
from autointeract.models import Call, Models, ModelsSettings, RoleSettings
from autointeract.models.limiter import Limiter
from autointeract.models.settings import LimitSettings
from autointeract.models.simulated.scripted import Step, http, say
from autointeract.records import Message

ASK = [Message(role="user", content="x")]
STORM_S = float(os.environ.get("AUTOINTERACT_CHAOS_S", "3"))
SERVICE_S = 0.1
IN_FLIGHT = 64


def door(folder: Path, server: HttpServer, **limits: Any) -> Models:
    settings = LimitSettings(**{"max_in_flight": IN_FLIGHT, "start_in_flight": IN_FLIGHT, **limits})
    role = RoleSettings(model="m", api_base=server.url)
    return Models(ModelsSettings(default=role, limits=settings), folder=folder, seed=0)


def in_windows(times: list[float], width: float) -> list[int]:
    """Requests in each window of `width` seconds from the first one."""
    counts = [0] * (int((times[-1] - times[0]) / width) + 1) if times else []
    for moment in times:
        counts[int((moment - times[0]) / width)] += 1
    return counts


@pytest.mark.timeout(600)
@pytest.mark.parametrize("header", [True, False], ids=["retry-after", "bare"])
async def test_a_storm_of_429_loses_nothing_and_ends_without_a_spike(header: bool, tmp_path: Path) -> None:
    begin: list[float] = []
    end: list[float] = []

    def answer(_: dict[str, Any]) -> Step:
        now = time.monotonic()
        if not begin:
            begin.append(now)
        if 0.5 < now - begin[0] < 0.5 + STORM_S:
            return http(429, retry_after=1 if header else None)
        if now - begin[0] >= 0.5 and not end:
            end.append(now)
        return say("ok").after(SERVICE_S)

    items = 1500
    async with HttpServer(answer) as server, door(tmp_path, server, backoff_s=0.2, max_backoff_s=2.0) as models:
        replies = await asyncio.gather(
            *(models.complete("judge", ASK, call=Call(item=str(i), purpose="p")) for i in range(items))
        )
        assert [reply.text for (reply,) in replies] == ["ok"] * items
        log = server.log
        refused = sum(status == 429 for _, status, _ in log)
        assert len(log) == items + refused  # nothing was asked twice
        # The storm meets a few probes, not 64 clients that hammer.
        assert refused <= IN_FLIGHT + 4 * (STORM_S + 1) + IN_FLIGHT
        after = in_windows([at for at, _, _ in log if at >= end[0]], SERVICE_S)
        # Slow start: each window may at most double what came before; here with room for a window's edge.
        assert after[0] <= 8, after
        for number, count in enumerate(after):
            assert count <= min(2 * IN_FLIGHT, 4 * 2 ** (number + 1)), after
        assert max(after[:60]) >= 0.75 * IN_FLIGHT, after  # it recovers
        assert models.usage_report()["calls"] == items


async def test_a_steady_percent_of_429_does_not_strangle(tmp_path: Path) -> None:
    draw = random.Random(1)

    def answer(_: dict[str, Any]) -> Step:
        return http(429) if draw.random() < 0.01 else say("ok").after(0.02)

    async with HttpServer(answer) as server, door(tmp_path, server, backoff_s=0.02) as models:
        seen: list[float] = []

        async def one(i: int) -> None:
            await models.complete("judge", ASK, call=Call(item=str(i), purpose="p"))
            seen.append(models._line._limiters[server.url].limit)

        await asyncio.gather(*(one(i) for i in range(2000)))
    later = sorted(seen[700:])
    assert later[len(later) // 2] >= 20 and max(later) >= 40, (later[0], later[len(later) // 2], later[-1])


async def test_a_small_server_is_not_overrun(tmp_path: Path) -> None:
    """A server that refuses more than 8 at once is used well, and mostly without refusals."""
    server = HttpServer(lambda _: http(429) if server.open > 8 else say("ok").after(0.02))
    async with server, door(tmp_path, server, backoff_s=0.02, start_in_flight=4) as models:
        await asyncio.gather(*(models.complete("judge", ASK, call=Call(item=str(i), purpose="p")) for i in range(800)))
        refused = sum(status == 429 for _, status, _ in server.log)
    assert refused < 400, refused


async def test_requests_per_minute_are_spread(tmp_path: Path) -> None:
    async with HttpServer([say("ok")]) as server, door(tmp_path, server, requests_per_minute=1200) as models:
        await asyncio.gather(*(models.complete("judge", ASK, call=Call(item=str(i), purpose="p")) for i in range(30)))
        times = [at for at, _, _ in server.log]
    assert times[-1] - times[0] >= 29 * 0.05 * 0.9 and max(in_windows(times, 0.25)) <= 8


async def test_tokens_per_minute_are_spread(tmp_path: Path) -> None:
    async with HttpServer([say("ok")]) as server:
        role = RoleSettings(model="m", api_base=server.url, max_tokens=1000)
        limits = LimitSettings(tokens_per_minute=1_200_000)
        async with Models(ModelsSettings(default=role, limits=limits), folder=tmp_path, seed=0) as models:
            await asyncio.gather(*(models.complete("judge", ASK, call=Call(item=str(i), purpose="p"))
                                   for i in range(20)))  # fmt: skip
            times = [at for at, _, _ in server.log]
    assert times[-1] - times[0] >= 19 * 0.05 * 0.9


async def test_cancelled_waiters_give_their_places_back() -> None:
    limiter = Limiter(LimitSettings(max_in_flight=2, start_in_flight=2))
    held = [await limiter.acquire(), await limiter.acquire()]
    waiting = [asyncio.create_task(limiter.acquire()) for _ in range(10)]
    await asyncio.sleep(0)
    for task in waiting[:9]:
        task.cancel()
    limiter.release(held[0], "ok")
    limiter.release(await asyncio.wait_for(waiting[9], 1), "ok")
    waiting[0].cancel()
    limiter.release(held[1], "ok")
    assert limiter.busy == 0


async def test_endpoints_have_limits_of_their_own_and_roles_must_agree(tmp_path: Path) -> None:
    slow = LimitSettings(max_in_flight=2)
    async with HttpServer([say("x").after(0.01)]) as one, HttpServer([say("x").after(0.01)]) as two:
        settings = ModelsSettings(
            default=RoleSettings(model="m", api_base=one.url), strong=RoleSettings(api_base=two.url, limits=slow),
            weak=RoleSettings(api_base=two.url),
        )  # fmt: skip
        async with Models(settings, folder=tmp_path, seed=0) as models:
            for role in ("judge", "strong"):
                await asyncio.gather(
                    *(models.complete(role, ASK, call=Call(item=str(i), purpose="p")) for i in range(20))
                )
            assert two.most_open == 2 and one.most_open > 2
            with pytest.raises(ConfigError, match=r"models\.weak\.limits differ"):
                await models.complete("weak", ASK, call=Call(item="x", purpose="p"))


def test_open_files_are_allowed_for() -> None:
    program = """
import resource
from autointeract.models.files import allow_files
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 128))
allow_files(100)
assert resource.getrlimit(resource.RLIMIT_NOFILE) == (100, 128)
allow_files(50)
allow_files(1000)
assert resource.getrlimit(resource.RLIMIT_NOFILE) == (128, 128)
"""
    ended = subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": ":".join(sys.path)}, capture_output=True)
    assert ended.returncode == 0, ended.stderr
    assert b"only 128 open files" in ended.stderr


async def test_replicas_share_the_work_and_a_dead_one_loses_nothing(tmp_path: Path) -> None:
    async with HttpServer([say("one").after(0.05)]) as one, HttpServer([say("two").after(0.05)]) as two:
        role = RoleSettings(model="m", api_base=[one.url, two.url])
        limits = LimitSettings(max_in_flight=8, start_in_flight=8, backoff_s=0.05, retries=10)
        async with Models(ModelsSettings(default=role, limits=limits), folder=tmp_path, seed=0) as models:
            ask = [asyncio.create_task(models.complete("judge", ASK, call=Call(item=str(i), purpose="p")))
                   for i in range(100)]  # fmt: skip
            await asyncio.sleep(0.2)
            assert min(len(one.log), len(two.log)) >= 8
            await one.die()
            assert len(await asyncio.gather(*ask)) == 100
