"""Cleans text once, where it enters the house.

Everything that comes from outside (a log, a model, a repository) passes `clean_text` before it is stored, so that no
later writer meets a lone surrogate (not encodable as UTF-8) or a NUL (rejected by Parquet readers and databases).
"""

import re

_SURROGATES = re.compile("[\ud800-\udfff]")


def clean_text(text: str) -> str:
    """`text` with lone surrogates replaced by U+FFFD, surrogate pairs joined, and NUL removed. Idempotent."""
    if not text.isascii() and _SURROGATES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\x00", "")


def clean_json(value: object) -> object:
    """`value` (plain JSON data) with `clean_text` applied to every string in it, keys included."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        return {clean_text(str(key)): clean_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean_json(item) for item in value]
    return value
