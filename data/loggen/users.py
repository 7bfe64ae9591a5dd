"""Generated users: planted traits, the rates they cause, style. In: count, seed. Out: one dict a user. No text."""

import random

from . import wording as words

TRAITS = ("expertise", "vagueness", "pushback", "requirement_change", "verbosity")
INTENTS = ("create", "refactor", "debug", "understand", "connect", "git", "test", "other")
SYLLABLES = (
    "ba",
    "ce",
    "do",
    "fi",
    "ga",
    "hu",
    "ka",
    "lo",
    "mi",
    "ne",
    "or",
    "pa",
    "ri",
    "sa",
    "te",
    "vu",
    "wo",
    "ya",
    "zu",
    "el",
)


def stream(*parts):
    """A random stream of its own for each purpose, so that drawing more in one place moves nothing elsewhere."""
    return random.Random("/".join(str(part) for part in parts))


def user_name(index):
    """A distinct generated name per index."""
    n, size = len(SYLLABLES), len(SYLLABLES) ** 2
    a, b = divmod((index * 37 + 11) % size, n)
    return SYLLABLES[a] + SYLLABLES[b] + SYLLABLES[(index // size + a + b) % n] + ("" if index < size else str(index))


def draw_users(count, seed, foreign=0.0):
    """The users with their traits: mildly correlated latents, turned into ranks, so that each trait covers [0, 1]."""
    rng = stream(seed, "traits")
    latents = []
    for _ in range(count):
        e, v, p, c, w = (rng.gauss(0, 1) for _ in TRAITS)
        latents.append((e, v - 0.35 * e, p + 0.15 * e, c + 0.15 * v, w - 0.15 * v + 0.1 * c))
    columns = []
    for axis in range(len(TRAITS)):
        order = sorted(range(count), key=lambda i: latents[i][axis])
        column = [0.0] * count
        for rank, i in enumerate(order):
            column[i] = round(0.02 + 0.96 * (rank + rng.random()) / count, 4)
        columns.append(column)
    users = []
    for i in range(count):
        own = stream(seed, "user", i)
        traits = {name: columns[axis][i] for axis, name in enumerate(TRAITS)}
        weights = [own.gammavariate(0.7, 1) * share for share in (3, 1.5, 2.5, 1, 0.7, 0.7, 1.2, 0.7)]
        language = own.choice(sorted(words.FOREIGN)) if own.random() < foreign else "en"
        users.append({
            "name": user_name(i),
            "traits": traits,
            "rates": {
                "pushback": round(0.03 + 0.5 * traits["pushback"], 4),
                "requirement_change": round(0.01 + 0.48 * traits["requirement_change"], 4),
                "mean_specificity": round(3 * (1 - traits["vagueness"]), 4),
                "words": round(6 * 20 ** traits["verbosity"], 2),
            },
            "style": {
                "lowercase_start": round(own.choice([own.uniform(0, 0.15), own.uniform(0.7, 1)]), 3),
                "politeness": round(own.betavariate(1, 2.5), 3),
                "question_rate": round(own.betavariate(1, 2.5), 3),
                "code_fences": round(0.45 * own.random() * (0.3 + 0.7 * traits["expertise"]), 3),
                "final_period": round(own.choice([own.uniform(0, 0.3), own.uniform(0.6, 1)]), 3),
            },
            "intents": {name: round(w / sum(weights), 4) for name, w in zip(INTENTS, weights, strict=True)},
            "reveal_pace": round(min(max(0.9 - 0.5 * traits["vagueness"] + own.gauss(0, 0.2), 0.05), 1.0), 3),
            "language": language,
        })  # fmt: skip
    return users
