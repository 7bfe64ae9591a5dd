"""Cues of the rule labeller: what developers write when they react, ask, hedge or know their trade. English.

Written from general knowledge of English and of published label descriptions (SWE-chat intents and pushback kinds),
not from any log in this repository; the generated sample logs keep their wording apart on purpose, so that recovery
of their planted traits measures something. Patterns are matched case-insensitively on text outside code fences.
"""

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.I)


STRONG_FAILURE = _any(
    r"Traceback \(most recent call last\)",
    r"^\s*(?:E  |>>> ?|FAILED |FAIL[: ]|ERROR[: ]|error[:\[]|fatal:|panic:|Exception in)",
    r"\b\w+(?:Error|Exception):",
    r"\bexit (?:code|status) [1-9]",
    r"\bAssertionError\b",
    r"\bnpm ERR!",
)
"""Pasted failure output."""

_CLASSES = {
    "neg": (
        "not no never none nothing neither nor cannot cant can't dont don't doesnt doesn't didnt didn't isnt "
        "isn't wasnt wasn't arent aren't werent weren't wont won't wouldnt wouldn't shouldnt shouldn't couldnt "
        "couldn't hasnt hasn't havent haven't hadnt hadn't aint ain't needn't neednt mustn't without hardly "
        "barely nobody nowhere nope nah unable"
    ),
    "broken": (
        "broken breaks broke break breaking fail fails failed failing failure failures crash crashes crashed "
        "crashing error errors errored erroring exception exceptions traceback segfault panic panics panicked bug "
        "bugs buggy hang hangs hung hanging freeze freezes froze frozen stuck stalls stalled timeout timeouts "
        "dies died die dying dead explodes exploded blows blew choke chokes choked throws threw thrown raises "
        "aborts aborted quits exits exited bails bombs bombed halts regress regression regressed glitch glitches "
        "glitchy malfunction malfunctions misbehaves misbehaving misbehave fault faults defect defects red "
        "corrupt corrupted corrupts garbled garbage nonsense blank nan undefined null infinite endless overflow "
        "leak leaks leaking deadlock trouble troubles problem problems issue issues warning warnings unhandled "
        "uncaught unresponsive unreachable refused denied collapses collapsed stops stopped trips tripped "
        "stumbles stumbled flickers loses lost vanishes vanished disappears disappeared duplicates duplicated "
        "complains complained rejects barfs kaput busted borked down unusable"
    ),
    "wrong": (
        "wrong incorrect incorrectly wrongly false mistaken mistake mistakes inaccurate off inverted reversed "
        "backwards swapped misplaced mismatch mismatched mismatches bad invalid untrue nonsensical opposite "
        "contradicts contradict contradicting contrary violates inconsistent differs differ different unexpected "
        "weird odd strange oddly"
    ),
    "revert": (
        "revert reverts reverted undo undone rollback restore restored reset rewind discard discarded scrap "
        "scrapped abandon abandoned abort bin binned trash trashed ditch ditched throw tear rip withdraw "
        "withdrawn backout unwind toss tossed junk nuke wipe wiped kill killed"
    ),
    "back": ("back"),
    "stop": ("stop halt cease quit hold wait pause enough"),
    "change": (
        "change changed changes changing switch switched swap replace replaced rename renamed alter altered "
        "adjust adjusted adapt modify modified tweak tweaked revise revised amend amended update convert turn "
        "turned flip flipped shift rework redefine edit"
    ),
    "limit": (
        "widen narrow restrict limit relax loosen tighten raise lower increase decrease reduce bump double halve "
        "shorten lengthen extend expand broaden cap stricter looser smaller bigger larger longer shorter fewer "
        "higher"
    ),
    "drop": (
        "drop dropped remove removed delete deleted skip skipped omit omitted cut leave lose exclude strip lift waive"
    ),
    "add": (
        "add added adding include included extra additional additionally another further furthermore moreover "
        "plus append introduce besides support supports"
    ),
    "also": ("also too"),
    "make": ("make makes let lets let's have set put use using go keep allow treat return show give"),
    "build": (
        "write create build implement generate draft prepare develop design produce set-up setup start begin "
        "tackle document review refactor test tests commit push deploy run investigate analyse analyze summarise "
        "summarize list find look check read translate fix"
    ),
    "praise": (
        "good great perfect nice excellent awesome brilliant lovely wonderful amazing fantastic fine superb "
        "beautiful neat solid clean elegant cool sweet splendid terrific stellar impressive happy pleased "
        "satisfied glad love like likes loved lgtm marvellous ideal flawless fab fabulous tidy superbly "
        "beautifully nicely perfectly gorgeous delighted outstanding smooth smoothly wow yay bravo kudos hooray "
        "legend gold"
    ),
    "okay": (
        "ok okay k alright yes yep yeah yup sure right correct correctly agreed agree accept accepted accepts "
        "approve approved works work worked working pass passes passed green confirmed verified proceed continue "
        "ahead merge merged ship shipped understood exactly indeed absolutely matches match matching resolved "
        "solved fixed gone succeeds successful successfully clear clears"
    ),
    "thanks": ("thanks thank thx ty cheers appreciate appreciated grateful obliged"),
    "end": (
        "bye goodbye done finished finish end ends ended close closed closing wrap wrapped tomorrow tonight today "
        "later leaving night session day over"
    ),
    "ask": ("what why how where when which who whose whether what's how's where's"),
    "aux": ("is are was were does do did has had will would can could should may might am"),
    "explain": (
        "explain explained explanation clarify elaborate describe tell wonder wondering curious understand "
        "meaning mean means meant difference confused unclear unsure purpose reason happens"
    ),
    "want": (
        "want wants wanted need needs needed prefer prefers preferred wish wishes rather require requires hope desire"
    ),
    "must": ("must ought supposed shall shouldve expected intended required"),
    "you": ("you your yours youve you've you're youre ur u yourself"),
    "i": ("i me my mine i'm im i've ive i'd id we us our ours we're we've we'd i'll we'll"),
    "others": (
        "boss customer client team colleague manager he she they everyone management marketing users stakeholders "
        "people product legal lead folks"
    ),
    "forgot": (
        "forgot forgotten forget forgets missed missing miss misses overlooked overlook ignored ignores ignore "
        "ignoring neglected left lacks lacking lack"
    ),
    "misread": (
        "misread misunderstood misunderstanding misunderstand misinterpreted confusing mixed mistook assumed "
        "assume assuming assumption presumed invented hallucinated guessed guessing conflated misheard "
        "mischaracterised"
    ),
    "said": (
        "said say says saying asked ask told wrote written described specified stated mentioned requested "
        "requirement requirements spec specification instructions instruction rule rules"
    ),
    "run": (
        "ran running runs tried try trying tested testing executed executing execute launched launch checked "
        "checking clicked reran rerun"
    ),
    "result": (
        "output outcome result results answer answers response value values total totals number numbers returned "
        "returns gives prints printed shows yields produces produced outputs"
    ),
    "get": (
        "get gets got getting see sees seeing saw seen receive received hit hitting notice noticed observe "
        "observed encounter encountered"
    ),
    "instead": ("instead alternatively"),
    "than": ("than"),
    "actually": ("actually hm hmm hmmm scratch"),
    "mind": (
        "mind thought thoughts thinking decided decide decision reconsidered reconsider rethought rethinking "
        "rethink reflection hindsight plans plan"
    ),
    "nowon": ("anymore henceforth onwards forward"),
    "now": ("now currently"),
    "afterall": ("all"),
    "still": ("still again same yet persists remains keeps kept once repeatedly"),
    "next": ("next then after following second third step phase moving onto onward separately"),
    "new": ("new newer"),
    "but": ("but however although though except unfortunately only sadly alas"),
    "vague": (
        "better nicer somehow something kind sort bit vibe feel feels feeling maybe meh improve improved "
        "improvement polish polished stuff thing things whatever idk dunno somewhat cleaner smoother rough "
        "underwhelming bland vague"
    ),
    "this": ("this that it these those them"),
    "one": ("first option one two three both either"),
    "already": ("already explicitly earlier before previously original originally initially above"),
    "please": ("please pls plz kindly"),
    "optional": ("optional configurable parameter flag setting"),
    "better": (
        "worse worst terrible horrible awful useless ugly mess messy hate dislike unacceptable overkill "
        "overcomplicated bloated dreadful disaster rubbish crap hacky"
    ),
    "refuse": ("refuse decline declined reject rejected veto disagree cancel cancelled nevermind dismiss dismissed"),
    "myself": ("myself"),
}
WORD_CLASSES = {word: f"<{name}>" for name, words in reversed(_CLASSES.items()) for word in words.split()}
"""Words that do the same work in a reaction, by class; a word of several classes counts in the first."""

TURNS_OF_SPEECH = {
    "nolonger": re.compile(r"\b(?:no longer|not any ?more|not needed any ?more|any more|no more)(?!\w)"),
    "changedmind": re.compile(
        r"\b(?:"
        r"changed? (?:my|our) minds?|change of (?:plan|heart|mind)s?|on second thoughts?|second thoughts?|"
        r"on reflection|upon reflection|thinking about it|come to think|thought it over|"
        r"thinking (?:more|again)|better idea|plans? (?:have |has )?changed|new plan"
        r")(?!\w)"
    ),
    "insteadof": re.compile(r"\b(?:instead of|rather than|in place of|as opposed to)(?!\w)"),
    "notwhat": re.compile(
        r"\b(?:"
        r"not what i|isn'?t what i|wasn'?t what i|not how i|not the way i|not quite what|n't what"
        r")(?!\w)"
    ),
    "aswell": re.compile(
        r"\b(?:"
        r"as well|on top of that|in addition|one more|while (?:you(?:'re| are)|we(?:'re| are)) at it"
        r")(?!\w)"
    ),
    "goback": re.compile(
        r"\b(?:"
        r"go back|back to|put .{1,20} back|the way it was|as it was|like it was|start over|from scratch|"
        r"start again|start afresh|square one|take it back|roll(?:ed)? (?:it |this |that )?back|back it out|"
        r"back (?:that|this) out|get rid of|throw (?:it|this|that|all)(?: \w+)? (?:away|out)|out again"
        r")(?!\w)"
    ),
    "notwork": re.compile(
        r"\b(?:"
        r"(?:does|do|did|is|are|wo|ca|was)(?:n'?t| not) (?:work|run|compile|build|start|load|respond|finish|"
        r"open|save|show|help|fix|solve|pass|change|terminate|return|render|print|appear)\w*|"
        r"not working|no luck|no effect|no output|nothing happens|nothing happened|doesn'?t do anything|"
        r"blows? up|blew up|falls? over|fell over|goes wrong|went wrong|times? out|timed out|gives? up|gave up"
        r")(?!\w)"
    ),
    "fromnow": re.compile(
        r"\b(?:"
        r"from now on|from here on|going forward|as of (?:now|today)|starting (?:now|today)|in future"
        r")(?!\w)"
    ),
    "afterall": re.compile(r"\b(?:after all)(?!\w)"),
    "supposed": re.compile(r"\b(?:supposed to|meant to|was to|were to|ought to)(?!\w)"),
    "atall": re.compile(r"\b(?:at all|altogether|entirely|completely|whole thing|everything)(?!\w)"),
    "nevermind": re.compile(r"\b(?:never ?mind|forget (?:it|about|that|this|what)|scratch that|don'?t bother)(?!\w)"),
    "worksnow": re.compile(
        r"\b(?:"
        r"works now|work now|(?:it|that|this|everything) works|all (?:good|green|fine|clear|set)|"
        r"looks (?:good|great|fine|right)|well done|good job|nice work|spot on|"
        r"as (?:expected|intended|described|hoped|it should)|what i (?:wanted|needed)|"
        r"no (?:more )?(?:errors?|issues?|problems?|complaints|crashes)|makes sense|go ahead|carry on|"
        r"happy with"
        r")(?!\w)"
    ),
    "thatsall": re.compile(
        r"\b(?:"
        r"that'?s (?:all|it|everything)|that is (?:all|it|everything)|that (?:will|would) be (?:all|it)|"
        r"that'?ll be all|all (?:i|we) need(?:ed)?|nothing (?:else|more|further)|"
        r"no (?:more|further|other) questions?|for (?:today|now|tonight)|call it a day|we(?:'re| are) done|"
        r"i(?:'m| am) done|good ?night|see you|take care|wrap (?:it )?up|signing off|logging off"
        r")(?!\w)"
    ),
    "whatif": re.compile(
        r"\b(?:"
        r"what if|how about|what about|why don'?t we|why not|could we|can we|could it|can it|could you also|"
        r"may we"
        r")(?!\w)"
    ),
    "newreq": re.compile(
        r"\b(?:"
        r"new (?:requirement|rule|constraint|condition|wish|request)|"
        r"(?:requirement|rule|spec)s? (?:has |have )?(?:changed|moved)|one (?:small |little )?change"
        r")(?!\w)"
    ),
    "forgottosay": re.compile(
        r"\b(?:"
        r"i (?:forgot|should have|neglected|failed) (?:to )?(?:say|mention|tell|mentioned|said|told)|"
        r"i left out|my (?:mistake|bad|fault|error)|i (?:told|gave) you"
        r")(?!\w)"
    ),
    "youdid": re.compile(
        r"\b(?:"
        r"you(?:'ve| have|'re| are)? (?:\w+ )?(?:did|didn't|made|changed|put|used|left|forgot|missed|ignored|"
        r"skipped|took|added|removed|wrote|implemented|assumed|misread|misunderstood|treated|got|gave|broke|"
        r"only|also|are|have|were|mixed|confused|swapped|hardcoded|renamed|deleted|turned|returned)"
        r")(?!\w)"
    ),
    "isaid": re.compile(
        r"\b(?:"
        r"(?:as )?(?:i|we)(?:'ve| have|'d| had)? (?:already |clearly |explicitly |just )?(?:said|asked|told|"
        r"wrote|meant|wanted|mentioned|specified|described|requested|stated|explained)"
        r")(?!\w)"
    ),
    "it_must": re.compile(
        r"\b(?:"
        r"(?:it|that|this|they|which) (?:should|must|needs? to|has to|have to|ought to)"
        r")(?!\w)"
    ),
    "ineed": re.compile(
        r"\b(?:"
        r"i (?:also )?(?:need|want|'d like|would like|'d love|would love)|i'd like|we (?:also )?(?:need|want)|"
        r"we'd like"
        r")(?!\w)"
    ),
    "canyou": re.compile(r"\b(?:(?:can|could|would|will) (?:you|u))(?!\w)"),
    "letus": re.compile(r"\b(?:let'?s|let us|let it)(?!\w)"),
    "dont": re.compile(r"\b(?:do not|don'?t)(?!\w)"),
}
"""Turns of speech in which people react, matched on lower-case text."""

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
