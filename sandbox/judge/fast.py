"""The short way for plain data: C code on the candidate's side, so that a forked process touches few pages.

The examiner is trusted, so what it sends is `marshal` data which the candidate loads. What the candidate sends is
marshal data too, but nobody trusts it: the examiner reads it with `load`, a parser of the few harmless types. Whatever
marshal refuses (it takes exact builtin types only) goes the long way, plain.py.
"""

import struct

MAX_DEPTH = 200


class Refused(Exception):
    """Not data that this parser takes."""


def load(data):
    """The value of marshal data, version 2: None, bool, int, float, complex, str, bytes, list, tuple, dict, set,
    frozenset. Raises Refused for anything else; never runs or builds anything but such values.
    """
    try:
        value, end = _value(data, 0, 0)
    except Refused:
        raise
    except Exception as error:  # hostile data may break any assumption below
        raise Refused(f"malformed data ({type(error).__name__})") from None
    if end != len(data):
        raise Refused("data after the end")
    return value


_CONSTANTS = {ord("N"): None, ord("T"): True, ord("F"): False, ord("."): ...}
_SEQUENCES = {ord("["): list, ord("("): tuple, ord("<"): set, ord(">"): frozenset}
_END = ord("0")


def _value(data, at, depth):
    if depth > MAX_DEPTH:
        raise Refused("data nested too deeply")
    kind = data[at]
    at += 1
    if kind == 105:  # i
        return struct.unpack_from("<i", data, at)[0], at + 4
    if kind in _CONSTANTS:
        return _CONSTANTS[kind], at
    if kind in _SEQUENCES:
        (count,) = struct.unpack_from("<I", data, at)
        if count > len(data):
            raise Refused("a count beyond the data")
        at += 4
        items = []
        for _ in range(count):
            item, at = _value(data, at, depth + 1)
            items.append(item)
        return _SEQUENCES[kind](items), at
    if kind == 103:  # g
        return struct.unpack_from("<d", data, at)[0], at + 8
    if kind == 123:  # {
        return _dict(data, at, depth)
    if kind in (115, 117, 116):  # s: bytes, u and t: text
        (size,) = struct.unpack_from("<I", data, at)
        body = data[at + 4 : at + 4 + size]
        if len(body) != size:
            raise Refused("a size beyond the data")
        return bytes(body) if kind == 115 else body.decode("utf-8", "surrogatepass"), at + 4 + size
    if kind == 108:  # l: an int of 15-bit digits
        (count,) = struct.unpack_from("<i", data, at)
        digits = struct.unpack_from(f"<{abs(count)}H", data, at + 4)
        if any(digit >> 15 for digit in digits):
            raise Refused("not an int")
        bits = "".join(f"{digit:015b}" for digit in reversed(digits))
        return (int(bits, 2) if count > 0 else -int(bits, 2)), at + 4 + 2 * abs(count)
    if kind == 121:  # y
        return complex(*struct.unpack_from("<dd", data, at)), at + 16
    raise Refused("not plain data")


def _dict(data, at, depth):
    made = {}
    while data[at] != _END:
        key, at = _value(data, at, depth + 1)
        made[key], at = _value(data, at, depth + 1)
    return made, at + 1


def merge(old, new):
    """Gives `old` (changeable containers) the content of `new` in place, inner containers too where they correspond."""
    if old is new or type(old) is not type(new):
        return
    if type(old) is list:
        old[:] = [_merged(old[n] if n < len(old) else None, item) for n, item in enumerate(new)]
    elif type(old) is dict:
        items = {key: _merged(old.get(key), item) for key, item in new.items()}
        old.clear()
        old.update(items)
    elif type(old) is set:
        old.clear()
        old.update(new)
    elif type(old) is tuple:
        for one, other in zip(old, new, strict=False):
            merge(one, other)


def _merged(old, new):
    if type(old) is type(new) and type(new) in (list, dict, set):
        merge(old, new)
        return old
    return new
