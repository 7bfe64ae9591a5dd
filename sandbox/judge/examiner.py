"""The examiner's side of a function judgement: runs the assertions, believes nothing the candidate can touch.

Every name that an assertion uses and that neither Python nor the task's set-up defines is a `Remote`: calling it sends
the arguments to the candidate's process and brings plain data back. An object that cannot cross stays there, and here
is a `Remote` which equals nothing but itself; so a lying `__eq__` is never asked. An assertion that needs a function or
an instance of this side as an argument, or a class of the candidate as a type, can only run inside the candidate: it
is decided from the assertion alone, never from what the candidate returned, and reported as untrusted.
"""

import builtins
import contextlib
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
from names import Names

GRACE_S = 0.3
"""How long after a time limit the candidate's side may take to end its process and say so."""
CALL_LIMIT = 16 << 20
STOP, ENDED = struct.Struct(">I"), struct.Struct(">Ii")
"""As in candidate.py."""


class OnlyInside(Exception):
    """This assertion can only run inside the candidate's process."""


class Gone(BaseException):
    """The candidate's process ended or was late; no assertion may catch it."""


class AskedAgain(BaseException):
    """An assertion that looked as if it called the candidate once wants more; it has to be run anew."""


class Lost(BaseException):
    """The candidate's side broke the rules of the conversation; the remaining assertions fail."""


class RemoteError(Exception):
    """An exception of a class that only the candidate has."""


class Link:
    """One assertion's conversation with the candidate's process of that number, which ends with it.

    With `once` the process is told that the first call is the only one: it ends by itself after a plain answer.
    """

    def __init__(self, peer, status, number, limit, once=False):
        self._peer, self._status, self._number, self._once = peer, status, number, once
        self._mail = wire.Mailbox(peer, CALL_LIMIT, number)
        self.deadline = time.monotonic() + limit
        self._plain = None
        self.last = None
        self.late = self.asked_again = self._left = False

    def ask(self, op, of, args=(), names=(), **more):
        """What the candidate answers, as plain data or `Remote`; raises the exception that it raised."""
        if self._left:
            self.asked_again = True
            raise AskedAgain
        args = list(args)
        numbered = False
        try:
            if op != "call" or type(of) is not str:
                raise ValueError("no call by name")
            self._mail.send(b"L" if self._once else b"M", marshal.dumps((of, args, list(names)), 2))
        except ValueError:  # not for marshal: the long way
            numbered = True
            data = self._long_way()[0].encode(*args)
            request = {"op": op, "of": of, "args": data, "names": list(names), **more}
            self._mail.send(b"J", json.dumps(request).encode())
        kind, body = self._reply()
        self._left = self._once and kind == b"M" and not numbered
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
            if not poll.poll(max(0.0, self.deadline - time.monotonic()) * 1000):
                self._stop()
                raise Gone
            try:
                message = self._mail.take()
            except (wire.Closed, wire.TooLarge) as error:
                raise Lost(f"the candidate's process sent no valid answer ({type(error).__name__})") from None
            if message is not None:
                return message
            if self._peek():
                raise Gone

    def _peek(self):
        return self._ended(0)

    def _ended(self, seconds):
        return bool(select.select([self._status], [], [], max(0.0, seconds))[0])

    def _stop(self):
        """Has the process killed, which is late; raises Lost when that is not reported in time."""
        self.late = True
        with contextlib.suppress(OSError):
            self._status.sendall(STOP.pack(self._number))
        if not self._ended(GRACE_S):
            raise Lost("the candidate's process does not answer")

    def finish(self):
        """Tells the process that nothing more is asked; does not wait."""
        if not self._left:
            with contextlib.suppress(wire.Closed):
                self._mail.send(b"E")
            self._left = True

    def close(self):
        """Ends the assertion; returns how the candidate's process ended. `late` then says whether it had to be killed.

        Raises:
            Lost: its side does not keep to the rules; nothing more can be asked of it.
        """
        self.finish()
        if not self._ended(self.deadline - time.monotonic()):
            self._stop()
        try:
            number, status = ENDED.unpack(self._status.recv(ENDED.size))
            if number != self._number:
                raise ValueError("another assertion's report")
        except (OSError, ValueError, struct.error) as error:
            raise Lost(f"the candidate's process is out of step ({type(error).__name__})") from None
        return f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit status {os.WEXITSTATUS(status)}"

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
    _Examination(wire.receive(ctl), peer, status).run(ctl)


class _Examination:
    def __init__(self, job, peer, status):
        self._job, self._peer, self._status = job, peer, status
        self._links = 0
        self._base = {"__name__": "examiner", "__builtins__": __builtins__}
        self._ready = None
        exec(compile(job["setup"], "<setup>", "exec"), self._base)

    def run(self, ctl):
        lost = None
        texts = [text for _, text in self._job["assertions"]]
        for (index, text), following in zip(self._job["assertions"], [*texts[1:], None], strict=True):
            if lost is None:
                try:
                    result = self._one(text, following)
                except Lost as error:
                    lost = str(error)
            if lost is not None:
                result = {"status": "error", "message": lost, "trusted": True}
            wire.send(ctl, {"i": index, **result})

    def _one(self, text, following):
        try:
            names = self._names(text)
        except (SyntaxError, ValueError, RecursionError) as error:
            return {"status": "error", "message": f"assertion does not parse: {error}"[:300], "trusted": True}
        for once in (True, False) if names.once else (False,):
            if names.only_inside:
                break
            link = self._link(once)
            try:
                return self._run(link, names.body(link, self._base, Remote), True, following)
            except (OnlyInside, AskedAgain) as error:
                link.close()
                if type(error) is OnlyInside:
                    break
        link = self._link(False)
        return self._run(link, lambda: link.ask("exec", "", text=text), False, following)

    def _link(self, once):
        number, self._links = self._links, self._links + 1
        return Link(self._peer, self._status, number, self._job["limit"], once)

    def _names(self, text):
        ready, self._ready = self._ready, None
        return ready[1] if ready and ready[0] == text else Names(text, self._base, self._job["entry_point"])

    def _run(self, link, body, trusted, following):
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
        if link.asked_again:
            raise AskedAgain
        over = time.monotonic() > link.deadline
        link.finish()
        if following is not None:
            with contextlib.suppress(BaseException):  # it comes up again in that assertion's own turn
                self._ready = following, self._names(following)
        ended = link.close()
        if link.late or over:
            result = {"status": "timeout"}
        elif result == {"status": "error"}:
            result["message"] = f"the candidate's process ended early ({ended})"
        return {**result, "trusted": trusted}
