"""A local stand-in for a chat-completions endpoint: it answers with code that passes all, some or none of the tests.

Stdlib only. Streams when asked to (verifiers' own client does), and keeps what it was sent in `requests`.
"""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def answer(messages: list[dict[str, Any]], number: int) -> str:
    """A response to a conversation of tests/trajectory_rows.py: right, half right, or no code, in turn."""
    found = re.search(r"argument plus (\d+)", messages[-1]["content"])
    plus = found[1] if found else "0"
    body = [f"return x + {plus}", f"return x + {plus} if x < 2 else None"][number % 3 % 2]
    return "I do not know." if number % 3 == 2 else f"Here:\n```python\ndef f(x):\n    {body}\n```"


class FakeOpenAI:
    """Serves on a free port of the loopback interface while the `with` block lasts."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with fake._lock:
                    number = len(fake.requests)
                    fake.requests.append(body)
                text = answer(body["messages"], number)
                usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
                head = {"id": f"r{number}", "created": 0, "model": body["model"]}
                if not body.get("stream"):
                    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
                    self._send(
                        "application/json",
                        json.dumps({**head, "object": "chat.completion", "choices": [choice], "usage": usage}),
                    )
                    return
                first = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}
                last = {"index": 0, "delta": {}, "finish_reason": "stop"}
                chunks = [{"choices": [first]}, {"choices": [last]}, {"choices": [], "usage": usage}]
                lines = [json.dumps({**head, "object": "chat.completion.chunk", **chunk}) for chunk in chunks]
                self._send("text/event-stream", "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]))

            def do_GET(self) -> None:
                self._send(
                    "application/json", json.dumps({"object": "list", "data": [{"id": "toy", "object": "model"}]})
                )

            def _send(self, kind: str, text: str) -> None:
                data = text.encode()
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> "FakeOpenAI":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
