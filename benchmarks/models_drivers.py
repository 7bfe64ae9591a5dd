"""One client on one workload against a running stub; run by models.py in the client's own virtual environment.

    python benchmarks/models_drivers.py CLIENT WORKLOAD URL --calls N --in-flight K

Clients: autointeract, aiohttp, openai, litellm, router, dspy, curator, distilabel. Workloads: A = N single calls;
B = conversations of 8 dependent calls whose prompts grow from about 1 to 4.5 kB, then 3 weak and 3 strong samples each
(N calls in all).
Prints one JSON line: calls, wall_s, cpu_s, start_cpu_s (used before the first request), rss_mb.
"""

import argparse
import asyncio
import importlib.util
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

RULES = "You play a person who works with a coding agent and wants one thing done. " * 11
TURNS, SAMPLES = 8, 3
Ask = Callable[[str, str, int], Awaitable[list[str]]]


async def workload(name: str, calls: int, ask: Ask) -> int:
    """Runs it; gives the number of answers."""
    if name == "A":
        texts = await asyncio.gather(*(ask("sim", f"{RULES[:300]} Item {i}. Write the first message.", 1)
                                       for i in range(calls)))  # fmt: skip
        return sum(len(text) for text in texts)

    async def conversation(i: int) -> int:
        turns: list[str] = []
        for _ in range(TURNS):
            turns += await ask("sim", "\n".join([RULES, f"Item {i}.", *turns, "Write the next message."]), 1)
        whole = "\n".join([f"Item {i}.", *turns, "Do what this person wants."])
        answers = await asyncio.gather(ask("weak", whole, SAMPLES), ask("strong", whole, SAMPLES))
        return TURNS + sum(len(texts) for texts in answers)

    return sum(await asyncio.gather(*(conversation(i) for i in range(calls // (TURNS + 2 * SAMPLES)))))


async def autointeract(url: str, in_flight: int, run: Callable[[Ask], Awaitable[int]]) -> int:
    from autointeract.models import Call, Models, ModelsSettings, PriceSettings, RoleSettings
    from autointeract.models.settings import BudgetSettings, LimitSettings
    from autointeract.records import Message

    role = RoleSettings(model="sim", api_base=url, max_tokens=256, price=PriceSettings(input=1, output=2))
    settings = ModelsSettings(
        default=role, limits=LimitSettings(max_in_flight=in_flight, start_in_flight=in_flight),
        budget=BudgetSettings(money=1e6),
    )  # fmt: skip
    roles = {"sim": "simulator", "weak": "weak", "strong": "strong"}
    with tempfile.TemporaryDirectory() as folder:
        async with Models(settings, folder=Path(folder), seed=0) as models:
            number = 0

            async def ask(model: str, prompt: str, n: int) -> list[str]:
                nonlocal number
                number += 1
                call = Call(item=str(number), purpose="benchmark")
                replies = await models.complete(roles[model], [Message(role="user", content=prompt)], n=n, call=call)
                return [reply.text for reply in replies]

            return await run(ask)


async def bare_aiohttp(url: str, in_flight: int, run: Callable[[Ask], Awaitable[int]]) -> int:
    import aiohttp

    gate = asyncio.Semaphore(in_flight)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def one(model: str, prompt: str) -> str:
            body = {"model": model, "messages": [{"role": "user", "content": prompt}], "max_tokens": 256}
            async with gate, session.post(f"{url}/chat/completions", json=body) as response:
                return (await response.json())["choices"][0]["message"]["content"]

        async def ask(model: str, prompt: str, n: int) -> list[str]:
            return list(await asyncio.gather(*(one(model, prompt) for _ in range(n))))

        return await run(ask)


def gated(send: Callable[[str, str], Awaitable[Any]], in_flight: int) -> Ask:
    """A client's documented call under one semaphore."""
    gate = asyncio.Semaphore(in_flight)

    async def one(model: str, prompt: str) -> str:
        async with gate:
            return await send(model, prompt)

    async def ask(model: str, prompt: str, n: int) -> list[str]:
        return list(await asyncio.gather(*(one(model, prompt) for _ in range(n))))

    return ask


async def openai(url: str, in_flight: int, run: Callable[[Ask], Awaitable[int]]) -> int:
    from openai import AsyncOpenAI

    client = AsyncOpenAI(base_url=url, api_key="none", max_retries=0)

    async def send(model: str, prompt: str) -> str:
        messages: Any = [{"role": "user", "content": prompt}]
        reply = await client.chat.completions.create(model=model, messages=messages, max_tokens=256)
        return reply.choices[0].message.content or ""

    return await run(gated(send, in_flight))


async def litellm(url: str, in_flight: int, run: Callable[[Ask], Awaitable[int]], router: bool = False) -> int:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm as library

    library.suppress_debug_info = True
    send_with: Any = library.acompletion
    if router:
        names = ("sim", "weak", "strong")
        where: dict[str, str] = {"api_base": url, "api_key": "k"}
        deployments = [{"model_name": n, "litellm_params": {"model": f"openai/{n}", **where}} for n in names]
        send_with = library.Router(model_list=deployments).acompletion

    async def send(model: str, prompt: str) -> str:
        where: dict[str, str] = {} if router else {"api_base": url, "api_key": "k"}
        reply = await send_with(model=model if router else f"openai/{model}", max_tokens=256,
                                messages=[{"role": "user", "content": prompt}], **where)  # fmt: skip
        return reply.choices[0].message.content

    return await run(gated(send, in_flight))


async def dspy(url: str, in_flight: int, run: Callable[[Ask], Awaitable[int]]) -> int:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import dspy as library

    models = {name: library.LM(f"openai/{name}", api_base=url, api_key="k", cache=False, max_tokens=256)
              for name in ("sim", "weak", "strong")}  # fmt: skip

    async def send(model: str, prompt: str) -> str:
        return str((await models[model].acall(prompt))[0])

    return await run(gated(send, in_flight))


def curator(url: str, in_flight: int, calls: int) -> int:
    """Workload A only: its B is one pass over the data set a turn."""
    # It would fetch a tokenizer's table; litellm, which it brings along, ships a copy.
    litellm = importlib.util.find_spec("litellm")
    if litellm is not None and litellm.origin is not None:
        tables = Path(litellm.origin).parent / "litellm_core_utils" / "tokenizers"
        os.environ["TIKTOKEN_CACHE_DIR"] = os.environ["CUSTOM_TIKTOKEN_CACHE_DIR"] = str(tables)
    os.environ.update({"TELEMETRY_ENABLED": "false", "CURATOR_DISABLE_RICH_DISPLAY": "1", "OPENAI_API_KEY": "k"})
    from bespokelabs import curator as library

    class One(library.LLM):
        def prompt(self, row: dict[str, Any]) -> str:
            return row["prompt"]

        def parse(self, row: dict[str, Any], response: str) -> dict[str, Any]:
            return {"text": response}

    model = One(model_name="sim", backend="openai", backend_params={
        "base_url": url, "api_key": "k", "max_concurrent_requests": in_flight,
        "max_requests_per_minute": 10**7, "max_tokens_per_minute": 10**9,
    })  # fmt: skip
    rows = [{"prompt": f"{RULES[:300]} Item {i}. Write the first message."} for i in range(calls)]
    with tempfile.TemporaryDirectory() as folder:
        return len(model(rows, working_dir=folder).dataset)


def distilabel(url: str, in_flight: int, calls: int) -> int:
    """Workload A only."""
    from distilabel.models import OpenAILLM
    from distilabel.pipeline import Pipeline
    from distilabel.steps import LoadDataFromDicts
    from distilabel.steps.tasks import TextGeneration

    rows = [{"instruction": f"{RULES[:300]} Item {i}. Write the first message."} for i in range(calls)]
    with Pipeline("benchmark") as pipeline:
        load = LoadDataFromDicts(data=rows, batch_size=in_flight)
        model = OpenAILLM(model="sim", base_url=url, api_key="k", generation_kwargs={"max_new_tokens": 256})
        load >> TextGeneration(llm=model, input_batch_size=in_flight)
    return len(pipeline.run(use_cache=False)["default"]["train"])


def cpu() -> float:
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        total += usage.ru_utime + usage.ru_stime
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("client")
    parser.add_argument("workload", choices=["A", "B"])
    parser.add_argument("url")
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--in-flight", type=int, default=96)
    args = parser.parse_args()
    begun, started = time.monotonic(), [0.0]
    clients: dict[str, Any] = {
        "autointeract": autointeract, "aiohttp": bare_aiohttp, "openai": openai, "litellm": litellm,
        "router": lambda *a: litellm(*a, router=True), "dspy": dspy,
    }  # fmt: skip

    async def run(ask: Ask) -> int:
        started[0] = cpu()
        return await workload(args.workload, args.calls, ask)

    if args.client in clients:
        calls = asyncio.run(clients[args.client](args.url, args.in_flight, run))
    else:
        if args.workload != "A":
            sys.exit(f"{args.client} runs workload A only")
        calls = {"curator": curator, "distilabel": distilabel}[args.client](args.url, args.in_flight, args.calls)
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = {"wall_s": time.monotonic() - begun, "cpu_s": cpu(), "start_cpu_s": started[0], "rss_mb": rss}
    print(json.dumps({"client": args.client, "calls": calls, **{k: round(v, 3) for k, v in figures.items()}}))


if __name__ == "__main__":
    main()
