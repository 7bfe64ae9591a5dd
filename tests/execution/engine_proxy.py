"""A stand-in for a Docker engine that can die and come back: a relay to the real one, over a socket of its own."""

import contextlib
import socket
import threading
from pathlib import Path


class EngineProxy:
    """Relays a unix socket to the engine's; `die` cuts every connection and takes no new one, `revive` ends that."""

    def __init__(self, path: Path, engine: str):
        self.path, self._engine = path, engine.removeprefix("unix://")
        self._open: list[socket.socket] = []
        self.revive()

    @property
    def address(self) -> str:
        """What a client takes as DOCKER_HOST."""
        return f"unix://{self.path}"

    def revive(self) -> None:
        """Accepts connections from now on."""
        self.path.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.path))
        listener.listen(64)
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def die(self) -> None:
        """The engine is gone, as its clients see it."""
        self.path.unlink(missing_ok=True)
        for one in [self._listener, *self._open]:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open.clear()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client = listener.accept()[0]
                engine = socket.socket(socket.AF_UNIX)
                engine.connect(self._engine)
            except OSError:
                return
            self._open += [client, engine]
            for source, target in ((client, engine), (engine, client)):
                threading.Thread(target=_relay, args=(source, target), daemon=True).start()


def _relay(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
