"""Archives, encodings and places that are broken: what stands before the damage is read, the rest is named."""

import gzip
import json
import os
import subprocess
import zlib
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from logs_support import Claude, ingest, write_lines

from autointeract.errors import InputError
from autointeract.logs.opening import open_log
from autointeract.logs.source import Source

LINES = 2000


def log_bytes(lines: int = LINES) -> bytes:
    claude = Claude()
    for number in range(lines):
        claude.says(f"message {zlib.crc32(str(number).encode())} of {number}")
    return b"".join(json.dumps(row).encode() + b"\n" for row in claude.rows)


def heard(path: Path) -> tuple[int, dict[str, int], str]:
    log = open_log(path, path.name, 1 << 26)
    count = sum(len(raw.human_turns()) for raw in log.sessions)
    return count, dict(log.source.problems), log.reason


def pack(kind: str, data: bytes) -> bytes:
    return gzip.compress(data) if kind == "gz" else zstandard.ZstdCompressor(write_checksum=True).compress(data)


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_an_archive_that_breaks_off_gives_the_lines_before_and_says_so(kind, tmp_path):
    packed = pack(kind, log_bytes(20_000 if kind == "zst" else LINES))
    path = tmp_path / f"a.jsonl.{kind}"
    path.write_bytes(packed[: len(packed) // 2])
    count, problems, reason = heard(path)
    assert not reason and count > 500 and problems["truncated_archive"] == 1


@pytest.mark.parametrize("kind", ["gz", "zst"])
@pytest.mark.parametrize("kept", [2, 4, 12])
def test_an_archive_without_content_is_truncated_and_not_empty(kind, kept, tmp_path):
    path = tmp_path / f"a.jsonl.{kind}"
    path.write_bytes(pack(kind, log_bytes(3))[: max(kept, 4 if kind == "zst" else 2)])
    assert "truncated archive" in heard(path)[2]


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_an_archive_of_nothing_is_an_empty_file(kind, tmp_path):
    path = tmp_path / f"a.jsonl.{kind}"
    path.write_bytes(pack(kind, b""))
    assert heard(path)[2] == "empty file"


@pytest.mark.parametrize("magic", [b"\x1f\x8b", b"\x28\xb5\x2f\xfd"])
def test_an_archive_that_cannot_be_unpacked_is_named_so(magic, tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(magic + bytes(range(256)))
    assert "damaged archive" in heard(path)[2]


def test_a_wrong_checksum_costs_no_line(tmp_path):
    packed = bytearray(gzip.compress(log_bytes(50)))
    packed[-6] ^= 0xFF
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(packed)
    assert heard(path) == (50, {"damaged_archive": 1}, "")


def test_a_damaged_middle_keeps_the_lines_before_it(tmp_path):
    packed = bytearray(gzip.compress(log_bytes()))
    middle = len(packed) // 2
    packed[middle : middle + 40] = bytes(40)
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(packed)
    count, problems, reason = heard(path)
    assert not reason and count >= LINES * 0.45 and problems["damaged_archive"] == 1


def test_one_document_cut_off_is_named_by_its_container(tmp_path):
    rows = [{"messages": [{"role": "user", "content": str(n * 7919)}], "user": "m"} for n in range(3000)]
    document = json.dumps(rows).encode()
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(document)[:2000])
    (tmp_path / "a.json").write_bytes(document[:20_000])
    assert "truncated archive" in heard(tmp_path / "a.json.gz")[2]
    assert "damaged JSON" in heard(tmp_path / "a.json")[2]


@settings(max_examples=60, deadline=None)
@given(
    data=st.binary(max_size=3000),
    cut=st.integers(0, 3100),
    size=st.integers(1, 700),
    kind=st.sampled_from(["gz", "zst"]),
)
def test_what_is_unpacked_is_always_the_beginning_of_what_was_packed(tmp_path_factory, data, cut, size, kind):
    path = tmp_path_factory.mktemp("cut") / "a"
    packed = pack(kind, b"." + data)
    path.write_bytes(packed[: max(cut, 4)])
    got = b"".join(Source(path)._chunks(size))
    assert (b"." + data).startswith(got)
    if max(cut, 4) >= len(packed):
        assert got == b"." + data


@settings(max_examples=80, deadline=None)
@given(lines=st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b".")), max_size=12),
       block=st.integers(1, 30), bound=st.integers(5, 60))  # fmt: skip
def test_lines_are_those_of_the_file_but_for_the_ones_beyond_the_bound(tmp_path_factory, lines, block, bound):
    path = tmp_path_factory.mktemp("lines") / "a"
    path.write_bytes(b"text\n" + b"\n".join(lines))
    found = dict(Source(path, max_line_bytes=bound).lines(block))
    for number, line in enumerate([b"text", *lines], 1):
        if not line.strip():
            continue
        if number in found:
            assert found[number] == line and len(line) <= bound + block
        else:
            assert len(line) > bound


def test_utf16_as_a_windows_shell_writes_it_is_read(tmp_path):
    text = log_bytes(3).decode()
    for name, encoding in (("a", "utf-16"), ("b", "utf-16-be")):
        data = text.encode(encoding)
        (tmp_path / name).write_bytes(data if name == "a" else b"\xfe\xff" + data)
        assert heard(tmp_path / name)[0] == 3


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\x03\x04" + bytes(100), "zip archive"), (bytes(257) + b"ustar\x0000" + bytes(300), "tar archive"),
        (b"sha256:" + b"0a" * 32, "Entire checkpoint"),
        (b"# Session Context\n\n## User Prompts\n", "Entire checkpoint"),
        (b'{"v":1,"agent":"codex","cli_version":"dev","type":"user","ts":"x","content":[]}', "condensed copy"),
        (gzip.compress(gzip.compress(b"{}", mtime=0), mtime=0), "archive inside an archive"),
        (b"SQLite format 3\x00", "SQLite database"),
    ],
)  # fmt: skip
def test_containers_that_are_not_opened_say_what_to_do(data, reason, tmp_path):
    (tmp_path / "a").write_bytes(data)
    assert reason in heard(tmp_path / "a")[2]


def test_rows_of_several_formats_in_one_file_are_all_read(tmp_path):
    rows = [
        {"messages": [{"role": "user", "content": "from the chat"}], "user": "m"},
        {"id": "a_0", "conversations": [{"from": "human", "value": "from the share"}]},
        {"conversation_hash": "e" * 32, "model": "m", "hashed_ip": "f" * 64,
         "conversation": [{"role": "user", "content": "from the wild", "header": {}}]},
        7, None,
    ]  # fmt: skip
    log = open_log(write_lines(tmp_path / "a.jsonl", rows), "a.jsonl", 1 << 20)
    words = [event.text for raw in log.sessions for event in raw.human_turns()]
    assert words == ["from the chat", "from the share", "from the wild"]
    assert log.source.problems == {"rows_without_conversation": 2}


def test_odd_places_are_named_and_cost_no_good_session(tmp_path):
    logs = tmp_path / "logs"
    (logs / "folder.jsonl").mkdir(parents=True)
    (logs / "folder.jsonl" / "inner.jsonl").write_bytes(log_bytes(2))
    (logs / "loop").symlink_to(logs)
    (logs / "self.jsonl").symlink_to("self.jsonl")
    (logs / "nowhere.jsonl").symlink_to("gone")
    os.mkfifo(logs / "pipe.jsonl")
    report, sessions = ingest(tmp_path / "w", logs)
    assert sum(turn.kind == "human" for session in sessions for turn in session.turns) == 2
    notes = "\n".join(report.notes)
    assert "nowhere.jsonl" in notes and "self.jsonl" in notes


def test_a_file_that_cannot_be_opened_costs_no_other(tmp_path, monkeypatch):
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "good.jsonl").write_bytes(log_bytes(2))
    (logs / "shut.jsonl").write_bytes(log_bytes(1))
    (logs / "shut.jsonl").chmod(0)
    real = open

    def shut(path, *args, **kwargs):
        if str(path).endswith("shut.jsonl"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *args, **kwargs)

    monkeypatch.setattr("builtins.open", shut)
    report, sessions = ingest(tmp_path / "w", logs)
    assert len(sessions) == 1
    assert any("Permission denied" in note and "shut.jsonl" in note for note in report.notes)
    with pytest.raises(InputError, match="Permission denied"):
        ingest(tmp_path / "w2", logs / "shut.jsonl")


def test_an_object_that_a_repository_lacks_is_named_and_read_when_it_is_there(tmp_path):
    repository = tmp_path / "repository"
    for name, lines in (("0", 2), ("1", 3)):
        path = repository / "ab" / name / "full.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(log_bytes(lines).replace(b"11111111", f"{name * 8}".encode()))

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(repository), "-c", "user.name=q", "-c", "user.email=q@h.org", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "-q", "-b", "entire/checkpoints/v1")
    git("add", ".")
    git("commit", "-q", "-m", "checkpoint")
    blob = git("rev-parse", "HEAD:ab/1/full.jsonl")
    lost = repository / ".git" / "objects" / blob[:2] / blob[2:]
    lost.rename(tmp_path / "lost")
    report, sessions = ingest(tmp_path / "w", repository)
    assert len(sessions) == 1 and any("missing from the repository" in note for note in report.notes)
    (tmp_path / "lost").rename(lost)
    _, sessions = ingest(tmp_path / "w", repository)
    assert len(sessions) == 2


def test_the_report_names_files_with_problems_and_without_a_person(tmp_path):
    claude = Claude()
    claude.says("words")
    write_lines(tmp_path / "logs" / "half.jsonl", [*claude.rows, '{"type": "user", "mess'])
    agent = Claude("22222222-2222-4333-8444-555555555555")
    agent.answers("alone")
    write_lines(tmp_path / "logs" / "alone.jsonl", agent.rows)
    write_lines(tmp_path / "logs" / "title.jsonl", ['{"type": "summary", "summary": "s", "leafUuid": "l"}'])
    report, _ = ingest(tmp_path / "w", tmp_path / "logs")
    notes = "\n".join(report.notes)
    assert "1 x invalid lines (half.jsonl)" in notes
    assert "1 session(s) without a person not stored (alone.jsonl)" in notes
    assert "1 file(s) without a conversation (title.jsonl)" in notes


def chat(text: str) -> bytes:
    row = {"user": "m", "messages": [{"role": "user", "content": text}, {"role": "assistant", "content": "k"}]}
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


FLAWS = {
    "invalid lines": (chat("a") + b"{broken\n\xff\xfe\n" + chat("b"), ["a", "b"], {"invalid_lines": 2}),
    "mark": (b"\xef\xbb\xbf" + chat("a"), ["a"], {}),
    "line ends": ((chat("a") + chat("b")).replace(b"\n", b"\r\n"), ["a", "b"], {}),
    "lone surrogate": (chat("a?b").replace(b"?", b"\\ud83d"), ["a\ufffdb"], {}),
    "nul": (chat("a?b").replace(b"?", b"\\u0000") + chat("c?d").replace(b"?", b"\x00"), ["ab", "cd"], {}),
    "line separator": (chat("a\u2028b"), ["a\u2028b"], {}),
    "long line": (chat("a") + chat("x" * 3_000_000) + chat("b"), ["a", "b"], {"oversized_lines": 1}),
    "torn line": (chat("a") + chat("b")[:-20], ["a"], {"invalid_lines": 1}),
    "no turn": (chat("a") + b'{"user": "m", "messages": []}\n', ["a"], {"rows_without_conversation": 1}),
    "foreign row": (chat("a") + b'{"level": "info"}\n' + chat("b"), ["a", "b"], {"rows_without_conversation": 1}),
}


@pytest.mark.parametrize("kind", ["plain", "gz", "zst"])
@pytest.mark.parametrize("flaw", FLAWS)
def test_every_flaw_costs_itself_alone_in_every_container(flaw, kind, tmp_path):
    data, words, problems = FLAWS[flaw]
    path = tmp_path / "logs" / f"a.jsonl.{kind}"
    path.parent.mkdir()
    path.write_bytes(data if kind == "plain" else pack(kind, data))
    report, sessions = ingest(tmp_path / "w", path.parent, max_line_mb=1)
    assert sorted(turn.text for session in sessions for turn in session.turns if turn.kind == "human") == words
    assert report.details["problems"] == problems
    assert not problems or any("a.jsonl" in note for note in report.notes)
