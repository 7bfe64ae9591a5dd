"""Runs a repository's test command once and returns what its report said; the verdict is made elsewhere.

Job: what suite.prepare takes, and `{limits, wall_s}`. Reply: `{refused, report, late, status, tail}`.
"""

import os
import socket
import time

import programs
import wire

REPORT_BYTES = 32 << 20
PREPARE_S = 120.0


def judge(job, sides, watch):
    """The reply to a `suite` job."""
    side = sides["suite"]
    ours, theirs = socket.socketpair()
    readers, writers = zip(*(os.pipe() for _ in range(3)), strict=True)
    for fd in readers:
        os.set_blocking(fd, False)
    streams = programs.Streams({"stdout": 1 << 20, "stderr": 1 << 16, "report": REPORT_BYTES}, fatal=("report",))
    null = programs.Descriptor(os.open(os.devnull, os.O_RDONLY))
    reply = {"refused": None, "report": "", "late": False}
    try:
        side.spawn("suite", job["limits"], [theirs, null, *map(programs.Descriptor, writers)])
        try:
            wire.send(ours, job)
            told = wire.receive(ours, time.monotonic() + PREPARE_S, 10_000, watch)
        except (wire.Closed, wire.Late, wire.TooLarge, ValueError):
            wire.still_there(watch)
            side.end()
            return {"broken": "the tree could not be prepared"}
        if told["refused"] is not None:
            return {**reply, "refused": str(told["refused"])[:1000]}
        deadline = time.monotonic() + job["wall_s"]
        names = dict(zip(("stdout", "stderr", "report"), readers, strict=True))
        late = streams.pump(names, side, deadline, watch)
        ended = side.end()
    finally:
        side.end()
        ours.close()
        for fd in readers:
            os.close(fd)
    tail = (streams.pieces["stdout"][-3000:] + streams.pieces["stderr"][-1000:]).decode(errors="replace")
    report = streams.pieces["report"].decode(errors="replace")
    return {**reply, "report": report, "late": late, "status": ended["status"], "tail": tail, "over": streams.over}
