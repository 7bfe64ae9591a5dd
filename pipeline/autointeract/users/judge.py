"""The six-aspect judge of one simulated turn: five aspects by a model, length (and surface, as feedback) by counting.

overall = weighted mean of intent, reaction, length, specificity, persona, realism, each in [0, 1] (methods A1; the
aspects are the paper's, equal weights and the counted length are ours). An unusable simulated turn scores 0 with the
fault as feedback; an unusable verdict scores null and is left out of means.
"""

import math
from typing import Any

from pydantic import Field

from autointeract import prompts
from autointeract.models import Call, Usage
from autointeract.models.door import Models
from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest, for_prompt
from autointeract.records import Message, Record, canonical_json, rng
from autointeract.users import rules
from autointeract.users.measures import expertise_score
from autointeract.users.surface import content_words, count_words, style
from autointeract.users.turns import TypedTurn

ASPECTS = ("intent", "reaction", "length", "specificity", "persona", "realism")


class TurnVerdict(Record):
    """What the judge says about one pair; each score in [0, 1]."""

    intent: float = Field(ge=0, le=1)
    reaction: float = Field(ge=0, le=1)
    specificity: float = Field(ge=0, le=1)
    persona: float = Field(ge=0, le=1)
    realism: float = Field(ge=0, le=1)
    differences: str = ""


class Judged(Record):
    """The outcome for one pair.

    Attributes:
        score: overall, in [0, 1]; null when the judge gave no usable verdict.
        aspects: the six scores ({} when there is none).
        feedback: differences in words, the counted ones included.
        usage: tokens of the verdict used.
    """

    score: float | None
    aspects: dict[str, float] = {}
    feedback: str = ""
    usage: Usage = Usage()
    fault: str | None = None


PROMPT = prompts.load("judge_turn", ("profile", "conversation", "real", "simulated"), TurnVerdict)


def length_score(real: str, simulated: str) -> float:
    """1 for equal word counts, falling with the log ratio; 0 from a factor of 16 on."""
    ratio = math.log1p(count_words(simulated)) - math.log1p(count_words(real))
    return max(0.0, 1.0 - abs(ratio) / math.log(16))


def counted_differences(real: str, simulated: str) -> list[str]:
    """Length and surface differences in words, without naming anything of the conversation."""
    mine, theirs = count_words(simulated), count_words(real)
    found = []
    if mine > 2 * theirs + 3:
        found.append(f"Too long: {mine} words where the person typed {theirs}.")
    elif theirs > 2 * mine + 3:
        found.append(f"Too short: {mine} words where the person typed {theirs}.")
    told = {
        "polite": "courtesy", "lowercase_start": "a lower-case start", "code_fence": "a code block", "list": "a list",
        "exclamation": "an exclamation mark", "question": "a question", "em_dash": "a long dash",
        "no_final_mark": "an open end (no final mark)",
    }  # fmt: skip
    have, want = style(simulated), style(real)
    for name, words in told.items():
        if have[name] > want[name]:
            found.append(f"The simulated message has {words}, the real one has not.")
        elif have[name] < want[name] and name in ("lowercase_start", "question", "code_fence", "no_final_mark"):
            found.append(f"The real message has {words}, the simulated one has not.")
    return found


async def judge(
    models: Models, *, profile: str | None, prefix: list[Message], real: str, simulated: str, weights: dict[str, float],
    call: Call,
) -> Judged:  # fmt: skip
    """The verdict on one pair.

    Raises:
        ProviderError, BudgetError: from the door.
    """
    variables = {
        "profile": profile, "conversation": [{"role": item.role, "content": item.content} for item in prefix],
        "real": real, "simulated": simulated,
    }  # fmt: skip
    reply = (await models.complete("judge", PROMPT.render(variables), reply=TurnVerdict, call=call))[0]
    if reply.value is None:
        return Judged(score=None, fault=reply.fault, usage=reply.usage)
    scores = reply.value.model_dump()
    aspects = {name: round(length_score(real, simulated) if name == "length" else scores[name], 4) for name in ASPECTS}
    total = sum(weights[name] for name in ASPECTS)
    score = sum(weights[name] * aspects[name] for name in ASPECTS) / total
    feedback = " ".join([reply.value.differences.strip(), *counted_differences(real, simulated)]).strip()
    return Judged(score=round(score, 6), aspects=aspects, feedback=feedback, usage=reply.usage)


@for_prompt("judge_turn")
def _simulated(request: SimulatedRequest) -> SimulatedReply:
    """A judge by rules: labels both messages and compares; a little seeded noise, as real judges have."""
    data = request.variables or {}
    before = "\n".join(item["content"] for item in data["conversation"][-1:] if item["role"] == "assistant")
    real, mine = (_turn(data[name], before) for name in ("real", "simulated"))
    a, b = rules.label(real), rules.label(mine)
    draw = rng("judge_turn", request.seed)
    topic = _overlap(real.text, mine.text)
    marks_a, marks_b = style(real.text), style(mine.text)
    # Of the marks that either has, how many both have: most marks are absent nearly always, which says nothing.
    present = sum(marks_a.values()) + sum(marks_b.values())
    same = 2 * sum(min(marks_a[name], marks_b[name]) for name in marks_a) / present if present else 1.0
    scores = {
        "intent": 0.7 * (a.intent == b.intent) + 0.3 * topic,
        "reaction": 1.0 if a.reaction == b.reaction else 0.25,
        "specificity": 1.0 - abs(a.specificity - b.specificity) / 3,
        "persona": 0.6 * same + 0.4 * (1.0 - abs(expertise_score(real.text) - expertise_score(mine.text))),
        "realism": max(0.0, 1.0 - 0.4 * _assistant_like(mine.text) - 0.3 * (not mine.text.strip())),
    }  # fmt: skip
    noisy = {name: round(min(max(value + draw.uniform(-0.03, 0.03), 0.0), 1.0), 3) for name, value in scores.items()}
    said = []
    if a.reaction != b.reaction:
        said.append(f"The person's turn is {a.reaction}, the simulated one {b.reaction}.")
    if abs(a.specificity - b.specificity) > 1:
        said.append("Say " + ("less" if b.specificity > a.specificity else "more") + " detail.")
    if _assistant_like(mine.text) > _assistant_like(real.text):
        said.append("It sounds like an assistant, not like a person.")
    return SimulatedReply(text=canonical_json({**noisy, "differences": " ".join(said)}))


def _turn(text: str, before: str) -> TypedTurn:
    return TypedTurn(index=1, number=1, text=text, kind="human", before=before, acted=True, reactive=True)


def _overlap(left: str, right: str) -> float:
    a, b = content_words(left), content_words(right)
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0


def _assistant_like(text: str) -> int:
    phrases = ("certainly", "i'd be happy", "as an ai", "here is", "great question", "let me know if", "i understand")
    return sum(phrase in text.lower() for phrase in phrases)


def as_feedback(judged: Judged) -> dict[str, Any]:
    """What an optimiser's reflection may read."""
    return {"score": judged.score, "aspects": judged.aspects, "feedback": judged.feedback}
