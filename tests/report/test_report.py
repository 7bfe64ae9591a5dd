"""The page: all of it there, all of it escaped, nothing outside needed, and honest where data is missing."""

import asyncio
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.trajectory_rows import attempt

from autointeract.errors import WorkspaceError
from autointeract.records import StageReport
from autointeract.records.vocabulary import FAULTS, Boundary
from autointeract.report import page, stage, svg
from autointeract.report.acceptance import measure
from autointeract.report.blocks import Chat, Figure, Notes, Section, Table, Text, Tiles
from autointeract.report.settings import ReportSettings
from autointeract.report.statistics import paired_difference, wilson
from autointeract.workspace import Workspace


class Reader(HTMLParser):
    """Collects tags, attributes and text, and checks that tags close."""

    VOID = {"meta", "link", "br", "img", "rect", "line", "circle", "polyline", "polygon"}

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.urls: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        self.urls += [value or "" for name, value in attrs if name in {"src", "href", "action", "data", "xlink:href"}]
        assert not [name for name, _ in attrs if name.startswith("on")], attrs

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    assert not reader.open
    return reader


def report(workspace: Workspace, services: Any, **settings: Any) -> tuple[Any, Reader, str]:
    result = asyncio.run(stage.run(ReportSettings(**settings), workspace, services))
    html = (workspace.root / "reports" / "index.html").read_text(encoding="utf-8")
    return result, read(html), html


def test_the_page_shows_every_part_and_marks_what_is_simulated(full: Workspace, services: Any) -> None:
    result, page_, _ = report(full, services)
    text = " ".join(page_.text.split())
    for expected in (
        "SIMULATED: 9 of 9 trajectories", "2 people only", "1 of 2 people have one session",
        "1 sessions carry no user identity", "email", "x cannot be claimed", "Reactions to the assistant",
        "0.50 [0.20, 0.80] ?", "mid/low/low/low/mid", "guessable", "too_easy", "Faults by boundary", "sandbox",
        "unknown (no price set)", "synthesize stopped early", "revision round", "reveal_piece (scripted)",
        "not run", "autointeract export",
    ):  # fmt: skip
        assert expected in text, expected
    assert text.count("SIMULATED") >= 1 + ReportSettings().samples
    assert any("+60.0 points" in note for note in result.notes)


def test_nothing_from_the_data_becomes_markup_or_a_template(full: Workspace, services: Any) -> None:
    _, page_, html = report(full, services)
    assert "script" not in page_.tags and "<script" not in html
    assert "<script>alert(1)</script>{{7*7}}{% raw %}" in page_.text
    assert "\x1b" not in html
    assert all(url.startswith("#") for url in page_.urls)
    assert not re.search(r"url\(|@import|https?://", html)


def test_equal_workspaces_give_equal_pages(full: Workspace, services: Any) -> None:
    assert report(full, services)[2] == report(full, services)[2]


def test_paper_curves_are_never_drawn_beside_simulated_ones(full: Workspace, services: Any) -> None:
    assert "paper" not in report(full, services)[1].text.casefold()


def test_an_empty_workspace_says_which_stages_to_run(tmp_path: Path, services: Any) -> None:
    _, page_, _ = report(Workspace(tmp_path), services)
    for name in ("ingest", "label", "profile", "learn-prompt", "tasks", "synthesize"):
        assert f"run `autointeract {name}`" in page_.text


def test_a_workspace_that_is_not_there_is_a_clear_error(tmp_path: Path, services: Any) -> None:
    with pytest.raises(WorkspaceError, match="no workspace"):
        asyncio.run(stage.run(ReportSettings(), Workspace(tmp_path / "none"), services))


def test_arms_are_compared_on_the_same_items_only() -> None:
    rows = []
    for n in range(40):
        rows.append(attempt(f"i{n}", 0, "too_easy"))
        rows.append(attempt(f"i{n}", 1, "accepted" if n % 2 else "leak"))
    rows += [attempt(f"i{n}", 1, "leak", "null") for n in range(10)]
    found = measure((row.to_arrow() for row in rows), seed=1)
    assert found.items == 40 and found.accepted == 20 and found.from_revisions == 1.0
    assert found.arms is not None and found.arms.items == 10
    assert found.arms.difference == [0.0, 0.5]
    assert 0 < found.arms.low[1] < 0.5 < found.arms.high[1] <= 1
    assert found.first == {"algorithmic": {"too_easy": 40}}


def test_a_shared_first_round_counts_for_both_arms() -> None:
    rows = [attempt("a", 0, "accepted"), attempt("a", 1, "too_easy", "null")]
    found = measure((row.to_arrow() for row in rows), seed=1)
    assert found.arms is not None and found.arms.guided == found.arms.null == [1.0, 1.0]


def test_what_synthesize_says_of_the_arms_is_what_the_page_shows(full: Workspace, services: Any) -> None:
    comparison = {
        "items": 6, "tasks": 5, "rounds": [0, 1], "guided": [0.1, 0.5], "null": [0.1, 0.2], "difference": [0.0, 0.3],
        "low": [0.0, -0.35], "high": [0.0, 0.6], "level": 0.95, "resamples": 2000,
    }  # fmt: skip
    fresh = {"rows": 4, "held": 3, "weak": 0.2, "weak_fresh": 0.3, "strong": 0.9, "strong_fresh": 0.8}
    full.save_report(StageReport(stage="synthesize", details={"comparison": comparison, "confirmation": fresh}))
    result, page_, _ = report(full, services)
    sentence = (
        "Guided revisions accept not distinguishably more than re-rolls without guidance on the same 6 items and "
        "seeds: 50.0 % against 20.0 %, difference +30.0 points, 95 % interval [-35.0, +60.0] (bootstrap over 5 tasks)."
    )
    assert sentence in page_.text and sentence in result.notes
    assert "3 of 4 accepted rows stay in the band" in page_.text and "The difference between the arms" in page_.text


def test_equal_arms_show_no_difference() -> None:
    gap = paired_difference([True, False] * 20, [False, True] * 20, seed=3)
    assert gap.low < 0 < gap.high and gap.value == 0


def test_wilson_matches_known_values() -> None:
    # 8 of 10: Wilson 95 % interval [0.4902, 0.9433] (textbook value).
    interval = wilson(8, 10)
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.4902, 0.9433)
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)


@given(st.integers(0, 50), st.integers(1, 50))
def test_wilson_holds_its_estimate(hits: int, of: int) -> None:
    hits = min(hits, of)
    interval = wilson(hits, of)
    assert 0 <= interval.low <= interval.value + 1e-12 and interval.value - 1e-12 <= interval.high <= 1


@given(st.text(max_size=40))
def test_any_text_in_any_block_stays_text(text: str) -> None:
    blocks = [
        Text(text=text), Notes(title=text, items=[text]), Tiles(items=[(text, text)]),
        Table(title=text, head=[text], rows=[[text]]), Figure(title=text, svg=svg.bars([(text, 1.0)]), caption=text),
        Chat(title=text, marks=[text], messages=[("user", text, text)], facts=[(text, text)]),
    ]  # fmt: skip
    plain = Section(anchor="a", title="t", blocks=[Text(text="x"), *blocks[1:1]])
    expected = read(page.render("t", "w", [plain])).tags.count("script")
    assert (
        read(page.render(text, text, [Section(anchor="a", title=text, blocks=blocks)])).tags.count("script") == expected
    )


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["guided", "null"]), st.integers(0, 5),
                       st.sampled_from(["accepted", "leak", "fault"])), max_size=30)
)  # fmt: skip
def test_curves_never_fall_and_stay_in_range(entries: list[Any]) -> None:
    rows = [attempt(item, number, outcome, arm).to_arrow() for item, arm, number, outcome in entries]
    found = measure(rows, seed=0)
    both = [found.arms.guided, found.arms.null] if found.arms else []
    for values in [*both, *([point.value for point in curve.points] for curve in found.curves)]:
        assert values == sorted(values) and all(0 <= value <= 1 for value in values)


def test_faults_and_lost_lines_are_grouped_and_explained(full: Workspace, services: Any) -> None:
    problems = {"invalid_lines": 1092, "oversized_lines": 3, "rows_without_conversation": 180}
    full.save_report(StageReport(stage="ingest", counts={"sessions_read": 5}, details={"problems": problems}))
    full.save_report(StageReport(stage="synthesize", faults={"sandbox": 2, "provider": 1}))
    text = " ".join(report(full, services)[1].text.split())
    for expected in ("What could not be read", "1,092", "lines that are no JSON", "rows that hold no messages",
                     "the sandbox broke: no score", "a model endpoint failed for good", "5 sessions read"):  # fmt: skip
        assert expected in text, expected
    assert "invalid_lines" not in text and "sessions_read" not in text


def test_every_fault_has_a_meaning_here_and_in_the_docs(root: Path) -> None:
    table = (root / "docs/how-to/synthesize.md").read_text(encoding="utf-8")
    assert set(get_args(Boundary)) | {"judge", "writer"} == set(FAULTS)
    assert [name for name in FAULTS if f"`{name}`" not in table] == []
