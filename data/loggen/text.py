"""The words of a turn. In: a user, a session plan, a wording split. Out: the human text and what it really names.

Decides no reaction and writes no record.
"""

import math

from . import wording as words
from .plan import draw_numbers


def count_words(text):
    return len(text.split())


class Writer:
    """Words for the turns of one session. Tracks what a text names, which is its specificity."""

    def __init__(self, user, session, split, rng):
        self.user, self.session, self.split, self.rng = user, session, split, rng
        self.project = words.PROJECTS[session["project"]]

    def pick(self, block):
        return self.rng.choice([x for half in words.halves_of(self.split) for x in block[half]])

    def flag(self, name):
        return self.rng.random() < self.user["style"][name]

    def technical(self):
        return self.rng.random() < self.user["traits"]["expertise"]

    def named(self, technical, turn):
        names = self.project[technical]
        return names[self.session["things"][turn["thing"] % 3] % len(names)]

    def path(self):
        return next(name.strip("`") for name in self.project[True] if "." in name and "(" not in name)

    def thing(self, level, turn):
        technical = turn["technical"]
        if level == 0:
            return self.rng.choice(words.PRONOUNS)
        if level == 1:
            return self.rng.choice(words.GOALS[technical])
        return self.named(technical, turn)

    def rule(self, level, fact, technical):
        if fact is None:
            return self.rng.choice(words.SOFT_CHANGES)
        entry = words.RULES[fact["rule"]]
        if level < 3:
            return entry[3]
        return entry[1 if technical else 2].format(**fact["numbers"])

    def template(self, block, turn, level, with_rule):
        """A template of about the wanted length and of the wanted register."""
        options, weights = [], []
        for style, text in words.bank(block, self.split):
            if style and (style == "T") != turn["technical"]:
                continue
            if "{r}" in text and not with_rule:
                continue
            size = count_words(text.replace("{r}", "a b c d e").replace("{t}", "a b"))
            weight = math.exp(-1.1 * abs(math.log(size / min(max(turn["target"], 2), 14))))
            weight *= 1.5 if style else 1
            if level >= 1 and "{" in text:
                weight *= 1 + 0.6 * level
            if level == 0 and "{t}" in text:
                weight *= 0.5
            options.append(text)
            weights.append(weight)
        return self.rng.choices(options, weights)[0]

    def filler(self, specific, turn, told):
        """Background that was not yet told in this turn (`told` is kept up)."""
        technical = self.technical()
        lead = "" if told and self.rng.random() < 0.7 else self.pick(words.FILLER_LEADS)
        body = self.pick(words.FILLER[(technical, specific)])
        for _ in range(8):
            if body not in told:
                break
            body = self.pick(words.FILLER[(technical, specific)])
        told.add(body)
        return lead + body.format(x=self.named(technical, turn), **draw_numbers(self.rng))

    def sentence(self, text, first):
        text = text.strip()
        lower = self.flag("lowercase_start") if first else self.user["style"]["lowercase_start"] > 0.5
        if lower or text[:1] in "`-*":
            return text
        return text[:1].upper() + text[1:]

    def foreign(self, turn, opening):
        block = words.FOREIGN[self.user["language"]]
        text = self.rng.choice(block["opening" if opening else turn["reaction"]])
        level = 2 if "{t}" in text else 0
        text = text.replace("{t}", self.named(True, turn))
        return {"text": self.sentence(text, True), "specificity": level, "facts": [], "technical": level == 2}

    def turn(self, turn, opening):
        """{text, specificity, facts, technical}: the human text of a planned turn and what it came to."""
        if self.user["language"] != "en":
            return self.foreign(turn, opening)
        reaction, level = turn["reaction"], turn["level"]
        facts, extra, named, stated = list(turn["facts"]), [], 0, []
        carries = reaction in ("new_request", "correct", "answer", "change_requirement")
        if opening:
            block = words.OPENINGS[turn["intent"]] if level else words.VAGUE_OPENINGS
        else:
            block = words.REACTIONS[reaction]
        # a rule slot is filled by a fact; corrections and changes may also be soft
        usable = bool(facts) or reaction == "change_requirement" or (level in (1, 2) and reaction == "correct")
        core = self.template(block, turn, level, usable and not opening)
        fact_ids = iter(facts)
        if "{r}" in core:
            used = next(fact_ids, None)
            core = core.replace("{r}", self.rule(level, self.session["facts"].get(used), turn["technical"]))
            named = max(named, 3 if level == 3 and used else min(level, 1))
            if level == 2 and "{t}" not in core:
                core += (" for " if reaction in ("answer", "clarify") else " in ") + "{t}"
            if used:
                stated.append(used)
        if "{t}" in core:
            core = core.replace("{t}", self.thing(level, turn))
            named = max(named, min(level, 2))
        for fact in fact_ids:
            rule = self.rule(level, self.session["facts"][fact], turn["technical"])
            extra.append(self.pick(words.FACT_SENTENCES).replace("{r}", rule))
            named = max(named, 3 if level == 3 else 1)
            stated.append(fact)
        if reaction == "report_failure" and level == 3:
            block = {half: table[turn["technical"]] for half, table in words.FAILURE_DETAILS.items()}
            extra.append(self.pick(block).format(**draw_numbers(self.rng)))
            named = 3
        core = self.manners(core, carries, opening, extra)
        bullets = [piece for piece in extra if piece[:1] in "-*"]
        pieces = [core, *(piece for piece in extra if piece[:1] not in "-*")]
        size = sum(count_words(piece) for piece in pieces + bullets)
        told = set()
        while size < turn["target"] - 6:
            specific = level == 3 and (carries or reaction == "report_failure" or self.rng.random() < 0.5)
            piece = self.filler(specific, turn, told)
            if specific:
                named = 3
            pieces.append(piece)
            size += count_words(piece)
        text = self.join(pieces + bullets)
        fence = self.fence(turn, level)
        if fence:
            text += "\n\n```\n" + fence + "\n```"
            named = 3
        technical = turn["technical"] or bool(fence)
        return {"text": text, "specificity": named, "facts": stated, "technical": technical}

    def manners(self, core, request, opening, extra):
        """The core with the question form, the greeting or the thanks that this user is given to."""
        first = core.split()[0]
        if request and first in words.IMPERATIVES and "?" not in core and self.flag("question_rate"):
            core = self.pick(words.QUESTION_HEADS) + core + "?"
        elif (
            request
            and not extra
            and core[-1] not in "?.:`"
            and self.rng.random() < 0.2 * self.user["style"]["question_rate"]
        ):
            core += self.pick(words.QUESTION_TAILS)
        if request and self.flag("politeness"):
            if self.rng.random() < 0.5:
                head = self.pick(words.POLITE_HEADS)
                greeting = head.endswith(", ")
                if (greeting and opening) or (not greeting and first in words.IMPERATIVES and not core.endswith("?")):
                    core = head + core
            elif core[-1] not in "?.:":
                core += self.pick(words.POLITE_TAILS)
        return core

    def join(self, pieces):
        out = ""
        for i, piece in enumerate(pieces):
            piece = self.sentence(piece, i == 0)
            if i == 0:
                out = piece
            elif piece[:1] in "-*":
                out += "\n" + piece
            else:
                out += ("" if out[-1] in "?.:!" else ".") + " " + piece
        if self.flag("final_period") and out[-1] not in "?.:!`":
            out += "."
        return out

    def fence(self, turn, level):
        """A pasted trace or snippet: technical turns that are exact, by the user's habit."""
        if level < 2 or not turn["technical"]:
            return None
        numbers = draw_numbers(self.rng)
        if turn["reaction"] == "report_failure" and turn["fence"] < 0.5:
            return self.pick(words.TRACES).format(p=self.path(), **numbers)
        if turn["reaction"] in ("new_request", "correct") and turn["fence"] < self.user["style"]["code_fences"]:
            return self.rng.choice(words.SNIPPETS).format(**numbers)
        return None
