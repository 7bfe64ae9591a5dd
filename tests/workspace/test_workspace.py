"""Stop anywhere, go on from there, and never read anything half-written."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autointeract.errors import LockedError, ResumeError, WorkspaceError
from autointeract.records import Split, TurnLabel
from autointeract.workspace import Journal, PlannedItem, ResumeMode, StageRun, Workspace

SETTINGS = {"temperature": 1.0, "nested": {"a": 1}}


def label(number: int) -> TurnLabel:
    return TurnLabel(
        session_id=f"s{number}", turn_index=number, intent="create", reaction="accept", specificity=1, words=3,
        labeller="rules",
    )  # fmt: skip


def plan(count: int) -> list[PlannedItem]:
    return [PlannedItem(key=f"k{number}", input_digest=f"d{number}") for number in range(count)]


def finish(workspace: Workspace, items: list[PlannedItem], order: list[int], resume: ResumeMode = "auto"):
    with StageRun.open(workspace, "label", SETTINGS, resume) as stage:
        for number in order:
            stage.journal.put(items[number].key, items[number].input_digest, label(number).model_dump())
        return stage.compact(items, workspace.labels, lambda value: [TurnLabel(**value)], inputs={})


def test_parts_do_not_depend_on_the_order_in_which_items_finish(tmp_path):
    items = plan(7)
    first = finish(Workspace(tmp_path / "a"), items, [0, 1, 2, 3, 4, 5, 6])
    second = finish(Workspace(tmp_path / "b"), items, [6, 2, 0, 1, 5, 4, 3])
    assert first.parts == second.parts
    assert [row.turn_index for row in Workspace(tmp_path / "b").labels.rows()] == list(range(7))


@given(st.text(max_size=60))
def test_a_journal_keeps_any_text(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("j") / "j.jsonl"
    text = text.encode("utf-8", "replace").decode()
    journal = Journal(path)
    journal.put("k", "d", {"text": text, "more": "a\u2028b\u0085c\x0bd"})
    journal.close()
    assert Journal(path).get("k") == {"text": text, "more": "a\u2028b\u0085c\x0bd"}


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_torn_last_line_is_owed_again_and_nothing_else(tmp_path, cut):
    path = tmp_path / "j.jsonl"
    journal = Journal(path)
    for number in range(3):
        journal.put(f"k{number}", "d", {"text": "x" * 30})
    journal.close()
    os.truncate(path, path.stat().st_size - cut)
    again = Journal(path)
    assert list(again.keys()) == ["k0", "k1"]
    again.put("k2", "d", {"text": "y"})
    again.close()
    assert [Journal(path).get(key)["text"][0] for key in ("k0", "k1", "k2")] == ["x", "x", "y"]


def test_damage_in_the_middle_is_named(tmp_path):
    path = tmp_path / "j.jsonl"
    journal = Journal(path)
    for number in range(3):
        journal.put(f"k{number}", "d", number)
    journal.close()
    lines = path.read_bytes().split(b"\n")
    lines[1] = lines[1][:-4]
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(WorkspaceError, match="line 2 is damaged"):
        Journal(path)


def test_changed_input_is_owed_again_and_unchanged_input_is_not(tmp_path):
    workspace = Workspace(tmp_path)
    items = plan(3)
    finish(workspace, items, [0, 1, 2])
    changed = [items[0], items[1].model_copy(update={"input_digest": "new"}), items[2]]
    with StageRun.open(workspace, "label", SETTINGS) as stage:
        assert [item.key for item in stage.owed(changed)] == ["k1"]


def test_other_settings_are_refused_with_the_difference(tmp_path):
    workspace = Workspace(tmp_path)
    finish(workspace, plan(1), [0])
    other = {"temperature": 0.5, "nested": {"a": 1}}
    with pytest.raises(ResumeError, match=r"temperature: 1\.0 -> 0\.5"), StageRun.open(workspace, "label", other):
        pass
    with StageRun.open(workspace, "label", other, "never") as stage:
        assert list(stage.journal.keys()) == []
    assert len(list((tmp_path / "journal").glob("label.*.old"))) == 1


def test_require_refuses_when_there_is_nothing_to_resume(tmp_path):
    with pytest.raises(ResumeError, match="nothing to resume"), StageRun.open(Workspace(tmp_path), "x", {}, "require"):
        pass


def test_two_fresh_starts_in_one_second_keep_both_old_journals(tmp_path):
    workspace = Workspace(tmp_path)
    for _ in range(3):
        with StageRun.open(workspace, "label", SETTINGS, "never") as stage:
            stage.journal.put("k", "d", 1)
    assert len(list((tmp_path / "journal").glob("label.*.old"))) == 2


def test_a_second_writer_is_told_who_writes(tmp_path):
    code = (
        "import sys,time;from pathlib import Path;from autointeract.workspace import Workspace\n"
        "with Workspace(Path(sys.argv[1])).lock('label'): print('held', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with (
            pytest.raises(LockedError, match=rf"process {holder.pid} \(stage label\)"),
            Workspace(tmp_path).lock("tasks"),
        ):
            pass
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with Workspace(tmp_path).lock("tasks"):
        pass


def test_a_failing_write_leaves_the_old_rows(tmp_path):
    workspace = Workspace(tmp_path)
    finish(workspace, plan(2), [0, 1])

    def broken():
        yield label(7)
        raise RuntimeError("disk on fire")

    with pytest.raises(RuntimeError):
        workspace.labels.write([broken()], stage="label", stage_digest="", inputs={}, complete=True)
    assert [row.turn_index for row in workspace.labels.rows()] == [0, 1]
    finish(workspace, plan(2), [])
    assert not list((tmp_path / "labels").glob(".*"))


def test_files_that_the_manifest_does_not_name_are_not_read(tmp_path):
    workspace = Workspace(tmp_path)
    finish(workspace, plan(1), [0])
    (tmp_path / "labels" / "part-00009.parquet").write_bytes(b"")
    assert [row.turn_index for row in workspace.labels.rows()] == [0]


def test_a_damaged_part_is_named(tmp_path):
    workspace = Workspace(tmp_path)
    manifest = finish(workspace, plan(1), [0])
    part = tmp_path / "labels" / manifest.parts[0].name
    part.write_bytes(part.read_bytes()[:50])
    with pytest.raises(WorkspaceError, match="part-00000"):
        list(workspace.labels.rows())


def test_a_missing_dataset_is_named(tmp_path):
    with pytest.raises(WorkspaceError, match="no dataset 'profiles'"):
        list(Workspace(tmp_path).profiles.rows())


def test_an_empty_plan_gives_an_empty_readable_dataset(tmp_path):
    workspace = Workspace(tmp_path)
    assert finish(workspace, [], []).rows == 0
    assert list(workspace.labels.rows()) == []


def test_the_pseudonym_key_is_made_once_and_private(tmp_path):
    first = Workspace(tmp_path).pseudonym_key()
    assert first == Workspace(tmp_path).pseudonym_key()
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
    assert Workspace(tmp_path, "fixed").pseudonym_key() == b"fixed"


def test_sigkill_at_any_moment_loses_at_most_what_was_in_flight(tmp_path):
    code = (
        "import sys;from pathlib import Path;from autointeract.workspace import *\n"
        "with StageRun.open(Workspace(Path(sys.argv[1])), 's', {}) as stage:\n"
        "    done = len(list(stage.journal.keys()))\n"
        "    while True:\n"
        "        stage.journal.put(f'k{done}', 'd', {'n': done, 'pad': 'x' * 5000})\n"
        "        done += 1; print(done, flush=True)\n"
    )
    confirmed = 0
    for wait in (0.25, 0.05, 0.1):
        process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        confirmed = int(process.stdout.readline())
        time.sleep(wait)
        process.kill()
        rest = process.stdout.read().split("\n")
        confirmed = max([confirmed, *(int(word) for word in rest[:-1] if word)])
        process.wait()
    journal = Journal(Workspace(tmp_path).journal_path("s"))
    keys = list(journal.keys())
    assert keys == [f"k{number}" for number in range(len(keys))]
    assert len(keys) >= confirmed
    assert all(journal.get(key)["n"] == number for number, key in enumerate(keys))
    assert json.loads(journal.path.read_bytes().split(b"\n")[0])["item"]["header"]["stage"] == "s"


@pytest.mark.parametrize("change", ["flip", "cut", "remove", "replace"])
def test_a_part_that_is_not_what_was_written_is_never_read(tmp_path, change):
    workspace = Workspace(tmp_path)
    rows = [Split(kind="task", id=f"t{number}", split="train", rank=number) for number in range(50)]
    for name in ("splits", "labels"):
        workspace.dataset(name, Split).write([rows], stage="label", stage_digest="d", inputs={}, complete=True)
        (path,) = (tmp_path / name).glob("*.parquet")
        data = path.read_bytes()
        path.unlink()
        if change != "remove":
            new = {"flip": data[:30] + bytes([data[30] ^ 1]) + data[31:], "cut": data[:-9], "replace": data + b"x"}
            path.write_bytes(new[change])
        with pytest.raises(WorkspaceError, match=re.escape(str(path))) as found:
            list(workspace.dataset(name, Split).rows())
        remedy = "move" if name == "splits" else "run `autointeract label` again"
        assert remedy in str(found.value)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"rows": 3}'])
def test_a_damaged_manifest_or_report_is_named(tmp_path, text):
    workspace = Workspace(tmp_path)
    for path in (tmp_path / "labels" / "manifest.json", tmp_path / "stages" / "label.json"):
        path.parent.mkdir()
        path.write_text(text)
    with pytest.raises(WorkspaceError, match=r"labels/manifest\.json is damaged: restore it, or run .*label"):
        workspace.labels.manifest()
    with pytest.raises(WorkspaceError, match=r"stages/label\.json is damaged: run"):
        workspace.load_report("label")


def test_a_folder_of_other_things_is_no_workspace(tmp_path):
    (tmp_path / "src").mkdir()
    assert not Workspace(tmp_path).exists() and not Workspace(tmp_path / "gone").exists()
    with Workspace(tmp_path / "w").lock("ingest"):
        assert Workspace(tmp_path / "w").exists()


def test_a_journal_without_its_header_is_not_gone_on_with(tmp_path):
    workspace = Workspace(tmp_path)
    with StageRun.open(workspace, "label", SETTINGS) as stage:
        stage.journal.put("k", "d", 1)
    path = workspace.journal_path("label")
    path.write_bytes(path.read_bytes().split(b"\n", 1)[1])
    with (
        pytest.raises(WorkspaceError, match="line 1 is no header"),
        StageRun.open(workspace, "label", {"temperature": 0.0}),
    ):
        pass
    with StageRun.open(workspace, "label", SETTINGS, "never") as stage:
        assert not stage.journal.has("k", "d")


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_damaged_key_is_never_used(tmp_path, text):
    workspace = Workspace(tmp_path)
    key = workspace.pseudonym_key()
    assert key == workspace.pseudonym_key() and len(key) == 64
    (tmp_path / "key").write_text(text)
    with pytest.raises(WorkspaceError, match="restore it"):
        workspace.pseudonym_key()
