"""The simulated solvers: difficulty is directness, and nothing private reaches an answer."""

from random import Random

import pytest

from autointeract.models import Call
from autointeract.models.simulated import book as answer_book
from autointeract.models.simulated.solvers import solve
from autointeract.records import Submission
from autointeract.symbolic.forms import by_example, paraphrase
from synthesis_world import InProcess, assistant, door, sample_tasks, user, workspace

TASKS = sample_tasks(24)


def turns(task, direct: float, seed: int = 0) -> list[str]:
    """A conversation that states the share `direct` of the facts word for word and the rest indirectly."""
    random = Random(seed)
    lines = []
    for number, fact in enumerate(task.facts):
        if number < round(direct * len(task.facts)):
            lines.append(fact.text)
        elif random.random() < 0.5:
            lines.append(by_example(fact.text, "`f(1)` comes out as `2`"))
        else:
            lines.append(paraphrase(fact.text, random))
    return [f"write {task.interface}", "\n".join(lines)]


async def mean(level: str, direct: float, keep: float = 1.0) -> float:
    judge = InProcess()
    scores = []
    for task in TASKS:
        said = turns(task, direct)
        said[1] = "\n".join(said[1].split("\n")[: round(keep * len(task.facts))])
        for seed in range(3):
            text = f"```python\n{solve(task, said, level, seed * 97)}```"
            verdict = await judge.verify(task.verifier, Submission(text=text))
            scores.append(verdict.score or 0.0)
    return sum(scores) / len(scores)


@pytest.mark.parametrize("level", ["weak", "strong"])
async def test_more_directness_and_more_facts_make_it_easier(level):
    by_directness = [await mean(level, share) for share in (0.0, 0.4, 0.7, 1.0)]
    assert by_directness == sorted(by_directness)
    by_amount = [await mean(level, 1.0, keep) for keep in (0.0, 0.4, 0.7, 1.0)]
    assert by_amount == sorted(by_amount) and by_amount[-1] - by_amount[0] > 0.3


async def test_the_strong_solver_understands_what_the_weak_one_does_not():
    assert await mean("weak", 0.0) < 0.4
    assert await mean("strong", 0.0) > 0.7
    assert await mean("weak", 1.0) > 0.7


async def test_equal_role_messages_and_call_give_equal_replies_whatever_is_private(tmp_path):
    """Two items that differ in everything private (profile, guidance, plan, scenario) look the same to a solver."""
    where = workspace(tmp_path, TASKS)
    task = TASKS[0]
    visible = [user(turns(task, 0.5)[0]), assistant("ok"), user(turns(task, 0.5)[1])]
    call = Call(item="i", round=1, turn=2, purpose="weak")
    for role in ("weak", "strong", "assistant"):
        texts = set()
        for folder in ("a", "b"):
            async with door(tmp_path / folder, 5, where.root / "tasks") as models:
                texts.add((await models.complete(role, visible, call=call))[0].text)
        assert len(texts) == 1


async def test_only_messages_call_and_book_reach_a_responder(tmp_path):
    from autointeract.models.simulated.registry import SimulatedRequest

    assert set(SimulatedRequest.model_fields) == {
        "role", "model", "messages", "variables", "system", "tools", "seed", "book"
    }  # fmt: skip


def test_the_book_finds_tasks_by_name_and_by_words():
    book = answer_book.Book(TASKS)
    for task in TASKS:
        assert book.find([f"write {task.interface}"], 0) is task
        assert book.find([fact.text for fact in task.facts], 0) is task
    assert book.find(["hello there"], 0) is None


def test_equal_names_are_told_apart_by_facts_and_ties_by_seed():
    twins = [task.model_copy(update={"entry_point": "solve", "interface": "`solve(x)`"}) for task in TASKS[:6]]
    book = answer_book.Book(twins)
    for twin in twins:
        assert book.find(["write `solve(x)`", twin.facts[0].text, twin.facts[1].text], 0) is twin
    found = {book.find(["write `solve(x)`"], seed).task_id for seed in range(40)}  # type: ignore[union-attr]
    assert len(found) > 1
