"""Frames between the judge's processes: four bytes of length, then JSON.

Both ends may be hostile, so every read has a size limit and a deadline, and nothing but JSON is ever decoded.
Standard library only: this file also runs inside the sandboxes.
"""

import base64
import json
import select
import socket
import struct
import time

MAX_FRAME = 64 << 20
"""Bytes of one frame at most, where the reader sets no tighter limit."""


class Closed(Exception):
    """The other end is gone."""


class Late(Exception):
    """Nothing complete arrived before the deadline."""


class TooLarge(Exception):
    """The other end announced more than the reader accepts."""


def pack(data: bytes) -> str:
    """Bytes as JSON text."""
    return base64.b64encode(data).decode()


def unpack(text: str) -> bytes:
    """The bytes of `pack`."""
    return base64.b64decode(text)


def send(sock: socket.socket, value: object, limit: int = MAX_FRAME) -> None:
    """Sends one frame; raises `Closed` when nobody reads any more, `TooLarge` before anything of it is sent."""
    data = json.dumps(value, separators=(",", ":")).encode()
    if len(data) > limit:
        raise TooLarge(len(data))
    try:
        sock.sendall(struct.pack(">I", len(data)) + data)
    except (BrokenPipeError, ConnectionError, TimeoutError) as error:
        raise Closed from error


def receive(sock: socket.socket, deadline: float | None = None, limit: int = MAX_FRAME, watch: int | None = None):
    """The next frame's value.

    Args:
        sock: where it comes from.
        deadline: `time.monotonic()` value after which `Late` is raised; None waits for ever.
        limit: bytes accepted.
        watch: a descriptor whose hang-up raises `Closed` as well (the parent's end of stdin).

    Raises:
        Closed, Late, TooLarge; ValueError and RecursionError for bytes that are no JSON.
    """
    (size,) = struct.unpack(">I", _exactly(sock, 4, deadline, watch))
    if size > limit:
        raise TooLarge(size)
    return json.loads(_exactly(sock, size, deadline, watch))


def still_there(watch: int) -> None:
    """Raises `Closed` when the other end of `watch` is gone: then it is the lane's own owner who left."""
    poll = select.poll()
    poll.register(watch, 0)
    if poll.poll(0):
        raise Closed


def drain(sock: socket.socket) -> None:
    """Throws away what has arrived; for a connection whose other end is known to be silent."""
    try:
        while sock.recv(1 << 20, socket.MSG_DONTWAIT):
            pass
    except (BlockingIOError, ConnectionError):
        pass


class Mailbox:
    """Messages (kind and body) of a sender that may stop in the middle of one, as another connection then says.

    Those to and from other numbers than `number` are not this conversation's and are dropped.
    """

    HEAD = struct.Struct(">cII")

    def __init__(self, sock: socket.socket, limit: int, number: int):
        self._sock = sock
        self._limit = limit
        self._number = number
        self._buffer = bytearray()

    def take(self):
        """`(kind, body)` when a whole message has arrived, else None; never waits.

        Raises:
            Closed, TooLarge: as `receive`.
        """
        try:
            part = self._sock.recv(1 << 20, socket.MSG_DONTWAIT)
        except BlockingIOError:
            part = None
        except ConnectionError as error:
            raise Closed from error
        if part == b"":
            raise Closed
        self._buffer += part or b""
        while len(self._buffer) >= self.HEAD.size:
            kind, number, size = self.HEAD.unpack_from(self._buffer)
            if size > self._limit:
                raise TooLarge(size)
            end = self.HEAD.size + size
            if len(self._buffer) < end:
                return None
            body = bytes(self._buffer[self.HEAD.size : end])
            del self._buffer[:end]
            if number == self._number:
                return kind, body
        return None

    def send(self, kind: bytes, body: bytes = b"") -> None:
        """Sends one message the other way; raises `Closed` when nobody reads any more."""
        try:
            self._sock.sendall(self.HEAD.pack(kind, self._number, len(body)) + body)
        except (BrokenPipeError, ConnectionError, TimeoutError) as error:
            raise Closed from error


class Frames:
    """Frames as `receive` gives them, read ahead: for a connection that carries nothing else, in one direction."""

    def __init__(self, sock: socket.socket, limit: int, watch: int | None):
        self._sock = sock
        self._limit = limit
        self._watch = watch
        self._buffer = bytearray()

    def receive(self, deadline: float):
        """As the function `receive`."""
        while True:
            if len(self._buffer) >= 4:
                (size,) = struct.unpack_from(">I", self._buffer)
                if size > self._limit:
                    raise TooLarge(size)
                if len(self._buffer) >= 4 + size:
                    data = bytes(self._buffer[4 : 4 + size])
                    del self._buffer[: 4 + size]
                    return json.loads(data)
            _wait(self._sock, deadline, self._watch)
            try:
                part = self._sock.recv(1 << 16)
            except ConnectionError as error:
                raise Closed from error
            if not part:
                raise Closed
            self._buffer += part


def _exactly(sock: socket.socket, size: int, deadline: float | None, watch: int | None) -> bytes:
    parts, missing = [], size
    while missing:
        if deadline is not None or watch is not None:
            _wait(sock, deadline, watch)
        try:
            part = sock.recv(min(missing, 1 << 20))
        except ConnectionError as error:
            raise Closed from error
        if not part:
            raise Closed
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _wait(sock: socket.socket, deadline: float | None, watch: int | None) -> None:
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    if watch is not None:
        poll.register(watch, 0)
    left = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
    ready = poll.poll(left)
    if not ready:
        raise Late
    if watch is not None and any(fd == watch for fd, _ in ready):
        raise Closed
