"""The endpoint of `benchmarks/synthesis.py busy`: the slots of models_stub, with answers that let the loop go on.

Prompts of the house get a small valid reply; plain conversations get a program. Nothing is simulated here: the stub
must cost less than the client it measures.

    python benchmarks/synthesis_stub.py --port 8110 --latency 0.2 --slots 64
"""

import argparse
import asyncio
import contextlib
import json
import time
from typing import Any

from models_stub import Slots, Stub

JUDGES = {"determined": True, "score": 0.9, "cause": "solver", "reason": "fine"}


def reply_to(messages: list[dict[str, Any]]) -> str:
    """What the endpoint says."""
    last = messages[-1]["content"]
    if not isinstance(last, str):  # typed parts
        last = "".join(part.get("text", "") for part in last)
    start = last.rfind("```json\n") if last.endswith("```") else -1
    if start < 0:
        return f"Here it is.\n\n```python\ndef f(x):\n    return {hash(last) % 1000}\n```"
    data = json.loads(last[start + 8 : -4])
    if data.get("prompt") == "user_turn":
        task = data["task"]
        text = "\n".join([f"please write {task['interface']}", *(fact["text"] for fact in task["facts"])])
        return json.dumps({"strategy": "reveal_piece", "utterance": text, "facts": []})
    if data.get("prompt") == "controller_guidance":
        return json.dumps({"text": "say less", "withhold": [], "reveal": [], "directness": 0.5})
    verdict = {"determined": JUDGES["determined"]} if data["prompt"] == "judge_validity" else {"score": 0.9}
    if data["prompt"] == "judge_cause":
        verdict = {"cause": "solver"}
    return json.dumps({**verdict, "reason": "fine"})


class Endpoint(Stub):
    """models_stub's HTTP side with other answers."""

    async def _answer(self, method: str, path: str, body: bytes) -> bytes:
        if not path.endswith("/chat/completions"):
            return await super()._answer(method, path, body)
        slots, request = self.slots, json.loads(body)
        if not request.get("messages"):
            return await super()._answer(method, path, body)
        slots.requests += 1
        slots.open += 1
        slots.most_open = max(slots.most_open, slots.open)
        slots.first = slots.first or time.monotonic()
        await slots.take()
        slots.open -= 1
        slots.last = time.monotonic()
        message = {"role": "assistant", "content": reply_to(request["messages"])}
        usage = {"prompt_tokens": len(body) // 5, "completion_tokens": 50, "total_tokens": len(body) // 5 + 50}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return json.dumps(
            {"id": "1", "object": "chat.completion", "created": 1, "model": "sim", "choices": [choice], "usage": usage}
        ).encode()


async def main() -> None:
    """Serves until it is ended."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8110)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--slots", type=int, default=64)
    args = parser.parse_args()
    endpoint = Endpoint(Slots(args.latency, args.slots, None))
    server = await asyncio.start_server(endpoint.serve, "127.0.0.1", args.port, limit=2**24, backlog=8192)
    print("READY", flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())
