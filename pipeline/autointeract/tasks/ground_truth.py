"""Decodes open-instruct's `ground_truth`: the tests of a Dolci row, whatever they are wrapped in.

The column is a list of one string (older sets: the string itself, or the list of tests itself). The string is JSON
text of a list, or base64 of zlib of a pickled list, or (LiveCodeBench's private tests) of pickled JSON text. Source of
the encodings: open-instruct, `ground_truth_utils.py`. Nothing here is executed; unpacking is bounded.
"""

import base64
import binascii
import json
import zlib
from typing import Any

from autointeract.errors import InputError
from autointeract.records import clean_json
from autointeract.tasks import plain_pickle

MAX_BYTES = 64 * 1024 * 1024


def decode(value: Any, max_bytes: int = MAX_BYTES) -> list[Any]:
    """The tests in a `ground_truth` cell: assertion texts, or `{"input", "output"}` objects.

    Raises:
        InputError: no encoding fits, or it unpacks to something else than a list.
    """
    for _ in range(4):  # a list in a string in a list is the deepest that is known
        if not value:
            return []
        if isinstance(value, str):
            value = _decode_text(value, max_bytes)
        elif isinstance(value, list) and len(value) == 1 and isinstance(value[0], str) and _is_wrapped(value[0]):
            value = value[0]
        elif isinstance(value, list):
            cleaned = clean_json(value)
            return cleaned if isinstance(cleaned, list) else []
        elif isinstance(value, dict) and isinstance(value.get("input"), list):  # {"input": [...], "output": [...]}
            value = _zip_columns(value)
        else:
            raise InputError(f"ground_truth unpacks to a {type(value).__name__}, not to a list of tests")
    raise InputError("ground_truth is wrapped deeper than any known encoding")


def _is_wrapped(text: str) -> bool:
    return not text.lstrip().startswith(("assert", "from ", "import ", "#"))


def _decode_text(text: str, max_bytes: int) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        pass
    except RecursionError as error:
        raise InputError("ground_truth is nested too deeply") from error
    try:
        packed = base64.b64decode(text.strip(), validate=True)
        data = inflate(packed, max_bytes)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise InputError("ground_truth is neither JSON nor base64 of zlib of a pickle") from error
    if data[:1] in (b"[", b"{", b'"'):
        return json.loads(data.decode("utf-8", "replace"))
    return plain_pickle.loads(data)


def inflate(packed: bytes, max_bytes: int) -> bytes:
    """zlib data unpacked, at most `max_bytes` of it.

    Raises:
        InputError: it unpacks to more.
        zlib.error: it is no zlib data.
    """
    machine = zlib.decompressobj()
    data = machine.decompress(packed, max_bytes)
    if machine.unconsumed_tail:
        raise InputError(f"packed tests unpack to more than {max_bytes // 2**20} MB")
    return data


def _zip_columns(value: dict[str, Any]) -> list[Any]:
    outputs = value.get("output")
    if not isinstance(outputs, list) or len(outputs) != len(value["input"]):
        raise InputError("ground_truth has inputs and outputs of different number")
    return [{"input": one, "output": two} for one, two in zip(value["input"], outputs, strict=True)]
