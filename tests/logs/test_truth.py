"""The hand-made table of genuine human turns is reproduced exactly: lines, counts, texts."""

import json

import pytest

from autointeract.logs.opening import open_log


@pytest.mark.parametrize("index", range(3))
def test_the_hand_made_truth_is_reproduced(shared, index):
    folder = shared / "logs" / "truth"
    wanted = json.loads((folder / "truth.json").read_text(encoding="utf-8"))["files"][index]
    sessions = list(open_log(folder / wanted["file"], "x", 1 << 26, trace=True).sessions)
    found = [event for raw in sessions for event in raw.human_turns()]
    assert [event.text.strip()[:60] for event in found] == [turn["first60"] for turn in wanted["human"]]
    if all("line" in turn for turn in wanted["human"]):
        assert [event.line for event in found] == [turn["line"] for turn in wanted["human"]]
    assert len(found) == wanted["human_turns"]
    assert sum(raw.assistant_turns() for raw in sessions) == wanted["assistant_turns"]
