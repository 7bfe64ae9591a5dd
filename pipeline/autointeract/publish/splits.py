"""Which task is for training, validation or test: assigned once, stored in the workspace, kept for ever.

A task keeps its split when later runs add tasks; new tasks go, in seeded order, to the split that is furthest below its
quota. So no task is ever in two splits, and a row that was once for testing never becomes training data.
"""

from collections.abc import Iterable, Sequence

from autointeract.records import Split, derive_seed, digest
from autointeract.workspace import Workspace

NAMES = ("train", "val", "test")


def assign(known: Sequence[Split], task_ids: Iterable[str], val: float, test: float, seed: int) -> list[Split]:
    """The task splits after `task_ids` joined, sorted by rank; `known` ones unchanged.

    Args:
        val, test: shares in [0, 1) of all tasks.
    """
    tasks = {row.id: row for row in known if row.kind == "task"}
    new = sorted((derive_seed(seed, "task-split", task), task) for task in set(task_ids) - tasks.keys())
    shares = {"train": 1 - val - test, "val": val, "test": test}
    counts = {name: sum(row.split == name for row in tasks.values()) for name in NAMES}
    for rank, task in new:
        total = sum(counts.values()) + 1
        # Ties go to training first, so that a handful of tasks still trains something.
        name = max(NAMES, key=lambda name: (round(shares[name] * total - counts[name], 9), -NAMES.index(name)))
        counts[name] += 1
        tasks[task] = Split(kind="task", id=task, split=name, rank=rank)
    return sorted(tasks.values(), key=lambda row: (row.rank, row.id))


def stored_splits(workspace: Workspace, task_ids: Iterable[str], val: float, test: float, seed: int) -> dict[str, str]:
    """`{task_id: split}` for these tasks; new assignments are added to the workspace's `splits` (users' rows kept)."""
    known = list(workspace.splits.rows()) if workspace.splits.exists() else []
    wanted = set(task_ids)
    tasks = assign(known, wanted, val, test, seed)
    if len(tasks) > sum(row.kind == "task" for row in known):
        rows = [*(row for row in known if row.kind != "task"), *tasks]
        workspace.splits.write(
            [rows], stage="export", stage_digest=digest({"val": val, "test": test, "seed": seed}), inputs={},
            complete=True,
        )  # fmt: skip
    return {row.id: row.split for row in tasks if row.id in wanted}
