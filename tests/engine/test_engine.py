"""The engine runs everything once, within its bounds, and stops cleanly."""

import asyncio
import gc

import pytest

from autointeract.engine import Engine, EngineSettings
from autointeract.errors import BudgetError


def run(engine, items, work, done=lambda item, result: None):
    return asyncio.run(engine.map(items, work, done))


def test_every_item_runs_once_and_never_more_than_allowed_at_a_time():
    now, most, seen = 0, 0, []

    async def work(item):
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.001 * (item % 3))
        now -= 1
        return item * 2

    stop = run(
        Engine(EngineSettings(concurrency=5)), range(100), work, lambda item, result: seen.append((item, result))
    )
    assert stop is None
    assert sorted(seen) == [(item, item * 2) for item in range(100)]
    assert most == 5


def test_items_are_drawn_only_when_there_is_room():
    drawn, finished = 0, 0

    def source():
        nonlocal drawn
        for item in range(1000):
            drawn += 1
            assert drawn - finished <= 4
            yield item

    async def work(item):
        await asyncio.sleep(0)

    def done(item, result):
        nonlocal finished
        finished += 1

    run(Engine(EngineSettings(concurrency=3)), source(), work, done)
    assert finished == 1000


def test_a_spent_budget_stops_the_intake_and_keeps_what_finished():
    kept = []

    async def work(item):
        if item == 5:
            raise BudgetError("budget of 1.00 is spent")
        return item

    stop = run(Engine(EngineSettings(concurrency=1)), range(100), work, lambda item, result: kept.append(item))
    assert stop is not None
    assert "budget" in stop.reason
    assert kept == [0, 1, 2, 3, 4]


def test_a_bug_in_the_work_is_raised_and_cancels_the_rest():
    cancelled = []

    async def work(item):
        if item == 3:
            raise ValueError("bug")
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            cancelled.append(item)
            raise

    with pytest.raises(ValueError, match="bug"):
        run(Engine(EngineSettings(concurrency=4)), range(4), work)
    assert sorted(cancelled) == [0, 1, 2]


def test_a_requested_stop_lets_what_is_in_flight_finish():
    engine = Engine(EngineSettings(concurrency=2))
    kept = []

    async def work(item):
        if item == 1:
            engine.request_stop("SIGINT")
        await asyncio.sleep(0.01)

    stop = run(engine, range(100), work, lambda item, result: kept.append(item))
    assert stop is not None
    assert stop.reason == "SIGINT"
    assert sorted(kept) == [0, 1]


def test_done_can_ask_for_no_more():
    kept = []

    async def work(item):
        return item

    def done(item, result):
        kept.append(item)
        return len(kept) >= 10

    stop = run(Engine(EngineSettings(concurrency=1)), range(100), work, done)
    assert stop is None
    assert kept == list(range(10))


def test_enough_cancels_what_is_in_flight():
    kept, cancelled = [], []

    async def work(item):
        try:
            await asyncio.sleep(0 if item == 0 else 30)
        except asyncio.CancelledError:
            cancelled.append(item)
            raise

    def done(item, result):
        kept.append(item)
        return True

    assert run(Engine(EngineSettings(concurrency=3)), range(100), work, done) is None
    assert kept == [0] and 1 <= len(cancelled) <= 2


@pytest.mark.parametrize(("concurrency", "wanted", "most"), [(None, 7, 7), (None, None, 64), (3, 7, 3)])
def test_settings_decide_before_the_stage_does(concurrency, wanted, most):
    now, seen = 0, 0

    async def work(item):
        nonlocal now, seen
        now += 1
        seen = max(seen, now)
        await asyncio.sleep(0.01)
        now -= 1

    options = {} if wanted is None else {"wanted": wanted}
    engine = Engine(EngineSettings(concurrency=concurrency))
    assert asyncio.run(engine.map(range(200), work, lambda *_: None, **options)) is None
    assert seen == most


def test_replies_are_read_while_many_items_begin():
    """An item that needs two turns of the loop ends before the last of many has begun."""
    begun, order = [], []

    async def work(item):
        begun.append(item)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        order.append(len(begun))

    run(Engine(EngineSettings(concurrency=50)), range(50), work)
    assert order[0] < 10


def test_the_collector_is_left_as_it_was():
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    during = []

    async def work(item):
        during.append(gc.get_threshold())
        raise ValueError("bug")

    with pytest.raises(ValueError, match="bug"):
        run(Engine(EngineSettings()), range(1), work)
    assert gc.get_threshold() == before != during[0] and gc.get_freeze_count() <= frozen
