"""The candidate's side of a function judgement: untrusted code runs here, and only here.

`zygote` loads the submission, then forks one clean process for every assertion. That process answers the examiner's
calls with plain data (see plain.py); objects that cannot cross stay here under a number. No expected value is ever
sent to this side, except with an assertion that can only run here (`exec`), which the verdict then marks untrusted.

Nothing that this side says is believed: it can only answer calls, well or badly.
"""

import contextlib
import gc
import os
import select
import signal
import socket
import time

import plain
import wire

CALL_LIMIT = 16 << 20
"""Bytes of one call or answer."""


def zygote(ctl, peer, status):
    """Loads what arrives on `ctl` and reports how that went; then one process for each `begin` on `status`.

    For every `begin` exactly one answer goes back on `status`, after that assertion's process is dead and `peer` is
    empty, so that the next assertion finds a clean connection.
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
    gc.collect()
    gc.freeze()  # the heap is shared with every fork; collecting would copy it
    while True:
        try:
            message = wire.receive(status)
        except wire.Closed:
            return
        _one_assertion(message, peer, status, namespace)


def _one_assertion(message, peer, status, namespace):
    deadline = time.monotonic() + message["limit"]
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            _serve(peer, namespace)
        os._exit(0)
    with contextlib.closing(_PidFd(pid)) as watch:
        if not watch.wait(deadline):
            os.kill(pid, signal.SIGKILL)
    _, ended = os.waitpid(pid, 0)
    late = time.monotonic() >= deadline
    _reap()
    wire.drain(peer)
    wire.send(status, {"i": message["i"], "ended": _how(ended), "late": late})


class _PidFd:
    """Waits for a process's end without reaping it."""

    def __init__(self, pid):
        self._fd = os.pidfd_open(pid)

    def wait(self, deadline):
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        return bool(poll.poll(max(0.0, deadline - time.monotonic()) * 1000))

    def close(self):
        os.close(self._fd)


def _how(status):
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return f"exit status {os.WEXITSTATUS(status)}"


def _reap():
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _serve(peer, namespace):
    known = plain.Known()
    objects = {}

    def keep(value):
        number = len(objects)
        objects[number] = value
        return number

    def find(ref):
        return namespace[ref] if isinstance(ref, str) else objects[ref]

    encoder, decoder = plain.Encoder(keep, known), plain.Decoder(find, known)
    while True:
        request = wire.receive(peer, limit=CALL_LIMIT)
        if request["op"] == "end":
            return
        try:
            reply = _answer(request, namespace, find, encoder, decoder)
        except BaseException as error:
            reply = {"error": describe(error)}
        try:
            wire.send(peer, reply, CALL_LIMIT)
        except wire.TooLarge:
            wire.send(peer, {"error": ["OverflowError", "the result is too large to be judged"]})


def _answer(request, namespace, find, encoder, decoder):
    op = request["op"]
    if op == "exec":
        scope = dict(namespace)
        exec(compile(request["text"], "<assertion>", "exec"), scope)
        return {"value": True}
    target = find(request["of"]) if isinstance(request["of"], int) else _named(namespace, request["of"])
    data = request["args"]
    args, names = [decoder.decode(item) for item in data], request["names"]
    if op == "call":
        split = len(args) - len(names)
        value = target(*args[:split], **dict(zip(names, args[split:], strict=True)))
    else:
        value = _OPERATIONS[op](target, *args)
    encoded = encoder.encode(*args, value)
    after = encoded[:-1]
    return {"value": encoded[-1]} if after == data else {"value": encoded[-1], "args": after}


def _named(namespace, name):
    if name not in namespace:
        raise NameError(f"name {name!r} is not defined")
    return namespace[name]


_OPERATIONS = {
    "value": lambda target: target, "get": getattr, "set": setattr, "item": lambda target, key: target[key],
    "put": lambda target, key, value: target.__setitem__(key, value), "iter": iter, "next": next, "len": len,
    "bool": bool, "str": str, "repr": repr,
}  # fmt: skip


def describe(error):
    """`[class name, message]` of an exception, bounded; never fails."""
    try:
        return [type(error).__name__[:100], str(error)[:500]]
    except BaseException:
        return [type(error).__name__[:100], ""]
