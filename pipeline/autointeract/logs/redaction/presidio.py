"""Names found by Presidio, where the optional extra `presidio` and a model for it are installed; else nothing."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from autointeract.logs.redaction.span import Span

ENTITIES = ["PERSON", "LOCATION"]
MIN_SCORE = 0.6
"""Presidio's own confidence, in [0, 1]."""
MAX_CHARS = 100_000
"""Longer texts are looked at piece by piece."""


def available() -> bool:
    """Whether names can be found on this machine."""
    return _analyzer() is not None


def names(text: str) -> Iterator[Span]:
    """Spans of persons' and places' names."""
    analyzer = _analyzer()
    if analyzer is None:
        return
    for start in range(0, len(text), MAX_CHARS):
        found = analyzer.analyze(text[start : start + MAX_CHARS], language="en", entities=ENTITIES)
        for result in found:
            if result.score >= MIN_SCORE:
                yield Span(start + result.start, start + result.end, "NAME")


@cache
def _analyzer() -> Any:
    try:
        import spacy.util  # pyright: ignore[reportMissingImports]
        from presidio_analyzer import AnalyzerEngine  # pyright: ignore[reportMissingImports]
        from presidio_analyzer.nlp_engine import NlpEngineProvider  # pyright: ignore[reportMissingImports]
    except ImportError:
        return None
    models = [name for name in spacy.util.get_installed_models() if name.startswith("en_core_web")]
    if not models:
        return None
    configuration = {"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": sorted(models)[0]}]}
    engine = NlpEngineProvider(nlp_configuration=configuration).create_engine()
    return AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])
