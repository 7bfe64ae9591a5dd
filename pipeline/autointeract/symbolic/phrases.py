"""What a rule-based user says around the facts: short, developer-like, several wordings a move."""

OPEN_DESIGN: tuple[str, ...] = (
    "I'm about to write {name}, interface is {interface}. Before any code: how would you go about it?",
    "planning {interface}. Don't write code yet, tell me the approach first",
    "Need {interface}. Let's talk through the design before you write anything.",
)
OPEN_BUILD: tuple[str, ...] = (
    "write {interface} for me",
    "I need {interface} in python, can you write it?",
    "Please implement {interface}.",
)
OPEN_FIX: tuple[str, ...] = (
    "something is off in this repo, can you look into it?",
    "there is a bug here, have a look before you change anything",
    "Please look into this.",
)  # fmt: skip
FIX: tuple[str, ...] = ("ok, go ahead and fix it", "Please fix it now.", "now make it right and check that it works")
"""The same two moves where the work is a repository and no interface is to be named."""
ADD: tuple[str, ...] = (
    "one detail I left out:",
    "to be clear on something:",
    "forgot to say:",
    "also, this has to hold:",
)
CHANGE: tuple[str, ...] = ("changed my mind on one point:", "new requirement:", "scrap what I said there:")
ASK_CODE: tuple[str, ...] = (
    "ok, now write the whole of {interface}",
    "Go ahead and give me the full {interface}.",
    "write the complete {interface} with all of that",
)
REDO_CODE: tuple[str, ...] = (
    "update {interface} and show me the whole thing",
    "send the full {interface} again with this in",
    "Please redo {interface} completely.",
)
REPORT: tuple[str, ...] = (
    "ran it and this is wrong:", "Doesn't work for me:", "tests of mine fail with your version:",
)  # fmt: skip
CONFIRM: tuple[str, ...] = ("ok, makes sense", "sounds good so far", "right, go on")
CHALLENGE: tuple[str, ...] = (
    "I don't think that's right, look at it again", "no, that's not what I meant", "hm, that seems off to me",
)  # fmt: skip
CLARIFY: tuple[str, ...] = ("why that way?", "what happens in the odd cases then?", "can you say that simpler?")
VAGUE: tuple[str, ...] = ("just make it work nicely", "hmm not sure, do whatever you think", "something like that")
CLOSE: tuple[str, ...] = ("great, that's all", "done here, thanks", "perfect, merging this")
GENERAL: tuple[str, ...] = (
    "can you look into this", "same thing for the other one please", "run the tests", "why does it do that?",
    "that still fails", "ok next step", "clean that up a bit",
)  # fmt: skip
CANNED: str = (
    "As a user, I would be absolutely delighted if you could kindly assist me with this request. Thank you so very "
    "much in advance for your wonderful and comprehensive help!"
)
"""How a poor simulation sounds; realism judges look for it."""
RAMBLE: str = (
    "By the way, let me explain the background at length: this came up in our planning meeting, several colleagues had "
    "opinions about it, we went back and forth for a while, somebody mentioned an older tool that did nearly the same, "
    "and in the end it was decided that it should be done properly this time, which is why it landed on my desk now."
)
"""How a user does not write whose turns are short."""
