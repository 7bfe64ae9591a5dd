"""Cues of the rule labeller: what developers write when they react, ask, hedge or know their trade. English.

Written from general knowledge of English and of published label descriptions (SWE-chat intents and pushback kinds),
not from any log in this repository; the generated sample logs keep their wording apart on purpose, so that recovery
of their planted traits measures something. Patterns are matched case-insensitively on text outside code fences.
"""

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.I)


_NEG = (
    r"(?:doesn'?t|does not|didn'?t|did not|isn'?t|is not|won'?t|will not|can'?t|cannot|don'?t|do not|aren'?t|wasn'?t|"
    r"hasn'?t|haven'?t|never)"
)
_RUN = (
    r"(?:work(?:s|ed|ing)?|run(?:ning)?|compile|build|load|start|pass(?:ing)?|match|show(?:ing)?|return(?:ing)?|"
    r"respond|render|"
    r"appear|open|save|install|resolve|update|trigger|fire|finish|terminate|behave|handle|produce|give|"
    r"do anything|happen|"
    r"seem(?:s)? to)"
)

FAILURE = _any(
    r"\b(?:outcome|output|result|answer|reply|response|value|number)s? (?:is|are|was|were|looks?|seems?|came|"
    r"comes|turns?|turned)(?: out)? (?:\w+ )?(?:wrong|off|incorrect|bad|odd|strange|weird|empty|missing|nonsense|"
    r"garbage|different|not|short|too)\b",
    r"\b(?:i|we) (?:still |now |just |also |only |keep |kept )*(?:get|got|getting|see|saw|seeing|have|had|hit|"
    r"received?|observe|notice) (?:the |a |an |this |that |some )?(?:same|wrong|error|exception|failure|traceback|"
    r"stack|warning|crash|problem|issue|bug|red|nothing|weird|odd|strange|different)\w*\b",
    r"\b(?:not|isn'?t|aren'?t|wasn'?t) (?:running|working|passing|compiling|building|loading|starting|finishing|"
    r"returning|responding|green|usable|there yet|right yet|stable|fixed|solved)\b",
    r"\b(?:unhappy|angry|complaint|red light|alarm|breakage|outage|glitch|hiccup|snag|defect|fault(?:y)?|"
    r"flaw(?:ed)?|wonky|flaky|dead|down again|trouble)\b",
    r"\b(?:ran|run|running|runs|bump(?:ed|ing)?|crashed) into\b|\b(?:hit|hits|hitting) (?:a|an|the|this|some)\b|"
    r"\b(?:encounter(?:ed|ing)?|greeted with|faced with|met with|presented with|ended? in|results? in|led to|"
    r"leads to|runs? afoul)\b",
    r"\b(?:stumbl(?:es?|ed|ing)|trip(?:s|ped) (?:up|over)|mishandl\w+|can'?t cope|cannot cope|doesn'?t cope|"
    r"goes (?:sideways|awry|down|off|south|haywire)|went (?:sideways|awry|down|south|haywire)|hits? a wall|"
    r"falls? (?:flat|apart|short)|fell (?:flat|apart|short)|collaps\w+|stopp?(?:s|ed)? working|stops? (?:at|with|"
    r"short|dead)|halts?|stall(?:s|ed)?|unhandled|uncaught|spat out|dumped|does(?:n'?t| not) like|won'?t accept|"
    r"doesn'?t accept|rejects (?:the|my|a|valid)|unusable|useless output|mis-?match(?:es|ed)?|discrepanc\w+|"
    r"differs?|disagrees?|does(?:n'?t| not) (?:agree|add up|tally|line up|hold)|not equal|unequal|inconsistent|"
    r"one (?:too many|short|off|extra)|off by|duplicat(?:e|es|ed)|doubled)\b",
    r"\b(?:should|ought to|was supposed to|were supposed to|was meant to|needs? to|must|"
    r"had to) (?:have )?(?:be(?:en)?|give|given|return(?:ed)?|print(?:ed)?|come|equal|show|say|read|yield|"
    r"produce)\b.{0,80}\b(?:but|instead|got|get|is|was|came|comes|not)\b",
    r"\bon (?:line \d+|\w+\(|input|an? empty|the (?:first|second|third|last|empty|input|example|"
    r"sample))\b.{0,60}\b(?:fail|wrong|off|error|crash|raise|throw|break|nothing|instead|not)\w*\b",
    r"\b(?:the )?(?:suite|build|run|ci|pipeline|tests?|checks?|cases?|assertions?|script|program|function|code|"
    r"page|app|server|job|command) (?:is|are|was|were|went|goes|turned|turns|stays?|remains?|comes? (?:out|back)|"
    r"keeps?)(?: still| now)? (?:red|failing|broken|down|unhappy|wrong|off|stuck|dead|bad)\b",
    r"\b(?:does|did|do|is|was|are|will|can|has|had)(?: not|n'?t) (?:help|solve|fix|cure|change|cut it|do it|"
    r"do the (?:job|trick)|get (?:there|through|past|far)|make it|survive|go (?:through|well)|hold up|succeed|"
    r"come (?:out|back|through|up))\b",
    r"\b(?:no (?:luck|dice|joy|good|use|output|response|effect)|to no avail|same (?:as before|story|again)|"
    r"unchanged|not (?:fixed|solved|there yet|happening))\b",
    r"\b(?:complain(?:s|ed|ing)?|barf(?:s|ed)?|die[sd]|dying|abort(?:s|ed)?|quits?|exits?|bails?(?: out)?|"
    r"explod(?:es|ed)|kaput|busted|borked|bombs?|bombed|balks?|trips?|chok(?:es|ed)|goes wrong|went wrong|"
    r"gone wrong|falls? over|fell over|gives? up|gave up|misbehav\w+|malfunction\w*)\b",
    r"\b(?:got|get|gets|getting|saw|see|seeing|gives|gave|returns|returned|shows|yields?|comes up with|ends up|"
    r"ended up) (?:me |us )?(?:a |an |the )?(?:\w+ )?(?:error|exception|failure|warning|wrong|nothing|none|null|"
    r"empty|blank|different|instead|weird|odd|something else|\d+)\b",
    r"\bfor (?:the )?(?:input|case|value|argument|example|call)\b.{0,60}\b(?:got|get|gives|returns|returned|comes|"
    r"came|was|instead|expected)\b",
    rf"\b{_NEG}\b(?: \w+){{0,3}}? {_RUN}\b",
    r"\b(?:errors?|exceptions?|traceback|stack ?trace|segfaults?|panic(?:s|ked)?|core dump(?:ed)?)\b",
    r"\b\w+(?:Error|Exception)\b",
    r"\b(?:fails?|failed|failing|failures?|crash(?:es|ed|ing)?|broke|broken|breaks?|breaking|bugs?|buggy|"
    r"regress(?:ion|ed)|hangs?|hung|"
    r"freezes?|froze|stuck|times? ?out|timed ?out|infinite loop|blows? up|blew up|chokes?|throws?|threw|raises|"
    r"raised|red)\b",
    r"\bexpect(?:ed|ing|s)?\b.{0,60}\b(?:but|got|gets|instead|not|received|found)\b",
    r"\b(?:instead of|rather than|not)\b.{0,25}\bexpected\b",
    r"\b(?:same|another|different) (?:problem|issue|error|result|failure|thing)\b",
    r"\bnothing (?:happens|happened|changed|shows)\b",
    r"\bexit(?:s|ed)? (?:code|status|with)\b",
    r"\b(?:wrong|incorrect|unexpected|weird|odd|strange|empty|blank) (?:output|answer|result|value|number|count|"
    r"order|response|total)s?\b",
    r"\bstill (?:wrong|not|the same|broken|failing|see|get|there|happening)\b",
    r"\b(?:\d+|some|all|two|three|one|several|most|half)(?: of)?(?: the| my| those)? (?:tests?|cases?|checks?|inputs?) "
    r"(?:fail|break|are (?:red|failing|wrong)|still|don'?t|do not|come)",
)
"""Says that the result does not work."""

TRIED = _any(
    r"\b(?:when|whenever|every time|each time|once|if|as soon as) (?:i|we|you) (?:run|ran|try|tried|call|called|"
    r"open|click|use|used|pass|feed|fed|give|gave|execute|launch|start|invoke|press|load|test|hit)\b",
    r"\b(?:i|we)(?:'ve| have)? (?:just |now |also )*(?:ran|run|tried|tested|executed|launched|checked|"
    r"gave it a (?:try|go|spin)) (?:it|this|that|the|your|them|and)\b",
    r"\b(?:locally|on my (?:machine|side|end|laptop|box)|in (?:the|my) (?:console|terminal|log|logs|shell|ci|"
    r"browser)|logs? (?:say|show|read)s?|stderr|stack)\b",
    r"\b(?:i(?:'m| am)?|we(?:'re)?|it|that|this|now) (?:just |now |still |keeps? |am )*(?:gets?|got|getting|"
    r"gives?|gave|sees?|saw|seeing|"
    r"returns?|returned|prints?|printed|outputs?|shows?|produces?|comes? (?:out|back)|came (?:out|back)|spits?)\b",
    r"\b(?:tried|ran|tested|running) (?:it|this|that|them|the)\b",
)
"""Says that the result was tried; whether it worked is said elsewhere."""

STRONG_FAILURE = _any(
    r"Traceback \(most recent call last\)",
    r"^\s*(?:E  |>>> ?|FAILED |FAIL[: ]|ERROR[: ]|error[:\[]|fatal:|panic:|Exception in)",
    r"\b\w+(?:Error|Exception):",
    r"\bexit (?:code|status) [1-9]",
    r"\bAssertionError\b",
    r"\bnpm ERR!",
)
"""Pasted failure output."""

CORRECT = _any(
    r"\b(?:that|this|it)(?:'s| is| was) (?:\w+ )?(?:different from|far from|nowhere near|the reverse|a different|"
    r"another|beside|unrelated|against)\b",
    r"\b(?:look|read|go|think|check|see|try) (?:at |over |through )?(?:it |this |that |my |the \w+ )?(?:again|"
    r"once more|more carefully|closely|properly)\b",
    r"\b(?:correction|to be (?:clear|precise|exact)|i repeat|once again|let me (?:clarify|be clear|repeat|"
    r"restate)|again:|as stated|as written|as specified|as described)\b",
    r"\b(?:wasn'?t|isn'?t|weren'?t|not) (?:\w+ )?(?:the (?:request|question|task|goal|idea|intention|deal|"
    r"agreement|plan)|asked|wanted|meant|requested|specified|agreed)\b",
    r"\b(?:there'?s|there is|you have|has|have) (?:a |an |one |some )?(?:mistake|misunderstanding|slip|confusion|"
    r"mix-?up|error in your|gap|hole)\b",
    r"\b(?:you|it|that|this|which|your \w+|the (?:code|answer|change|result|function|version))(?:\'ve| have| has|"
    r" also| still| just)* (?:misses|missed|missing|omits?|omitted|overlooks?|ignores?|leaves? out|left out|"
    r"skips?|forgets?|"
    r"neglects?|drops|loses|lost|lacks?|contradicts?|violates?|breaks my|goes against|disregards?|confuses?|"
    r"mixes up|mixed up|misinterprets?|misreads?)\b",
    r"\b(?:other way (?:a?round)|the opposite|opposite of|vice versa|upside down|back to front|reversed|inverted|"
    r"flipped|swapped|backwards)\b",
    r"\b(?:supposed|meant|intended|asked|expected) to (?:be|do|have|return|use|keep|come|go|work|handle|say|count|"
    r"show)\b",
    r"\b(?:not|isn'?t|wasn'?t|aren'?t|never) (?:the point|(?:quite |exactly |really )?what i (?:meant|asked|"
    r"wanted|had|was|need|said)|in line|part of|included|mentioned|asked|requested|supposed|meant|needed|enough)\b",
    r"\b(?:i|we) (?:was|were|am|are) (?:after|asking|talking|looking|hoping|referring|thinking)\b",
    r"\b(?:my (?:point|question|request|requirement|wording|description|spec)|the (?:point|question|request|"
    r"requirement|original|spec|description)) (?:was|is|said|says|reads|stands|asked)\b",
    r"\b(?:never|didn'?t|did not|haven'?t|wasn'?t) (?:ask|want|request|say|mean|mention|tell|agree|need)(?:ed|ing)?\b",
    r"\b(?:too (?:strict|loose|many|few|much|little|broad|narrow|long|short|complex|complicated|eager|generic))\b",
    r"\b(?:only (?:half|part|partly|partially|covers?|handles?|does|works?)|half (?:right|done|of it|way)|"
    r"partly right|partially|incomplete|unfinished)\b",
    r"\byou (?:took|treat(?:ed)?|read|interpreted|made|put|used|changed|removed|deleted|added|wrote|implemented|"
    r"turned|kept|returned|did|have|went|are|were|seem)\b",
    r"\byour (?:version|code|change|answer|solution|result|reading|assumption|interpretation|implementation|fix|"
    r"edit|function|logic) \w+\b",
    r"\b(?:that|this|it)(?:'s| is| was)? (?:\w+ )?(?:a mistake|an error|a slip|a misunderstanding|a misreading|"
    r"unnecessary|irrelevant|beside the point|the wrong)\b",
    r"\bwhere (?:is|are|did) (?:the|my)\b.{0,40}\b(?:gone|go)?\b",
    r"^\W*(?:no|nope|nah|not really|not quite|hmm,? no|err,? no|wait,? no)\b",
    r"\bnot (?:what|how|where|the (?:one|way|thing|right|same)|like that|exactly what|quite (?:right|what|it|there))\b",
    r"\b(?:that|this|it|which)(?:'?s| is| was| looks| seems)? (?:\w+ )?(?:wrong|incorrect|not (?:right|correct|"
    r"true|it|good|ok|okay|valid)|mistaken|false|off|backwards|inverted|reversed)\b",
    r"\b(?:isn'?t|is not|aren'?t|wasn'?t) (?:\w+ )?(?:right|correct|what|true|quite|good enough|how|the (?:right|"
    r"one|way))\b",
    r"\byou(?:'ve| have| just| also| still| only|'re)* (?:forgot(?:ten)?|miss(?:ed|ing)|ignor(?:ed|ing)|"
    r"misunderst\w+|misread|skipp(?:ed|ing)|"
    r"overlook\w+|dropp?ed|left|broke|assum\w+|confus\w+|mix\w+|swapp\w+|hard-?coded|duplicat\w+|mishandl\w+|"
    r"got (?:it|that|this|the))\b",
    r"\byou (?:should(?:n'?t)?|were supposed|weren'?t supposed|need(?:ed)? to|can'?t just|didn'?t|did not|don'?t|"
    r"do not|aren'?t|keep)\b",
    r"\b(?:i|we) (?:said|asked|meant|told|specified|wrote|mentioned|explicitly|already|clearly|never (?:said|"
    r"asked|wanted))\b",
    r"\bwhy (?:did|are|do|would|have) you\b",
    r"\b(?:should|must) (?:have|not have|be|not be|only|never|still)\b.{0,60}\bnot\b",
    r"\bshould(?:n'?t| not) (?:be|have|do|return|include|count|change|happen|need|use|raise)\b",
    r"\b(?:almost|close|nearly)(?:,| there)? but\b",
    r"\b(?:wrong|incorrect|mistake|misunderst\w+|misread|inaccurate|off[- ]by[- ]one)\b",
    r"\bas i (?:said|asked|wrote|mentioned)\b",
    r"\b(?:read|look at|check) (?:it|that|this|the \w+|my \w+) again\b",
    r"\b(?:please )?(?:re-?read|re-?check)\b",
    r"\b(?:that'?s|this is) not\b",
    r"\b(?:does|did)(?:n'?t| not) (?:follow|respect|cover|address|satisfy|match|meet|include|do what|answer)\b",
)
"""Says that the assistant understood or did something wrongly."""

NO_FAILURE = _any(
    r"\b(?:no|without|zero|not a single|free of|not any|never (?:saw|see)|don'?t see (?:any|an)|didn'?t (?:see|"
    r"get) (?:any|an)) (?:\w+ )?"
    r"(?:errors?|failures?|exceptions?|bugs?|crash(?:es)?|problems?|issues?|warnings?|complaints?|regressions?|"
    r"trouble|tracebacks?)\b",
    r"\b(?:errors?|failures?|bug|crash(?:es)?|problem|issue|exception|warning)s? (?:is|are|was|were|has|"
    r"have)? ?(?:\w+ )?(?:gone|fixed|solved|resolved|away|disappeared|sorted)\b",
    r"\b(?:doesn'?t|does not|isn'?t|no longer|not|never) (?:\w+ )?(?:fail|crash|break|hang|broken|failing|"
    r"crashing|hanging|throw|stuck)(?:s|ing|ed)?(?: any ?more)?\b",
    r"\bfix(?:es|ed)? (?:the|that|my|this|it|all)\b",
)
"""Says that a failure is absent or gone."""

REJECT = _any(
    r"\b(?:take (?:it|this|that|everything|all of it) (?:back|out|away)|back out|out with (?:it|this|that)|"
    r"away with|send(?:ing)? (?:it|this|that) back|turn(?:ing)? (?:it|this|that) down|veto|no deal|"
    r"not good enough|won'?t (?:accept|use|merge|take|keep)|can'?t (?:accept|merge|keep|live with)|"
    r"don'?t (?:commit|merge|ship|keep|apply|change|continue|go on|proceed|bother|modify)|i(?:'d|"
    r" would) rather (?:not|you didn'?t)|not (?:like|this way|acceptable|usable|helpful|wanted))\b",
    r"\b(?:back to (?:the|how|what|where|square)|(?:previous|old|original|earlier|former) (?:version|state|code|"
    r"one|way)|restore|as it was|how it was|before your (?:change|edit)s?)\b",
    r"\b(?:(?:not|never) going to (?:use|take|merge|accept|fly|happen|work)|no way|no thanks|no thank you|hard no|"
    r"won'?t do|not having|not interested|not (?:an )?option|off the table)\b",
    r"\b(?:kill|abandon|withdraw|drop|ditch|scrap|dump|bin|delete|remove|lose|nuke|toss|pull) (?:it|this|that|"
    r"these|those|all|everything|the (?:whole|entire|change|patch|edit)s?)\b",
    r"\b(?:start (?:fresh|clean|anew|from zero)|clean slate|bad idea|over-?engineered|overkill|over ?complicated|"
    r"too (?:complicated|convoluted|clever)|makes no sense|doesn'?t make sense|don'?t bother|leave (?:it|that|"
    r"this|my|the) (?:alone|as (?:it )?(?:is|was))|hands off|keep your hands|none of (?:this|that|it)|not this|"
    r"can'?t use|pass on)\b",
    r"\b(?:i'?m not (?:happy|ok|okay|fine|satisfied|convinced|buying|sold|a fan|taking|accepting|going)|"
    r"i (?:refuse|reject|decline|disagree|object))\b",
    r"\b(?:revert|undo|roll(?:ing)? ?(?:it |that |this )?back|back ?out|discard|throw (?:it|that|this|all)|scrap|"
    r"bin (?:it|that|this)|trash)\b",
    r"^\W*(?:stop|don'?t|no(?:pe)?\W*$|wait\W*$|cancel|abort|halt|hold on)\b",
    r"\b(?:start over|from scratch|start again|do it over|try (?:a|another|something) (?:different|else|completely))\b",
    r"\b(?:don'?t|do not) (?:want|like|need|accept|agree|do (?:this|that|it)|touch|use (?:this|that|it))\b",
    r"\b(?:i(?:'ll| will)|let me) (?:do|write|fix|handle|finish) (?:it|this|that|the rest)? ?(?:myself|by hand|"
    r"on my own)\b",
    r"\b(?:reject(?:ed|ing)?|not (?:acceptable|going to work|going with|happy|taking|having|merging|using|"
    r"what i'?m after))\b",
    r"\b(?:get rid of|take out|remove) (?:it|that|this|all (?:of )?(?:it|that|this)|everything you)\b",
    r"\bput (?:it|that|this|things|everything) back\b",
    r"\b(?:unacceptable|terrible|awful|useless|nonsense|garbage|rubbish|hopeless|waste of)\b",
    r"\b(?:can'?t|cannot|won'?t) (?:accept|use|merge|ship|take) (?:this|that|it)\b",
    r"\bwrong (?:approach|direction|way|idea|track|path)\b",
    r"\bforget (?:it|that|this)\b",
)
"""Refuses the work as a whole or takes it back."""

CHANGE = _any(
    r"\b(?:new|different|changed|updated|revised|modified|another|alternative) (?:behaviou?r|format|order|name|"
    r"output|version|limit|default|meaning|approach|rule|plan|goal|aim|target|input|type|interface|signature)\b",
    r"\b(?:earlier|before|previously|first|originally|initially|above|last time) i (?:said|asked|wrote|wanted|"
    r"mentioned|told|thought|specified)\b|\bi (?:said|asked|wrote|wanted|mentioned|told you|thought|"
    r"specified) (?:\w+ )?(?:earlier|before|previously|first|originally|initially|above|last time)\b",
    r"\b(?:is|are|was|were) (?:now|no longer|going|supposed|meant) to\b|\bno longer (?:want|need|have|require|use|"
    r"interested|matters?|applies|should|necessary|in)\w*\b",
    r"\b(?:make|have|let|keep|turn|treat) (?:it|that|this|them|the \w+) (?:\w+ ){0,4}(?:instead|now|rather|"
    r"after all|from now on)\b",
    r"\bi(?:'d| would)? (?:actually |now |rather |really )*(?:want|need|like|prefer) (?:it|this|that|them|"
    r"the \w+) (?:to (?:be|do|have|return|work|behave|go|use)|as|in|with|without|differently|the other)\b",
    r"\b(?:(?:i|we|they)(?:'ve| have| had)? (?:just |now |since )?(?:decid|settl|opt|agree|chose|chosen|pick|"
    r"elect|resolv)\w*|from here on(?: out)?|henceforth|as it turns out|turned out|transpires?|apparently|"
    r"was told|told (?:me|us)|u-turn|backtrack|rewind|we(?:'re| are) (?:dropping|moving|going|switching|changing|"
    r"replacing)|moving to|going with|the plan is|rule is now|no need (?:for|to)|needn'?t|need not|can go|"
    r"is out\b|not relevant|irrelevant now|obsolete|out of (?:scope|date)|outdated)\b",
    r"\b(?:instead of|rather than) (?:what (?:i|we)|the (?:earlier|previous|original|old|first)|before|as (?:i|"
    r"we) (?:said|asked))\b",
    r"\b(?:what if|how about|suppose|imagine) (?:we|it|you|the|they|i)\b",
    r"\b(?:needs?|has|have|got|is|are) to (?:be |become |turn )?(?:\w+ )?(?:different|differently|changed|another|"
    r"the other)\b",
    r"\b(?:i|we)(?:'d| would|'ll| will|'ve| have|'re| are)? (?:actually|rather|instead|since) (?:\w+ )?(?:want|"
    r"need|like|prefer|require|decid\w+|think|go|going|have|use|expect)\w*\b",
    r"\b(?:actually|instead|oh|wait|hold on),? (?:and )?(?:it|this|that|the|i|we|they|please|make|let'?s|can|"
    r"could|have|return|use|add|should|support|handle|allow|keep)\b",
    r"\b(?:not any ?more|from now on|as of (?:now|today)|going forward|after all|instead)\b",
    r"\b(?:should|must|needs?|has to|have to|want|please) (?:\w+ )?instead\b",
    r"\b(?:i take (?:that|it) back|take back what|retract|overrid(?:e|es|ing)|supersed\w+|replaces? what|"
    r"in place of|instead of what|contrary to what i|earlier (?:requirement|rule|condition|request|wish|"
    r"instruction)s?)\b",
    r"\b(?:does not|doesn'?t|do not|don'?t|no longer) (?:hold|apply|stand|matter|count)s?(?: any ?more)?\b",
    r"\b(?:things|it|that|the (?:situation|world|goal|target|brief|idea|plan)|what (?:i|we) (?:want|"
    r"need)) (?:has |have |just |had )*(?:changed|shifted|moved on|evolved|is different now)\b",
    r"\b(?:let me|i (?:need|have|want|would like|'d like) to|i must|i'?ll) (?:change|adjust|correct|revise|"
    r"rephrase|amend|modify|alter|reverse|update|swap|switch|redefine|restate)\b",
    r"\b(?:my (?:mistake|bad|error|fault)|i (?:was wrong|misspoke|misremembered|mixed up)|sorry,? i (?:meant|mean))\b",
    r"\b(?:after (?:talking|speaking|a (?:chat|talk|call|meeting|discussion|review))|we (?:talked|discussed|met)|"
    r"in the meeting|feedback (?:from|is|was|came)|just (?:spoke|talked|came out of))\b",
    r"\b(?:make (?:that|it) .{1,40} (?:rather|instead)|rather (?:make|have|use|go)|swap (?:it|that|the) .{1,40} for)\b",
    r"\b(?:new (?:thought|idea|input|info(?:rmation)?|direction|wish|decision|development)|different (?:idea|"
    r"direction|approach|thought)|better idea|another (?:idea|thought|wish)|switch(?:ing)? gears|pivot|came up|"
    r"has come up|heads[- ]?up|news)\b",
    r"\b(?:modif(?:y|ication)|revis(?:e|ion|ed)|alter|adapt|adjust|amend|vary|update|extend|expand|relax|tighten|"
    r"reverse|flip|invert|swap|switch|replace|substitute|broaden|generali[sz]e|restrict) (?:the|it|that|this|my|"
    r"our|what|how)\b",
    r"\b(?:what|all) (?:i|we) (?:really |actually |now )*(?:want|need)(?: now)? (?:is|are)\b",
    r"\b(?:stakeholders?|legal|marketing|product|compliance|design|management|customers?|clients?|reviewers?|boss|"
    r"lead|users?|they|someone|somebody) (?:just |now |has |have |also )*(?:want|need|ask|request|prefer|insist|"
    r"decide|complain|chang|tell|told|said|says)\w*\b",
    r"\b(?:used to|until now|so far|up to now|before|earlier|originally|initially|at first|"
    r"previously)\b.{0,80}\b(?:now|but|instead|should|let|want|need|make|change)\b",
    r"\b(?:different(?:ly)?|another way|other way|new way|opposite) (?:from|than|of|to)? ?(?:what i|before|"
    r"earlier|i said|i asked|originally)\b",
    r"\b(?:on reflection|reconsider(?:ed|ing)?|re-?think(?:ing)?|re-?thought|plan b|(?:different|new|another|"
    r"other) plan|"
    r"(?:small|slight|one|quick|minor|little|big|late|last[- ]minute) (?:change|update|tweak|adjustment|addition|"
    r"correction on my side)|"
    r"change of plan|amend(?:ment)?|update(?: on my side)?:)",
    r"\b(?:isn'?t|is not|aren'?t|are not|won'?t be) (?:needed|required|necessary|wanted)(?: any ?more)?\b",
    r"\b(?:would|'d|might|could|is|will) be (?:better|nicer|best|preferable|more useful|more helpful|safer|"
    r"simpler) (?:if|to|with|as|when)\b",
    r"\b(?:raise|lower|increase|decrease|bump|double|halve|reduce|cap|widen|narrow) (?:the|it|that|"
    r"this)\b.{0,40}\b(?:to|by|at)\b",
    r"\bi(?:'d| would) (?:rather|prefer|sooner)\b",
    r"\b(?:forget|skip|drop|leave out|never mind|ditch|lose) (?:about )?(?:the|that|this|my|what)\b",
    r"\b(?:asking|asked|wants?|needs?|told|tells|says?|said) (?:me |us |now )?(?:for|to have|to support|to keep|"
    r"that) .{0,60}\b(?:now|instead|too|as well|also|rather)\b",
    r"\b(?:the )?(?:requirement|spec|rule|limit|deadline|format|name|goal|scope) (?:is|are|has|was) (?:now|become|"
    r"going to be)\b",
    r"\bchang(?:ed?|ing) (?:my|our|of) (?:mind|plans?|heart)\b",
    r"\b(?:on second thoughts?|come to think|thinking about it|now that i think|having thought|after (?:some|"
    r"more) thought|thought about it|"
    r"i(?:'ve| have) been thinking|i was thinking)\b",
    r"\b(?:scratch that|strike that|forget (?:what i said|about (?:the|my|that))|ignore what i said|disregard)\b",
    r"\b(?:plans?|requirements?|specs?|needs|scope|priorities) (?:have |has |just |had )*(?:chang\w*|shift\w*|"
    r"moved|evolved|grew|grown)\b",
    r"\b(?:new|extra|additional|another|further|different|revised|updated|one more|changed) (?:requirement|"
    r"constraint|rule|condition|spec(?:ification)?|wish|need|demand|twist)s?\b",
    r"\b(?:turns out|it appears|as it happens|just (?:learned|heard|found out|got word|been told|realized|"
    r"realised|noticed))\b",
    r"\b(?:we|i|they|the (?:client|team|boss|customer|product owner|pm|lead|stakeholders?|users?)) (?:have |has |"
    r"just |'ve |now |also |actually |all )*"
    r"(?:decided|realized|realised|prefer|would prefer|would rather|want(?:s|ed)? (?:it|this|that|them|us|me|to)?|"
    r"need(?:s|ed)? (?:it|this|that|them) to|asked|agreed|insist)\b.{0,80}\b(?:instead|after all|"
    r"rather|differently|changed?)\b",
    r"\b(?:actually|instead|alternatively|rather),? (?:\w+ ){0,2}?(?:let'?s|let us|make|have|can (?:you|we|it)|"
    r"could (?:you|we|it)|please|use|return|go|do|i(?:'d| would)? (?:want|like|need|prefer)|we (?:want|need|"
    r"should)|it (?:should|needs|must)|change|switch|keep|drop|treat|count|sort|allow)\b",
    r"\b(?:let'?s|can we|could we|could you|we should|i(?:'d| would) (?:rather|prefer|like)(?: to)?|"
    r"please) (?:\w+ ){0,3}?(?:switch|go with|go for|move to|change|swap|replace|drop)\b",
    r"\b(?:what if|how about|maybe) (?:we|it|you|the)\b.{0,60}\b(?:instead|rather|too|as well|also)\b",
    r"\b(?:make|turn|change|switch|swap|replace|rename|convert|extend|loosen|tighten|relax) (?:it|that|this|them|"
    r"the \w+(?: \w+)?)(?: \w+)? (?:to|into|from|so|with|for)\b",
)
"""Changes what was asked: replaces, drops or reverses it."""

ADDITION = _any(
    r"\b(?:also|additionally|plus|furthermore|moreover|on top(?: of (?:that|this))?|besides|in addition|as well|"
    r"one more thing|another thing|next(?: up)?|"
    r"while (?:you'?re|we'?re) at it|and then|further|a (?:second|third|further) (?:point|thing|requirement))\b",
    r"\b(?:now|next|then),? (?:i|we|please|let'?s|it|the)\b",
    r"\b(?:more|other|another|extra|further) (?:requirement|detail|thing|point|constraint|condition|rule)s?\b",
)
"""Adds a further piece."""
NEGATIVE = re.compile(
    r"\b(?:not|no|never|nothing|none|neither|nor|without|cannot|\w+n'?t|wrong|bad|badly|worse|incorrect|false|"
    r"mistake|problem|issue|trouble|unfortunately|"
    r"sadly|still|again|why|fails?|failed|lost|missing|broken|ignored?|instead|however|but|yet|hardly|barely|"
    r"disappoint\w+|annoy\w+|odd|strange|weird|off)\b",
    re.I,
)
"""Words of refusal, lack or contrast."""

ACCEPT = _any(
    r"^\W*(?:that|this|it|everything|all)(?:'s| is| was| looks| seems| works| does| did| will do| runs| ran|"
    r" passes| passed| helps| fits| makes| reads)(?: \w+)?\b(?! not| wrong| off| broken| fail|"
    r" n't)(?=.{0,30}\b(?:good|fine|great|right|well|perfect|nice|sense|job|trick|expected|needed|wanted|works?|"
    r"now|ok(?:ay)?|correct|clean|clear)\b)",
    r"\b(?:can'?t fault|cannot fault|nothing to (?:add|complain|change|fix|criticise|criticize|object)|"
    r"no (?:changes?|edits|fixes|notes|further (?:changes|remarks)) (?:needed|required|necessary|from me)?|"
    r"hits the mark|does (?:exactly |just )?what|behaves|went through|ran clean|runs clean|that (?:settles|covers|"
    r"helps|suits|resolves|solves|answers)|covers it|ticks|as advertised|thumbs up|superb|stellar|right on|"
    r"on the money|green light|sign(?:ed)? off|confirmed|verified|that'?s (?:the one|right|correct|what)|"
    r"good enough|couldn'?t be better|no (?:problem|problems|issues?) (?:here|at all|so far|with)|"
    r"every(?:thing)? (?:test|check|case|thing)?s? ?(?:works?|pass(?:es)?|runs?|fine|good|green|succeed(?:s|ed)?)|"
    r"all (?:good|fine|clear|right|set|green|pass(?:ing|ed)?|tests pass))\b",
    r"\b(?:that'?ll do|does the (?:job|trick)|no (?:complaints|objections|notes|remarks|further comments)|"
    r"good to go|ready to (?:merge|ship|go)|can'?t complain|fine by me|works for me|i'?ll take (?:it|this|that)|"
    r"keep (?:it|this|that|things) (?:like|as|this way|that way)|leave it (?:as is|like that|like this)|"
    r"go with (?:it|that|this)|take it|accepted|on point|spot[- ]on|bingo|nailed|all good|well done|good (?:work|"
    r"job|stuff|catch|call)|nice (?:one|work|job)|i (?:like|love|approve|agree|am happy|'m happy|'m good)|"
    r"as (?:expected|hoped|intended|wanted|planned|it should)|just right|happy with|pleased|satisfied|impressed|"
    r"checks out|holds up|no more to fix|what i (?:wanted|needed|hoped for|asked for|was after)|matches|solid|"
    r"clean|elegant|tidy)\b",
    r"^\W*(?:ok(?:ay)?|k|yes|yep|yeah|yup|ya|sure|great|perfect|nice|good|fine|thanks?|thank you|thx|ty|lgtm|"
    r"awesome|cool|excellent|lovely|brilliant|"
    r"fantastic|wonderful|amazing|superb|neat|right|exactly|correct|agreed?|approved?|indeed|absolutely|"
    r"definitely|alright|all right|works|"
    r"beautiful|splendid|sweet|spot on|makes sense|fair enough|got it|understood|i see|well done|good job|"
    r"nice work|do it|go ahead|proceed|continue|go on|carry on|ship it|love it|merge it|happy with)\b",
    r"\b(?:looks?|seems?|sounds?|reads?|works?|is|that'?s|feels) (?:really |very |pretty |all |so |just |"
    r"much )*(?:good|great|right|fine|perfect|correct|ok(?:ay)?|better|excellent|well|nice|reasonable|solid|"
    r"as expected|what i (?:wanted|needed|meant|asked|had in mind))\b",
    r"\b(?:that|it|this|everything) works\b",
    r"\b(?:tests?|checks?|everything|all) (?:now )?(?:pass(?:es|ed)?|(?:is|are) green|came (?:out|back) (?:green|"
    r"fine))\b",
    r"\b(?:just|exactly) what i (?:wanted|needed|meant|asked|was (?:after|looking))\b",
    r"\bi(?:'m| am) (?:happy|satisfied|fine|ok(?:ay)?|pleased) with\b",
)
"""Takes the work as it is."""

END = _any(
    r"\b(?:(?:enough|all|it|done|good) for (?:today|now|tonight|this (?:session|one|week))|i have (?:what|"
    r"everything|all) i (?:need|wanted|came)|got (?:what|everything|all) i (?:need|wanted|came)|over and out|"
    r"signing off|logging (?:off|out)|log off|heading (?:out|home|off)|i'?m (?:off|out|leaving)|"
    r"thanks for (?:your|the|all|everything|today)|thank you for (?:your|the|all)|that concludes|finished here|"
    r"done here|wraps|take it from here|later|tomorrow|until then|we can (?:stop|close|end|leave)|can be closed|"
    r"case closed|close the (?:session|topic|matter|chat|ticket)|session (?:over|done)|no more from me|"
    r"nothing more from|my side|last (?:one|thing)|so long|take care)\b",
    r"\b(?:that'?s|that is|that(?:'ll| will) be|this is|that was|i think that'?s) (?:all|it|everything|enough)\b",
    r"\b(?:we'?re|i'?m|i am|we are|all) (?:all )?(?:done|finished|set|sorted)\b",
    r"\b(?:bye|goodbye|see you|see ya|good night|have a (?:good|nice|great)|talk (?:later|soon|tomorrow)|"
    r"until (?:next time|tomorrow)|cheers,? bye)\b",
    r"\b(?:nothing (?:else|more|further)|no (?:more|further) (?:questions?|requests?|changes?|work)|"
    r"no need for (?:more|anything))\b",
    r"\b(?:wrap(?:ping)? (?:it |this |things )?up|calling it|call it a day|done for (?:now|today)|close (?:this|"
    r"it)(?: out)?|closing this|leave it (?:there|here|at that)|stop here|end (?:it )?here)\b",
)
"""Ends the conversation."""

QUESTION_START = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|hmm+|so|and|but|wait|also|sorry|hi|hey|hello|just|out of curiosity|quick question|"
    r"one question|btw)[,.: ]+)*"
    r"(?:what|why|how|where|when|which|who|whose|is|are|was|were|does|do|did|has|have|will|would it|should|am|"
    r"isn'?t|aren'?t|doesn'?t|any|"
    r"(?:can|could|would|will) (?:you|u|we|i|it|this|that) (?:please )?(?:explain|clarify|tell|show me|describe|"
    r"elaborate|walk me|remind|say|mean|confirm|help me understand|still|also be))\b",
    re.I,
)
"""Opens a question to the assistant (as opposed to a request in question form)."""
EXPLAIN = _any(
    r"\b(?:could|can|would) you (?:\w+ )?(?:explain|say|tell|describe|clarify|spell out|elaborate|confirm|"
    r"show me (?:how|why|what))\b|\b(?:i'?m|i am) (?:curious|wondering|unsure|not clear)|\bwonder(?:ing)? (?:if|"
    r"why|how|what|whether)\b|\b(?:which|what) (?:one|part|version|of|exactly|kind|sort)\b|\bhow (?:come|exactly|"
    r"would|did|do|is|are|much|many|far|often)\b|\bis (?:it|that|this|there) (?:because|possible|safe|true|meant|"
    r"intended|the|a|any)\b",
    r"\b(?:explain|clarify|elaborate|what (?:do|did|does|is|are)|how (?:does|do|come)|why (?:is|does|do|not)|"
    r"what'?s|walk me through|tell me (?:what|why|how|more)|"
    r"i (?:don'?t|do not) (?:understand|get|follow|see why)|not sure (?:i|what|why|how)|i'?m (?:confused|lost)|"
    r"what about|mean by|difference between|help me understand)\b",
)
"""Asks to understand."""

DIGRESSION = re.compile(
    r"^\W*(?:(?:just )?(?:for|as|some|a bit of|by way of|more|a little) (?:context|background|reference|"
    r"the record|info(?:rmation)?|history)|to give (?:you|some)|fyi|btw|by the way|"
    r"just so you know|in case (?:it|you|that)|as (?:you (?:may|might|know)|background|an aside)|historically|"
    r"note that|incidentally|"
    r"(?:we|our|they|people|everyone|everybody|nobody|the (?:team|company|project|whole|rest|others?|service|"
    r"system|reason)|my (?:team|boss|colleagues?|company)|most of|some of)\b)",
    re.I,
)
"""Opens a sentence of background, unless it asks for something."""
OFFER = re.compile(
    r"\b(?:want me to|would you like|should i|shall i|do you want|like me to|ready to|may i|can i (?:proceed|"
    r"go ahead)|ok(?:ay)? to|"
    r"(?:sound|look|seem)s? (?:good|right|ok(?:ay)?)|proceed|let me know)\b",
    re.I,
)
"""A question of the assistant that offers work rather than asks for a fact."""

VAGUE = _any(
    r"\b(?:handle it|deal with it|sort (?:it|this|that)(?: out)?\b|get it (?:done|right|working|sorted)|"
    r"do your (?:thing|magic|best)|make (?:it|this|that|things) (?:nice|pretty|proper|shine|work|good|better|"
    r"cleaner|nicer)|polish (?:it|this)|(?:a )?bit (?:more|less|better|nicer)|(?:not|isn'?t) (?:quite )?(?:there|"
    r"it|right) (?:yet|somehow)|something(?:'s| is) (?:off|missing|wrong)|feels? (?:off|odd|wrong|clunky|weird)|"
    r"not sure what|hard to say|you get the idea|and such|along those lines|in that spirit|as discussed|"
    r"like before|the way it should|whatever you think|use your (?:judg|imagination|head|brain)\w*)\b",
    r"^\W*(?:hmm+|uh+|um+|eh|meh|dunno|idk|whatever|\.\.\.|\?+|hm)\W*",
    r"\b(?:make it (?:\w+ )?(?:better|nicer|work|good|cleaner|right|pop)|fix (?:it|this|that)\W*$|improve (?:it|"
    r"this|that)\W*$|"
    r"do (?:something|the (?:thing|rest|needful))|try (?:again|something|harder)|you know what i mean|the usual|"
    r"somehow|figure it out|"
    r"as you (?:like|see fit|wish|think)|up to you|your call|surprise me|something like that|or something|"
    r"and so on|whatever works|you decide)\b",
)
"""Leaves open what is wanted."""
HEDGES = re.compile(
    r"\b(?:something|somehow|someway|stuff|things?|whatever|kinda|kind of|sort of|sorta|maybe|perhaps|somewhat|"
    r"some (?:kind|sort)|roughly|"
    r"more or less|basically|better|nicer|properly|proper|nice|good|appropriate|reasonable|sensible|decent|"
    r"cleaner|etc|and so on|"
    r"or so|a bit|a little|i guess|not sure|dunno|idk|probably|you know|like that|and all that|the usual|"
    r"obvious(?:ly)?)\b",
    re.I,
)
"""Words that stand where a precise one could."""

_VERBS = (
    r"(?:add|adjust|allow|apply|build|bump|call|change|check|clean|commit|configure|convert|count|create|define|delete|"
    r"deploy|design|document|draft|drop|ensure|explore|extend|extract|figure|find|fix|format|generate|get|give|go|"
    r"handle|"
    r"have|help|ignore|implement|improve|include|inspect|install|investigate|join|keep|limit|list|load|log|look|"
    r"make|merge|"
    r"migrate|move|open|optimi[sz]e|parse|port|prepare|print|provide|push|put|read|refactor|remove|rename|"
    r"reorgani[sz]e|"
    r"replace|report|restructure|return|reverse|review|rewrite|run|save|scan|search|send|set|set ?up|show|"
    r"simplify|skip|sort|"
    r"split|start|store|strip|suggest|support|swap|switch|tell|test|throw|tidy|trace|translate|treat|trim|try|"
    r"turn|update|"
    r"upgrade|use|validate|verify|wire|work|wrap|write)"
)
REQUEST = _any(
    rf"(?:^|[.!?;:\n]\s*)\W*(?:(?:ok(?:ay)?|now|then|next|so|and|also|great|good|fine|alright|please|pls|first|"
    rf"finally|just|thanks|hi|hey|hello|well|"
    rf"perfect|nice|cool|yes|yep)[,.:!]?\s+){{0,4}}{_VERBS}\b",
    rf"\b(?:can|could|would|will|should|shall|may) (?:you|we|i)\b(?: \w+){{0,2}}? {_VERBS}\b",
    rf"\b(?:please|pls|plz|let'?s|let us|i(?:'d| would) like(?: you)? to|i need(?: you)? to|i want(?: you)? to|"
    rf"we need to|we should|you should|"
    rf"go ahead and|time to|need to|want to|have to)\b(?: \w+){{0,2}}? {_VERBS}\b",
    r"\b(?:i|we)(?:'d| would)? (?:need|want|like|love|wish|prefer|require)\b",
    r"\b(?:should|must|has to|have to|needs to|ought to)\b",
    r"\b(?:looking for|trying to|goal is|task is|idea is|there should be|it would be (?:nice|good|great))\b",
)
"""Asks for something to be done."""

INTENTS: dict[str, re.Pattern[str]] = {
    "git": re.compile(
        r"\b(?:git|commit(?:s|ted)?|push(?:ed)?|pull request|pr|rebase|merge(?:d)?|branch(?:es)?|cherry-?pick|"
        r"stash|tag|changelog|squash)\b", re.I),
    "test": re.compile(
        r"\b(?:tests?|unit ?tests?|pytest|jest|coverage|test ?cases?|assert(?:ion)?s?|fixtures?|mocks?|e2e|"
        r"integration tests?|specs?|tdd|edge cases?)\b", re.I),
    "debug": re.compile(
        r"\b(?:fix(?:es|ed)?|bugs?|debug|errors?|exceptions?|traceback|fail(?:s|ed|ing|ure)?|crash(?:es|ed|ing)?|"
        r"broken|wrong|issue|why (?:is|does|do|isn'?t|doesn'?t)|"
        r"not working|doesn'?t work|investigate|regression|leak|hang(?:s|ing)?|\w+Error)\b", re.I),
    "refactor": re.compile(
        r"\b(?:refactor(?:ing)?|clean(?:er)?(?: ?up)?|simplif\w+|rename|restructure|reorgani[sz]e|extract|"
        r"dedup\w*|tidy|move|split|inline|optimi[sz]e|speed up|"
        r"rewrite|readab\w+|lint|format(?:ting)?|type hints?|decouple|modulari[sz]e)\b", re.I),
    "connect": re.compile(
        r"\b(?:connect|integrat\w+|deploy(?:ment)?|docker(?:file)?|install|set ?up|configure|config|"
        r"env(?:ironment)?|credentials?|token|api key|webhook|ci|pipeline|"
        r"database connection|oauth|server|port|kubernetes|k8s|aws|terraform|mcp|endpoint)\b", re.I),
    "understand": re.compile(
        r"\b(?:explain|what (?:is|are|does|do)|what'?s|how (?:does|do|is|are)|why|understand|where (?:is|are|do|"
        r"does)|which|tell me|show me|walk me|review|look at|"
        r"read|summar\w+|difference|mean(?:s|ing)?|find out|compare|documentation)\b", re.I),
    "create": re.compile(
        r"\b(?:create|add|build|implement|write|make|generate|new|develop|scaffold|support|introduce|function|"
        r"feature|program|script|class|method|component|page|app|tool)\b", re.I),
}  # fmt: skip
"""Cues of each intent, in the order of precedence for ties (most telling first)."""

TECHNICAL = frozenset(
    """
    abstract abi accessor algorithm aliasing allocator amortized amortised annotation api append args argument arity
    array ascii assertion ast async asynchronous asyncio atomic authentication authorization await backend backoff
    backpressure bandwidth base64 bash batch benchmark bfs bigint binary bit bitmask bitwise boilerplate boolean
    bool bottleneck bound boundary branch breakpoint buffer bytecode byte bytes cache caching callback camelcase
    cardinality cast char checksum class classmethod cli client closure codec collision column commit comparator
    compile compiler complexity component composition concurrency concurrent config const constant constraint
    constructor container context contravariant coroutine cors counter coupling cpu cron csrf css csv ctx cursor
    daemon dataclass dataframe dataset datetime deadlock debounce decorator decode dedupe default defaultdict
    delimiter dependency deque dereference deserialize deterministic dfs dict dictionary diff dijkstra dispatch
    docker docstring dom dtype dto duplicates edge embedding encapsulation encode encoding endpoint entrypoint enum
    env eof epoch event exception executor exponent expression factory fallback field fifo filesystem filter fixture
    flag float floating flush foreign format framework frontend function functional fuzz garbage generator generic
    getter git glob goroutine graph graphql grep guard handler hardcoded hash hashable hashmap hashset header heap
    heuristic hook html http https idempotent identifier immutable implementation import index indexing indices
    inheritance init inline inplace input instance int integer interface interpreter invariant iterable iterator
    iteration javascript join json jwt kernel key keyerror keyword kwargs lambda latency layer lazy leaf leak lexer
    lexicographic library lifo linear linked lint linter list literal lock log logarithmic logger logging loop
    lookup lru macro malloc map mapping marshal matrix memoize memoise memoization memory merge metadata metaclass
    method microservice middleware migration mock modulo modulus module monad monotonic mutable mutate mutation
    mutex namespace nan native nested node none nonlocal nonce null nullable nullptr numpy oauth object offset on2
    onlogn opaque operand operator optimization optional orm outlier overflow overload override pagination
    palindrome pandas parallel param parameter params parse parser partition patch path payload pep8 permutation
    persist pipeline pivot pixel placeholder pointer polling polymorphism pool popcount port postgres precondition
    predicate prefix primary primitive priority process profiler promise property protocol proxy pure pytest python
    query queue quicksort race raise range readme recursion recursive redis reduce ref refactor reference regex
    regexp registry regression repo repository repr request response rest retry return reverse rollback rounding
    route router row rpc runtime scalar schema scope script sdk segfault selector self semantics semaphore sentinel
    serialize serializer server session set setter shard shell shim signature signed singleton slice snapshot socket
    sort sorted sparse spec sql sqlite ssh ssl stable stack stacktrace stateful stateless static stderr stdin stdout
    stdlib stream string struct subclass subprocess subquery subroutine subset substring suffix superclass swagger
    symlink sync synchronous syntax tail tar telemetry template ternary thread threading threshold throttle
    throughput timestamp timezone tls token tokenizer toml topological traceback trait transaction transform
    traversal traverse tree trie truncate tuple type typecheck typed typeerror typehint typescript typing uint unary
    underflow unicode union unittest unix unpack unsigned upsert uri url utf8 utf-8 utf uuid validation validator
    valueerror variable vector verbose vertex view virtualenv void volatile webhook websocket whitespace wildcard
    worker wrapper xml yaml yield zip
    """.split()  # noqa: SIM905
)
"""Terms of the trade, singular. A plain word that is one in everyday use too counts less (`EVERYDAY`)."""
EVERYDAY = frozenset(
    """
    abstract argument bit bound branch character class client column commit context counter default diff edge event
    field filter flag format function guard header hook import index input instance interface join kernel key layer
    lazy leaf leak library linear list lock log map memory merge method native none object path port prefix process
    promise property pure python query range reference request response rest return reverse route row scope script
    self server session set shell signed sort sorted spec stable stack static stream string suffix tail template
    thread token transform tree type variable view void worker program code file number letter word text line test
    tests bug error
    """.split()  # noqa: SIM905
)
"""Terms that everybody uses; half weight."""
NOVICE = _any(
    r"\b(?:how (?:do|can|would|should) (?:i|you|we|one)|what (?:is|are|does|do) (?:a |an |the )?\w+|what'?s (?:a|"
    r"an|the)|what does (?:that|this|it) mean)\b",
    r"\bi(?:'m| am) (?:new|not (?:sure|good|an expert|technical|a (?:programmer|developer|coder))|a beginner|"
    r"a newbie|learning|just (?:learning|starting)|still learning|confused|lost|no expert)\b",
    r"\bi (?:don'?t|do not) (?:know|understand|get|really (?:know|understand))\b",
    r"\b(?:can|could) you (?:please )?(?:explain|help me understand|show me how|walk me)\b",
    r"\b(?:in (?:simple|plain|easy) (?:words|terms|english)|step by step|for a beginner|like i'?m five|"
    r"is it (?:hard|difficult|possible|complicated)|where (?:do|should) i (?:put|type|paste|click|write))\b",
    r"\b(?:thingy|thingie|the thing|some code|the code thing|doohickey|computer|a program that|the program|coding|"
    r"magic)\b",
    r"\bno (?:idea|clue)\b",
)
"""Asks for the basics or says to be new."""
