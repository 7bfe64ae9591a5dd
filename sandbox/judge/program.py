"""Runs one program in a confined process: its files are written to the empty folder, its streams are the router's.

Python programs run in the forked interpreter (no start-up to pay); others are executed. A compilation keeps this
process, waits, and sends the wanted file back. Whatever is sent back is as untrusted as the program.
"""

import contextlib
import io
import os
import socket
import sys

import confine
import wire


def execute(ctl, stdin, stdout, stderr, result=None):
    """Job on `ctl`: `{files: {name: base64}, python: name | null, argv: [...], collect: name | null}`.

    With `collect`, that file's content ends up in `result` and the exit status is the executed program's.
    """
    link = socket.socket(fileno=ctl)
    job = wire.receive(link)
    link.close()
    for name, data in job["files"].items():
        write(name, data)
    for number, stream in enumerate((stdin, stdout, stderr)):
        os.dup2(stream, number)
    confine.close_others([] if result is None else [result])
    if job["python"] is not None:
        _python(job["python"], job["argv"])
    elif job["collect"] is None:
        os.execvpe(job["argv"][0], job["argv"], os.environ)
    else:
        _collect(result, job)


def write(name, data):
    """Writes a file of the job, executable; names are the router's."""
    with open(name, "wb") as file:
        file.write(wire.unpack(data))
    os.chmod(name, 0o755)


def _python(name, argv):
    sys.argv = [name, *argv]
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stderr = io.TextIOWrapper(open(2, "wb", buffering=0, closefd=False), write_through=True)  # noqa: SIM115
    code = 0
    try:
        with open(name, "rb") as file:
            program = compile(file.read(), name, "exec")
        module = type(sys)("__main__")
        module.__dict__["__builtins__"] = __builtins__
        sys.modules["__main__"] = module
        exec(program, module.__dict__)
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
    except SystemExit as leave:
        code = leave.code if isinstance(leave.code, int) else int(leave.code is not None)
    except BaseException as error:
        code = 1
        with contextlib.suppress(BaseException):
            sys.stderr.write(f"{type(error).__name__}: {error}"[:2000])
    try:
        sys.stdout.flush()
    except BaseException:
        code = code or 120
    os._exit(code & 0xFF)


def _collect(result, job):
    pid = os.fork()
    if pid == 0:
        try:
            os.close(result)
            os.execvpe(job["argv"][0], job["argv"], os.environ)
        finally:
            os._exit(127)
    status = os.waitpid(pid, 0)[1]
    if status == 0:
        with open(job["collect"], "rb") as file:
            while part := file.read(1 << 20):
                os.write(result, part)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
