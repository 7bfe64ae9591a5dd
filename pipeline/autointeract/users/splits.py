"""Which users are for training, validation and test: assigned once by seeded rank quotas, stored, and kept.

Each new user, in an order that only the seed and the id decide, gets the split furthest below its quota; a tie goes to
test before validation, because a claim about unseen people needs them first. Rows of other kinds are left alone.
"""

from collections.abc import Iterable

from autointeract.records import Split, digest
from autointeract.workspace import Workspace

_ORDER = ("train", "test", "val")


def assign(known: dict[str, Split], users: Iterable[str], shares: dict[str, float], seed: int) -> dict[str, Split]:
    """`known` plus one row for each new user.

    Args:
        shares: of train, val and test; they sum to 1.
    """
    rows = dict(known)
    counts = {name: sum(row.split == name for row in known.values()) for name in _ORDER}
    rank = max((row.rank for row in known.values()), default=-1) + 1
    fresh = sorted(set(users) - known.keys(), key=lambda user: digest(["split", seed, user]))
    for total, user in enumerate(fresh, start=len(known) + 1):
        split = max(_ORDER, key=lambda name: shares[name] * total - counts[name])
        counts[split] += 1
        rows[user] = Split(kind="user", id=user, split=split, rank=rank)  # type: ignore[arg-type]
        rank += 1
    return rows


def user_splits(workspace: Workspace) -> dict[str, Split]:
    """The stored assignment, by user; empty before the first."""
    if not workspace.splits.exists():
        return {}
    return {row.id: row for row in workspace.splits.rows() if row.kind == "user"}


def ensure(workspace: Workspace, users: Iterable[str], shares: dict[str, float], seed: int) -> dict[str, str]:
    """Assigns what is new, stores the dataset, and gives every user's split. The caller holds the lock."""
    known = user_splits(workspace)
    rows = assign(known, users, shares, seed)
    if rows.keys() != known.keys():
        others = [row for row in workspace.splits.rows() if row.kind != "user"] if workspace.splits.exists() else []
        everything = sorted([*others, *rows.values()], key=lambda row: (row.kind, row.rank, row.id))
        workspace.splits.write(
            [everything], stage="profile", stage_digest=digest(["splits", seed]), inputs={}, complete=True
        )
    return {user: row.split for user, row in rows.items()}
