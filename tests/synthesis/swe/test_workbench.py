"""The workbench on real Docker: what the agent can reach, what it cannot, and that nothing survives."""

import pytest
from repository_world import BAD, GOOD, diff

from autointeract.errors import SandboxError, SandboxUnavailableError
from autointeract.execution import ExecutionSettings
from autointeract.synthesis.swe.workbench import DockerWorkbench, need_docker

pytestmark = pytest.mark.docker


async def test_an_agent_works_on_its_own_tree_and_sees_nothing_private(image):
    bench = DockerWorkbench(ExecutionSettings(backend="docker"), "test-bench", 2)
    session = await bench.open(image, diff(GOOD, BAD), ["tests/test_clamp.py"], 256)
    try:
        seen = await session.run("cat calc.py; ls tests; git log --oneline | wc -l; id -u", 20, 4000)
        assert "max(value, high)" in seen.output and "test_clamp" not in seen.output and "65534" in seen.output
        for path in ("/.clean/calc.py", "/bench/state.patch", "/testbed/../.clean/.git/HEAD"):
            assert (await session.run(f"cat {path}", 20, 4000)).code != 0
        assert "min(value, high)" not in (await session.run("git log -p --all | head -200", 20, 9000)).output
        assert (
            await session.run("python3 -c 'import socket; socket.create_connection((\"1.1.1.1\", 53), 2)'", 20, 500)
        ).code
        await session.run(
            "sed -i s/max/min/ calc.py; echo a > 'odd name.txt'; mkdir -p __pycache__; touch __pycache__/x", 20, 500
        )
        patch, state = await session.patch(), await session.state()
        assert "-    return max(value, high)" in patch and "odd name.txt" in patch and "pycache" not in patch
        assert "calc.py" not in state and "odd name.txt" in state and "test_clamp" not in state
        late = await session.run("sleep 30", 1, 500)
        assert late.late
        cut = await session.run("seq 1 200000", 20, 1000)
        assert "left out" in cut.output and len(cut.output) < 1200
    finally:
        await session.close()
    again = await bench.open(image, state, [], 256)
    try:
        assert "min(value, high)" in (await again.run("cat calc.py 'odd name.txt'", 20, 4000)).output
    finally:
        await again.close()
        await bench.close()


async def test_unusable_images_and_states_are_faults_and_nothing_is_left(image):
    import docker

    bench = DockerWorkbench(ExecutionSettings(backend="docker"), "test-bench-left", 1)
    with pytest.raises(SandboxError, match="not on this machine"):
        await bench.open("no/such:image", "", [], 128)
    with pytest.raises(SandboxError, match="could not be prepared"):
        await bench.open(image, diff("a\n", "b\n", "missing.py"), [], 128)
    session = await bench.open(image, "", [], 128)  # the one slot is free again
    await session.close()
    await bench.close()
    client = docker.from_env()
    assert not client.containers.list(all=True, filters={"label": "autointeract.run=test-bench-left"})
    client.close()


def test_without_docker_the_refusal_is_clear():
    with pytest.raises(SandboxUnavailableError, match="need Docker"):
        need_docker(ExecutionSettings(backend="bubblewrap"))
