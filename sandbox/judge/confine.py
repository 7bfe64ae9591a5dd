"""Puts a freshly forked process behind bars before it runs anything that is not ours.

Two ways, one interface (`fork(limits, ...) -> pid`, `end(pid)`):
- `Namespaces`, inside bubblewrap: every run gets its own process, mount and IPC namespace, an empty /proc and its own
  bounded tmpfs; ending the run kills all of it. Needs CAP_SYS_ADMIN in the sandbox's own user namespace; the run keeps
  no capability.
- `Uids`, inside a container started as root: every run gets a fresh uid and a folder of mode 0700; ending the run kills
  everything of that uid and removes the folder.

Both add rlimits, no-new-privileges and a seccomp filter against what the run has no use for. Every module loaded here
is in the memory of every process forked later, and dear: hence no shutil, platform or subprocess.
"""

import contextlib
import ctypes
import functools
import importlib
import json
import os
import resource
import signal
import struct

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWPID = 0x20000, 0x08000000, 0x20000000
NAMESPACES = 0x7E020000 | 0x80
"""Every CLONE_NEW* flag."""
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 36, 38

HOMES = "/judge"
"""Where runs have their folders, in a container."""
libc = ctypes.CDLL(None, use_errno=True)


def check(result, what):
    """Raises OSError, named, unless a libc call gave 0."""
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def subreaper():
    """Orphans of this process's descendants become its children, so that none is lost."""
    check(libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "prctl subreaper")


class Namespaces:
    """A namespace of its own for every run (inside bubblewrap)."""

    def __init__(self):
        _filter(os.uname().machine)  # made once, before any fork
        self._own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        self._reports = {}

    def fork(self, limits, init=False, prepare=None):
        """As os.fork(); the child is confined and stands in its own empty, writable folder.

        Args:
            limits: bounds of the run.
            prepare: called in the child before its privileges go.
            init: let a small process of ours be the namespace's first, which takes no signals; needed for programs
                that expect signals to do what they do elsewhere.
        """
        report, write = os.pipe()
        check(libc.setns(self._own, CLONE_NEWPID), "setns")
        check(libc.unshare(CLONE_NEWPID), "unshare")
        pid = os.fork()
        if pid:
            os.close(write)
            self._reports[pid] = report
            return pid
        os.close(report)
        _or_die(self._enter, limits, init, prepare, write)
        return 0

    @staticmethod
    def _enter(limits, init, prepare, write):
        check(libc.unshare(CLONE_NEWNS | CLONE_NEWIPC), "unshare")
        room = f"size={limits['disk_mb']}m,nr_inodes={limits['files']},mode=0700".encode()
        check(libc.mount(b"tmpfs", b"/tmp", b"tmpfs", MS_NOSUID | MS_NODEV, room), "mount /tmp")
        check(
            libc.mount(b"tmpfs", b"/proc", b"tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, b"size=4k"), "/proc"
        )
        os.chdir("/tmp")
        if prepare:
            prepare()
        no_capabilities()
        restrict(limits)
        if init:
            _become_init(write)
        os.close(write)

    def end(self, pid):
        """Kills the run and everything it started; returns how its first process ended."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        ended = account(*os.wait4(pid, 0)[1:])
        with open(self._reports.pop(pid), "rb") as report:
            words = report.read(1000)
        return json.loads(words) if words else ended


def _or_die(step, *arguments):
    """A child that is not fully confined must not go on, least of all as a copy of its parent."""
    try:
        step(*arguments)
    except BaseException as error:
        with contextlib.suppress(BaseException):
            os.write(2, f"confine: {error}\n"[:300].encode())
        os._exit(97)


def _become_init(report):
    """Forks: returns in the child; the parent, first of its namespace, waits, tells on `report`, and ends."""
    pid = os.fork()
    if pid == 0:
        return
    while True:
        dead, status, usage = os.wait4(-1, 0)
        if dead == pid:
            os.write(report, json.dumps(account(status, usage)).encode())
            os._exit(0)


class Uids:
    """A uid of its own for every run (inside a container whose main process is root)."""

    def __init__(self, first, count, root=HOMES):
        self._first, self._count, self._next, self._root = first, count, 0, root
        self._uid = {}
        _filter(os.uname().machine)  # made once, before any fork
        subreaper()

    def fork(self, limits, init=False, prepare=None):
        """As os.fork(); the child is confined and stands in its own empty, writable folder."""
        uid = self._first + self._next % self._count
        self._next += 1
        home = f"{self._root}/{uid}"
        os.mkdir(home, 0o700)
        os.chown(home, uid, uid)
        pid = os.fork()
        if pid:
            self._uid[pid] = uid
            return pid
        _or_die(self._enter, limits, prepare, uid, home)
        return 0

    @staticmethod
    def _enter(limits, prepare, uid, home):
        os.chdir(home)
        os.environ.update(HOME=home, TMPDIR=home)
        if prepare:
            prepare()
            os.chdir(home)
        with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as adjust:
            adjust.write("1000")
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        restrict(limits)

    def end(self, pid):
        """Kills everything of the run's uid; returns how its first process ended."""
        uid = self._uid.pop(pid)
        self._kill_all(uid)
        ended = account(*os.wait4(pid, 0)[1:])
        self._kill_all(uid)  # whatever a dying process managed to start in between
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        home = f"{self._root}/{uid}"
        try:
            os.rmdir(home)  # mostly nothing was written
        except OSError:
            self._apart(lambda: importlib.import_module("shutil").rmtree(home, ignore_errors=True))
        return ended

    @staticmethod
    def _kill_all(uid):
        def kill():
            os.setresuid(uid, uid, uid)
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)

        Uids._apart(kill)

    @staticmethod
    def _apart(step):
        pid = os.fork()
        if pid == 0:
            try:
                step()
            finally:
                os._exit(0)
        os.waitpid(pid, 0)


def account(status, usage):
    """How a process ended, as JSON data: wait status, CPU seconds, greatest resident size."""
    return {"status": status, "cpu_s": usage.ru_utime + usage.ru_stime, "rss_kb": usage.ru_maxrss}


def restrict(limits):
    """rlimits, no new privileges, seccomp: from here on the process can only lose."""
    memory = limits["memory_mb"] << 20 if limits["memory_mb"] else resource.RLIM_INFINITY
    bounds = {
        "AS": memory, "FSIZE": limits["disk_mb"] << 20, "NPROC": limits["processes"], "STACK": limits["stack_mb"] << 20,
        "NOFILE": limits.get("open_files", 64), "CORE": 0, "MSGQUEUE": 0, "MEMLOCK": 0, "CPU": limits["cpu_s"],
    }  # fmt: skip
    for name, value in bounds.items():
        number = getattr(resource, "RLIMIT_" + name)
        hard = resource.getrlimit(number)[1]
        if hard != resource.RLIM_INFINITY:
            value = hard if value == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(number, (value, value))
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    seccomp()


def no_capabilities():
    """Gives up every capability, now and for every program executed later."""
    header, data = struct.pack("=Ii", 0x20080522, 0), struct.pack("=6I", 0, 0, 0, 0, 0, 0)
    check(libc.capset(header, data), "capset")
    libc.prctl(47, 4, 0, 0, 0)  # PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL


_DENIED = {  # name: (x86_64, aarch64)
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "unshare": (272, 97),
    "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218), "bpf": (321, 280), "kcmp": (312, 272),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fsmount": (432, 432), "shmget": (29, 194), "semget": (64, 190),
    "msgget": (68, 186), "mq_open": (240, 180), "init_module": (175, 105), "finit_module": (313, 273),
    "kexec_load": (246, 104), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "pidfd_getfd": (438, 438), "setdomainname": (171, 162), "sethostname": (170, 161), "personality": (135, 92),
}  # fmt: skip
_CLONE, _CLONE3 = (56, 220), (435, 435)
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def seccomp():
    """Denies namespaces, tracing, mounts, keys, System V IPC and kernel interfaces with EPERM; x86_64 and aarch64."""
    program = _filter(os.uname().machine)
    if program is None:
        return
    buffer = ctypes.create_string_buffer(program)
    prog = struct.pack("@HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    check(libc.prctl(PR_SET_SECCOMP, 2, ctypes.c_char_p(prog), 0, 0), "seccomp")


@functools.cache
def _filter(machine):
    if machine not in _ARCHITECTURES:
        return None
    column, architecture = _ARCHITECTURES[machine]

    def step(code, k, yes=0, no=0):
        return struct.pack("=HBBI", code, yes, no, k)

    load, equal, bits, give = 0x20, 0x15, 0x45, 0x06
    deny, enosys, allow, kill = 0x00050001, 0x00050026, 0x7FFF0000, 0x80000000
    steps = [step(load, 4), step(equal, architecture, 1, 0), step(give, kill), step(load, 0)]
    if column == 0:
        steps += [step(0x35, 0x40000000, 0, 1), step(give, deny)]  # x32 numbers would go round the list
    for numbers in _DENIED.values():
        steps += [step(equal, numbers[column], 0, 1), step(give, deny)]
    steps += [step(equal, _CLONE3[column], 0, 1), step(give, enosys)]  # libc then falls back to clone
    steps += [step(equal, _CLONE[column], 0, 3), step(load, 16), step(bits, NAMESPACES, 0, 1), step(give, deny)]
    return b"".join([*steps, step(give, allow)])


def close_others(keep):
    """Closes every descriptor but 0, 1, 2 and `keep`."""
    previous = 2
    for fd in sorted(keep):
        os.closerange(previous + 1, fd)
        previous = fd
    os.closerange(previous + 1, 1 << 16)
