"""The band: early stopping never changes a verdict, and draws as little as a rejection needs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autointeract.models import Call, Reply, Usage
from autointeract.records import Submission, Verdict
from autointeract.synthesis.difficulty import fails, next_batch, programs, sample
from autointeract.synthesis.settings import BandSettings
from autointeract.synthesis.usage import UsedTokens
from synthesis_world import user

BAND = BandSettings()
CALL = Call(item="i", purpose="weak")


class Fake:
    """A solver whose samples score what a list says; records which were drawn."""

    def __init__(self, scores: list[float | None]):
        self.scores, self.drawn = scores, []

    async def complete(self, role: str, messages: Any, *, call: Call, **_: Any) -> list[Reply]:
        self.drawn.append(call.turn)
        return [Reply(text=str(call.turn), usage=Usage(calls=1, completion_tokens=5))]

    async def judge(self, submission: Submission, call: Call) -> Verdict:
        score = self.scores[int(submission.text or "")]
        fault = None if score is not None else "sandbox"
        return Verdict(score=score, fault=fault, status="ok" if score is not None else "fault")


async def draw(solver, scores, **options):
    fake, used = Fake(scores), UsedTokens()
    models: Any = fake
    how = programs(models, solver, [user("x")], fake.judge, CALL, used)
    return await sample(solver, how, BAND, **options), fake, used


LEVELS = st.sampled_from([0.0, 0.2, 0.4, 0.5, 0.7, 1.0])


@given(
    st.sampled_from(["weak", "strong"]),
    st.lists(LEVELS, min_size=3, max_size=3),
)
async def test_early_stopping_changes_no_verdict(solver, scores):
    early, _fake, _ = await draw(solver, scores)
    everything, _, _ = await draw(solver, scores, stop=False)
    assert fails(solver, early.scores, BAND) == fails(solver, everything.scores, BAND)
    assert early.scores == everything.scores[: len(early.scores)]
    if not fails(solver, everything.scores, BAND):
        assert len(early.scores) == BAND.samples  # accepted rows hold all samples
    mean = sum(everything.scores) / 3
    expected = mean > 0.4 + 1e-9 if solver == "weak" else mean < 0.7 - 1e-9
    assert fails(solver, everything.scores, BAND) == expected


@pytest.mark.parametrize(
    ("solver", "scores", "drawn"),
    [
        ("weak", [1.0, 1.0, 0.0], 2),
        ("weak", [0.0, 0.4, 0.4], 3),
        ("strong", [0.0, 1.0, 1.0], 1),
        ("strong", [1.0, 0.0, 1.0], 2),
    ],
)
async def test_as_few_samples_as_a_rejection_needs(solver, scores, drawn):
    _, fake, used = await draw(solver, scores)
    assert len(fake.drawn) == drawn
    assert used.view()[solver]["calls"] == drawn


async def test_an_unknown_score_is_a_fault_and_no_score():
    found, _, _ = await draw("strong", [1.0, None, 1.0])
    assert found.fault == "sandbox" and found.scores == [1.0]
    assert found.responses[-1]["verdict"]["score"] is None


def test_batches():
    assert next_batch("weak", [], BAND) == 2 and next_batch("weak", [1.0], BAND) == 1
    assert next_batch("strong", [], BAND) == 1
    assert next_batch("weak", [], BandSettings(early_stop=False)) == 3
