"""The examiner's side of a function judgement: runs the assertions, believes nothing the candidate can touch.

Every name that an assertion uses and that neither Python nor the task's set-up defines is a `Remote`: calling it sends
the arguments to the candidate's process and brings plain data back. An object that cannot cross stays there, and here
is a `Remote` which equals nothing but itself; so a lying `__eq__` is never asked. An assertion that needs a function or
an instance of this side as an argument, or a class of the candidate as a type, can only run inside the candidate: it
is decided from the assertion alone, never from what the candidate returned, and reported as untrusted.
"""

import ast
import builtins
import contextlib
import functools
import importlib
import json
import marshal
import os
import select
import socket
import struct
import time

import fast
import plain
import wire

GRACE_S = 0.15
"""How long after a time limit the candidate's side may take to say so."""
CALL_LIMIT = 16 << 20
BEGIN, ENDED = struct.Struct(">Id"), struct.Struct(">IiB")
"""As in candidate.py."""
MODULES = {
    "array", "bisect", "cmath", "collections", "copy", "datetime", "decimal", "fractions", "functools", "heapq",
    "itertools", "json", "math", "numpy", "operator", "random", "re", "statistics", "string", "sys", "typing",
}  # fmt: skip
"""Modules that an assertion may use although only the candidate imports them."""
COMMON = {
    "collections": ["Counter", "OrderedDict", "defaultdict", "deque", "namedtuple"],
    "datetime": ["date", "datetime", "timedelta"], "decimal": ["Decimal"], "fractions": ["Fraction"],
    "functools": ["reduce"], "itertools": ["chain", "combinations", "permutations", "product"],
    "math": ["ceil", "comb", "cos", "factorial", "floor", "gcd", "inf", "isclose", "log", "nan", "pi", "sin", "sqrt"],
    "typing": ["Any", "Dict", "List", "Optional", "Set", "Tuple", "Union"],
}  # fmt: skip
"""Names that code usually imports, resolved here and not in the candidate."""
_ORIGIN = {name: module for module, names in COMMON.items() for name in names}


class OnlyInside(Exception):
    """This assertion can only run inside the candidate's process."""


class Gone(BaseException):
    """The candidate's process ended or was late; no assertion may catch it."""


class Lost(BaseException):
    """The candidate's side broke the rules of the conversation; the remaining assertions fail."""


class RemoteError(Exception):
    """An exception of a class that only the candidate has."""


class Link:
    """One assertion's conversation with the candidate's process: opened before the first call, closed at the end."""

    def __init__(self, peer, status, index, limit):
        self._peer, self._status, self._index = peer, status, index
        self._mail = wire.Mailbox(peer, CALL_LIMIT)
        self.deadline = time.monotonic() + limit
        self._plain = None
        self.last = None
        status.sendall(BEGIN.pack(index, limit))

    def ask(self, op, of, args=(), names=(), **more):
        """What the candidate answers, as plain data or `Remote`; raises the exception that it raised."""
        args = list(args)
        numbered = False
        try:
            if op != "call" or type(of) is not str:
                raise ValueError("no call by name")
            self._mail.send(b"M", marshal.dumps((of, args, list(names)), 2))
        except ValueError:  # not for marshal: the long way
            numbered = True
            data = self._long_way()[0].encode(*args)
            request = {"op": op, "of": of, "args": data, "names": list(names), **more}
            self._mail.send(b"J", json.dumps(request).encode())
        kind, body = self._reply()
        self.last = self._short(body, args) if kind == b"M" else self._long(body, args, numbered)
        return self.last

    @staticmethod
    def _short(body, args):
        reply = fast.load(body)
        if type(reply) is not tuple or len(reply) != 3:
            raise fast.Refused("not an answer")
        value, after, same = reply
        if after is not None:
            fast.merge(args, list(after))
        return args[same] if type(same) is int and 0 <= same < len(args) else value

    def _long(self, body, args, numbered):
        try:
            reply = json.loads(body)
            if not isinstance(reply, dict):
                raise ValueError("no object")
        except (ValueError, RecursionError) as error:
            raise Lost(f"the candidate's process sent no valid answer ({type(error).__name__})") from None
        if "error" in reply:
            _raise(reply["error"])
        decoder = self._long_way()[1]
        after = [decoder.decode(item) for item in reply.get("args", ())]  # numbered ones change in place
        if not numbered:
            fast.merge(args, after)
        return decoder.decode(reply.get("value"))

    def _long_way(self):
        if self._plain is None:
            known = plain.Known()
            decoder = plain.Decoder(lambda ref: Remote(self, ref), known)
            self._plain = plain.Encoder(self._refer, known), decoder
        return self._plain

    def _reply(self):
        poll = select.poll()
        poll.register(self._peer, select.POLLIN)
        poll.register(self._status, select.POLLIN)
        while True:
            if not poll.poll(max(0.0, self.deadline + GRACE_S - time.monotonic()) * 1000):
                raise Lost("the candidate's process does not answer")
            try:
                message = self._mail.take()
            except (wire.Closed, wire.TooLarge) as error:
                raise Lost(f"the candidate's process sent no valid answer ({type(error).__name__})") from None
            if message is not None:
                return message
            if self._peek():
                raise Gone

    def _peek(self):
        return bool(select.select([self._status], [], [], 0)[0])

    def close(self):
        """Ends the assertion; returns how the candidate's process ended and whether it was late.

        Raises:
            Lost: its side does not keep to the rules; nothing more can be asked of it.
        """
        try:
            if not self._peek():
                with contextlib.suppress(wire.Closed):
                    self._mail.send(b"E")
                if not select.select([self._status], [], [], max(0.0, self.deadline + GRACE_S - time.monotonic()))[0]:
                    raise ValueError("silent")
            index, status, late = ENDED.unpack(self._status.recv(ENDED.size))
            if index != self._index:
                raise ValueError("another assertion's report")
        except (OSError, ValueError, struct.error) as error:
            raise Lost(f"the candidate's process is out of step ({type(error).__name__})") from None
        how = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit status {os.WEXITSTATUS(status)}"
        return how, bool(late)

    @staticmethod
    def _refer(value):
        if isinstance(value, Remote):
            return object.__getattribute__(value, "_ref")
        raise OnlyInside


class Remote:
    """Something in the candidate's process. Equal to itself alone; arithmetic and order are not forwarded."""

    __slots__ = ("_link", "_ref")

    def __init__(self, link, ref):
        object.__setattr__(self, "_link", link)
        object.__setattr__(self, "_ref", ref)

    def _ask(self, op, args=(), names=()):
        return object.__getattribute__(self, "_link").ask(op, object.__getattribute__(self, "_ref"), args, names)

    def __call__(self, *args, **named):
        return self._ask("call", [*args, *named.values()], list(named))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._ask("get", [name])

    def __setattr__(self, name, value):
        self._ask("set", [name, value])

    def __getitem__(self, key):
        return self._ask("item", [key])

    def __setitem__(self, key, value):
        self._ask("put", [key, value])

    def __iter__(self):
        return self._ask("iter")

    def __next__(self):
        return self._ask("next")

    def __len__(self):
        return _exact(self._ask("len"), int)

    def __bool__(self):
        return _exact(self._ask("bool"), bool)

    def __str__(self):
        return _exact(self._ask("str"), str)

    def __repr__(self):
        return _exact(self._ask("repr"), str)


def _exact(value, kind):
    if type(value) is not kind:
        raise TypeError(f"expected {kind.__name__}, the candidate gave {type(value).__name__}")
    return value


def _raise(error):
    try:
        name, message = str(error[0]), str(error[1])
    except (TypeError, IndexError, KeyError):
        name, message = "Exception", ""
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, Exception):
        with contextlib.suppress(TypeError):  # UnicodeDecodeError and its like want more arguments
            raised = kind(message)
            raise raised
    raise RemoteError(f"{name}: {message}")


def examine(ctl, peer, status):
    """Runs the assertions of the job that arrives on `ctl` and sends one result for each, in order."""
    ctl, peer, status = (socket.socket(fileno=fd) for fd in (ctl, peer, status))
    job = wire.receive(ctl)
    base = {"__name__": "examiner", "__builtins__": __builtins__}
    exec(compile(job["setup"], "<setup>", "exec"), base)
    lost = None
    for index, text in job["assertions"]:
        if lost is None:
            try:
                result = _examine_one(index, text, base, peer, status, job)
            except Lost as error:
                lost = str(error)
        if lost is not None:
            result = {"status": "error", "message": lost, "trusted": True}
        wire.send(ctl, {"i": index, **result})


def _examine_one(index, text, base, peer, status, job):
    try:
        names = _Names(text, base, job["entry_point"])
    except (SyntaxError, ValueError, RecursionError) as error:
        return {"status": "error", "message": f"assertion does not parse: {error}"[:300], "trusted": True}
    if not names.only_inside:
        link = Link(peer, status, index, job["limit"])
        try:
            return _run(link, names.body(link, base), trusted=True)
        except OnlyInside:
            link.close()
    link = Link(peer, status, index, job["limit"])
    return _run(link, lambda: link.ask("exec", "", text=text), trusted=False)


def _run(link, body, trusted):
    try:
        body()
        result = {"status": "passed"}
    except (OnlyInside, Lost):
        raise
    except Gone:
        result = {"status": "error"}
    except AssertionError as error:
        result = {"status": "failed", "message": str(error)[:300]}
        if trusted and type(link.last) is not Remote:
            result["got"] = repr(link.last)[:300]
    except BaseException as error:
        result = {"status": "error", "message": f"{type(error).__name__}: {error}"[:300]}
    over = time.monotonic() > link.deadline
    ended, late = link.close()
    if late or over:
        result = {"status": "timeout"}
    elif result == {"status": "error"}:
        result["message"] = f"the candidate's process ended early ({ended})"
    return {**result, "trusted": trusted}


class _Names:
    """The free names of an assertion, and what each is taken for: code of this side, a remote, a remote's value."""

    def __init__(self, text, base, entry_point):
        tree = ast.parse(text)
        self.code = compile(tree, "<assertion>", "exec")
        self.remote, self.values, self.resolved = set(), set(), {}
        self._own, self._called, self._attributed, names = set(), set(), set(), []
        for node in ast.walk(tree):
            kind = type(node)
            if kind is ast.Name:
                if type(node.ctx) is ast.Load:
                    names.append(node)
                else:
                    self._own.add(node.id)
            elif kind is ast.Call:
                self._called.add(node.func)
            elif kind is ast.Attribute:
                self._attributed.add(node.value)
            elif kind in (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler):
                self._own.add(node.name)
            elif kind is ast.arg:
                self._own.add(node.arg)
            elif kind in (ast.Import, ast.ImportFrom):
                self._own |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        self._base = base
        self._entry = entry_point
        for node in names:
            self._sort(node)
        self.only_inside = any(self._types(node) for node in ast.walk(tree)) if self.remote or self.values else False

    def body(self, link, base):
        """The assertion as a function without arguments that raises unless it holds."""

        def run():
            scope = {**base, **{name: Remote(link, name) for name in sorted(self.remote)}}
            for name in sorted(self.values):
                scope[name] = link.ask("value", name)
            exec(self.code, {**scope, **self.resolved})

        return run

    def _sort(self, node):
        name = node.id
        if not self._foreign(name):
            return
        found = self._resolve(name, node)
        if found is not None:
            self.resolved[name] = found
        elif node in self._called or node in self._attributed or name == self._entry:
            self.remote.add(name)
        else:
            self.values.add(name)

    def _types(self, node):
        """Whether a name of the candidate is used as a type here, which only its own process can do."""
        kind = type(node)
        where = None
        if kind is ast.ExceptHandler:
            where = node.type
        elif kind is ast.Call and type(node.func) is ast.Name and node.func.id in ("isinstance", "issubclass"):
            where = node.args[1] if len(node.args) == 2 else None
        if where is None:
            return False
        names = [child for child in ast.walk(where) if type(child) is ast.Name]
        return any(self._foreign(child.id) and self._resolve(child.id, child) is None for child in names)

    def _foreign(self, name):
        if name == self._entry:
            return name not in self._own and name not in self._base
        return not (name in self._own or name in self._base or hasattr(builtins, name))

    def _resolve(self, name, node):
        if name == self._entry:
            return None
        if name in MODULES and node in self._attributed:
            return _module(name)
        if name == "np" and node in self._attributed:
            return _module("numpy")
        if name in _ORIGIN:
            return getattr(_module(_ORIGIN[name]), name)
        return None


@functools.cache
def _module(name):
    with contextlib.suppress(ImportError):
        return importlib.import_module(name)
    return None
