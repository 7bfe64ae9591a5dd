"""How the simulated provider reflects: it reads the judge's feedback on the examples and adds one piece of advice.

It knows no more than the feedback says: each kind of complaint suggests an instruction in plain words, complaints that
are heard more often are more likely to be answered, and the seed of the call decides. Some advice does nothing for the
simulated user, as a real writer's would; it is for the search to find out. Nothing here knows which words the
simulated user listens to (`symbolic.manners`).
"""

import re
from collections.abc import Sequence

from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest, for_prompt
from autointeract.records import canonical_json, rng

ADVICE: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"Too long", (
        "When the person would type a line, type a line: shorten the message before you send it.",
        "Keep it short; stop when the point is made.",
    )),
    (r"Too short", ("When the person would explain, write the extra sentence or two that they would write.",)),
    (r"has courtesy, the real one has not", (
        "Leave out please and thanks unless the description has them.", "Do not thank the assistant for its work.",
    )),
    (r"real message has a lower-case start", (
        "Do not bother about capitals at the start of a message.", "Type in lower case, as people do in a hurry.",
    )),
    (r"real message has an open end", (
        "Leave the last full stop off, as people do in chats.", "Do not finish a line with punctuation.",
    )),
    (r"simulated message has a question", (
        "When you want something done, give it as a command and not as a question.",
        "Ask nothing that can be said as an order.",
    )),
    (r"has an exclamation mark", ("Keep exclamation marks for real surprise.",)),
    (r"has a list|has a code block", ("Write plain lines: lists and code blocks belong to the assistant.",)),
    (r"turn is (?:correct|reject|report_failure), the simulated one (?:accept|new_request|answer)", (
        "When the work is off, say so at once and bluntly.", "Push back when the result is not what was wanted.",
    )),
    (r"turn is \w+, the simulated one accept", (
        "Do not accept by default: when the work is fine, ask for the next thing.",
        "Rather than agree, say what comes next.",
    )),
    (r"turn is change_requirement", ("Now and then want something else than before, and name it.",)),
    (r"turn is clarify", ("When something is unclear, ask about that one thing.",)),
    (r"turn is end", ("When everything is done, end there.",)),
    (r"Say less detail", (
        "Leave details out that the person would not bother to give.", "Do not spell out all steps and values.",
    )),
    (r"Say more detail", ("Give the place or the value when the person would.",)),
    (r"sounds like an assistant", (
        "Write like a person: no preamble, no praise before the request.",
        "Open with the request itself; skip introductions.",
    )),
)  # fmt: skip
"""(what the feedback says, instructions that answer it)."""
_ADVICE = tuple((re.compile(cue), wordings) for cue, wordings in ADVICE)


def advise(feedback: Sequence[str], current: str, seed: int) -> str | None:
    """One instruction that answers the feedback and is not in `current` yet, under any of its wordings; null if none
    is left.
    """
    random = rng("advise", seed)
    counts = {
        wordings: sum(bool(cue.search(text)) for text in feedback)
        for cue, wordings in _ADVICE
        if not any(wording in current for wording in wordings)
    }
    open_ones = {wordings: n for wordings, n in counts.items() if n}
    if not open_ones:
        return None
    return random.choice(random.choices(list(open_ones), list(open_ones.values()))[0])


@for_prompt("reflect_prompt")
def _simulated(request: SimulatedRequest) -> SimulatedReply:
    data = request.variables or {}
    advice = advise([item["feedback"] for item in data["examples"]], data["current"], request.seed)
    text = data["current"].rstrip() + (f"\n- {advice}\n" if advice else "\n")
    return SimulatedReply(text=canonical_json({"text": text}))
