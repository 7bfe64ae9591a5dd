"""Canonical JSON and the digests made of it: equal data gives equal text and equal ids, on every machine."""

import hashlib
import json
import random


def canonical_json(value: object) -> str:
    """JSON text of plain data: keys sorted, no spaces, non-ASCII kept, NaN and infinity refused (ValueError)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: object, length: int = 64) -> str:
    """The first `length` hex digits of the sha256 of `canonical_json(value)`."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()[:length]


def derive_seed(*parts: object) -> int:
    """A seed in [0, 2**31) that depends on `parts` (plain data) alone."""
    return int(digest(list(parts), 16), 16) % 2**31


def rng(*parts: object) -> random.Random:
    """A random generator seeded by `parts` alone, so that a draw never depends on the order of other draws."""
    return random.Random(derive_seed(*parts))
