"""Judges a program by what it prints: compiles, runs case by case, compares. Runs in the trusted router.

The program sees its input alone; expected outputs go to the comparison here, or to a checker or an interactor, which
run confined on the examiner's side. Statuses of a case, LiveCodeBench-Pro's names in brackets: passed (Accepted),
failed (Wrong Answer), timeout (Time Limit Exceeded), memory (Memory Limit Exceeded), output_limit (Output Limit
Exceeded), signal (Signalled), exit (Nonzero Exit Status), judge_error (Judge Error).
"""

import contextlib
import decimal
import math
import os
import select
import signal
import socket
import time

import wire

STDERR_BYTES = 4096
MAX_FILE = 64 << 20
CHECKER_WALL_S = 20.0
"""Twice LiveCodeBench-Pro's CPU limit of a checker."""
WRONG = {1: "wrong answer", 2: "presentation error", 4: "wrong answer", 8: "unexpected end of output"}
"""testlib's exit codes that blame the program; 3 and anything else blame the checker, 7 gives points (not full)."""


class Streams:
    """Where a process's output goes: collected up to a limit, never believed.

    Args:
        limits: name -> bytes kept.
        fatal: names whose overflow ends the run; of others the rest is dropped.
    """

    def __init__(self, limits, fatal=("stdout",)):
        self.limits = limits
        self.fatal = fatal
        self.pieces = {}
        self.over = False

    def pump(self, fds, side, deadline, watch):
        """Reads `fds` (name -> descriptor) until the process of `side` has ended and nothing is left, or time is up.

        Returns whether time was up. Raises wire.Closed when the lane's owner is gone.
        """
        self.pieces = {name: bytearray() for name in fds}
        names = {fd: name for name, fd in fds.items()}
        poll = select.poll()
        poll.register(watch, 0)
        poll.register(side.life, select.POLLIN)
        for fd in names:
            poll.register(fd, select.POLLIN)
        finished = False
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                return True
            ready = poll.poll(0 if finished else math.ceil(left * 1000))
            for fd, _ in ready:
                if fd == watch:
                    raise wire.Closed
                if fd == side.life:
                    finished = True
                    poll.unregister(fd)
                if fd in names and not self._take(fd, names[fd]):
                    poll.unregister(fd)
                    del names[fd]
                if self.over:
                    return False
            if finished and not ready:
                return False

    def _take(self, fd, name):
        with contextlib.suppress(BlockingIOError):
            part = os.read(fd, 1 << 16)
            if not part:
                return False
            room = self.limits[name] - len(self.pieces[name])
            self.pieces[name] += part[: max(0, room)]
            self.over = self.over or (name in self.fatal and len(part) > room)
        return True


def run(side, job, stdin, bounds, watch):
    """One run on `side`; the ended process as `{status, cpu_s, rss_kb, late, over, stdout, stderr, file}`.

    Args:
        side: where it runs.
        job: what program.execute takes.
        stdin: the input's bytes.
        bounds: `{limits, wall_s, output_limit}`.
        watch: descriptor whose hang-up ends everything.
    """
    ours, theirs = socket.socketpair()
    source, kept = os.memfd_create("stdin"), os.memfd_create("file")
    with open(source, "wb", closefd=False) as file:
        file.write(stdin)
    os.lseek(source, 0, os.SEEK_SET)
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    for fd in (out_read, err_read):
        os.set_blocking(fd, False)
    streams = Streams({"stdout": bounds["output_limit"], "stderr": STDERR_BYTES})
    handed = [theirs, Descriptor(source), Descriptor(out_write), Descriptor(err_write)]
    if job["collect"] is not None:
        handed.append(Descriptor(os.dup(kept)))
    try:
        side.spawn("program", bounds["limits"], handed)
        deadline = time.monotonic() + bounds["wall_s"]
        with contextlib.suppress(wire.Closed):
            wire.send(ours, job)
        # With the process itself dead, what its daemons print is not waited for.
        late = streams.pump({"stdout": out_read, "stderr": err_read}, side, deadline, watch)
        ended = side.end()
        os.lseek(kept, 0, os.SEEK_SET)
        with open(kept, "rb", closefd=False) as file:
            data = file.read(MAX_FILE)
    finally:
        side.end()
        ours.close()
        for fd in (out_read, err_read, kept):
            os.close(fd)
    return {**ended, "late": late, "over": streams.over, "file": data, **streams.pieces}


class Descriptor:
    """A descriptor that is handed over, with the methods that Side.spawn uses."""

    def __init__(self, fd):
        self._fd = fd

    def fileno(self):
        """The number."""
        return self._fd

    def close(self):
        """Closes our copy."""
        os.close(self._fd)


def compile_source(job, sides, watch):
    """Job `{side, files, argv, collect, limits, wall_s}` -> `{binary: base64 | null, message}`."""
    body = {"files": job["files"], "python": None, "argv": job["argv"], "collect": job["collect"]}
    ended = run(sides[job["side"]], body, b"", {**job, "output_limit": 1 << 20}, watch)
    if ended["late"]:
        return {"binary": None, "message": "compiling took too long"}
    binary = wire.pack(ended["file"]) if ended["status"] == 0 and ended["file"] else None
    return {"binary": binary, "message": ended["stderr"].decode(errors="replace")[:2000]}


def judge(job, sides, watch):
    """The reply to a `cases` job: `{results: [{status, cpu_s, rss_kb, message, got}]}`, in order.

    Job: `{program: {files, python, argv}, cases: [{input, output}] (base64), checker, interactor: same shape as program
    or null, numeric, stop, cpu_s, wall_s, memory_mb, output_limit, limits, examiner_limits}`.
    """
    results = []
    for case in job["cases"]:
        given, expected = wire.unpack(case["input"]), wire.unpack(case["output"])
        if job["interactor"] is not None:
            result = _interact(job, sides, given, expected, watch)
        else:
            result = _one(job, sides, given, expected, watch)
        results.append(result)
        if job["stop"] and result["status"] != "passed":
            break
    return {"results": results}


def _one(job, sides, given, expected, watch):
    program = {**job["program"], "collect": None}
    ended = run(sides["candidate"], program, given, job, watch)
    result = {"cpu_s": round(ended["cpu_s"], 3), "rss_kb": ended["rss_kb"]}
    if status := _trouble(ended, job):
        return {**result, "status": status, "message": ended["stderr"].decode(errors="replace")[-300:]}
    output = bytes(ended["stdout"])
    if job["checker"] is not None:
        return {**result, **_check(job, sides, given, output, expected, watch)}
    if same_tokens(output, expected, job["numeric"]):
        return {**result, "status": "passed"}
    return {**result, "status": "failed", "got": output[:300].decode(errors="replace")}


def _trouble(ended, job):
    if ended["over"]:
        return "output_limit"
    if ended["late"] or ended["cpu_s"] > job["cpu_s"]:
        return "timeout"
    status = ended["status"]
    out_of_memory = ended["rss_kb"] > job["memory_mb"] * 1024 or b"MemoryError" in ended["stderr"]
    if status == 0:
        return "memory" if out_of_memory else None
    if out_of_memory or b"bad_alloc" in ended["stderr"]:
        return "memory"
    if os.WIFSIGNALED(status):
        return "timeout" if os.WTERMSIG(status) == signal.SIGXCPU else "signal"
    return "exit"


def _check(job, sides, given, output, expected, watch):
    files = {"in": wire.pack(given), "out": wire.pack(output), "ans": wire.pack(expected)}
    checker = job["checker"]
    body = {**checker, "files": {**checker["files"], **files}, "argv": [*checker["argv"], "in", "out", "ans"]}
    bounds = {"limits": job["examiner_limits"], "wall_s": CHECKER_WALL_S, "output_limit": 1 << 16}
    ended = run(sides["examiner"], {**body, "collect": None}, b"", bounds, watch)
    return _blame(ended)


def _blame(ended):
    message = (ended["stderr"] or ended["stdout"]).decode(errors="replace")[:300]
    code = os.WEXITSTATUS(ended["status"]) if os.WIFEXITED(ended["status"]) else -1
    if ended["late"]:
        return {"status": "judge_error", "message": "the checker took too long"}
    if code == 0:
        return {"status": "passed"}
    if code in WRONG:
        return {"status": "failed", "message": message or WRONG[code]}
    if code == 7:
        return {"status": "failed", "message": message or "partial points"}
    return {"status": "judge_error", "message": f"checker ended with {code}: {message}"}


def _interact(job, sides, given, expected, watch):
    """Program and interactor, each other's standard streams; the interactor decides."""
    (pc, pc_child), (ic, ic_child) = socket.socketpair(), socket.socketpair()
    to_program, from_interactor = os.pipe()
    to_interactor, from_program = os.pipe()
    errors = [os.pipe(), os.pipe()]
    program, interactor = sides["candidate"], sides["examiner"]
    files = {"in": wire.pack(given), "ans": wire.pack(expected)}
    body = job["interactor"]
    body = {**body, "files": {**body["files"], **files}, "argv": [*body["argv"], "in", "tout", "ans"], "collect": None}
    late, judged, ended = False, None, None
    try:
        program.spawn(
            "program",
            job["limits"],
            [pc_child, Descriptor(to_program), Descriptor(from_program), Descriptor(errors[0][1])],
        )
        interactor.spawn(
            "program",
            job["examiner_limits"],
            [ic_child, Descriptor(to_interactor), Descriptor(from_interactor), Descriptor(errors[1][1])],
        )
        with contextlib.suppress(wire.Closed):
            wire.send(pc, {**job["program"], "collect": None})
            wire.send(ic, body)
        deadline = time.monotonic() + job["wall_s"]
        late = not _until(program.over, [program.life], deadline, watch)
        ended = program.end()
        if not _until(interactor.over, [interactor.life], time.monotonic() + 4 * job["wall_s"], watch):
            return {"status": "judge_error", "message": "the interactor took too long"}
        judged = interactor.end()
        words = os.read(errors[1][0], 300) if select.select([errors[1][0]], [], [], 0)[0] else b""
    finally:
        program.end()
        interactor.end()
        for fd in (errors[0][0], errors[1][0]):
            os.close(fd)
        pc.close()
        ic.close()
    result = {"cpu_s": round(ended["cpu_s"], 3), "rss_kb": ended["rss_kb"]}
    ended = {**ended, "late": late, "over": False, "stderr": b""}
    trouble = _trouble(ended, job)
    if trouble in ("timeout", "memory"):
        return {**result, "status": trouble}
    verdict = _blame({**judged, "late": False, "stderr": words, "stdout": b""})
    if verdict["status"] == "passed" and trouble is not None:
        return {**result, "status": trouble}
    return {**result, **verdict}


def _until(done, fds, deadline, watch):
    poll = select.poll()
    poll.register(watch, 0)
    for fd in fds:
        poll.register(fd, select.POLLIN)
    while not done():
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        if any(fd == watch for fd, _ in poll.poll(math.ceil(left * 1000))):
            raise wire.Closed
    return True


def same_tokens(output, expected, numeric):
    """Whether two outputs agree token by token; with `numeric`, numbers that are equal agree (1.0 and 1)."""
    ours, theirs = output.split(), expected.split()
    if ours == theirs:
        return True
    if not numeric or len(ours) != len(theirs):
        return False
    return all(a == b or _equal_numbers(a, b) for a, b in zip(ours, theirs, strict=True))


def _equal_numbers(one, other):
    if len(one) > 400 or len(other) > 400:
        return False
    try:
        first, second = decimal.Decimal(one.decode("ascii")), decimal.Decimal(other.decode("ascii"))
    except (decimal.InvalidOperation, UnicodeDecodeError):
        return False
    return first.is_finite() and second.is_finite() and first == second
