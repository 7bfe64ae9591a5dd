"""A forgotten person is nowhere in the workspace: every file is searched, compressed ones unpacked."""

import json
import sqlite3
from pathlib import Path

import pyarrow.ipc
import pyarrow.parquet as pq
import pytest
import zstandard
from logs_support import Claude, ingest, write_lines

from autointeract.errors import InputError
from autointeract.logs.forget import forget
from autointeract.records import Profile, TurnLabel
from autointeract.workspace import Workspace

SAID = "the marmalade dragon sleeps under the third staircase"
OTHER = "somebody else entirely asks about the weather in spring"


def everything(root: Path) -> str:
    """All text of a workspace, whatever holds it."""
    texts = []
    for path in sorted(root.rglob("*")):
        if path.suffix == ".parquet":
            texts.append(json.dumps(pq.read_table(path).to_pylist(), default=str))
        elif path.suffix == ".arrow":
            texts.append(json.dumps(pyarrow.ipc.open_file(str(path)).read_all().to_pylist(), default=str))
            texts.append(path.read_bytes().decode("latin-1"))
        elif path.suffix == ".sqlite":
            with sqlite3.connect(path) as database:
                for (body,) in database.execute("SELECT body FROM replies"):
                    texts.append(zstandard.ZstdDecompressor().decompress(body).decode())
            database.close()
            texts.append(path.read_bytes().decode("latin-1"))
        elif path.is_file():
            texts.append(path.read_text(encoding="utf-8", errors="replace"))
    return "\n".join(texts)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Two people's sessions and what later stages made of them."""
    for number, (user, text) in enumerate((("quillon", SAID), ("bertram", OTHER))):
        claude = Claude(f"{number:08d}-2222-4333-8444-555555555555", user)
        claude.says(text)
        claude.answers("as you wish")
        write_lines(tmp_path / "logs" / f"{user}.jsonl", claude.rows)
    _, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    space = Workspace(tmp_path / "w", "test-key")
    by_text = {session.turns[0].text: session for session in sessions}
    made = {"stage": "x", "stage_digest": "d", "inputs": {}, "complete": True}
    space.labels.write(
        [[TurnLabel(session_id=s.session_id, turn_index=0, intent="create", reaction="new_request", specificity=1,
                    words=8, labeller="rules") for s in sessions]], **made
    )  # fmt: skip
    profiles = [
        Profile(profile_id=f"p{n}", user_id=by_text[text].user_id, niche="n", text=f"says {text}", settings_json="{}",
                generation=0, parent_id=None, audit_json="{}", fidelity=1.0, weight=1.0)
        for n, text in enumerate((SAID, OTHER))
    ]  # fmt: skip
    children = [
        profiles[0].model_copy(update={"profile_id": "p0child", "parent_id": "p0", "user_id": None, "text": "a child"})
    ]
    if Profile.model_fields["user_id"].is_required():
        children = [profiles[0].model_copy(update={"profile_id": "p0child", "parent_id": "p0", "text": "a child"})]
    space.profiles.write([profiles + children], **made)
    write_lines(
        space.root / "journal" / "label.jsonl",
        [{"len": 1, "item": {"key": s.session_id, "value": s.turns[0].text}} for s in sessions],
    )
    write_lines(space.root / "journal" / "learn-prompt.jsonl", [{"state": SAID}, {"state": "both"}])
    (space.root / "reports").mkdir()
    (space.root / "reports" / "index.html").write_text(f"<p>{SAID}</p>")
    (space.root / "stages" / "profile.json").parent.mkdir(exist_ok=True)
    (space.root / "stages" / "profile.json").write_text(json.dumps({"details": {"seen": SAID}}))
    with sqlite3.connect(space.root / "cache" / "replies.sqlite") as database:
        database.execute("CREATE TABLE replies (key BLOB PRIMARY KEY, role TEXT, model TEXT, item TEXT, body BLOB)")
        for number, session in enumerate(sessions):
            body = zstandard.ZstdCompressor().compress(session.turns[0].text.encode())
            database.execute(
                "INSERT INTO replies VALUES (?, 'judge', 'm', ?, ?)", (bytes([number]), session.session_id, body)
            )
    database.close()
    return space


@pytest.mark.parametrize("name", ["identity", "pseudonym"])
def test_nothing_of_the_person_is_left_and_nothing_of_the_other_is_lost(workspace, name):
    sessions = {session.turns[0].text: session for session in workspace.sessions.rows()}
    mine, other = sessions[SAID], sessions[OTHER]
    assert mine.user_id and other.user_id
    report = forget(workspace, "quillon" if name == "identity" else mine.user_id)
    left = everything(workspace.root)
    for trace in (SAID, "marmalade", "quillon", mine.user_id, mine.session_id, "p0child"):
        assert trace not in left, trace
    for kept in (OTHER, other.user_id, other.session_id):
        assert kept in left
    assert report.removed["sessions"] == 1 and report.removed["profiles"] == 2
    assert report.removed["reply cache"] == 1 and report.removed["optimiser state"] == 1
    assert report.rebuild[:2] == ["label", "profile"] and "report" in report.rebuild


def test_a_forgotten_person_is_not_taken_in_again(workspace, tmp_path):
    forget(workspace, "quillon")
    claude = Claude("77777777-2222-4333-8444-555555555555", "quillon")
    claude.says(SAID + " again")
    claude.answers("yes")
    write_lines(tmp_path / "logs" / "new.jsonl", claude.rows)
    _, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert [session.turns[0].text for session in sessions] == [OTHER]


def test_an_unknown_person_is_an_error_that_says_what_to_name(workspace):
    with pytest.raises(InputError, match="home folder name"):
        forget(workspace, "nobody-at-all")
