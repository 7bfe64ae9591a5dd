"""Unpickles plain data and nothing else: lists, tuples, dicts, text, numbers, booleans and null.

Pickle is a program for a small machine. Before anything runs, every opcode is compared with a list of those that only
build plain data; a stream with any other one (a global, a call, a persistent id, an extension) is refused unread. What
an allowed stream may still do is waste memory: memo indexes are bounded, and shared references (which unfold
exponentially when walked) are bounded by `limit` when the result is copied.
"""

import io
import pickle
import pickletools
from typing import Any

from autointeract.errors import InputError

_ALLOWED = frozenset(
    {
        "PROTO", "FRAME", "STOP", "MARK", "POP", "POP_MARK",
        "EMPTY_LIST", "APPEND", "APPENDS", "LIST", "EMPTY_DICT", "DICT", "SETITEM", "SETITEMS",
        "EMPTY_TUPLE", "TUPLE", "TUPLE1", "TUPLE2", "TUPLE3",
        "NONE", "NEWTRUE", "NEWFALSE", "INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT",
        "BINFLOAT", "UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8",
        "PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE", "GET", "BINGET", "LONG_BINGET",
    }
)  # fmt: skip
_MEMO_WRITES = frozenset({"PUT", "BINPUT", "LONG_BINPUT"})
_PLAIN = (str, int, float, bool, type(None))


def loads(data: bytes, limit: int = 500_000) -> Any:
    """The plain data in `data`.

    Args:
        limit: values the unfolded result may hold.

    Raises:
        InputError: not a pickle, or one that asks for more than plain data; names the opcode.
    """
    count = 0
    try:
        for opcode, argument, _ in pickletools.genops(data):
            count += 1
            if opcode.name not in _ALLOWED:
                raise InputError(f"pickle asks for {opcode.name}: only plain data is read")
            if opcode.name in _MEMO_WRITES and int(argument or 0) > count:
                raise InputError("pickle with a memo index beyond its length")
        return _copy(_Plain(io.BytesIO(data)).load(), [limit])
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"not a readable pickle of plain data ({type(error).__name__})") from error


class _Plain(pickle.Unpickler):
    """A second wall behind the list of opcodes."""

    def find_class(self, module_name: str, global_name: str) -> Any:
        raise InputError(f"pickle asks for {module_name}.{global_name}: only plain data is read")

    def persistent_load(self, pid: Any) -> Any:
        raise InputError("pickle asks for a persistent object: only plain data is read")


def _copy(value: Any, left: list[int], depth: int = 0) -> Any:
    left[0] -= 1
    if left[0] < 0 or depth > 100:
        raise InputError("pickle unfolds to too much data")
    if type(value) in _PLAIN:
        return value
    if isinstance(value, list | tuple):
        return [_copy(item, left, depth + 1) for item in value]
    if isinstance(value, dict):
        return {_key(key): _copy(item, left, depth + 1) for key, item in value.items()}
    raise InputError(f"pickle holds a {type(value).__name__}: only plain data is read")


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise InputError("pickle holds a dict with keys that are no text")
    return key
