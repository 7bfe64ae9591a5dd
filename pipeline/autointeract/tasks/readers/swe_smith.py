"""SWE-smith rows: `patch` introduces the bug, its reverse is gold; one image a repository.

Columns: instance_id, patch, FAIL_TO_PASS, PASS_TO_PASS, image_name, repo, problem_statement (may be empty). The id is
`<owner>__<repo>.<commit8>.<strategy>__<hash8>` (`pr_<number>` for mirrored pull requests). Image names come in two
styles: `swebench/swesmith.x86_64.<owner>_1776_<repo>.<commit8>` (now) and
`jyangballin/swesmith.x86_64.<owner>__<repo>.<commit8>` (before); a row without one gets the present style.
Source: swesmith 0.0.9.
"""

import re
from typing import Any

from autointeract.records import Record
from autointeract.tasks.candidate import Candidate, Refusal
from autointeract.tasks.readers.context import ReadContext, RowError, need_text, optional_text
from autointeract.tasks.readers.swe import candidate, explicit_patch, test_list

_ID = re.compile(r"^(?P<owner>[\w.-]+?)__(?P<repo>[\w.-]+)\.(?P<commit>[0-9a-f]{7,40})\.(?P<rest>[\w.-]+)$")


class InstanceName(Record):
    """An instance id taken apart; `repo_key` = `<owner>__<repo>.<commit8>`."""

    owner: str
    repo: str
    commit: str
    strategy: str

    @property
    def repo_key(self) -> str:
        """The environment's name."""
        return f"{self.owner}__{self.repo}.{self.commit}"

    @property
    def image(self) -> str:
        """The environment's image in the present naming."""
        return f"swebench/swesmith.x86_64.{self.owner}_1776_{self.repo}.{self.commit}".lower()


def parse_instance_id(text: str) -> InstanceName | None:
    """The parts of a SWE-smith id; null if it is none."""
    match = _ID.match(text)
    if not match:
        return None
    rest = match["rest"]
    strategy = rest.rsplit("__", 1)[0]
    return InstanceName(owner=match["owner"], repo=match["repo"], commit=match["commit"], strategy=strategy)


def read(row: dict[str, Any], context: ReadContext) -> Candidate | Refusal:
    """One SWE-smith row as a candidate."""
    task_id = need_text(row, "instance_id")
    name = parse_instance_id(task_id)
    image = optional_text(row, "image_name", "image") or (name.image if name else None)
    repo = name.repo_key if name else (optional_text(row, "repo") or "").removeprefix("swesmith/")
    if not repo:
        raise RowError("bad_row", "neither the id nor the column repo names the repository")
    patch, introduces_bug = explicit_patch(row, context, default=True)
    return candidate(
        row, context, task_id=task_id, patch=patch, introduces_bug=introduces_bug, image=image, repo=repo,
        fail_to_pass=test_list(row, "FAIL_TO_PASS", "fail_to_pass"),
        pass_to_pass=test_list(row, "PASS_TO_PASS", "pass_to_pass"),
        meta={"strategy": name.strategy if name else optional_text(row, "strategy") or "unknown", "shape": "swe_smith"},
    )  # fmt: skip
