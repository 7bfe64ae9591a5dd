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
CLOSE: tuple[str, ...] = ("great, that's all", "that's it for today", "perfect, merging this")
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

# Turns without a task, where a behavior prompt is scored on real conversations.
REQUESTS: dict[str, tuple[str, ...]] = {
    "create": ("create a second one for the {about} part", "now write the {about} part"),
    "refactor": ("refactor the {about} part", "move the {about} part into one place"),
    "debug": ("debug the {about} case", "find the bug in the {about} part"),
    "understand": ("find out where {about} comes from", "show me where {about} is decided"),
    "connect": ("install what {about} needs and start it", "start the server with the {about} part"),
    "git": ("commit the {about} part", "make a commit for {about} and push the branch"),
    "test": ("run the tests for {about}", "add a test for {about}"),
    "other": ("do the {about} part next", "the {about} part should be done the same way", "use that for {about}"),
}
"""What is asked for next, by intent; `about` is something the user spoke of before."""
FAILS: tuple[str, ...] = ("that still fails", "I ran it and it crashes", "same error as before")
ALTER: tuple[str, ...] = (
    "actually let's keep the old name", "changed my mind, make it optional instead", "actually make that part optional",
)  # fmt: skip
ANSWERS: tuple[str, ...] = ("yes", "the first one", "the second option", "option 2")
MORE: tuple[str, ...] = (
    "and leave the rest as it is", "it should work the way it did before", "only where it is really needed",
    "and keep the other place in step", "that has to be in before we go on",
)  # fmt: skip
"""Clauses that a talkative user adds, one each."""
AGREE: tuple[str, ...] = (
    "that looks good to me, go ahead", "sounds good, I am happy with this", "great, looks perfect to me",
)  # fmt: skip
# How the manners of an assistant sound (`manners.MANNERS`).
PREAMBLES: tuple[str, ...] = ("Certainly!", "I understand.", "Great question and great work so far.")
THANKS: tuple[str, ...] = ("Thank you so much!", "Thanks a lot, I really appreciate it!", "Thank you for your help!")
PADDING: str = (
    "As you know, we have been working on this for a while now, and it is important to me that everything stays "
    "consistent with what we have discussed so far, because other people will read it later and rely on it."
)
DETAILS: tuple[str, ...] = (
    "Write it to the output file in the second folder, with exactly 2 columns, and keep at most 100 entries.",
    "Put it in the config module, take between 1 and 20 arguments, and print exactly 2 columns.",
    "First open the config file, then write the function in the second module, then print the result at the end.",
)
ASKS: tuple[str, ...] = ("Could you {request}?", "Would you be able to {request}?", "Can you {request}?")
