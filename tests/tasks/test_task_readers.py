"""Every reader on its fixture, its quirks, and bad rows refused by name."""

import base64
import gzip
import json
import pickle
import zipfile
import zlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tasks.task_rows import ASSERTIONS, BUG, SMITH_ID, dolci, own, problem, r2e, rebench, smith

from autointeract.errors import InputError
from autointeract.tasks.candidate import Candidate, Refusal
from autointeract.tasks.readers import READERS, detect, read_source
from autointeract.tasks.readers.context import ReadContext
from autointeract.tasks.readers.rows import source_label
from autointeract.tasks.readers.swe_smith import parse_instance_id
from autointeract.tasks.settings import SourceSettings, TasksSettings

SETTINGS = TasksSettings()


def context(**source) -> ReadContext:
    made = SourceSettings(**{"path": "x.jsonl", **source})
    return ReadContext(where="x.jsonl:1", source=made, label=source_label(made), settings=SETTINGS)


def read(row: dict, **source) -> Candidate:
    kind = detect(row)
    assert kind is not None
    found = context(**source).guarded(READERS[kind], row)
    assert isinstance(found, Candidate), found
    return found


def refused(row: dict, kind: str | None = None, **source) -> Refusal:
    found = context(**source).guarded(READERS[kind or detect(row) or "own"], row)
    assert isinstance(found, Refusal), found
    return found


def test_columns_decide_the_format():
    shapes = {"own": own(), "dolci": dolci(), "swe_smith": smith(), "swe_bench": rebench(), "r2e_gym": r2e()}
    assert {name: detect(row) for name, row in {**shapes, "lcb_pro": problem()}.items()} == {
        name: name for name in READERS
    }
    assert detect({"text": "no task"}) is None


# --- Dolci ----------------------------------------------------------------------------------------------------------


def test_dolci_assertions():
    found = read(dolci(), license="ODC-BY")
    assert found.task_id == "dolci/marks" and found.source == "some_set" and found.license == "ODC-BY"
    assert found.statement.startswith("Add up the marks")
    assert found.spec.kind == "assertions" and found.spec.assertions == ASSERTIONS
    assert found.meta == {"passrate": 0.5}


def test_dolci_takes_exactly_one_role_marker_off():
    assert read(dolci(prompt="user: user: hello there")).statement == "user: hello there"
    assert read(dolci(prompt=[{"role": "user", "content": "hello"}])).statement == "hello"
    row = dolci(prompt=None, messages=[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "no"}])
    assert read(row).statement == "hello"


def test_dolci_pickled_tests_and_fenced_reference():
    packed = base64.b64encode(zlib.compress(pickle.dumps(ASSERTIONS))).decode()
    found = read(dolci(ground_truth=[packed], solution="```python\ndef marks(v):\n    return 0\n```"))
    assert found.spec.kind == "assertions" and found.spec.assertions == ASSERTIONS
    assert found.reference == {"code": "def marks(v):\n    return 0\n"}


def test_dolci_stdio():
    cases = [{"input": "3\n", "output": 6}, {"input": ["4", "5"], "output": "8\n"}]
    found = read(dolci(dataset=["code_stdio"], ground_truth=[json.dumps(cases)]))
    assert found.spec.kind == "stdio" and found.spec.language == "python"
    assert [(case.input, case.output) for case in found.spec.cases] == [("3\n", "6"), ("4\n5", "8\n")]


def test_dolci_without_an_id_gets_one_from_its_content():
    first, second = read(dolci(id=None)), read(dolci(id=None, prompt="user: other"))
    assert first.task_id != second.task_id and first.task_id == read(dolci(id=None)).task_id


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (dolci(dataset=["math"]), "not_code"),
        (dolci(dataset=["ifeval"]), "not_code"),
        (dolci(ground_truth=["[]"]), "no_tests"),
        (dolci(ground_truth=["zzz"]), "bad_ground_truth"),
        (dolci(ground_truth=[json.dumps([1, 2])]), "bad_ground_truth"),
        (dolci(ground_truth=[json.dumps(["assert f(1) =="])]), "bad_assertion"),
        (dolci(ground_truth=[json.dumps(["print(1)", "print(2)"])]), "bad_assertion"),
        (dolci(dataset=["code_stdio"]), "bad_ground_truth"),
        (dolci(dataset=["code_stdio"], ground_truth=['[{"input": null, "output": "1"}]']), "bad_ground_truth"),
        (dolci(prompt="user:   "), "no_statement"),
        (dolci(prompt=None), "missing_column"),
        (dolci(prompt="user: " + "x" * 70_000), "too_large"),
    ],
)
def test_dolci_refusals(row, reason):
    found = refused(row, "dolci")
    assert found.reason == reason and found.name == "dolci/marks"


# --- own ------------------------------------------------------------------------------------------------------------


def test_own_row_whole():
    facts = ["Marks below zero do not count.", {"id": "empty", "text": "Nothing gives 0."}]
    found = read(own(facts=facts, interface="`marks(values)`", public_cases=ASSERTIONS[:1], meta={"level": 2}))
    assert [fact.id for fact in found.facts or []] == ["f1", "empty"]
    start, end = (found.facts or [])[0].span or (0, 0)
    assert found.statement[start:end] == "Marks below zero do not count."
    assert found.public_cases == ASSERTIONS[:1] and found.meta == {"level": 2}


def test_own_programs_and_whole_verifiers():
    cases = [{"input": "1\n", "output": "2\n"}]
    found = read(own(assertions=None, cases=cases, language="cpp", reference="int main(){}"))
    assert found.spec.kind == "stdio" and found.spec.language == "cpp"
    spec = {"kind": "pytest", "fail_to_pass": ["t.py::a"], "pass_to_pass": []}
    found = read(own(assertions=None, verifier=spec, reference={"patch": BUG}, image="some/image"))
    assert found.domain == "swe" and found.spec.kind == "pytest"


@pytest.mark.parametrize(
    ("changes", "reason", "words"),
    [
        ({"asertions": []}, "bad_row", "unknown keys asertions"),
        ({"assertions": None}, "no_tests", "assertions"),
        ({"assertions": ["assert"]}, "bad_assertion", "not a Python assertion"),
        ({"assertions": "assert f() == 1"}, "bad_row", "list of texts"),
        ({"task_id": None}, "missing_column", "task_id"),
        ({"statement": " "}, "missing_column", "statement"),
        ({"facts": ["a", {"id": "f1", "text": "b"}]}, "bad_row", "not unique"),
        ({"facts": [{"text": "a", "span": [0, 99999]}]}, "bad_row", "outside the statement"),
        ({"facts": [{"txt": "a"}]}, "bad_row", "text"),
        ({"domain": "poetry"}, "bad_row", "domain"),
        ({"time_limit_s": "soon"}, "bad_row", "time_limit_s"),
    ],
)
def test_own_refusals(changes, reason, words):
    found = refused(own(**changes), "own")
    assert found.reason == reason and words in found.detail


# --- SWE ------------------------------------------------------------------------------------------------------------


def test_smith_patch_is_the_bug_and_its_reverse_is_gold():
    found = read(smith())
    assert found.reference and found.reference["start_patch"] == BUG
    assert "-    return a + b\n+    return a * b" in found.reference["patch"]
    assert found.repo == "octo__shapes.1fd52536" and found.meta["strategy"] == "func_pm_op_change"
    assert found.meta["patch_lines"] == 2 and found.meta["patch_files"] == 1
    assert found.spec.kind == "pytest" and found.spec.fail_to_pass == ["tests/test_area.py::test_area[2 by 3]"]


def test_smith_images_old_new_and_from_the_id():
    old = "jyangballin/swesmith.x86_64.octo__shapes.1fd52536"
    assert read(smith(image_name=old)).image == old
    assert read(smith(image_name=None)).image == "swebench/swesmith.x86_64.octo_1776_shapes.1fd52536"


def test_smith_test_lists_as_json_text():
    found = read(smith(FAIL_TO_PASS='["a.py::b", "a.py::b"]', PASS_TO_PASS="['a.py::c']"))
    assert found.spec.kind == "pytest"
    assert found.spec.fail_to_pass == ["a.py::b"] and found.spec.pass_to_pass == ["a.py::c"]


@pytest.mark.parametrize(
    ("text", "strategy", "key"),
    [
        (SMITH_ID, "func_pm_op_change", "octo__shapes.1fd52536"),
        ("a.b__c.d-e.0123abcd.combine_file__x1", "combine_file", "a.b__c.d-e.0123abcd"),
        ("octo__shapes.1fd52536.pr_77", "pr_77", "octo__shapes.1fd52536"),
        ("octo__my__lib.1fd52536.lm_rewrite__q", "lm_rewrite", "octo__my__lib.1fd52536"),
    ],
)
def test_smith_ids(text, strategy, key):
    name = parse_instance_id(text)
    assert name and name.strategy == strategy and name.repo_key == key


def test_direction_of_the_patch_is_explicit():
    assert "start_patch" not in (read(smith(), patch_kind="fix_patch").reference or {})
    assert "start_patch" in (read(smith(patch=None, bug_patch=BUG)).reference or {})
    assert read(smith(patch=None, fix_patch=BUG)).reference == {"patch": BUG}


def test_rebench_row():
    found = read(rebench())
    assert found.reference == {"patch": BUG} and found.image == "some/image:octo"
    assert found.spec.kind == "pytest" and found.spec.test_cmd == "pytest -rA"
    assert "tests/test_area.py" in found.spec.test_patch
    gym = read(rebench(docker_image=None, install_config=None), name="SWE-Gym")
    assert gym.image == "xingyaoww/sweb.eval.x86_64.octo_s_shapes-12:latest"


def test_r2e_row():
    found = read(r2e())
    assert found.spec.kind == "pytest" and found.spec.fail_to_pass == ["r2e_tests/test_1.py::TestArea::test_area[2.5]"]
    patch = (found.reference or {})["patch"]
    assert "+    return a * b" in patch and "tests/test_area.py" not in patch


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (smith(FAIL_TO_PASS=[]), "no_tests"),
        (smith(FAIL_TO_PASS="[1, 2]"), "bad_row"),
        (smith(FAIL_TO_PASS="nonsense("), "bad_row"),
        (smith(PASS_TO_PASS=None), "missing_column"),
        (smith(patch="hello"), "bad_patch"),
        (smith(patch=BUG.replace("pkg/area.py", "../../etc/passwd")), "bad_patch"),
        (smith(patch=BUG.replace("pkg/area.py", ".git/hooks/post-checkout")), "bad_patch"),
        (smith(patch=None), "missing_column"),
        (rebench(docker_image=None), "no_image"),
        (rebench(test_patch="hello"), "bad_patch"),
        (r2e(expected_output_json="{"), "bad_row"),
        (r2e(parsed_commit_content="{}"), "no_reference"),
    ],
)
def test_swe_refusals(row, reason):
    assert refused(row).reason == reason


# --- LiveCodeBench-Pro ----------------------------------------------------------------------------------------------


def archive(folder: Path, **members: str) -> str:
    with zipfile.ZipFile(folder / "2034A.zip", "w") as file:
        for name, text in {"testdata/1.in": "3\n", "testdata/1.ans": "6\n", **members}.items():
            file.writestr(name, text)
    return str(folder)


def test_problem_with_its_archive(tmp_path):
    folder = archive(tmp_path, **{"config.yaml": "time_limit: 1500ms\nmemory_limit: 64m\n", "chk.cc": "int main(){}"})
    (tmp_path / "2034A.cpp").write_text("int main() {}")
    found = read(problem(), archives=folder, references=folder)
    assert found.spec.kind == "stdio_files" and found.spec.time_limit_s == 1.5 and found.spec.memory_mb == 64
    assert found.task_id == "lcb-pro/2034A" and found.reference == {"code": "int main() {}"}
    moved = read(problem(), archives=archive(tmp_path, **{"config.yaml": "x: 1"}))
    assert moved.spec.kind == "stdio_files" and moved.spec.time_limit_s == 2.0 and moved.spec.memory_mb == 256


def test_where_an_archive_lies_is_no_part_of_the_task(tmp_path):
    digests = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        folder = archive(tmp_path / name)
        digests.append(read(problem(), archives=folder).digest)
    assert len(set(digests)) == 1


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"../evil.in": "1"}, "leaves the archive"),
        ({"/abs.in": "1"}, "leaves the archive"),
        ({"c:\\evil.in": "1"}, "leaves the archive"),
        ({"config.yaml": "type: interactive"}, "without its interactor"),
        ({"config.yaml": "a: [b"}, "not YAML"),
    ],
)
def test_bad_archives(tmp_path, members, words):
    found = refused(problem(), archives=archive(tmp_path, **members))
    assert found.reason == "bad_archive" and words in found.detail


def test_archives_that_are_missing_broken_or_bombs(tmp_path):
    assert refused(problem()).reason == "bad_archive"
    assert "not in the folder" in refused(problem(), archives=str(tmp_path)).detail
    (tmp_path / "2034A.zip").write_bytes(b"PK\x03\x04 nothing")
    assert "not a readable zip" in refused(problem(), archives=str(tmp_path)).detail
    with zipfile.ZipFile(tmp_path / "2034A.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("testdata/1.in", b"0" * 30_000_000)
    assert "is packed" in refused(problem(), archives=str(tmp_path)).detail
    with zipfile.ZipFile(tmp_path / "2034A.zip", "w") as file:
        file.writestr("readme.txt", "no tests")
    assert "no test inputs" in refused(problem(), archives=str(tmp_path)).detail
    for name in ("../2034A", ".", "a/b", ""):
        assert refused(problem(problem_id=name), archives=str(tmp_path)).reason == "bad_row"


# --- files ----------------------------------------------------------------------------------------------------------


def found_in(path: Path | str, **source) -> list[Candidate | Refusal]:
    return list(read_source(SourceSettings(path=str(path), **source), SETTINGS))


def test_all_containers_hold_the_same_task(tmp_path):
    line = json.dumps(own()).encode() + b"\n"
    (tmp_path / "a.jsonl").write_bytes(b"\xef\xbb\xbf" + line)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(line))
    (tmp_path / "c.jsonl.zst").write_bytes(zstandard.compress(line))
    (tmp_path / "d.json").write_text(json.dumps([own()], indent=1))
    pq.write_table(pa.Table.from_pylist([own()]), tmp_path / "e.parquet")
    (tmp_path / "notes.txt").write_text("no task")
    found = found_in(tmp_path)
    assert len(found) == 5
    assert len({item.digest for item in found if isinstance(item, Candidate)}) == 1
    assert len(found_in(tmp_path / "*.jsonl*")) == 3
    assert len(found_in(tmp_path, limit=2)) == 2


def test_bad_lines_are_refused_by_name_and_good_ones_read(jsonl):
    separators = own(task_id="odd", statement="One line\u2028of text\x85 with \x0b odd separators.")
    path = jsonl(
        b"not json", b"\xff\xfe{}", b"[1]", own(), b"", separators, {"text": "x"},
        {"task_id": "huge", "statement": "x" * 10_000_000, "assertions": ["assert f() == 1"]}, b"[" * 100_000,
    )  # fmt: skip
    found = found_in(path)
    reasons = [item.reason if isinstance(item, Refusal) else "ok" for item in found]
    assert reasons == ["bad_json", "not_utf8", "bad_row", "ok", "ok", "bad_row", "too_large", "bad_json"]
    assert isinstance(found[0], Refusal) and found[0].name == "tasks.jsonl:1"


def test_a_row_longer_than_allowed_is_skipped_and_the_next_one_read(jsonl):
    path = jsonl(own(statement="x" * 3_000_000), own())
    found = list(read_source(SourceSettings(path=path), TasksSettings(max_row_mb=1)))
    assert [item.reason if isinstance(item, Refusal) else "ok" for item in found] == ["too_large", "ok"]


def test_an_object_over_several_lines_is_named_once(tmp_path):
    (tmp_path / "pretty.jsonl").write_text(json.dumps(own(), indent=2))
    with pytest.raises(InputError, match=r"pretty\.jsonl: objects over several lines; write one a line"):
        found_in(tmp_path / "pretty.jsonl")


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(json.dumps(own()).encode() * 200)[:-20])
    with pytest.raises(InputError, match="cannot be read to its end"):
        found_in(tmp_path / "cut.jsonl.gz")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match="not a readable Parquet"):
        found_in(tmp_path / "bad.parquet")
    with pytest.raises(InputError, match="no task files"):
        (tmp_path / "empty").mkdir()
        found_in(tmp_path / "empty")


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_reader_raises_whatever_a_column_holds(data):
    row = data.draw(st.sampled_from([own(), dolci(), smith(), rebench(), r2e(), problem()]))
    row = dict(row)
    for column in data.draw(st.lists(st.sampled_from(sorted(row)), max_size=3)):
        row[column] = data.draw(ANY)
    for reader in READERS.values():
        assert isinstance(context().guarded(reader, dict(row)), Candidate | Refusal)
