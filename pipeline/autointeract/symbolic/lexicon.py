"""Words that the rules know: groups of synonyms, words that carry no content, words whose change changes the meaning.

A table, not a model of English: it is written for requirement sentences of programming tasks. Each group's first word
stands for the group.
"""

GROUPS: tuple[tuple[str, ...], ...] = (
    ("return", "produce", "yield"), ("compute", "calculate"), ("list", "array"), ("string", "text"),
    ("integer", "int"), ("total", "overall"), ("empty", "blank"), ("every", "each"), ("largest", "biggest"),
    ("remove", "drop", "discard"), ("element", "item", "entry"), ("given", "supplied", "provided"),
    ("input", "argument"), ("contain", "hold"), ("equal", "identical"), ("letter", "character"),
    ("ignore", "skip", "disregard"), ("find", "locate"), ("function", "routine"),
    ("join", "concatenate"), ("split", "divide"), ("between", "amid"), ("consecutive", "adjacent"),
    ("several", "multiple"), ("number", "figure"), ("whole", "entire"), ("began", "start", "begin", "started"),
    ("result", "outcome"), ("written", "rendered"), ("keep", "retain", "kept"), ("order", "ordering"),
    ("occur", "appear"), ("allowed", "permitted"), ("check", "verify"), ("create", "build", "make"),
    ("count", "tally", "counted"), ("round", "rounded"), ("invalid", "malformed"), ("value", "amount"),
    ("word", "term"), ("name", "label"), ("price", "cost"), ("sum", "addition"),
)  # fmt: skip
"""Synonyms; the same group means the same fact."""

IDLE: frozenset[str] = frozenset(
    (
        "a", "an", "the", "is", "are", "was", "were", "be", "been", "being", "it", "its", "this", "that", "these",
        "those", "of", "to", "for", "and", "or", "as", "by", "with", "in", "on", "at", "from", "which", "who", "will",
        "would", "can", "could", "shall", "so", "then", "there", "their", "they", "you", "your", "i", "we", "our", "my",
        "have", "has", "had", "do", "does", "also", "just", "please", "where", "when", "such", "into", "up", "out", "s",
        "t", "them", "him", "her", "he", "she", "want", "need", "needs", "should", "must", "let", "lets", "us", "me",
        "think", "note", "example", "examples", "eg", "ie", "etc",
    )
)  # fmt: skip
"""Words that carry no requirement."""

DROPPABLE: frozenset[str] = frozenset(
    ("a", "an", "the", "is", "are", "be", "it", "its", "this", "that", "of", "which", "should", "must", "will", "there")
)
"""Words that a hurried writer leaves out."""

FLIPS: tuple[tuple[str, str], ...] = (
    ("ascending", "descending"), ("first", "last"), ("even", "odd"), ("largest", "smallest"), ("maximum", "minimum"),
    ("before", "after"), ("above", "below"), ("more", "less"), ("most", "least"), ("greater", "smaller"),
    ("highest", "lowest"), ("lower", "upper"), ("left", "right"), ("true", "false"), ("longest", "shortest"),
    ("positive", "negative"), ("odd", "even"), ("up", "down"), ("always", "never"), ("earlier", "later"),
    ("once", "twice"), ("halved", "doubled"), ("inclusive", "exclusive"), ("same", "different"), ("two", "three"),
    ("three", "four"), ("one", "two"), ("row", "column"),
)  # fmt: skip
"""Pairs whose exchange makes another requirement; also how a variant of a fact is made."""

CRITICAL: frozenset[str] = frozenset(word for pair in FLIPS for word in pair) | {"not", "no", "never", "none", "zero"}
"""Words that must be there for a fact to be the same fact."""
