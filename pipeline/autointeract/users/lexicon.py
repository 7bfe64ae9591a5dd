"""Cues of the rule labeller: what developers write when they react, ask, hedge or know their trade. English.

Written from general knowledge of English and of published label descriptions (SWE-chat intents and pushback kinds),
not from any log in this repository; the generated sample logs keep their wording apart on purpose, so that recovery
of their planted traits measures something. Patterns are matched case-insensitively on text outside code fences.
"""

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.I)


_NEG = r"(?:doesn'?t|does not|didn'?t|did not|isn'?t|is not|won'?t|will not|can'?t|cannot|don'?t|do not|aren'?t|wasn'?t|hasn'?t|haven'?t|never)"
_RUN = (
    r"(?:work(?:s|ed|ing)?|run(?:ning)?|compile|build|load|start|pass(?:ing)?|match|show(?:ing)?|return(?:ing)?|"
    r"respond|render|"
    r"appear|open|save|install|resolve|update|trigger|fire|finish|terminate|behave|handle|produce|give|"
    r"do anything|happen|"
    r"seem(?:s)? to)"
)

FAILURE = _any(
    rf"\b{_NEG}\b(?: \w+){{0,3}}? {_RUN}\b",
    r"\b(?:errors?|exceptions?|traceback|stack ?trace|segfaults?|panic(?:s|ked)?|core dump(?:ed)?)\b",
    r"\b\w+(?:Error|Exception)\b",
    r"\b(?:fails?|failed|failing|failures?|crash(?:es|ed|ing)?|broke|broken|breaks?|breaking|bugs?|buggy|"
    r"regress(?:ion|ed)|hangs?|hung|"
    r"freezes?|froze|stuck|times? ?out|timed ?out|infinite loop|blows? up|blew up|chokes?|throws?|threw|raises|"
    r"raised|red)\b",
    r"\b(?:i(?:'m| am)?|we(?:'re)?|it|that|this|now) (?:just |now |still |keeps? |am )*(?:gets?|got|getting|"
    r"gives?|gave|sees?|saw|seeing|"
    r"returns?|returned|prints?|printed|outputs?|shows?|produces?|comes? (?:out|back)|came (?:out|back)|spits?)\b",
    r"\bexpect(?:ed|ing|s)?\b.{0,60}\b(?:but|got|gets|instead|not|received|found)\b",
    r"\b(?:instead of|rather than|not)\b.{0,25}\bexpected\b",
    r"\b(?:same|another|different) (?:problem|issue|error|result|failure|thing)\b",
    r"\bnothing (?:happens|happened|changed|shows)\b",
    r"\b(?:tried|ran|tested|running) (?:it|this|that|them|the)\b",
    r"\bexit(?:s|ed)? (?:code|status|with)\b",
    r"\b(?:wrong|incorrect|unexpected|weird|odd|strange|empty|blank) (?:output|answer|result|value|number|count|"
    r"order|response|total)s?\b",
    r"\bstill (?:wrong|not|the same|broken|failing|see|get|there|happening)\b",
    r"\b(?:\d+|some|all|two|three|one|several|most|half)(?: of)?(?: the| my| those)? (?:tests?|cases?|checks?|inputs?) "
    r"(?:fail|break|are (?:red|failing|wrong)|still|don'?t|do not|come)",
)
"""Says that the result does not work."""

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
    r"\b(?:on reflection|reconsider(?:ed|ing)?|re-?think(?:ing)?|re-?thought|plan b|(?:different|new|another|"
    r"other) plan|"
    r"(?:small|slight|one|quick|minor|little|big|late|last[- ]minute) (?:change|update|tweak|adjustment|addition|"
    r"correction on my side)|"
    r"change of plan|amend(?:ment)?|update(?: on my side)?:)",
    r"\b(?:isn'?t|is not|aren'?t|are not|won'?t be) (?:needed|required|necessary|wanted)(?: any ?more)?\b",
    r"\b(?:would|'d|might|could|is|will) be (?:better|nicer|best|preferable|more useful|more helpful|safer|"
    r"simpler) (?:if|to|with|as|when)\b",
    r"\b(?:rather than|instead of|in place of|not .{1,40} but)\b",
    r"\b(?:raise|lower|increase|decrease|bump|double|halve|reduce|cap|widen|narrow) (?:the|it|that|"
    r"this)\b.{0,40}\b(?:to|by|at)\b",
    r"\b(?:as well|too)\W*$",
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
    r"need(?:s|ed)? (?:it|this|that|them) to|asked|agreed|insist)\b.{0,80}\b(?:instead|now|too|as well|after all|"
    r"also|rather|differently|changed?)\b",
    r"\b(?:actually|instead|alternatively|rather),? (?:\w+ ){0,2}?(?:let'?s|let us|make|have|can (?:you|we|it)|"
    r"could (?:you|we|it)|please|use|return|go|do|i(?:'d| would)? (?:want|like|need|prefer)|we (?:want|need|"
    r"should)|it (?:should|needs|must)|change|switch|keep|drop|treat|count|sort|allow)\b",
    r"\b(?:let'?s|can we|could we|could you|we should|i(?:'d| would) (?:rather|prefer|like)(?: to)?|"
    r"please) (?:\w+ ){0,3}?(?:switch|go with|go for|move to|change|swap|replace|drop)\b",
    r"\b(?:no longer|not any ?more|any ?more|from now on|going forward|after all|instead)\b",
    r"\b(?:it|this|that|the \w+|they|output|result|we|you)(?:'ll)? (?:should|must|needs? to|has to|have to|"
    r"ought to|will)(?: also| now| additionally| instead)\b",
    r"\b(?:should|must|needs?|want|has to|can you|could you|please) (?:now|also|additionally|instead|as well)\b",
    r"\b(?:now|also),? (?:i|we|it|this|the \w+) (?:also |now )?(?:want|need|should|must|has to|have to|needs|"
    r"would like|'d like)\b",
    r"\b(?:in addition|on top of (?:that|this)|besides that|one more thing|another thing|while (?:you'?re|"
    r"we'?re) at it|and also|plus,)\b",
    r"\b(?:what if|how about|maybe) (?:we|it|you|the)\b.{0,60}\b(?:instead|rather|too|as well|also)\b",
    r"\b(?:make|turn|change|switch|swap|replace|rename|convert|extend|loosen|tighten|relax) (?:it|that|this|them|"
    r"the \w+(?: \w+)?)(?: \w+)? (?:to|into|from|so|with|for)\b",
)
"""Changes or adds to what was asked."""

ACCEPT = _any(
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
