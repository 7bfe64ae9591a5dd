"""Plain data as JSON: what may cross between the examiner and the candidate.

None, bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice, Decimal,
Fraction, datetime, date, time, timedelta, and the standard library's own containers (OrderedDict, Counter, defaultdict,
deque). Of a subclass only the plain value crosses, read with the base class's own methods, so an overridden `__eq__`
stays behind. Anything else crosses as an opaque reference, if the caller says how.

Containers that can change carry a number, the same on both sides: aliases stay aliases, cycles are fine, and what a
call did to its arguments comes back and is done to the originals. Size is bounded by the frame, depth by `MAX_DEPTH`.
"""

import collections
import importlib
import sys

MAX_DEPTH = 200


class NotPlain(Exception):
    """A value that cannot cross; the message names its type."""


_RARE = {"Decimal": "decimal", "Fraction": "fractions", "date": "datetime", "time": "datetime", "datetime": "datetime",
         "timedelta": "datetime"}  # fmt: skip
"""Classes whose modules are loaded only where they are used: every loaded page makes every fork slower."""
_MUTABLE = (list, dict, set, bytearray, collections.deque)


class Known:
    """The changeable containers of one conversation; both sides number them alike because they take turns."""

    def __init__(self):
        self.by_number = {}
        self._by_id = {}  # id -> number; by_number keeps the container alive, so no id is used twice

    def number(self, container) -> int:
        """The container's number; a new one where it is not known yet."""
        found = self._by_id.get(id(container))
        return self.add(len(self.by_number), container) if found is None else found

    def add(self, number, container) -> int:
        """Notes a container that the other side numbered."""
        self.by_number[number] = container
        self._by_id[id(container)] = number
        return number


class Encoder:
    """Encodes values of one conversation; `opaque(value)` gives the reference of what is not plain, or raises."""

    def __init__(self, opaque, known):
        self._opaque = opaque
        self._known = known

    def encode(self, *values):
        """One JSON item a value; a container met twice in them is sent once."""
        done = set()
        return [self._encode(value, 0, done) for value in values]

    def _encode(self, value, depth, done):
        kind = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            return value if -(1 << 53) < value < (1 << 53) else {"i": hex(value)}
        if kind is float:
            return value if value - value == 0 else {"f": repr(value)}
        if depth > MAX_DEPTH:
            raise NotPlain("data nested too deeply")
        depth += 1
        if kind is tuple:
            return {"t": [self._encode(item, depth, done) for item in value]}
        for base in _MUTABLE:
            if isinstance(value, base):
                return self._container(value, base, depth, done)
        return self._other(value, kind, depth, done)

    def _container(self, value, base, depth, done):
        number = self._known.number(value)
        if number in done:
            return {"r": number}
        done.add(number)
        if base is list:
            return {"l": [self._encode(item, depth, done) for item in list.__iter__(value)], "n": number}
        if base is dict:
            items = [[self._encode(k, depth, done), self._encode(v, depth, done)] for k, v in dict.items(value)]
            return {"d": items, "n": number, "c": _dict_class(value)}
        if base is set:
            return {"s": [self._encode(item, depth, done) for item in set.__iter__(value)], "n": number}
        if base is bytearray:
            return {"ba": bytes(memoryview(value)).hex(), "n": number}
        queue = collections.deque
        items = [self._encode(item, depth, done) for item in queue.__iter__(value)]
        return {"q": items, "n": number, "m": queue.maxlen.__get__(value)}

    def _other(self, value, kind, depth, done):
        if isinstance(value, tuple):
            return {"t": [self._encode(item, depth, done) for item in tuple.__iter__(value)]}
        if isinstance(value, frozenset):
            return {"fs": [self._encode(item, depth, done) for item in frozenset.__iter__(value)]}
        if isinstance(value, int):
            return {"i": hex(int.__index__(value))}
        if isinstance(value, float):
            return {"f": repr(float.__float__(value))}
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, bytes):
            return {"b": bytes.hex(value)}
        if kind is complex:
            return {"c": [repr(value.real), repr(value.imag)]}
        if kind is range or kind is slice:
            return {kind.__name__: [self._encode(part, depth, done) for part in (value.start, value.stop, value.step)]}
        if kind.__name__ in _RARE and kind is _rare(kind.__name__, load=False):
            return self._rare(value, kind.__name__)
        return {"o": self._opaque(value)}

    def _rare(self, value, name):
        if name == "Decimal":
            return {"dec": str(value)}
        if name == "Fraction":
            return {"frac": [hex(value.numerator), hex(value.denominator)]}
        if name == "timedelta":
            return {"td": [value.days, value.seconds, value.microseconds]}
        if getattr(value, "tzinfo", None) in (None, sys.modules["datetime"].timezone.utc):
            return {"at": [name, value.isoformat()]}
        return {"o": self._opaque(value)}


class Decoder:
    """Decodes what an `Encoder` of the other side made; containers known by number are changed in place."""

    def __init__(self, opaque, known):
        self._opaque = opaque
        self._known = known

    def decode(self, data):
        """The value of one JSON item.

        Raises:
            NotPlain: the other side sent something that is no plain data.
        """
        try:
            return self._decode(data, 0)
        except NotPlain:
            raise
        except Exception as error:  # hostile data may break any assumption above
            raise NotPlain(f"malformed data ({type(error).__name__})") from None

    def _decode(self, data, depth):
        if data is None or isinstance(data, bool | int | float | str):
            return data
        if depth > MAX_DEPTH + 1:
            raise NotPlain("data nested too deeply")
        depth += 1
        if "n" in data:
            return self._container(data, depth)
        tag, body = next(iter(data.items()))
        if tag == "t":
            return tuple(self._decode(item, depth) for item in body)
        if tag == "fs":
            return frozenset(self._decode(item, depth) for item in body)
        if tag == "r":
            return self._known.by_number[body]
        if tag == "o":
            return self._opaque(body)
        return _scalar(tag, body)

    def _container(self, data, depth):
        number = data["n"]
        old = self._known.by_number.get(number)
        if "l" in data:
            new = self._place(number, old, list, [])
            new[:] = [self._decode(item, depth) for item in data["l"]]
        elif "d" in data:
            new = self._place(number, old, dict, _DICTS[data["c"]]())
            items = [(self._decode(key, depth), self._decode(item, depth)) for key, item in data["d"]]
            dict.clear(new)
            dict.update(new, items)
        elif "s" in data:
            new = self._place(number, old, set, set())
            items = [self._decode(item, depth) for item in data["s"]]
            new.clear()
            new.update(items)
        elif "ba" in data:
            new = self._place(number, old, bytearray, bytearray())
            new[:] = bytes.fromhex(data["ba"])
        else:
            new = self._place(number, old, collections.deque, collections.deque(maxlen=data["m"]))
            items = [self._decode(item, depth) for item in data["q"]]
            new.clear()
            new.extend(items)
        return new

    def _place(self, number, old, kind, fresh):
        if isinstance(old, kind):
            return old
        if old is not None or not isinstance(number, int):
            raise NotPlain("a container changed its type")
        self._known.add(number, fresh)
        return fresh


_DICTS = {
    "dict": dict, "OrderedDict": collections.OrderedDict, "Counter": collections.Counter,
    "defaultdict": collections.defaultdict,
}  # fmt: skip


def _rare(name, load=True):
    module = importlib.import_module(_RARE[name]) if load else sys.modules.get(_RARE[name])
    return getattr(module, name, None)


def _dict_class(value) -> str:
    for name in ("OrderedDict", "Counter", "defaultdict"):
        if isinstance(value, _DICTS[name]):
            return name
    return "dict"


def _scalar(tag, body):
    if tag == "i":
        return int(body, 16)
    if tag == "f":
        return float(body)
    if tag == "b":
        return bytes.fromhex(body)
    if tag == "c":
        return complex(float(body[0]), float(body[1]))
    if tag == "range" or tag == "slice":
        parts = [int(part["i"], 16) if isinstance(part, dict) else part for part in body]
        return range(*parts) if tag == "range" else slice(*parts)
    if tag == "dec":
        return _rare("Decimal")(body)
    if tag == "frac":
        return _rare("Fraction")(int(body[0], 16), int(body[1], 16))
    if tag == "at":
        return _rare({"date": "date", "time": "time"}.get(body[0], "datetime")).fromisoformat(body[1])
    if tag == "td":
        return _rare("timedelta")(days=body[0], seconds=body[1], microseconds=body[2])
    raise NotPlain(f"unknown kind of data {tag!r}")
