"""Mutants: the same behaviour in other words, and faults that are nested and graded."""

import ast

from hypothesis import given
from hypothesis import strategies as st

from autointeract.models.simulated.mutants import likeness, mutant, own_words
from autointeract.records import Submission
from synthesis_world import InProcess, sample_tasks


async def score(task, code: str) -> float:
    verdict = await InProcess().verify(task.verifier, Submission(text=f"```python\n{code}```"))
    assert verdict.score is not None
    return verdict.score


async def test_own_words_keep_behaviour_and_change_the_text():
    changed = 0
    for task in sample_tasks():
        code = task.reference["code"]
        assert await score(task, own_words(code)) == 1.0
        changed += own_words(code).strip() != ast.unparse(ast.parse(code)).strip()
    assert changed > 50


async def test_more_faults_score_less_on_average():
    tasks = sample_tasks(20)
    means = []
    for faults in range(4):
        scores = [await score(task, mutant(task.reference["code"], seed, faults)) for task in tasks for seed in (0, 1)]
        means.append(sum(scores) / len(scores))
    assert means[0] == 1.0
    assert means[0] > means[1] > means[2] > means[3] > 0.0


def test_likeness_counts_lines_and_forgives_names():
    code = "def f(a):\n    total = a + 1\n    return total\n"
    assert likeness(code, "def f(a):\n    other = a + 1\n    return other\n") == 0
    assert likeness(code, "def f(a):\n    other = a - 1\n    return other\n") == 1


@given(st.text(), st.integers(0, 9), st.integers(0, 4))
def test_any_text_comes_back(code, seed, faults):
    assert mutant(code, seed, faults) == mutant(code, seed, faults)
