"""One folder to one dataset repository on the Hub, in one commit: nobody ever sees half of a push.

Files are uploaded first (large ones by content: what is already there is not sent again, so a push that broke goes on
where it stopped), then one commit adds what is new, replaces what changed and removes shards of an older plan. A second
push of the same folder changes nothing and commits nothing.
"""

import hashlib
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from autointeract.errors import ConfigError, StoppedError
from autointeract.publish.settings import PushSettings
from autointeract.records import Record

T = TypeVar("T")
SHARD = re.compile(r"^[\w.-]+/[\w.-]+-\d{5}-of-\d{5}\.(?:parquet|jsonl)$")
LONGEST_WAIT_S = 60.0


class Pushed(Record):
    """What a push did. `commit` is null when there was nothing to do."""

    added: list[str]
    removed: list[str]
    unchanged: int
    commit: str | None
    created: bool


def push_folder(folder: Path, repo: str, settings: PushSettings) -> Pushed:
    """Makes the repository hold the files of `folder`; other files in it that are no shards stay. Blocking.

    Raises:
        ConfigError: the Hub does not accept the token, or the repository may not be written.
        StoppedError: the Hub could not be reached; the same push goes on from here.
    """
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
    from huggingface_hub.utils import disable_progress_bars

    if not sys.stderr.isatty():
        disable_progress_bars()
    api = HfApi(endpoint=settings.endpoint)
    retry = _Retry(settings, repo)
    created = retry(lambda: not api.repo_exists(repo, repo_type="dataset"))
    if created:
        retry(lambda: api.create_repo(repo, repo_type="dataset", private=settings.private, exist_ok=True))
    head = retry(lambda: api.dataset_info(repo)).sha
    tree = retry(lambda: list(api.list_repo_tree(repo, repo_type="dataset", recursive=True)))
    there = {entry.path: entry for entry in tree if hasattr(entry, "blob_id")}
    local = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
    new = [name for name, path in local.items() if not _same(path, there.get(name))]
    stale = sorted(name for name in there if SHARD.match(name) and name not in local)
    if not new and not stale:
        return Pushed(added=[], removed=[], unchanged=len(local), commit=None, created=created)
    additions = [CommitOperationAdd(path_in_repo=name, path_or_fileobj=str(local[name])) for name in new]
    for addition in additions:
        retry(lambda addition=addition: api.preupload_lfs_files(repo, [addition], repo_type="dataset"))
    operations = [*additions, *(CommitOperationDelete(path_in_repo=name) for name in stale)]
    info = retry(
        lambda: api.create_commit(
            repo, operations, commit_message=settings.message, repo_type="dataset", parent_commit=head
        )
    )
    return Pushed(added=new, removed=stale, unchanged=len(local) - len(new), commit=info.oid, created=created)


class _Retry:
    """Calls the Hub until it answers, within bounds."""

    def __init__(self, settings: PushSettings, repo: str):
        self.settings, self.repo = settings, repo

    def __call__(self, call: Callable[[], T]) -> T:
        wait = self.settings.wait_s
        for left in range(self.settings.tries - 1, -1, -1):
            try:
                return call()
            except Exception as error:
                wait = max(wait, self._judge(error, left))
            time.sleep(min(wait, LONGEST_WAIT_S))
            wait *= 2
        raise AssertionError("the last try returns or raises")

    def _judge(self, error: Exception, left: int) -> float:
        """Seconds that the Hub asks to wait; raises what is not worth another try."""
        from huggingface_hub.errors import HfHubHTTPError

        # A failed upload comes wrapped in a RuntimeError: what happened is its cause.
        chain = [error]
        while isinstance(chain[-1].__cause__, Exception):
            chain.append(chain[-1].__cause__)
        refusal = next((link for link in chain if isinstance(link, HfHubHTTPError)), None)
        if refusal is None and not any(_of_the_wire(link) for link in chain):
            raise error
        status = refusal.response.status_code if refusal else 0
        if status in (401, 403, 404):
            raise ConfigError(
                f"the Hub refuses {self.repo} (HTTP {status}): set HF_TOKEN to a token that may write there"
            ) from error
        if not left or (refusal and status != 429 and status < 500):
            said = (
                f"HTTP {status} from the Hub" if refusal else f"the Hub cannot be reached ({type(chain[-1]).__name__})"
            )
            raise StoppedError(f"push to {self.repo}: {said}; run it again to go on") from error
        return _seconds(refusal.response.headers.get("retry-after")) if refusal else 0.0


def _of_the_wire(error: Exception) -> bool:
    # huggingface_hub has changed its HTTP library twice; all of them name their errors after themselves.
    return isinstance(error, OSError) or type(error).__module__.split(".")[0] in ("httpx", "httpx2", "requests")


def _seconds(text: str | None) -> float:
    return float(text) if text and text.isdigit() else 0.0


def _same(path: Path, entry: Any) -> bool:
    if entry is None or entry.size != path.stat().st_size:
        return False
    data = path.read_bytes()
    if getattr(entry, "lfs", None):
        return entry.lfs.sha256 == hashlib.sha256(data).hexdigest()
    return entry.blob_id == hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
