"""The lane's trusted process: takes jobs on stdin, answers on stdout, and starts the two confined sides.

It believes the examiner about assertions and its own clock about time; of the candidate's side it only ever reads
whether loading went well (which can only cost it points). One job at a time. When stdin closes, everything ends.
"""

import contextlib
import importlib
import json
import os
import select
import signal
import socket
import struct
import sys
import time

import confine
import wire

HANDLERS = {
    "assertions": ("assertions", "judge"), "compile": ("programs", "compile_source"), "cases": ("programs", "judge"),
    "suite": ("suites", "judge"),
}  # fmt: skip
"""Kind of job -> the module, loaded when first needed, and its function."""


class Stdio:
    """Standard input and output of this process, with the methods that `wire` uses."""

    def recv(self, size):
        """Some bytes, none at the end."""
        return os.read(0, size)

    def sendall(self, data):
        """Writes all of `data`."""
        view = memoryview(data)
        while view:
            view = view[os.write(1, view) :]

    def fileno(self):
        """For poll."""
        return 0


class Broken(Exception):
    """A confined side's server died or cannot fork: nothing is known about the submission."""


class Side:
    """One role's server. Spawned processes are ended by `end`, whatever became of them."""

    def __init__(self, ctl):
        self._ctl = ctl
        self._pid = None
        self._killing = False
        self.life = None  # a pidfd: readable when the spawned process has ended

    def spawn(self, role, limits, fds):
        """Starts `role` in a new confined process that owns `fds` (closed here)."""
        request = json.dumps({"op": "spawn", "role": role, "limits": limits}).encode()
        try:
            socket.send_fds(self._ctl, [request], [fd.fileno() for fd in fds])
        except OSError as error:
            raise Broken(str(error)) from error
        for fd in fds:
            fd.close()
        self._pid = self._reply()["pid"]

    def over(self):
        """Whether the spawned process has ended by itself."""
        return self.life is None or bool(select.select([self.life], [], [], 0)[0])

    def kill(self):
        """Begins what `end` completes, so that two sides can end at the same time."""
        if self._pid is None or self._killing:
            return
        try:
            self._ctl.send(json.dumps({"op": "end", "pid": self._pid}).encode())
        except OSError as error:
            raise Broken(str(error)) from error
        self._killing = True

    def end(self):
        """Kills what was spawned, all of it; returns `{status, cpu_s, rss_kb}` of its first process, None if none."""
        if self._pid is None:
            return None
        self.kill()
        self._pid, self._killing = None, False
        if self.life is not None:
            os.close(self.life)
            self.life = None
        return self._reply()

    def _reply(self):
        self._ctl.settimeout(30)
        try:
            message, fds, _, _ = socket.recv_fds(self._ctl, 65536, 1)
        except OSError as error:
            raise Broken(f"server: {error}") from error
        if fds:
            self.life = fds[0]
        if not message:
            raise Broken("a server of this lane ended")
        reply = json.loads(message)
        if "error" in reply:
            raise Broken(reply["error"])
        return reply


def _handler(op):
    module, function = HANDLERS[op]
    return getattr(importlib.import_module(module), function)


def main(sources):
    """Reads the configuration, starts both sides, then serves jobs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    confine.libc.prctl(confine.PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    stdio = Stdio()
    config = wire.receive(stdio)
    start = {"bubblewrap": _bubblewrap, "uids": _uids}[config["mode"]]
    sides = {role: Side(ctl) for role, ctl in start(config, sources).items()}
    wire.send(stdio, {"ready": True, "pid": os.getpid()})
    with contextlib.suppress(wire.Closed):
        while True:
            job = wire.receive(stdio)
            began = time.monotonic()
            try:
                reply = _handler(job["op"])(job, sides, watch=0)
            except Broken as error:
                reply = {"broken": str(error)}
            wire.send(stdio, {**reply, "seconds": time.monotonic() - began})
            if "broken" in reply:
                return


def _uids(config, sources):
    """Inside a container: both servers are forks of this process, made before any job arrives."""
    import server

    controls = {}
    confine.subreaper()
    os.chmod(confine.HOMES, 0o711)  # runs need not see each other's folders
    for number, role in enumerate(config["sides"]):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if os.fork() == 0:
            ours.close()
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 0)
            os.dup2(null, 1)
            confine.close_others([theirs.fileno()])
            confine.libc.prctl(confine.PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            server.serve(theirs, confine.Uids(config["first_uid"] + number * config["uids"], config["uids"]), role)
        theirs.close()
        controls[role] = ours
    return controls


def _bubblewrap(config, sources):
    """On a host: each server runs in a bubblewrap of its own."""
    import subprocess  # not above: it loads threading, whose hook makes every later fork of a process twice as dear

    config = _reachable(config) if os.geteuid() == 0 else config
    controls = {}
    frame = json.dumps(sources).encode()
    for number, role in enumerate(config["sides"]):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        reader, writer = os.pipe()
        command = [
            *config["bwrap"], *config["python"], "-c", config["boot"],
            str(reader), "server", str(theirs.fileno()), role,
        ]  # fmt: skip
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=sys.stderr, cwd="/",
            pass_fds=[reader, theirs.fileno()], **_identity(config, number),
        )  # fmt: skip
        os.close(reader)
        theirs.close()
        with contextlib.suppress(BrokenPipeError), open(writer, "wb") as pipe:
            pipe.write(struct.pack(">I", len(frame)) + frame)
        controls[role] = ours
    return controls


def _identity(config, number):
    if "first_uid" not in config:
        return {}
    uid = config["first_uid"] + number
    return {"user": uid, "group": uid, "extra_groups": []}


def _reachable(config):
    """Started as root: give root up for the sandboxes; their users must still reach the interpreter.

    Interpreter and bubblewrap may lie below a folder that only root can enter (/root/...). They are bound to /mnt in a
    mount namespace of this process alone. Without the right to do so the sandboxes stay with root's uid, where
    RLIMIT_NPROC does not hold.
    """
    try:
        confine.check(confine.libc.unshare(confine.CLONE_NEWNS), "unshare")
        confine.check(confine.libc.mount(b"none", b"/", None, 0x4000 | 1 << 19, None), "private mounts")
        confine.check(confine.libc.mount(b"tmpfs", b"/mnt", b"tmpfs", 0, b"mode=0755"), "mount /mnt")
        mapped = {}
        for number, source in enumerate(config["reach"]):
            target = f"/mnt/{number}" if not os.path.basename(source).startswith("bubblewrap") else ""
            target = target or f"/mnt/site/{os.path.basename(source)}"
            os.makedirs(target, 0o755)
            confine.check(confine.libc.mount(source.encode(), target.encode(), None, 4096 | 16384, None), source)
            mapped[source] = target
    except OSError:
        return {key: value for key, value in config.items() if key != "first_uid"}
    moved = []
    for word in config["bwrap"]:
        best = max(
            (source for source in mapped if word == source or word.startswith(source + "/")), default=None, key=len
        )
        # Only sources are moved: a destination follows its source and keeps its name.
        destination = len(moved) >= 2 and moved[-2] == "--ro-bind"
        moved.append(word if best is None or destination else mapped[best] + word[len(best) :])
    return {**config, "bwrap": moved}
