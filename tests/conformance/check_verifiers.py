"""Runs inside verifiers' own environment: the taskset loads every row, vf-eval scores, the env server serves."""

# Runs elsewhere: what it imports is not installed here.
# pyright: reportMissingImports=false, reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false

import asyncio
import json
import multiprocessing
import subprocess
import sys
from pathlib import Path

from fake_openai import FakeOpenAI

WORK = Path(sys.argv[1])
EXPORT = WORK / "ws" / "export" / "verifiers"
EXPECTED = json.loads((WORK / "expected.json").read_text(encoding="utf-8"))


def check_taskset() -> None:
    """Rows in = tasks out; prompts validate, tool calls too; keys are the trajectories' ids."""
    from autointeract_env import AutoInteractTaskset
    from autointeract_env.taskset import AutoInteractConfig

    total = 0
    for split in ("train", "val", "test"):
        tasks = list(AutoInteractTaskset(AutoInteractConfig(path=EXPORT, split=split)))
        lines = sum(len(path.read_bytes().splitlines()) for path in EXPORT.glob(f"default/{split}-*.jsonl"))
        assert len(tasks) == lines, (split, len(tasks), lines)
        assert len({task.key for task in tasks}) == len(tasks)
        assert all(task.data.prompt[-1].role == "user" for task in tasks)
        total += len(tasks)
    assert total == 30
    print(f"- taskset: {total} rows in, {total} tasks out")
    try:
        list(AutoInteractTaskset(AutoInteractConfig(path=EXPORT, split="nope")))
    except FileNotFoundError as error:
        assert "splits there: test, train, val" in str(error), error
    else:
        raise AssertionError("an absent split must be an error")


def check_eval(url: str) -> None:
    """`vf-eval`: every rollout is scored, and the scores are those of the fake's answers."""
    tool = Path(sys.executable).with_name("vf-eval")
    command = [
        str(tool), "autointeract-env", "-m", "toy", "--client.base-url", url, "--client.api-key-var", "OPENAI_API_KEY",
        "-n", "6", "-r", "2", "--no-push", "--no-rich", "--env.taskset.path", str(EXPORT),
        "--env.taskset.domains", '["algorithmic"]', "--env.agent.runtime.type", "subprocess",
        "-o", str(WORK / "vf-out"),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    traces = [path for path in (WORK / "vf-out").rglob("traces.jsonl")]
    assert done.returncode == 0 and traces, done.stdout[-3000:] + done.stderr[-3000:]
    episodes = [json.loads(line) for line in traces[0].read_text(encoding="utf-8").splitlines()]
    rewards = []
    for episode in episodes:
        for trace in episode["traces"]:
            assert not trace.get("errors"), trace["errors"]
            rewards.append(trace["rewards"]["execution"]["score"])
    assert len(rewards) == 12, len(rewards)
    assert set(rewards) == {1.0, 0.4, 0.0}, rewards
    print(f"- vf-eval: {len(rewards)} rollouts scored, mean {sum(rewards) / len(rewards):.3f}")


async def check_server(url: str) -> None:
    """The env server, over the protocol that prime-rl speaks: tasks go in as data, scored episodes come out."""
    import verifiers.v1 as vf
    from autointeract_env import AutoInteractTaskset
    from autointeract_env.taskset import AutoInteractConfig
    from verifiers.v1.serve import EnvClient, env_config_data, serve_env
    from verifiers.v1.utils.loaders import resolve_env_config

    data = {
        "taskset": {"id": "autointeract-env", "path": str(EXPORT)},
        "agent": {"runtime": {"type": "subprocess"}},
    }
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    served = {
        "config_data": env_config_data(resolve_env_config(data)),
        "address": "tcp://127.0.0.1:0",
        "max_workers": 1,
    }
    server = context.Process(target=serve_env, kwargs={"address_queue": queue, **served})
    server.start()
    try:
        client = EnvClient(queue.get(timeout=60))
        tasks = list(AutoInteractTaskset(AutoInteractConfig(path=EXPORT)))[:8]
        model = vf.EvalClientConfig(base_url=url, api_key_var="OPENAI_API_KEY")
        episodes = await asyncio.gather(
            *(
                client.run(
                    task_data=task.data.model_dump(mode="json"), client=model, model="toy", sampling=vf.SamplingConfig()
                )
                for task in tasks
            )
        )
        assert len(episodes) == len(tasks)
        for episode in episodes:
            (trace,) = episode.traces
            assert not trace.has_error, trace.errors
            assert trace.num_turns == 1 and 0 <= trace.reward <= 1
        print(f"- env server: {len(episodes)} tasks served and scored")
    finally:
        server.terminate()
        server.join(20)


def main() -> None:
    """All of it."""
    check_taskset()
    with FakeOpenAI() as fake:
        check_eval(fake.url)
        assert all(body["messages"][-1]["role"] == "user" for body in fake.requests)
        asyncio.run(check_server(fake.url))


if __name__ == "__main__":
    main()
