"""Forks confined processes on request. It never sees what they run: their data goes over descriptors it passes on.

A server serves one role, `candidate` or `examiner`, for a lane's whole life, so a fork of the one can find nothing of
the other in the memory it inherits. One run at a time.
"""

import contextlib
import functools
import gc
import importlib
import json
import os
import socket
import sys

import confine

ROLES = {
    "zygote": ("candidate", "zygote"), "examine": ("examiner", "examine"), "program": ("program", "execute"),
    "suite": ("suite", "run"),
}  # fmt: skip
"""Role -> the module and the function that a forked process becomes."""
LOADED = {
    "candidate": [
        "candidate", "program", "bisect", "collections", "functools", "heapq", "itertools", "math", "random", "re",
        "string", "typing",
    ],
    "examiner": ["examiner", "program"], "suite": ["suite"],
}  # fmt: skip
"""Modules loaded before any fork, for each server: its own, and what candidates commonly import. Every page of them
makes every fork slower, so what is seldom used is not here."""


def main(_sources, ctl, side):
    """Entry inside bubblewrap: serves what arrives on descriptor `ctl`."""
    serve(socket.socket(fileno=int(ctl)), confine.Namespaces(), side)


def serve(ctl, confinement, side):
    """Answers `spawn` with a pid and a descriptor that tells of its end, and `end` with how it ended."""
    _load(LOADED[side])
    gc.collect()
    gc.freeze()  # the heap is shared with every fork; collecting there would copy it
    while True:
        message, fds, _, _ = socket.recv_fds(ctl, 65536, 8)
        if not message:
            os._exit(0)
        request, watch = json.loads(message), []
        try:
            if request["op"] == "spawn":
                prepare = functools.partial(_prepare_suite, fds) if request["role"] == "suite" else None
                pid = confinement.fork(request["limits"], request["role"] in ("program", "suite"), prepare)
                if pid == 0:
                    _run(request, fds)
                reply, watch = {"pid": pid}, [os.pidfd_open(pid)]
            else:
                reply = confinement.end(request["pid"])
        except OSError as error:
            reply = {"error": str(error)}
        for fd in fds:
            os.close(fd)
        socket.send_fds(ctl, [json.dumps(reply).encode()], watch)
        for fd in watch:
            os.close(fd)


def _load(names):
    """Loads modules without their hooks on fork: `random` would reseed in every child, and a candidate that draws
    is to be judged alike every time.
    """
    register, os.register_at_fork = os.register_at_fork, lambda **_: None
    try:
        for name in names:
            importlib.import_module(name)
        if "random" in names:
            sys.modules["random"].seed(0)
    finally:
        os.register_at_fork = register


def _prepare_suite(fds):
    importlib.import_module("suite").prepare(*fds)


def _run(request, fds):
    try:
        confine.close_others(fds)
        module, function = ROLES[request["role"]]
        getattr(importlib.import_module(module), function)(*fds)
    except BaseException as error:
        with contextlib.suppress(BaseException):
            sys.stderr.write(f"{request['role']}: {type(error).__name__}: {error}\n"[:500])
    finally:
        os._exit(0)
