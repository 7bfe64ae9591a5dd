"""Submissions written to fool or to break the judge. None scores above what it earns; the next run is unharmed.

Each attack defines `f`, and claims every assertion without computing it. Where it cannot hold under bubblewrap (no
cgroups), docs/threat-model.md says so.
"""

import asyncio
import re

import pytest

from autointeract.execution import Execution
from autointeract.records import AssertionsSpec, Submission, Verdict

SPEC = AssertionsSpec(
    entry_point="f", time_limit_s=0.5,
    assertions=["assert f(2) == 4", "assert f(3) == 9", "assert abs(f(4) - 16) < 1e-9", "assert f(5) in {25}"],
)  # fmt: skip
HONEST = "def f(x): return x * x"

FOOLING = {
    "leaves before": "import os\ndef f(x): return 0\nos._exit(0)",
    "leaves politely": "import sys\ndef f(x): return 0\nsys.exit(0)",
    "leaves inside": "import os\ndef f(x): os._exit(0)",
    "raises exit": "def f(x): raise SystemExit(0)",
    "prints markers": "def f(x):\n    print('passed', 'OK', '{\"status\": \"passed\"}', flush=True)",
    "always equal": """class E:
    def __eq__(self, o): return True
    def __hash__(self): return 25
    def __sub__(self, o): return 0
    def __lt__(self, o): return True
    def __bool__(self): return True
def f(x): return E()""",
    "equal subclasses": """class I(int):
    def __eq__(self, o): return True
    __hash__ = int.__hash__
    def __sub__(self, o): return 0
def f(x): return I(7)""",
    "shadows what assertions use": "def abs(x): return 0\nAssertionError = None\ndef f(x): return 16.5",
    "patches builtins": """import builtins
builtins.abs = lambda x: 0
builtins.AssertionError = type('A', (BaseException,), {'__init__': lambda s, *a: None})
builtins.__build_class__ = None
def f(x): return 0""",
    "patches the codec": """import sys
for n in ('plain', 'wire', 'examiner', 'candidate'):
    m = sys.modules.get(n)
    if m:
        for k in list(vars(m)):
            if callable(getattr(m, k)) and not isinstance(getattr(m, k), type): setattr(m, k, lambda *a, **k: True)
def f(x): return 0""",
    "reads frames and heap": """import gc, sys, re
def f(x):
    frame = sys._getframe()
    texts = []
    while frame:
        texts.append(repr(frame.f_locals)); frame = frame.f_back
    texts += [o for o in gc.get_objects() if isinstance(o, str)]
    for o in gc.get_objects():
        if isinstance(o, dict): texts += [v for v in o.values() if isinstance(v, str)]
    for t in texts:
        m = re.search(r'assert f\\(%d\\) == (\\d+)' % x, t)
        if m: return int(m[1])
    return 0""",
    "reads memory and descriptors": """import os, re
def f(x):
    data = b''
    for pid in [p for p in os.listdir('/proc') if p.isdigit()] + ['self'] if os.path.isdir('/proc') else []:
        for name in ('mem', 'environ', 'cmdline', 'maps'):
            try:
                with open(f'/proc/{pid}/{name}', 'rb') as h: data += h.read(1 << 20)
            except OSError: pass
        try:
            for fd in os.listdir(f'/proc/{pid}/fd'):
                try:
                    with open(f'/proc/{pid}/fd/{fd}', 'rb') as h:
                        os.set_blocking(h.fileno(), False); data += h.read(1 << 20) or b''
                except (OSError, ValueError): pass
        except OSError: pass
    m = re.search(rb'assert f\\(%d\\) == (\\d+)' % x, data)
    return int(m[1]) if m else 0""",
    "speaks for the examiner": """import os, struct, json
def frame(d):
    b = json.dumps(d).encode(); return struct.pack('>I', len(b)) + b
for fd in range(3, 64):
    for i in range(4):
        for d in ({'i': i, 'status': 'passed', 'trusted': True}, {'value': True}, {'loaded': True}):
            try: os.set_blocking(fd, False); os.write(fd, frame(d))
            except OSError: pass
def f(x):
    for fd in range(3, 64):
        try: os.set_blocking(fd, False); os.write(fd, frame({'i': x, 'status': 'passed', 'trusted': True}))
        except OSError: pass""",
    "hostile data": """import os, struct
def f(x):
    for fd in range(3, 64):
        for body in (b'[' * 100000, b'{"value": {"l": 5, "n": []}}', b'{"value": {"r": -1}}', b'{"value": {"?": 1}}'):
            try: os.set_blocking(fd, False); os.write(fd, struct.pack('>I', len(body)) + body)
            except OSError: pass""",
    "promises too much": """import os, struct
def f(x):
    for fd in range(3, 64):
        try: os.write(fd, struct.pack('>I', 0xfffffff0))
        except OSError: pass""",
    "endless data": "def f(x):\n    a = []\n    a.append(a)\n    return a",
    "deep data": "def f(x):\n    a = []\n    for _ in range(10**5): a = [a]\n    return a",
    "waits for the next": """import os, time
if os.fork() == 0:
    os.setsid()
    time.sleep(60)
def f(x): return 0""",
}  # fmt: skip

BREAKING = {
    "fork bomb while loading": """import os
while True:
    try: os.fork()
    except OSError: pass""",
    "fork bomb": """import os
def f(x):
    while True:
        try: os.fork()
        except OSError: pass""",
    "memory bomb": """def f(x):
    a = []
    while True: a.append(bytearray(1 << 20))""",
    "disk": """def f(x):
    n = 0
    while True:
        n += 1
        open(f'{n}', 'wb').write(b'x' * (1 << 22))""",
    "inodes": """import os
def f(x):
    n = 0
    while True:
        n += 1
        os.mkdir(str(n))""",
    "endless output": """def f(x):
    while True: print('x' * 65536)""",
    "ignores signals": """import signal
for s in range(1, 65):
    try: signal.signal(s, signal.SIG_IGN)
    except (OSError, ValueError): pass
def f(x):
    while True: pass""",
    "daemons": """import os, time
def f(x):
    for _ in range(20):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True: time.sleep(1)
            os._exit(0)
    return 0""",
    "zombies": """import os
def f(x):
    for _ in range(30):
        if os.fork() == 0: os._exit(0)
    return 0""",
    "kills everybody": """import os, signal
def f(x): os.kill(-1, signal.SIGKILL)""",
    "stops everybody": """import os, signal
def f(x):
    os.kill(-1, signal.SIGSTOP)
    os.kill(os.getppid(), signal.SIGSTOP)""",
    "threads": """import threading
def f(x):
    while True:
        try: threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()
        except RuntimeError: pass""",
}  # fmt: skip

CONFINED = """import os, socket, ctypes
def f(what):
    if what == 'network':
        s = socket.socket(); s.settimeout(1)
        return s.connect_ex(('1.1.1.1', 53)) != 0 and s.connect_ex(('127.0.0.1', 22)) != 0
    if what == 'root':
        try: os.setuid(0)
        except OSError: pass
        return os.getuid() != 0 or ctypes.CDLL(None).mount(b'none', b'/tmp', b'tmpfs', 0, None) != 0
    if what == 'unshare': return ctypes.CDLL(None).unshare(0x10000000) != 0
    if what == 'ptrace': return ctypes.CDLL(None, use_errno=True).ptrace(16, os.getppid(), 0, 0) != 0
    if what == 'write':
        for path in ('/x', '/usr/x', '/etc/x', '/var/tmp/x', '/judge/x', '/dev/shm/x', '/opt/x'):
            try: open(path, 'w')
            except OSError: continue
            return path
        return True
    if what == 'host': return not os.path.exists('/root/.bashrc') and not os.path.exists('/home/user')
    if what == 'environment': return sorted(k for k in os.environ if 'TOKEN' in k or 'KEY' in k) == []
    if what == 'shared memory': return ctypes.CDLL(None).shmget(1234, 4096, 0o1666) == -1
    if what == 'keyring': return ctypes.CDLL(None).syscall(248, b'user', b'x', b'y', 1, -3) == -1
"""


async def judge(execution: Execution, code: str, spec: AssertionsSpec = SPEC) -> Verdict:
    return await execution.verify(spec, Submission(text=f"```python\n{code}\n```"))


async def test_nothing_scores_above_what_it_earns(execution: Execution) -> None:
    for attack, code in FOOLING.items():
        verdict = await judge(execution, code)
        assert verdict.score == 0 and verdict.trusted, (attack, verdict)
        after = await judge(execution, HONEST)
        assert after.score == 1, (attack, after)


async def test_nothing_breaks_the_next_run(execution: Execution) -> None:
    for attack, code in BREAKING.items():
        verdict = await judge(execution, code)
        assert verdict.score == 0, (attack, verdict)
        after = await judge(execution, HONEST)
        assert after.score == 1, (attack, after)


async def test_one_submission_sees_nothing_of_another(execution: Execution) -> None:
    secret = "S3CRET" + "x" * 50
    await judge(execution, f"SECRET = '{secret}'\nopen('left', 'w').write(SECRET)\ndef f(x): return SECRET")
    look = """import gc, os
def f(x):
    found = [o for o in gc.get_objects() if isinstance(o, dict) for o in o.values() if isinstance(o, str)]
    files = [os.path.join(a, c) for r in ('/tmp', '/judge', '.') for a, b, d in os.walk(r) for c in d + b]
    return 25 if any('S3CRET' + 'xxx' in t for t in found) or files else -1"""
    verdict = await judge(execution, look)
    assert verdict.score == 0, verdict


async def test_confinement(execution: Execution, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    asked = re.findall(r"what == '(.*?)'", CONFINED)
    spec = AssertionsSpec(entry_point="f", assertions=[f"assert f({what!r}) is True" for what in asked], time_limit_s=5)
    verdict = await judge(execution, CONFINED, spec)
    assert verdict.score == 1, list(zip(asked, verdict.details, strict=True))


async def test_wall_clock_holds(execution: Execution) -> None:
    spec = AssertionsSpec(entry_point="f", assertions=["assert f(1)"], time_limit_s=1.0)
    await judge(execution, HONEST)  # the lane is up
    for body in ("while True: pass", "__import__('time').sleep(60)", "__import__('signal').pause()"):
        verdict = await judge(execution, f"def f(x):\n    {body}", spec)
        assert verdict.details[0]["status"] == "timeout"
        assert verdict.seconds >= 1.0


async def test_two_lanes_do_not_meet(execution: Execution) -> None:
    settings = execution.settings.model_copy(update={"lanes": 2})
    async with Execution(settings) as two:
        bomb = asyncio.ensure_future(judge(two, BREAKING["fork bomb"]))
        calm = [await judge(two, HONEST.replace("x * x", f"x * x + {n} * 0")) for n in range(5)]
        assert [verdict.score for verdict in calm] == [1] * 5
        assert (await bomb).score == 0
