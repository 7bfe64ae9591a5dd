"""What the command line's `verify` and `sandbox` verbs do, without any command-line library."""

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path

from autointeract import assets
from autointeract.errors import InputError, SandboxError
from autointeract.execution import containers, remote
from autointeract.execution.doctor import doctor
from autointeract.execution.serve import serve as serve_http
from autointeract.execution.service import Execution
from autointeract.execution.settings import ExecutionSettings
from autointeract.records import State, Submission, Verdict, parse_spec


async def verify_files(
    spec_path: Path, response_path: Path, state_path: Path | None = None, settings: ExecutionSettings | None = None,
    *, cache_path: Path | None = None, blob_path: Path | None = None,
) -> Verdict:  # fmt: skip
    """The verdict on one response.

    Args:
        spec_path: JSON of a verifier spec.
        response_path: a model's response, or a diff for a `pytest` spec.
        state_path: JSON of a State.

    Raises:
        InputError: a file is missing or is not what it should be.
    """
    text = _text(spec_path)
    try:
        spec = parse_spec(text)
    except InputError as error:
        raise InputError(f"{spec_path}: {str(error).removeprefix('verifier_json: ')}") from error
    response = _text(response_path)
    state = None
    if state_path is not None:
        try:
            state = State.model_validate_json(_text(state_path))
        except ValueError as error:
            raise InputError(f"{state_path}: not a state: {str(error)[:300]}") from error
    submission = Submission(patch=response) if spec.kind == "pytest" else Submission(text=response)
    async with Execution(settings, cache_path=cache_path, blob_path=blob_path) as execution:
        return await execution.verify(spec, submission, state)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from error


async def serve(
    settings: ExecutionSettings, *, host: str = "127.0.0.1", port: int = 8700, queue: int | None = None,
    cache_path: Path | None = None, blob_path: Path | None = None, say: Callable[[str], None] = print,
) -> None:  # fmt: skip
    """Judges for other machines until it is told to stop.

    Args:
        queue: requests held at once; None = eight a lane.
        say: told the address once it listens.

    Raises:
        ConfigError: no token for an address others can reach, or aiohttp is missing.
    """
    if settings.backend == "remote" or settings.remote_urls:
        settings = settings.model_copy(update={"backend": "auto", "remote_urls": []})
    async with Execution(settings, cache_path=cache_path, blob_path=blob_path) as execution:
        await serve_http(
            execution, host=host, port=port, secret=remote.token(settings), queue=queue or 8 * settings.lanes,
            blobs=blob_path, ready=lambda bound: say(f"verify: listening on http://{host}:{bound}"),
        )  # fmt: skip


def doctor_lines(settings: ExecutionSettings | None = None) -> list[str]:
    """What each sandbox backend can do here, a line each."""
    return [finding.line() for finding in doctor(settings)]


def build() -> str:
    """Starts an engine if none answers and builds the images; returns the engine's address.

    Raises:
        SandboxError: sandbox/build.sh failed; its own words went to standard error.
    """
    ended = subprocess.run(["bash", str(assets.path("sandbox", "build.sh"))], stdout=subprocess.PIPE, check=False)
    if ended.returncode != 0:
        raise SandboxError(f"sandbox/build.sh ended with {ended.returncode}; see its messages above")
    return ended.stdout.decode().strip()


async def sweep(settings: ExecutionSettings | None = None, *, everything: bool = False) -> list[str]:
    """Removes what killed runs left in the Docker engine, or (`everything`) all that is this software's."""
    settings = settings or ExecutionSettings()
    removed = await asyncio.to_thread(lambda: containers.sweep(settings, everything=everything))
    if everything:
        removed += await asyncio.to_thread(containers.remove_trees, settings)
    return removed
