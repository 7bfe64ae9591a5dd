"""Starts a part of the judge in a fresh interpreter: `python -s -S -c <this text> FD NAME [ARGUMENT ...]`.

The judge's sources arrive as one frame (`{module: text}`) on descriptor FD, so nothing has to be installed or mounted
where it runs. Then `NAME.main(ARGUMENT, ...)` is called. Standard library only.
"""

import importlib
import importlib.machinery
import json
import os
import struct
import sys


def _read(fd, size):
    data = b""
    while len(data) < size:
        part = os.read(fd, size - len(data))
        if not part:
            sys.exit(0)
        data += part
    return data


class _Sources:  # not importlib.abc: it loads forty modules, and every loaded page makes every fork slower
    def __init__(self, texts):
        self.texts = texts

    def find_spec(self, fullname, path=None, target=None):
        """A spec for a module of the judge, else None."""
        return importlib.machinery.ModuleSpec(fullname, self) if fullname in self.texts else None

    def create_module(self, spec):
        """The default module."""
        return None

    def exec_module(self, module):
        """Runs the module's text."""
        exec(compile(self.texts[module.__name__], f"judge/{module.__name__}.py", "exec"), module.__dict__)


def start():
    """Reads the sources and hands over."""
    fd = int(sys.argv[1])
    (size,) = struct.unpack(">I", _read(fd, 4))
    sources = json.loads(_read(fd, size))
    sys.path[:] = [entry for entry in sys.path if entry]
    sys.meta_path.insert(0, _Sources(sources))
    importlib.import_module(sys.argv[2]).main(sources, *sys.argv[3:])


start()
