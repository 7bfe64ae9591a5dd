"""What crosses between examiner and candidate: round trips are exact, hostile bytes are refused and nothing else."""

import marshal
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autointeract import assets

sys.path.insert(0, str(assets.path("sandbox", "judge")))
import fast  # pyright: ignore[reportMissingImports]
import plain  # pyright: ignore[reportMissingImports]

ATOMS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.complex_numbers(allow_nan=False)
    | st.text(st.characters(codec="utf-16", exclude_categories=())) | st.binary()
)  # fmt: skip
KEYS = st.booleans() | st.integers() | st.text(max_size=5) | st.tuples(st.integers(), st.binary(max_size=3))
VALUES = st.recursive(
    ATOMS | st.sets(KEYS, max_size=4) | st.frozensets(KEYS, max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def same(one: object, other: object) -> bool:
    return (
        type(one) is type(other) and repr(one) == repr(other) if not isinstance(one, set | frozenset) else one == other
    )


@given(VALUES)
def test_marshal_data_is_read_exactly(value: Any) -> None:
    back = fast.load(marshal.dumps(value, 2))
    assert back == value and type(back) is type(value)


@given(st.binary(max_size=60))
def test_hostile_bytes_are_refused(data: bytes) -> None:
    try:
        fast.load(data)
    except fast.Refused:
        pass


def test_code_and_deep_data_are_refused() -> None:
    hostile: tuple[Any, ...] = (compile("1", "x", "exec"), StopIteration)
    for value in hostile:
        with pytest.raises(fast.Refused):
            fast.load(marshal.dumps(value, 2))
    with pytest.raises(fast.Refused):
        fast.load(b"[\x01\x00\x00\x00" * 5000 + b"N")


@given(VALUES)
def test_the_long_way_is_exact(value: Any) -> None:
    def refuse(_: object) -> Any:
        raise plain.NotPlain

    encoder, decoder = plain.Encoder(refuse, plain.Known()), plain.Decoder(refuse, plain.Known())
    back = decoder.decode(encoder.encode(value)[0])
    assert back == value and type(back) is type(value)


def test_aliases_and_cycles_survive() -> None:
    inner: list = [1]
    value = {"a": inner, "b": [inner, inner]}
    inner.append(value)
    encoder, decoder = plain.Encoder(None, plain.Known()), plain.Decoder(None, plain.Known())
    back = decoder.decode(encoder.encode(value)[0])
    assert back["a"] is back["b"][0] is back["b"][1] and back["a"][1] is back


def nested(leaves: st.SearchStrategy, keys: st.SearchStrategy) -> st.SearchStrategy:
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=10
    )


@given(nested(st.integers() | st.text(max_size=3), st.text(max_size=2)), VALUES)
def test_merge_gives_the_new_content(old: object, new: Any) -> None:
    box = [old]
    fast.merge(box, [new])
    assert box == [new]


@given(nested(st.none() | st.integers() | st.text(max_size=4), st.sampled_from("ldstnrqoic") | st.text(max_size=3)))
def test_hostile_json_is_refused_or_plain(data: object) -> None:
    decoder = plain.Decoder(lambda ref: ref, plain.Known())
    try:
        decoder.decode(data)
    except plain.NotPlain:
        pass
