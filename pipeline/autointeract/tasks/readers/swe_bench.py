"""The SWE-bench family: SWE-Gym, SWE-rebench, SWE-bench-extra. `patch` is the fix; the image stands at `base_commit`.

Columns: instance_id, repo, base_commit, patch, test_patch, problem_statement, FAIL_TO_PASS and PASS_TO_PASS (lists or
their JSON text), and for the image docker_image, image_name or image; SWE-rebench adds install_config (its test_cmd is
used). A SWE-Gym row without an image gets that set's own naming.
"""

import json
from typing import Any

from autointeract.tasks.candidate import Candidate, Refusal
from autointeract.tasks.readers.context import ReadContext, need_text, optional_text
from autointeract.tasks.readers.swe import candidate, explicit_patch, test_list

SWE_GYM_IMAGE = "xingyaoww/sweb.eval.x86_64.{name}:latest"


def read(row: dict[str, Any], context: ReadContext) -> Candidate | Refusal:
    """One SWE-bench-shaped row as a candidate."""
    task_id = need_text(row, "instance_id")
    patch, introduces_bug = explicit_patch(row, context, default=False)
    image = optional_text(row, "docker_image", "image_name", "image")
    if image is None and "gym" in context.label.lower():
        image = SWE_GYM_IMAGE.format(name=task_id.lower().replace("__", "_s_"))
    return candidate(
        row, context, task_id=task_id, patch=patch, introduces_bug=introduces_bug, image=image,
        repo=need_text(row, "repo"), fail_to_pass=test_list(row, "FAIL_TO_PASS", "fail_to_pass"),
        pass_to_pass=test_list(row, "PASS_TO_PASS", "pass_to_pass"), test_patch=optional_text(row, "test_patch") or "",
        test_cmd=_test_cmd(row), meta={"base_commit": optional_text(row, "base_commit") or "", "shape": "swe_bench"},
    )  # fmt: skip


def _test_cmd(row: dict[str, Any]) -> str | None:
    config = row.get("install_config")
    if isinstance(config, str):
        try:
            config = json.loads(config)
        except ValueError:
            return None
    command = config.get("test_cmd") if isinstance(config, dict) else None
    if isinstance(command, list):
        command = next((item for item in command if isinstance(item, str)), None)
    return command if isinstance(command, str) and "pytest" in command else None
