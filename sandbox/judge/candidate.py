"""The candidate's side of a function judgement: untrusted code runs here, and only here.

`zygote` loads the submission, then forks one clean process for every assertion; the next is forked, and waits, as soon
as the one before is dead. That process answers the examiner's calls with plain data (fast.py, plain.py); objects that
cannot cross stay here under a number. No expected value is ever sent to this side, except with an assertion that can
only run here (`exec`), which the verdict then marks untrusted. Time limits are the examiner's to keep.

Nothing that this side says is believed: it can only answer calls, well or badly.
"""

import gc
import json
import marshal
import os
import select
import signal
import socket
import struct

import wire

CALL_LIMIT = 16 << 20
"""Bytes of one call or answer."""
HEAD = wire.Mailbox.HEAD
"""Before every message on `peer`: its kind (M marshal, L the only call of its assertion, J JSON, E end), the number of
the process that it is for or from, and its size. A process takes no message that was for another."""
STOP, ENDED = struct.Struct(">I"), struct.Struct(">Ii")
"""On `status`, from the examiner: the number of the process to end now; to it: its number and how it ended."""


def zygote(ctl, peer, status):
    """Loads what arrives on `ctl` and reports how that went; then makes processes, numbered from 0, one at a time.

    For each exactly one message goes out on `status`, after it is dead. Returns when the examiner has left.
    """
    ctl, peer, status = (socket.socket(fileno=fd) for fd in (ctl, peer, status))
    job = wire.receive(ctl)
    namespace = {"__name__": "candidate", "__builtins__": __builtins__}
    try:
        exec(compile(job["setup"], "<setup>", "exec"), namespace)
        exec(compile(job["code"], "<candidate>", "exec"), namespace)
        report = {"loaded": True}
    except BaseException as error:  # SystemExit too: leaving early is no way to pass
        report = {"loaded": False, "error": describe(error)}
    wire.send(ctl, report)
    ctl.close()
    if not report["loaded"]:
        return
    gc.freeze()  # the heap is shared with every fork; collecting there would copy it
    number = 0
    while _one_process(number, peer, status, namespace):
        number += 1


def _one_process(number, peer, status, namespace):
    pid = os.fork()
    if pid == 0:
        try:
            _serve(number, peer, namespace)
        finally:
            os._exit(0)
    watch = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(watch, select.POLLIN)
    poll.register(status, select.POLLIN)
    left = False
    while not left and all(fd != watch for fd, _ in poll.poll()):
        message = status.recv(STOP.size, socket.MSG_WAITALL)
        left = len(message) < STOP.size
        if left or STOP.unpack(message)[0] == number:  # else it was for one that has ended meanwhile
            os.kill(pid, signal.SIGKILL)
    os.close(watch)
    ended = os.waitpid(pid, 0)[1]
    if left:
        return False
    if ended or number % 16 == 0:  # after an orderly end there is nothing to clear: each call costs pages
        _reap()
        wire.drain(peer)
    status.sendall(ENDED.pack(number, ended))
    return True


def _reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _serve(number, peer, namespace):
    long_way = None
    while True:
        tag, to, size = HEAD.unpack(peer.recv(HEAD.size, socket.MSG_WAITALL))
        request = peer.recv(size, socket.MSG_WAITALL) if size else b""
        if to != number:
            continue
        if tag == b"E":
            return
        last = tag == b"L"
        if last or tag == b"M":
            tag = b"M"
            name, args, names = marshal.loads(request)
            reply, value = _short(name, args, names, namespace)
            if reply is None:
                long_way = long_way or _LongWay(namespace)
                reply = long_way.describe_value(args, value)
        else:
            long_way = long_way or _LongWay(namespace)
            reply = long_way.answer(json.loads(request))
        if type(reply) is not bytes:
            tag, reply = b"J", json.dumps(reply).encode()
        if len(reply) > CALL_LIMIT:
            tag, reply = b"J", b'{"error": ["OverflowError", "the result is too large to be judged"]}'
        peer.sendall(HEAD.pack(tag, number, len(reply)) + reply)
        if last and long_way is None:  # else the value may be an object that stays here, and more is asked about it
            return


def _short(name, args, names, namespace):
    """`(reply, None)`, or `(None, value)` where the value needs the long way."""
    before = marshal.dumps(args, 2)
    try:
        if name not in namespace:
            raise NameError(f"name {name!r} is not defined")
        if names:
            split = len(args) - len(names)
            value = namespace[name](*args[:split], **dict(zip(names, args[split:], strict=True)))
        else:
            value = namespace[name](*args)
    except BaseException as error:
        return {"error": describe(error)}, None
    same = -1
    if type(value) in _CHANGEABLE:
        for number, arg in enumerate(args):
            if arg is value:
                same = number
    try:
        if same < 0 and marshal.dumps(args, 2) == before:
            return marshal.dumps((value, None, -1), 2), None
        return marshal.dumps((None if same >= 0 else value, args, same), 2), None
    except ValueError:
        return None, value
    except BaseException as error:
        return {"error": describe(error)}, None


class _LongWay:
    """Answers with everything that plain.py can carry; what it cannot stays here, under a number."""

    def __init__(self, namespace):
        import plain

        known = plain.Known()
        self._namespace = namespace
        self._objects = {}
        self._encoder = plain.Encoder(self._keep, known)
        self._decoder = plain.Decoder(self._find, known)

    def _keep(self, value):
        number = len(self._objects)
        self._objects[number] = value
        return number

    def _find(self, ref):
        if isinstance(ref, int):
            return self._objects[ref]
        if ref not in self._namespace:
            raise NameError(f"name {ref!r} is not defined")
        return self._namespace[ref]

    def describe_value(self, args, value):
        """The reply to a short call whose value is not for marshal."""
        try:
            encoded = self._encoder.encode(*args, value)
            return {"value": encoded[-1], "args": encoded[:-1]}
        except BaseException as error:
            return {"error": describe(error)}

    def answer(self, request):
        """The reply to a request in plain.py's form."""
        try:
            return self._answer(request)
        except BaseException as error:
            return {"error": describe(error)}

    def _answer(self, request):
        op, data, names = request["op"], request["args"], request["names"]
        if op == "exec":
            exec(compile(request["text"], "<assertion>", "exec"), dict(self._namespace))
            return {"value": True}
        target = self._find(request["of"])
        args = [self._decoder.decode(item) for item in data]
        if op == "call":
            split = len(args) - len(names)
            value = target(*args[:split], **dict(zip(names, args[split:], strict=True)))
        else:
            value = _OPERATIONS[op](target, *args)
        encoded = self._encoder.encode(*args, value)
        after = encoded[:-1]
        return {"value": encoded[-1]} if after == data else {"value": encoded[-1], "args": after}


_OPERATIONS = {
    "value": lambda target: target, "get": getattr, "set": setattr, "item": lambda target, key: target[key],
    "put": lambda target, key, value: target.__setitem__(key, value), "iter": iter, "next": next, "len": len,
    "bool": bool, "str": str, "repr": repr,
}  # fmt: skip
_CHANGEABLE = (list, dict, set, bytearray)


def describe(error):
    """`[class name, message]` of an exception, bounded; never fails."""
    try:
        return [type(error).__name__[:100], str(error)[:500]]
    except BaseException:
        return [type(error).__name__[:100], ""]
