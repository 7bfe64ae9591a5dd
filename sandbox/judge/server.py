"""Forks confined processes on request. It never sees what they run: their data goes over descriptors it passes on.

A server serves one role, `candidate` or `examiner`, for a lane's whole life, so a fork of the one can find nothing of
the other in the memory it inherits. One run at a time.
"""

import contextlib
import functools
import importlib
import json
import os
import random
import socket
import sys

import candidate
import confine
import examiner
import program
import suite

ROLES = {"zygote": candidate.zygote, "examine": examiner.examine, "program": program.execute, "suite": suite.run}


COMMON = (
    "array bisect collections copy datetime decimal fractions functools heapq itertools math operator random re "
    "statistics string typing"
)
"""What candidates commonly import: loaded once, before any fork."""


def main(_sources, ctl):
    """Entry inside bubblewrap: serves what arrives on descriptor `ctl`."""
    serve(socket.socket(fileno=int(ctl)), confine.Namespaces())


def serve(ctl, confinement):
    """Answers `spawn` with a pid and a descriptor that tells of its end, and `end` with how it ended."""
    for name in COMMON.split():
        importlib.import_module(name)
    random.seed(0)  # forks inherit the generator: a candidate that draws is judged alike every time
    while True:
        message, fds, _, _ = socket.recv_fds(ctl, 65536, 8)
        if not message:
            os._exit(0)
        request, watch = json.loads(message), []
        try:
            if request["op"] == "spawn":
                prepare = functools.partial(suite.prepare, *fds) if request["role"] == "suite" else None
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


def _run(request, fds):
    try:
        confine.close_others(fds)
        ROLES[request["role"]](*fds)
    except BaseException as error:
        with contextlib.suppress(BaseException):
            sys.stderr.write(f"{request['role']}: {type(error).__name__}: {error}\n"[:500])
    finally:
        os._exit(0)
