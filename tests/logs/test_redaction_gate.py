"""The gate lets through every text that a finder would change, and few others."""

from hypothesis import given, settings
from hypothesis import strategies as st
from test_redaction import CANARIES, ORDINARY, redactor

from autointeract.logs.redaction import gate, suspects

PIECES = [text for text, _ in CANARIES.values()] + ORDINARY
NOISE = st.text("aZ09-_+./:@ =\"'\n?&é→Kk", max_size=24)


@settings(max_examples=300, deadline=None)
@given(texts=st.lists(st.one_of(NOISE, st.builds(lambda a, b, c: a + b + c, NOISE, st.sampled_from(PIECES), NOISE))))
def test_with_and_without_the_gate_the_same_is_removed(texts):
    texts = [*texts, " word" * (gate.WORTHWHILE // 5)]
    plain, gated = redactor(), redactor()
    assert gated.texts(texts, suspects(texts)) == plain.texts(texts)
    assert gated.counts == plain.counts


def test_most_ordinary_text_needs_no_search():
    texts = ["the quick brown fox jumps over the lazy dog\n" * 50] * 100 + ["token=aB3dE6fG9hJ2"]
    assert suspects(texts) == [False] * 100 + [True]
