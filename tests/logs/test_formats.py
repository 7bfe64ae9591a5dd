"""Every format by a file written for this project, with the human turns it holds (line or index, text)."""

import gzip
import json
from pathlib import Path

import pytest
import zstandard

from autointeract.logs.opening import open_log
from autointeract.records.vocabulary import TYPED_KINDS

FOLDER = Path(__file__).parent / "fixtures"
TRUTH = json.loads((FOLDER / "truth.json").read_text(encoding="utf-8"))


def human(path: Path):
    log = open_log(path, path.name, 1 << 26, trace=True)
    assert not log.reason
    sessions = list(log.sessions)
    found = [[event.line, event.text.strip()] for raw in sessions for event in raw.human_turns()]
    return sessions, found, log


@pytest.mark.parametrize("name", sorted(TRUTH))
def test_a_format_gives_its_human_turns_and_nothing_else(name):
    wanted = TRUTH[name]
    sessions, found, _ = human(FOLDER / name)
    assert found == wanted["human"]
    assert {raw.format for raw in sessions} == {wanted["format"]}
    assert sum(raw.assistant_turns() for raw in sessions) == wanted["assistant_turns"]


@pytest.mark.parametrize("name", sorted(TRUTH))
def test_the_name_of_a_file_and_its_line_ends_and_its_wrapping_do_not_matter(name, tmp_path):
    data = (FOLDER / name).read_bytes()
    text_format = not name.endswith((".json", ".jsonl"))
    for number, changed in enumerate(
        (
            b"\xef\xbb\xbf" + data,
            data.replace(b"\n", b"\r\n"),
            gzip.compress(data),
            zstandard.ZstdCompressor().compress(data),
        )
    ):
        path = tmp_path / f"strange{number}.bin"
        path.write_bytes(changed)
        if number == 1 and text_format:
            assert [text for _, text in human(path)[1]] == [text for _, text in TRUTH[name]["human"]]
        else:
            assert human(path)[1] == TRUTH[name]["human"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("refused_swe_agent.json", "agent-only trajectory"), ("refused_mini_swe_agent.json", "agent-only trajectory"),
        ("refused_invented_copilot.json", "not a Copilot export"),
        ("refused_retold.md", "retold, summarised or invented"),
        ("refused_checkpoint.json", "full.jsonl"),
    ],
)  # fmt: skip
def test_what_looks_like_a_log_and_is_none_is_refused_with_the_reason(name, reason):
    log = open_log(FOLDER / name, name, 1 << 26)
    assert reason in log.reason


def test_acts_without_words_are_kept_apart_from_words():
    sessions, _, _ = human(FOLDER / "claude_code.jsonl")
    kinds = [(event.line, event.kind) for event in sessions[0].events if event.role == "user" and event.kind]
    acts = {line: kind for line, kind in kinds if kind not in TYPED_KINDS}
    assert acts == {
        2: "injected", 3: "injected", 4: "command", 5: "injected", 19: "button", 22: "interrupt", 23: "injected",
        26: "command",
        27: "injected", 29: "handoff", 31: "compaction", 32: "injected", 33: "injected", 37: "command", 38: "command",
        39: "injected",
    }  # fmt: skip
    assert dict(kinds)[11] == "rejection"


def test_source_labels_of_both_sets_are_kept_as_flags():
    sessions, _, _ = human(FOLDER / "swe_chat.jsonl")
    flags = [event.flags for event in sessions[0].human_turns()]
    assert flags == [
        ("source_intent:create", "source_pushback:non_pushback"), ("source_intent:debug", "source_pushback:takeover"),
    ]  # fmt: skip
