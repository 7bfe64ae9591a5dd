"""Every encoding of `ground_truth`, and what must not be unpacked."""

import base64
import json
import os
import pickle
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autointeract.errors import InputError
from autointeract.tasks import plain_pickle
from autointeract.tasks.ground_truth import decode

TESTS = ["assert f(1) == 2", "assert f(2) == 3"]


def packed(value: object, protocol: int = 4) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(value, protocol))).decode()


@pytest.mark.parametrize(
    "cell",
    [
        TESTS,
        json.dumps(TESTS),
        [json.dumps(TESTS)],
        packed(TESTS),
        [packed(TESTS)],
        packed(json.dumps(TESTS)),
        [packed(tuple(TESTS), protocol=0)],
        [json.dumps(json.dumps(TESTS))],
    ],
)
def test_every_wrapping_of_assertions(cell):
    assert decode(cell) == TESTS


def test_one_assertion_in_a_list_is_not_taken_for_a_wrapping():
    assert decode(["assert f(1) == 2"]) == ["assert f(1) == 2"]
    assert decode(["from math import pi\nassert f(1) == pi"]) == ["from math import pi\nassert f(1) == pi"]


def test_cases_in_rows_and_in_columns():
    rows = [{"input": "3\n", "output": "6\n"}]
    assert decode([json.dumps(rows)]) == rows
    assert decode(json.dumps({"input": ["3\n"], "output": ["6\n"]})) == rows
    with pytest.raises(InputError, match="different number"):
        decode(json.dumps({"input": ["3\n"], "output": []}))


@pytest.mark.parametrize("cell", [None, "", [], [""], ["[]"]])
def test_nothing_is_nothing(cell):
    assert decode(cell) == []


@pytest.mark.parametrize("cell", ["not json", ["eJxxxx"], base64.b64encode(b"plain").decode(), "{", '{"a": 1}', "7"])
def test_what_is_no_list_of_tests_is_refused(cell):
    with pytest.raises(InputError):
        decode(cell)


class Evil:
    def __reduce__(self):
        return (os.mkdir, ("evil-was-here",))


@pytest.mark.parametrize("protocol", range(6))
def test_a_pickle_that_calls_is_refused_and_does_nothing(protocol, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for value in (Evil(), [Evil()], {"input": Evil()}):
        with pytest.raises(InputError, match="only plain data"):
            plain_pickle.loads(pickle.dumps(value, protocol))
        with pytest.raises(InputError, match="only plain data"):
            decode([packed(value, protocol)])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "data",
    [
        b"cos\nsystem\n(S'touch x'\ntR.",  # the classic
        b"\x80\x02c__builtin__\neval\n.",
        b"\x80\x04\x8c\x02os\x8c\x06system\x93.",  # STACK_GLOBAL
        b"\x80\x02\x82\x01.",  # an extension code
        b"Pid\n.",  # a persistent id
        b"(i__builtin__\nlist\n.",  # INST
        b"\x80\x02]r\xff\xff\xff\x7f.",  # a memo index that would take gigabytes
        b"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\x7f]\x94.",  # a frame longer than the data
        b"\x8d" + struct.pack("<Q", 1 << 62) + b"x.",  # a text longer than memory
        b"",
        b".",
        b"0.",
    ],
)
def test_hostile_streams_are_refused(data):
    with pytest.raises(InputError):
        plain_pickle.loads(data)


def test_shared_references_do_not_unfold_without_bound():
    value: list = ["x"]
    for _ in range(40):
        value = [value, value]
    with pytest.raises(InputError, match="too much data"):
        plain_pickle.loads(pickle.dumps(value))
    loop: list = []
    loop.append(loop)
    with pytest.raises(InputError):
        plain_pickle.loads(pickle.dumps(loop))


def test_a_compression_bomb_is_refused_before_it_unpacks():
    bomb = base64.b64encode(zlib.compress(b"0" * 50_000_000)).decode()
    with pytest.raises(InputError, match="unpack to more than 1 MB"):
        decode([bomb], max_bytes=1 << 20)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(PLAIN, st.integers(0, 5))
def test_plain_data_comes_back(value, protocol):
    assert plain_pickle.loads(pickle.dumps(value, protocol)) == value


@given(st.binary(max_size=300))
def test_any_bytes_are_plain_data_or_refused(data):
    try:
        plain_pickle.loads(data)
    except InputError:
        pass


@given(st.recursive(st.none() | st.text() | st.integers(), lambda inner: st.lists(inner, max_size=3), max_leaves=6))
def test_any_cell_is_a_list_or_refused(cell):
    try:
        assert isinstance(decode(cell), list)
    except InputError:
        pass
