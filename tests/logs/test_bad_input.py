"""Bad input is skipped or read, counted and named: never a traceback, never a lost good session."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from logs_support import Claude, ingest, write_lines

from autointeract.logs.build import BuildRules, draft, finish
from autointeract.logs.explain import explain_file
from autointeract.logs.opening import open_log
from autointeract.logs.settings import LogsSettings
from autointeract.logs.spool import table_of
from autointeract.records import Session

FOLDER = Path(__file__).parent / "fixtures"
NAMES = sorted(json.loads((FOLDER / "truth.json").read_text(encoding="utf-8")))
RULES = BuildRules("standard", b"key")


def good(tmp_path: Path) -> Path:
    claude = Claude("99999999-2222-4333-8444-555555555555")
    claude.says("a good message")
    claude.answers("a good answer")
    return write_lines(tmp_path / "logs" / "good.jsonl", claude.rows)


def texts(sessions) -> list[str]:
    return sorted(turn.text for session in sessions for turn in session.turns if turn.kind == "human")


def test_bad_lines_are_counted_and_the_rest_is_read(tmp_path, claude):
    claude.says("before")
    claude.says("after\u2028still after")
    broken = claude.row("user", message={"role": "user", "content": "nul and surrogate"}, permissionMode="x")
    line = json.dumps(broken).replace("nul and surrogate", "nul\\u0000 \\ud83d surrogate").encode()
    rows = [
        *claude.rows[:1],
        '{"type": "user", "mess',
        "[1, 2]",
        "null",
        "\x00\x00",
        *claude.rows[1:2],
        line,
        b'{"bytes": "\xff\xfe"}',
    ]
    write_lines(tmp_path / "logs" / "a.jsonl", rows)
    report, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert texts(sessions) == ["after\u2028still after", "before", "nul \ufffd surrogate"]
    assert report.details["problems"]["invalid_lines"] >= 3
    assert any("invalid lines" in note for note in report.notes)


def test_a_line_beyond_the_bound_is_skipped_and_its_neighbours_are_read(tmp_path, claude):
    claude.says("first")
    claude.says("x" * 3_000_000)
    claude.says("last")
    path = write_lines(tmp_path / "logs" / "a.jsonl", claude.rows)
    report, sessions = ingest(tmp_path / "w", path, max_line_mb=1)
    assert texts(sessions) == ["first", "last"]
    assert report.details["problems"] == {"oversized_lines": 1}


def test_objects_glued_into_one_line_are_all_read(tmp_path, claude):
    for text in ("first", "second }{ with braces", "third", "last"):
        claude.says(text)
    one, two, three, four = (json.dumps(row) for row in claude.rows)
    report, sessions = ingest(
        tmp_path / "w", write_lines(tmp_path / "logs" / "a.jsonl", [one + two + "  " + three, four, four + '{"a":'])
    )
    assert [turn.text for turn in sessions[0].turns] == ["first", "second }{ with braces", "third", "last"]
    assert report.details["problems"] == {"invalid_lines": 1}


def test_glued_rows_of_other_formats_are_read_too(tmp_path):
    row = {"user": "u", "messages": [{"role": "user", "content": "one"}, {"role": "assistant", "content": "a"}]}
    other = {**row, "messages": [{"role": "user", "content": "two"}, {"role": "assistant", "content": "b"}]}
    _, sessions = ingest(tmp_path / "w", write_lines(tmp_path / "a.jsonl", [row, json.dumps(other) + json.dumps(row)]))
    assert sorted(set(texts(sessions))) == ["one", "two"]


def test_rows_of_another_format_inside_a_log_are_counted(tmp_path, claude):
    claude.says("mine")
    rows = [*claude.rows, {"messages": [{"role": "user", "content": "another's"}]}, {"role": "user", "content": "x"}]
    report, sessions = ingest(tmp_path / "w", write_lines(tmp_path / "a.jsonl", rows))
    assert texts(sessions) == ["mine"]
    assert report.details["problems"] == {"foreign_records": 2}


def test_a_truncated_archive_gives_what_could_be_read(tmp_path, claude):
    for number in range(3000):
        claude.says(f"message {number * 7919 % 3001}")
    data = gzip.compress(b"\n".join(json.dumps(row).encode() for row in claude.rows))
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.jsonl.gz").write_bytes(data[: len(data) // 2])
    report, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert 500 < len(texts(sessions)) < 3000
    assert report.details["problems"]["truncated_archive"] >= 1


def test_a_folder_of_everything_loses_no_good_session(tmp_path):
    good(tmp_path)
    for name in NAMES:
        (tmp_path / "logs" / name).write_bytes((FOLDER / name).read_bytes())
    (tmp_path / "logs" / "empty.jsonl").touch()
    (tmp_path / "logs" / "binary.bin").write_bytes(bytes(range(256)) * 100)
    (tmp_path / "logs" / "torn.parquet").write_bytes(b"PAR1" + bytes(100))
    (tmp_path / "logs" / "deep.json").write_text("[" * 100_000)
    (tmp_path / "logs" / "number.json").write_text("12")
    (tmp_path / "logs" / "strange.jsonl").write_text('{"type": "user", "message": 7, "uuid": []}\n' * 3)
    (tmp_path / "logs" / "zero.jsonl").write_text('{"type": "summary", "summary": "s", "leafUuid": "l"}\n')
    report, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert "a good message" in texts(sessions)
    formats = report.details["formats"]
    assert sum(formats.values()) >= len(NAMES) and len(formats) >= 17
    assert any("empty file" in note and "empty.jsonl" in note for note in report.notes)
    assert any("torn.parquet" in note for note in report.notes)


def test_explain_shows_every_record_and_writes_nothing(tmp_path):
    before = sorted(tmp_path.rglob("*"))
    lines = list(explain_file(FOLDER / "claude_code.jsonl", LogsSettings()))
    assert sorted(tmp_path.rglob("*")) == before
    shown = {int(line.split()[0]) for line in lines if line.split()[0].isdigit()}
    assert shown >= set(range(2, 43)) - {14, 16}
    assert any("keep" in line and "beside_tool_result" in line and "start with the cache" in line for line in lines)
    assert any("drop" in line and "replayed_record" in line for line in lines)
    assert "human turns 10, assistant turns 7" in " ".join(lines)
    assert "wilhelmina" not in "\n".join(lines)
    assert all(line.isprintable() for line in lines)


def stored_rows(data: bytes, folder: Path) -> list[Session]:
    path = folder / "x"
    path.write_bytes(data)
    log = open_log(path, "x", 1 << 20)
    stored = [("f" * 16, finish(draft(raw, "f" * 16, RULES))) for raw in log.sessions]
    table = table_of(stored).select(Session.SCHEMA.names).cast(Session.SCHEMA)
    return [Session.from_arrow(row) for row in table.to_pylist()]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_reader_gives_fits_the_schema(name, tmp_path):
    sessions = stored_rows((FOLDER / name).read_bytes(), tmp_path)
    assert sessions and "wilhelmina" not in "".join(session.model_dump_json() for session in sessions)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_damage_to_a_file_stops_its_reader(name, tmp_path, data):
    """Bytes are cut out, doubled or overwritten anywhere; values in JSON are replaced by values of other types."""
    content = (FOLDER / name).read_bytes()
    if name.endswith((".json", ".jsonl")) and data.draw(st.booleans()):
        values = [json.loads(line) for line in content.split(b"\n") if line.startswith(b"{") and line.endswith(b"}")]
        values = values or [json.loads(content)]
        place, odd = data.draw(st.integers(0, 60)), data.draw(ODD)
        swapped = [swap(value, place, odd) for value in values]
        content = b"\n".join(json.dumps(value).encode() for value in swapped)
    else:
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 80)))
        content = content[:start] + data.draw(st.binary(max_size=20)) + content[end:]
    for session in stored_rows(content, tmp_path):
        assert all(turn.kind and "\x00" not in turn.text for turn in session.turns)


ODD = st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.text(max_size=5),
                st.lists(st.integers(), max_size=2),
                st.dictionaries(st.text(max_size=3), st.integers(), max_size=2))  # fmt: skip


def swap(value, place, odd):
    """`value` with the `place`-th part of it (counted depth first) replaced by `odd`."""
    counter = [place]

    def walk(part):
        counter[0] -= 1
        if counter[0] == 0:
            return odd
        if isinstance(part, dict):
            return {key: walk(item) for key, item in part.items()}
        if isinstance(part, list):
            return [walk(item) for item in part]
        return part

    return walk(value)
