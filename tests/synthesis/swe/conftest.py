"""The image that tests on real Docker share."""

import io
import tarfile

import pytest
from repository_world import FILES

BASE = "autointeract-swe:latest"
IMAGE = "autointeract-test-bench:latest"


@pytest.fixture(scope="session")
def image(docker_engine):
    """A task image with the small repository."""
    import docker
    from docker import errors

    client = docker.from_env()
    try:
        client.images.get(BASE)
    except errors.ImageNotFound:
        pytest.skip(f"no image {BASE}: bash sandbox/build.sh makes it")
    text = (
        f"FROM {BASE}\nUSER root\nCOPY tree /testbed\n"
        "RUN cd /testbed && git init -q && git add -A && git -c user.name=x -c user.email=x@x commit -q -m x\n"
        "USER 65534:65534\n"
    )
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, data in {"Dockerfile": text, **{f"tree/{name}": body for name, body in FILES.items()}}.items():
            info = tarfile.TarInfo(name)
            info.size = len(data.encode())
            tar.addfile(info, io.BytesIO(data.encode()))
    buffer.seek(0)
    client.images.build(fileobj=buffer, custom_context=True, tag=IMAGE, rm=True, network_mode="none")
    yield IMAGE
    client.close()
