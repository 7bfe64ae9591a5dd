"""The plan of a session: what happens, before any words. In: a user, a seed. Out: reactions, levels, lengths, facts.

It is the same for every wording split.
"""

import math

from . import wording as words
from .users import INTENTS, stream

PUSHBACK = ("correct", "reject", "report_failure")


def draw_reaction(rng, user, last):
    rates, x = user["rates"], rng.random()
    if x < rates["pushback"]:
        return rng.choices(PUSHBACK, (4, 2, 3))[0]
    x -= rates["pushback"]
    if x < rates["requirement_change"]:
        return "change_requirement"
    if last and rng.random() < 0.6:
        return "end"
    names = ("accept", "new_request", "answer", "clarify", "vague")
    return rng.choices(names, (3, 3.2, 1.6, 1.3, 0.2 + 1.4 * user["traits"]["vagueness"]))[0]


def draw_numbers(rng):
    return {
        "n": rng.randint(10, 90),
        "m": rng.randint(100, 900),
        "a": rng.randint(2, 5),
        "b": rng.randint(6, 9),
        "h": rng.randint(7, 21),
    }


def plan_session(user, seed, index, number):
    """Reactions, levels, lengths and facts of one session."""
    rng = stream(seed, "plan", index, number)
    expertise = user["traits"]["expertise"]
    turns = rng.randint(4, 9)
    intent = rng.choices(INTENTS, [user["intents"][name] for name in INTENTS])[0]
    rules = rng.sample(range(len(words.RULES)), 14)
    count = 3 + round(4 * user["traits"]["verbosity"] * rng.random()) + rng.randint(0, 1)
    facts = {f"f{i + 1}": {"rule": rules[i], "numbers": draw_numbers(rng)} for i in range(len(rules))}
    hidden = [f"f{i + 1}" for i in range(count)]
    spare = [f"f{i + 1}" for i in range(count, len(rules))]
    stated, plan = [], []
    for k in range(turns):
        reaction = "new_request" if k == 0 else draw_reaction(rng, user, k == turns - 1)
        level = min(max(round(user["rates"]["mean_specificity"] + rng.gauss(0, 0.7)), 0), 3)
        spread = rng.gauss(0, 0.4)
        target = user["rates"]["words"] * math.exp(spread - 0.08)
        state, supersedes = [], []
        if level and k == 0:
            take = max(round(user["reveal_pace"] * count), 0)
            state, hidden = hidden[:take], hidden[take:]
        elif level and reaction in ("new_request", "answer"):
            state, hidden = hidden[:1], hidden[1:]
        elif level and reaction == "correct" and stated:
            state = [rng.choice(stated)]
        elif level and reaction == "change_requirement" and spare:
            state = [spare.pop(0)]
            supersedes = [stated.pop(rng.randrange(len(stated)))] if stated else []
        stated += [f for f in state if f not in stated]
        if k == 0 or reaction in ("correct", "change_requirement", "new_request", "answer", "reject"):
            aim = intent
            if reaction == "new_request" and k and rng.random() < 0.3:
                aim = rng.choices(INTENTS, [user["intents"][name] for name in INTENTS])[0]
        else:
            aim = {"clarify": "understand", "report_failure": "debug"}.get(reaction, "other")
        plan.append(
            {
                "reaction": reaction,
                "level": level,
                "target": target,
                "facts": state,
                "supersedes": supersedes,
                "intent": aim,
                "technical": rng.random() < expertise,
                "tools": rng.randint(1, 2),
                "thing": rng.randrange(100),
                "interrupt": reaction in ("correct", "reject") and rng.random() < 0.25,
                "channel": rng.random(),
                "fence": rng.random(),
            }
        )
    return {
        "project": rng.choice(sorted(words.PROJECTS)),
        "intent": intent,
        "facts": facts,
        "count": count,
        "turns": plan,
        "things": rng.sample(range(6), 3),
        "day": number * 2 + rng.random(),
        "extras": [rng.random() for _ in range(8)],
    }
