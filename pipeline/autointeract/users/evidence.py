"""Reads sessions and labels of a workspace once and gives what each user's sessions say.

Labels of one session may come from several labellers: the source's own win over a model's, a model's over the rules'.
"""

from collections import Counter
from collections.abc import Iterable

from autointeract.records import Record, TurnLabel
from autointeract.users.measures import SessionEvidence, session_evidence
from autointeract.users.surface import tokens
from autointeract.users.turns import typed_turns
from autointeract.workspace import Workspace


class Evidence(Record):
    """What is known of all users.

    Attributes:
        users: evidence per session, by user id; sessions in the order of their id.
        texts: every typed text, by user id.
        repos: names of the repositories each user worked in.
        common: words that at least three users type (they name nothing of one user's own).
        sessions, anonymous: sessions read; those without a user id (they serve instances and realism only).
        silent: users without a single typed turn.
    """

    users: dict[str, list[SessionEvidence]]
    texts: dict[str, list[str]]
    repos: dict[str, list[str]]
    common: frozenset[str]
    sessions: int
    anonymous: int
    silent: list[str]


def gather(workspace: Workspace) -> Evidence:
    """Evidence of every user with a typed turn.

    Raises:
        WorkspaceError: there are no sessions or no labels yet.
    """
    labels = best_labels(workspace.labels.rows())
    users: dict[str, list[SessionEvidence]] = {}
    texts: dict[str, list[str]] = {}
    repos: dict[str, set[str]] = {}
    seen: set[str] = set()
    words: Counter[str] = Counter()
    sessions = anonymous = 0
    for session in workspace.sessions.rows():
        sessions += 1
        if session.user_id is None:
            anonymous += 1
            continue
        seen.add(session.user_id)
        found = session_evidence(session, labels.get(session.session_id, {}))
        if not found.turns:
            continue
        users.setdefault(session.user_id, []).append(found)
        texts.setdefault(session.user_id, []).extend(turn.text for turn in typed_turns(session))
        repos.setdefault(session.user_id, set()).update([session.repo] if session.repo else [])
    for user in texts:
        words.update({word for text in texts[user] for word in tokens(text)})
    ordered = {user: sorted(users[user], key=lambda row: row.session_id) for user in sorted(users)}
    return Evidence(
        users=ordered, texts={user: texts[user] for user in ordered},
        repos={user: sorted(repos[user]) for user in ordered},
        common=frozenset(word for word, n in words.items() if n >= 3), sessions=sessions, anonymous=anonymous,
        silent=sorted(seen - users.keys()),
    )  # fmt: skip


def best_labels(rows: Iterable[TurnLabel]) -> dict[str, dict[int, TurnLabel]]:
    """For each session and turn the label of the most trusted labeller."""
    found: dict[str, dict[int, TurnLabel]] = {}
    for row in rows:
        table = found.setdefault(row.session_id, {})
        if row.turn_index not in table or _trust(row) > _trust(table[row.turn_index]):
            table[row.turn_index] = row
    return found


def _trust(row: TurnLabel) -> int:
    return 2 if row.labeller == "source" else 1 if row.labeller.startswith("model:") else 0
